-- Notes how far players have read games in which they hold a seat, as far as these go. It only grows. Returns the ids of the games
-- where that has changed something.
--: write; absent ok; bind reads_bind_set; decode batch_decode_ids
\ir lib/names.psql
prepare set_read as
update games g set
    seat1_read = case when g.seat1_player = r.player then greatest(g.seat1_read, least(r.version, g.version)) else g.seat1_read end,
    seat2_read = case when g.seat2_player = r.player then greatest(g.seat2_read, least(r.version, g.version)) else g.seat2_read end
from unnest($1::uuid[], $2::uuid[], $3::int4[]) as r(id, player, version)
where g.id = r.id and g.id = any($1)
and (g.seat1_player = r.player and coalesce(g.seat1_read, 0) < least(r.version, g.version)
    or g.seat2_player = r.player and coalesce(g.seat2_read, 0) < least(r.version, g.version))
returning g.id;
