-- Has players block others; whom they have blocked already stays as it is. But not where the player has blocked DB_BLOCKS_MAX
-- others. Returns the ids of the players who block.
--: write; absent conflict; bind blocks_bind_set; decode batch_decode_ids
\ir lib/names.psql
prepare set_block as
insert into blocks (player_id, blocked, at)
select b.* from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as b(player_id, blocked, at)
where (select count(*) from blocks o
    where o.player_id = b.player_id and o.player_id = any($1) and o.blocked <> b.blocked) < :blocks_max
on conflict (player_id, blocked) do update set blocked = excluded.blocked
returning player_id;
