-- The games of a collection behind a point, the one that was added last first.
select c.* from collection_games c where c.player_id = r.player_id
and c.collection = r.collection and (r.at is null or (c.added_at, c.game_id) < (r.at, r.after))
order by c.added_at desc, c.game_id desc
