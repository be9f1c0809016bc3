-- How many daemons other than these have beaten since these times.
--: read; absent unavailable; bind pulse_bind_daemons; decode pulse_decode_daemons
prepare daemons as
select r.n::int4, (select count(*)::int4 from daemons d
    where d.id <> r.id and d.at >= r.since)
from unnest($1::uuid[], $2::timestamptz[]) with ordinality as r(id, since, n)
order by r.n;
