-- How many games these players have, and the sum of the versions of those: it grows with whatever
-- happens in one of them. In how many it is the player's turn, and the sum of how far they have read.
--: read; absent ok; bind batch_bind_ids; decode feeds_decode_states; everywhere; there player_state_there
\ir lib/names.psql
\if :citus
\ir citus/player_state.sql
\else
prepare player_state as
select r.id, s.games::int4, s.versions::int8, s.waiting::int4, s.read::int8
from unnest($1::uuid[]) as r(id)
cross join lateral (
    select count(*) as games, coalesce(sum(g.version), 0) as versions,
        count(*) filter (where g.turn = r.id) as waiting, coalesce(sum(g.read), 0) as read
    from (
        select g.version, g.seat1_read as read, :turn as turn from games g where g.seat1_player = r.id
        union all select g.version, g.seat2_read, :turn from games g where g.seat2_player = r.id
        and g.seat1_player is distinct from g.seat2_player
    ) g
) s;
\endif
