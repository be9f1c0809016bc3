-- On Citus, pages of public_games that have the games of the workers that are there, while one is away.
--: read; absent ok; bind lists_bind_public; decode lists_decode; everywhere; single
\ir lib/names.psql
\if :citus
\set shards_of '''public_games'''
\set question `cat citus/public_games_question.sql`
prepare public_games_there as
select ($1::int4[])[1], :game_columns, 1
from (
    select g.*, (r.row ->> 'place')::timestamptz as place
    from :there cross join lateral json_populate_record(null::games, r.row -> 'game') g
    order by place desc, g.id desc limit ($2)[1]
) g order by place desc, id desc;
\else
prepare public_games_there as
select r.n from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::uuid[], $5::text[], $6::int2[])
as r(n) where false;
\endif
