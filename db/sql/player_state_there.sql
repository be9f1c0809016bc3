-- On Citus, tells what player_state tells of the games of the workers that are there, while one is away.
--: read; absent ok; bind batch_bind_ids; decode feeds_decode_states; everywhere
\ir lib/names.psql
\if :citus
\set shards_of '''games'''
\set question `cat citus/player_state_question.sql`
prepare player_state_there as
with held as (
    select (r.row ->> 'player')::uuid as player, sum((r.row ->> 'games')::int4) as games,
        sum((r.row ->> 'versions')::int8) as versions,
        sum((r.row ->> 'waiting')::int4) as waiting, sum((r.row ->> 'read')::int8) as read
    from :there group by 1
) select i.id, coalesce(h.games, 0)::int4, coalesce(h.versions, 0)::int8, coalesce(h.waiting, 0)::int4,
    coalesce(h.read, 0)::int8
from (select distinct i.id from unnest($1) as i(id)) i
left join held h on h.player = i.id;
\else
prepare player_state_there as
select r.id from unnest($1::uuid[]) as r(id) where false;
\endif
