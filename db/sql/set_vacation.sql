-- Begins vacations of players, or sets the ends of those that have begun at these times, and stores
-- the promises. Returns the ids of the players that exist.
--: write; absent not_found; bind players_bind_vacation; decode batch_decode_ids
\set table players
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
prepare set_vacation as
with written as (
    insert into vacations (player_id, from_at, until_at)
    select v.* from unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[])
    as v(id, from_at, until_at)
    join players p on p.id = v.id and p.id = any($4)
    on conflict (player_id, from_at) do update set until_at = excluded.until_at
    returning player_id as id
), :promised
select id from written;
