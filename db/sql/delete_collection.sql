-- Deletes collections, and not their games. Returns the ids of the players who had them.
--: write; absent not_found; bind library_bind_delete; decode batch_decode_ids
prepare delete_collection as
with written as (
    delete from collections o using unnest($1::uuid[], $2::uuid[]) as c(player_id, id)
    where o.player_id = c.player_id and o.player_id = any($1) and o.id = c.id
    returning o.player_id, o.id
), emptied as (
    delete from collection_games o using written w
    where o.player_id = w.player_id and o.player_id = any($1) and o.collection = w.id
)
select player_id from written;
