-- The plans of these seats that have one.
--: read; absent not_found; bind plans_bind; decode plans_decode
prepare plan as
select r.n::int4, p.line, p.ply, p.tree
from unnest($1::uuid[], $2::int2[]) with ordinality as r(id, seat, n)
join plans p on p.game_id = r.id and p.game_id = any($1) and p.seat = r.seat
order by r.n;
