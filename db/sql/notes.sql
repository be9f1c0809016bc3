-- Pages of the notes of these seats, in the order of their plies.
--: read; absent ok; bind notes_bind; decode notes_decode
prepare notes as
select r.n::int4, o.ply, o.text, o.at
from unnest($1::uuid[], $2::int2[], $3::int4[], $4::int4[])
with ordinality as r(id, seat, after, most, n)
cross join lateral (
    select o.* from notes o
    where o.game_id = r.id and o.game_id = any($1) and o.seat = r.seat
    and o.ply > r.after
    order by o.ply limit r.most
) o
order by r.n, o.ply;
