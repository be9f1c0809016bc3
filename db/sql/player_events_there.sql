-- On Citus, pages of player_events that have the events of the workers that are there, while one is away.
-- Each worker tells of a few games, so the page has no more than these: behind them some may be missing.
--: read; absent ok; bind feeds_bind; decode feeds_decode_there; everywhere; single
\ir lib/names.psql
\if :citus
\set shards_of '''events'''
\set question `cat citus/player_events_question.sql`
prepare player_events_there as
select 1, :event_columns, e.game_id, e.written_at
from (
    select e.*, dense_rank() over (order by e.game_id) as game
    from :there cross join lateral json_populate_record(null::events, r.row) e
) e
where e.game < :feed_looks
order by e.game_id, e.version limit ($5)[1];
\else
prepare player_events_there as
select r.game from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::int4[], $5::int4[])
as r(player, since, game) where false;
\endif
