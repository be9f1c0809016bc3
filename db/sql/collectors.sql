-- The players in whose collections these games are, at most DB_COLLECTORS_MAX of each.
--: read; absent ok; bind hooks_bind; decode library_decode_collectors; everywhere
\ir lib/names.psql
\if :citus
\ir citus/collectors.sql
\else
prepare collectors as
select r.n::int4, c.player_id from unnest($1::uuid[]) with ordinality as r(game_id, n)
cross join lateral (
    select distinct o.player_id from collection_games o where o.game_id = r.game_id limit :collectors_max
) c order by r.n;
\endif
