-- Sets and clears bits of `games.hooks`, and stores the promises. Returns the ids of the games that
-- exist.
--: write; absent not_found; bind hooks_bind_mark; decode batch_decode_ids
\set table games
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
prepare mark_game as
with written as (
    update games g set hooks = (g.hooks | c.sets) & ~c.clears
    from unnest($4::uuid[], $5::int2[], $6::int2[]) as c(id, sets, clears)
    where g.id = c.id and g.id = any($4)
    returning g.id
), :promised
select id from written;
