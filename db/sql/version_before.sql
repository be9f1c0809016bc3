-- The last version of these games from before a time; 0: all events are from then or later. The
-- events are read from the last one on, as far back as they are younger.
--: read; absent not_found; bind hooks_bind_before; decode hooks_decode_before
prepare version_before as
select r.n::int4, coalesce((
        select e.version from events e
        where e.game_id = r.id and e.game_id = any($1) and e.at < r.at
        order by e.version desc limit 1
    ), 0)
from unnest($1::uuid[], $2::timestamptz[]) with ordinality as r(id, at, n)
order by r.n;
