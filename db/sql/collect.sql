-- Adds games to collections that have fewer than DB_COLLECTED_MAX, and promises a look at their
-- positions (DB_DUE_POSITIONS). Returns the ids of the players whose collection exists, and whether
-- it had room.
--: write; absent not_found; bind library_bind_collect; decode writes_decode
\ir lib/names.psql
prepare collect as
with known as (
    select o.player_id, o.id, c.at, o.games < :collected_max as has_room
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as c(player_id, id, at)
    join collections o on o.player_id = c.player_id and o.player_id = any($1) and o.id = c.id
), added as (
    insert into collection_games (player_id, collection, game_id, added_at)
    select k.player_id, k.id, g.game_id, k.at
    from unnest($4::uuid[], $5::uuid[], $6::uuid[]) as g(player_id, id, game_id)
    join known k on k.player_id = g.player_id and k.id = g.id and k.has_room
    on conflict (player_id, collection, game_id) do nothing
    returning player_id, collection, game_id, added_at
), counted as (
    update collections o set games = o.games + a.games
    from (select player_id, collection, count(*)::int4 as games from added
        group by player_id, collection) a
    where o.player_id = a.player_id and o.player_id = any($1) and o.id = a.collection
), promised as (
    insert into due (id, kind, at, leased_until)
    select distinct a.game_id, :due_positions::int2, a.added_at, a.added_at from added a
    on conflict (id, kind) do update set at = excluded.at,
    leased_until = excluded.leased_until
)
select player_id, has_room from known;
