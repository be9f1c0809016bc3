-- The players of these accounts, each once.
--: read; absent not_found; bind batch_bind_ids; decode accounts_decode
prepare account as
select id, player_id from accounts where id = any($1::uuid[]);
