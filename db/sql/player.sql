-- The players of these ids, each once.
--: read; absent not_found; bind batch_bind_ids; decode players_decode
prepare player as
select id, name, token, created_at, left_at, hooks from players
where id = any($1::uuid[]);
