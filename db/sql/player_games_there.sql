-- On Citus, a page of player_games that has the games of the workers that are there, while one is away.
--: read; absent ok; bind lists_bind_player; decode lists_decode; everywhere
\ir lib/names.psql
\if :citus
\set shards_of '''games'''
\set point_place 'case when ($5)[1] <= 0 then ($6::timestamptz[])[1] - ''epoch''::timestamptz else ''epoch''::timestamptz - ($6)[1] end'
\set question `cat citus/player_games_question.sql`
prepare player_games_there as
select 1, :listed_columns, rank
from (
    select g.*, (r.row ->> 'rank')::int4 as rank, (r.row ->> 'place')::interval as place
    from :there cross join lateral json_populate_record(null::games, r.row -> 'game') g
    order by rank, place, g.id desc limit ($8)[1]
) g order by rank, place, id desc;
\else
prepare player_games_there as
select 1 from unnest($1::uuid[], $2::int2[], $3::int2[], $4::int2[], $5::int4[], $6::timestamptz[],
    $7::uuid[], $8::int4[], $9::text[], $10::int2[], $11::text[], $12::int2[], $13::timestamptz[]) where false;
\endif
