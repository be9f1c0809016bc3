-- Makes webhooks of players who are here and have the token by which was asked, with their answers and promises; but not where the id is
-- taken, or the player has DB_HOOKS_MAX. Returns the ids of the players.
--: write; absent conflict; bind hooks_bind_create; decode batch_decode_ids
\set table players
\set asked $10
\set answers '$1::uuid[], $2::bytea[], $3::bytea[], $4::int2[], $5::bytea[], $6::timestamptz[]'
\set due_ids '$7::uuid[]'
\set dues ':due_ids, $8::int2[], $9::timestamptz[]'
\ir lib/names.psql
prepare create_hook as
with written as (
    insert into webhooks (player_id, id, created_at, url, events, secret, made_by)
    select h.player_id, h.id, h.created_at, h.url, h.events, h.secret, h.made_by
    from unnest($10::uuid[], $11::uuid[], $12::timestamptz[], $13::text[], $14::int8[],
        $15::bytea[], $16::bytea[], $17::bytea[]) as h(player_id, id, created_at, url, events, secret, token,
        made_by)
    join players p on p.id = h.player_id and p.id = any($10) and p.left_at is null
        and (p.token = h.token or p.tokens_under = p.token and position(h.token in p.tokens) > 0)
    where (select count(*) from webhooks o
        where o.player_id = h.player_id and o.player_id = any($10) and o.kind = 0) < :hooks_max
    on conflict (player_id, id) do nothing
    returning player_id as id
), known as (
    update players p set hooks = true from written w where p.id = w.id and p.id = any($10)
), :answered, :promised
select id from written;
