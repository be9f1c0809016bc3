-- Pages of the events of players' games that were written at a time or later, by game and version,
-- each after a point of that order. Writes to a game come one after the other, so what stands
-- before an event that is older than that is older too. So a game's last event tells whether it has
-- news, and its log is read backwards up to where these begin. An event without a time is old. A
-- page has events of no more than DB_FEED_GAMES games, since all that could stand on it are read
-- and sorted; one more may be the game of the point, of which nothing is left.
--: read; absent ok; bind feeds_bind; decode feeds_decode; everywhere; single; there player_events_there
\ir lib/names.psql
\set new_to_r '(r.since <= ''epoch'' or o.written_at >= r.since)'
\if :citus
\ir citus/player_events.sql
\else
prepare player_events as
select r.n::int4, :event_columns, e.game_id, e.written_at
from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::int4[], $5::int4[])
with ordinality as r(player, since, game, version, most, n)
cross join lateral (
    select e.* from (
        select h.id, case when h.id = r.game then r.version else coalesce((
            select o.version from events o
            where o.game_id = h.id and :new_to_r is not true
            order by o.version desc limit 1), 0) end as told
        from (
            select h.id from (
                select g.id, g.version from games g where g.seat1_player = r.player
                union all select g.id, g.version from games g where g.seat2_player = r.player
                and g.seat1_player is distinct from g.seat2_player
            ) h
            where h.id >= r.game
            and (select :new_to_r from events o
                where o.game_id = h.id and o.version = h.version)
            order by h.id
            limit :feed_looks
        ) h
    ) g
    cross join lateral (
        select e.* from events e
        where e.game_id = g.id and e.version > g.told
        order by e.version limit r.most
    ) e
    order by e.game_id, e.version
    limit r.most
) e
order by r.n, e.game_id, e.version;
\endif
