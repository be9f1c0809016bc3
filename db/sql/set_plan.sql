-- Stores plans, or deletes those that are null, of games that are at the version that was expected
-- and whose plans are; and counts them there. Returns every game that exists, and whether its plan
-- was set.
--: write; absent not_found; bind plans_bind_set; decode writes_decode
\set table games
\set asked $1
\ir lib/names.psql
prepare set_plan as
with written as (
    update games g set plans = c.plans
    from unnest($1::uuid[], $2::int4[], $3::int4[], $4::int4[], $5::int2[], $6::int4[],
        $7::int4[], $8::text[])
    as c(id, version, expected_plans, plans, seat, line, ply, tree)
    where g.id = c.id and g.id = any($1) and g.version = c.version
    and g.plans = c.expected_plans
    returning g.id, c.seat, c.line, c.ply, c.tree
), kept as (
    insert into plans (game_id, seat, line, ply, tree)
    select :w_id, w.seat, w.line, w.ply, w.tree from :written_here w
    where w.tree is not null
    on conflict (game_id, seat) do update
    set line = excluded.line, ply = excluded.ply, tree = excluded.tree
), dropped as (
    delete from plans p using written w
    where p.game_id = w.id and p.game_id = any($1) and p.seat = w.seat and w.tree is null
)
:existing;
