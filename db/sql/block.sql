-- Whether these players have blocked those: a row where it is so. It has no name, which is not asked for.
--: read; absent ok; bind blocks_bind; decode blocks_decode
prepare block as
select r.n::int4, o.blocked, o.at, null::text as name
from unnest($1::uuid[], $2::uuid[]) with ordinality as r(player_id, blocked, n)
join blocks o on o.player_id = r.player_id and o.player_id = any($1) and o.blocked = r.blocked
order by r.n;
