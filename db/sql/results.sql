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
-- An index has all of this. What is said of the other player stands apart (`offset 0`): by that, an index of the other seat would
-- do, too, and might be read as a whole.
\set columns 'g.variant, g.winner, g.visibility, g.seat1_player, g.seat2_player'
\set seen '(g.visibility = :visibility_public or r.asker in (g.seat1_player, g.seat2_player))'
prepare results as
select 1, s.variant, count(*) filter (where s.won)::int4, count(*) filter (where s.drawn)::int4,
    count(*) filter (where not s.won and not s.drawn)::int4
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r(player, against, asker)
cross join lateral (
    select g.variant, g.winner = 0 as drawn, g.winner = 1 as won from (
        select :columns from games g where g.seat1_player = r.player and g.status = :status_finished offset 0
    ) g where g.seat2_player <> r.player and (r.against is null or g.seat2_player = r.against) and :seen
    union all
    select g.variant, g.winner = 0, g.winner = 2 from (
        select :columns from games g where g.seat2_player = r.player and g.status = :status_finished offset 0
    ) g where g.seat1_player <> r.player and (r.against is null or g.seat1_player = r.against) and :seen
    limit :results_max + 1
) s group by s.variant order by s.variant;
\endif
