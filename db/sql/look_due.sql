-- Whether there is a promise of that kind for that id. Returns the numbers of those that are there.
--: read; absent not_found; bind due_bind; decode due_decode_looked
prepare look_due as
select d.n::int4
from unnest($1::uuid[], $2::int2[], $3::timestamptz[]) with ordinality as d(id, kind, at, n)
join due on due.id = d.id and due.id = any($1) and due.kind = d.kind
order by d.n;
