-- How many games these players have, and the sum of the versions of those: it grows with whatever
-- happens in one of them.
--: read; absent ok; bind batch_bind_ids; decode feeds_decode_states; everywhere; there player_state_there
\ir lib/names.psql
\if :citus
\ir citus/player_state.sql
\else
prepare player_state as
select r.id, s.games::int4, s.versions::int8
from unnest($1::uuid[]) as r(id)
cross join lateral (
    select count(*) as games, coalesce(sum(g.version), 0) as versions
    from (
        select g.version from games g where g.seat1_player = r.id
        union all select g.version from games g where g.seat2_player = r.id
        and g.seat1_player is distinct from g.seat2_player
    ) g
) s;
\endif
