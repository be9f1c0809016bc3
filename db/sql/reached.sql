-- The newest games of a position that count.
--: read; absent ok; bind library_bind_reached; decode library_decode_reached
\ir lib/names.psql
\set reached_games `cat lib/reached_games.sql`
prepare reached as
select r.n::int4, p.key, p.game_id, p.ply, p.next, p.winner, p.at
from unnest($1::uuid[], $2::int8[], $3::int2[], $4::int4[])
with ordinality as r(scope, key, of_player, most, n)
cross join lateral (:reached_games r.most) p
order by r.n, p.at desc, p.game_id desc;
