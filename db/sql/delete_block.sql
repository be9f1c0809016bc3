-- Has players block others no more. Returns the ids of the players who did.
--: write; absent not_found; bind blocks_bind; decode batch_decode_ids
prepare delete_block as
delete from blocks o using unnest($1::uuid[], $2::uuid[]) as b(player_id, blocked)
where o.player_id = b.player_id and o.player_id = any($1) and o.blocked = b.blocked
returning o.player_id;
