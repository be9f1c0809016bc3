-- Makes the players whose id is free, with their answers. Returns their ids.
--: write; absent conflict; bind players_bind; decode batch_decode_ids
\set table players
\set asked $7
\set answers '$1::uuid[], $2::bytea[], $3::bytea[], $4::int2[], $5::bytea[], $6::timestamptz[]'
\ir lib/names.psql
prepare create_player as
with written as (
    insert into players (id, name, token, created_at)
    select p.* from unnest($7::uuid[], $8::text[], $9::bytea[],
        $10::timestamptz[]) as p(id, name, token, created_at)
    on conflict (id) do nothing
    returning id
), :answered
select id from written;
