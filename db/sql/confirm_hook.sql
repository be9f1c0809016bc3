-- Confirms receivers of players that still have the secret that was expected, with their promises. Of
-- one that is confirmed the time stays. Returns the ids of the players who have them.
--: write; absent not_found; bind hooks_bind_confirm; decode batch_decode_ids
\set table players
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
prepare confirm_hook as
with written as (
    update webhooks h set confirmed_at = coalesce(h.confirmed_at, c.at), test_at = null
    from unnest($4::uuid[], $5::uuid[], $6::bytea[], $7::timestamptz[])
    as c(player_id, id, expected, at)
    where h.player_id = c.player_id and h.player_id = any($4) and h.id = c.id
    and h.secret = c.expected
    returning h.player_id as id
), :promised
select id from written;
