-- How many games of these players were won, drawn and lost, by variant: games that are over, against another player (a certain one,
-- unless that is null), and public, or such in which whoever asks holds a seat. Of no more than DB_RESULTS_MAX games and one.
--: read; absent ok; bind results_bind; decode results_decode; everywhere; single
\ir lib/names.psql
\if :citus
\set player '($1::uuid[])[1]'
\set against '($2::uuid[])[1]'
\set asker '($3::uuid[])[1]'
prepare results as
select 1, s.variant, count(*) filter (where s.won)::int4, count(*) filter (where s.drawn)::int4,
    count(*) filter (where not s.won and not s.drawn)::int4
from (
    select g.variant, g.winner = 0 as drawn, g.winner = case when g.seat1_player = :player then 1 else 2 end as won
    from games g where g.status = :status_finished and g.seat1_player <> g.seat2_player
    and (g.seat1_player = :player or g.seat2_player = :player)
    and (:against is null or g.seat1_player = :against or g.seat2_player = :against)
    and (g.visibility = :visibility_public or g.seat1_player = :asker or g.seat2_player = :asker)
) s group by s.variant order by s.variant;
\else
-- The indexes of 0024 have all that counts and nothing else, so what is read is bounded by what is counted: on each seat the games of a
-- visibility, with all players or (`met`) a certain one. Of those that are not public players count their own, others those with themselves.
\set counted 'g.visibility = v.visibility and g.status = :status_finished and g.seat1_player <> g.seat2_player'
prepare results as
select 1, s.variant, count(*) filter (where s.won)::int4, count(*) filter (where s.drawn)::int4,
    count(*) filter (where not s.won and not s.drawn)::int4
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r(player, against, asker)
cross join lateral (
    select g.*
    from (
        select :visibility_public, r.against
        union all
        select hidden.visibility, case when r.asker = r.player then r.against else r.asker end
        from (values (:visibility_unlisted), (:visibility_private)) as hidden(visibility)
        where r.asker = r.player or r.asker = coalesce(r.against, r.asker)
    ) as v(visibility, met)
    cross join lateral (
        select g.variant, g.winner = 0 as drawn, g.winner = 1 as won from games g
        where g.seat1_player = r.player and v.met is null and :counted
        union all
        select g.variant, g.winner = 0, g.winner = 1 from games g
        where g.seat1_player = r.player and g.seat2_player = v.met and :counted
        union all
        select g.variant, g.winner = 0, g.winner = 2 from games g
        where g.seat2_player = r.player and v.met is null and :counted
        union all
        select g.variant, g.winner = 0, g.winner = 2 from games g
        where g.seat2_player = r.player and g.seat1_player = v.met and :counted
    ) g
    limit :results_max + 1
) s group by s.variant order by s.variant;
\endif
