-- Makes the accounts whose id is free. Returns their ids.
--: write; absent conflict; bind accounts_bind; decode batch_decode_ids
prepare create_account as
insert into accounts (id, player_id, created_at)
select a.* from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as a(id, player_id, created_at)
on conflict (id) do nothing
returning id;
