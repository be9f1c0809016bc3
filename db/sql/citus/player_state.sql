-- The form for Citus of ../player_state.sql.
prepare player_state as
with held as (
    select u.player, count(*) as games, sum(u.version) as versions,
        count(*) filter (where u.turn = u.player) as waiting, sum(u.read) as read from (
        select g.id, g.seat1_player as player, g.version, g.seat1_read as read, :turn as turn from games g
        where g.seat1_player = any($1::uuid[])
        union all
        select g.id, g.seat2_player, g.version, g.seat2_read, :turn from games g
        where g.seat2_player = any($1::uuid[])
        and g.seat1_player is distinct from g.seat2_player
    ) u group by u.player
) select r.id, coalesce(h.games, 0)::int4, coalesce(h.versions, 0)::int8, coalesce(h.waiting, 0)::int4,
    coalesce(h.read, 0)::int8
from (select distinct i.id from unnest($1::uuid[]) as i(id)) r
left join held h on h.player = r.id;
