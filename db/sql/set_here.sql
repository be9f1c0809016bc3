-- Notes that seats have their games before them, or have gone (no time). Returns when the players of both seats have said so last.
--: write; absent not_found; bind here_bind; decode here_decode
\ir lib/names.psql
prepare set_here as
update games g set
    seat1_here = case when (r.seats & 2) <> 0 then r.at else g.seat1_here end,
    seat2_here = case when (r.seats & 4) <> 0 then r.at else g.seat2_here end
from unnest($1::uuid[], $2::int2[], $3::timestamptz[]) as r(id, seats, at)
where g.id = r.id and g.id = any($1)
returning g.id, g.seat1_here, g.seat2_here;
