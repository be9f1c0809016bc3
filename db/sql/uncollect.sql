-- Takes games out of collections. Returns the ids of the players in whose they were.
--: write; absent not_found; bind library_bind_uncollect; decode batch_decode_ids
prepare uncollect as
with taken as (
    delete from collection_games o
    using unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c(player_id, collection, game_id)
    where o.player_id = c.player_id and o.player_id = any($1)
    and o.collection = c.collection and o.game_id = c.game_id
    returning o.player_id, o.collection
), counted as (
    update collections o set games = o.games - t.games
    from (select player_id, collection, count(*)::int4 as games from taken
        group by player_id, collection) t
    where o.player_id = t.player_id and o.player_id = any($1) and o.id = t.collection
)
select player_id from taken;
