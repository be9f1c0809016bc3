-- Makes collections, or renames those that are there; but not where the player has
-- DB_COLLECTIONS_MAX others. Returns the ids of the players.
--: write; absent conflict; bind library_bind_set; decode batch_decode_ids
\ir lib/names.psql
prepare set_collection as
insert into collections (player_id, id, name, created_at)
select c.* from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])
as c(player_id, id, name, created_at)
where (select count(*) from collections o
    where o.player_id = c.player_id and o.player_id = any($1) and o.id <> c.id) < :collections_max
on conflict (player_id, id) do update set name = excluded.name
returning player_id;
