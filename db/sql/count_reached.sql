-- The last DB_REACHED_MAX games of a position that count, by what was played there.
--: read; absent ok; bind library_bind_position; decode library_decode_counts
\ir lib/names.psql
\set reached_games `cat lib/reached_games.sql`
prepare count_reached as
select r.n::int4, c.next, c.wins1, c.wins2, c.draws
from unnest($1::uuid[], $2::int8[], $3::int2[])
with ordinality as r(scope, key, of_player, n)
cross join lateral (
    select p.next, count(*) filter (where p.winner = 1) as wins1,
    count(*) filter (where p.winner = 2) as wins2,
    count(*) filter (where p.winner = 0) as draws from (:reached_games :reached_max) p
    group by p.next order by count(*) desc, p.next limit 1000
) c
order by r.n, c.wins1 + c.wins2 + c.draws desc, c.next;
