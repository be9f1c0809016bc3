-- The collections of players, by their names, each with the number of its games.
--: read; absent ok; bind hooks_bind; decode library_decode
prepare collections as
select r.n::int4, c.id, c.name, c.created_at, c.games
from unnest($1::uuid[]) with ordinality as r(player_id, n)
join collections c on c.player_id = r.player_id and c.player_id = any($1)
order by r.n, c.name, c.id;
