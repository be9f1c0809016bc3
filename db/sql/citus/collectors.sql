-- The form for Citus of ../collectors.sql.
prepare collectors as
with found as (
    select distinct o.game_id, o.player_id from collection_games o
    where o.game_id = any($1::uuid[])
), counted as (
    select f.game_id, f.player_id, row_number() over (partition by f.game_id) as place
    from found f
) select r.n::int4, c.player_id from counted c
join unnest($1::uuid[]) with ordinality as r(game_id, n) on r.game_id = c.game_id
where c.place <= :collectors_max order by r.n;
