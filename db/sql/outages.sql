-- The outages behind a number, in order; at most DB_OUTAGES_MAX.
--: read; absent ok; bind spans_bind_outages; decode spans_decode
\ir lib/names.psql
prepare outages as
select r.n::int4, o.from_at, o.to_at
from unnest($1::int4[]) with ordinality as r(after, n)
cross join lateral (
    select o.* from outages o where o.number > r.after order by o.number limit :outages_max
) o
order by r.n, o.number;
