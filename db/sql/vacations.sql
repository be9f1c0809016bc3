-- The vacations of players that end after a time, in order; at most DB_VACATIONS_MAX of each. Of
-- several that were begun at the same moment, and so overlap, the last one is the vacation.
--: read; absent ok; bind spans_bind_vacations; decode spans_decode
\ir lib/names.psql
prepare vacations as
select r.n::int4, v.from_at, v.until_at
from unnest($1::uuid[], $2::timestamptz[])
with ordinality as r(id, since, n)
cross join lateral (
    select v.* from vacations v
    where v.player_id = r.id and v.player_id = any($1) and v.until_at > r.since
    and not exists (select from vacations l where l.player_id = v.player_id
        and l.player_id = any($1) and l.from_at > v.from_at and l.from_at < v.until_at)
    order by v.from_at limit :vacations_max
) v
order by r.n, v.from_at;
