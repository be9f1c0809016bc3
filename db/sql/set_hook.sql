-- Sets what may change of webhooks that still have the secret that was expected, and whose players have the
-- token by which was asked, with their answers and promises. `afresh`: failures are forgotten. Returns the ids of the players
-- whose webhook exists, and whether it was set.
--: write; absent not_found; bind hooks_bind_set; decode writes_decode
\set table players
\set asked $10
\set asked_own $11
\set owned webhooks
\set owner player_id
\set answers '$1::uuid[], $2::bytea[], $3::bytea[], $4::int2[], $5::bytea[], $6::timestamptz[]'
\set due_ids '$7::uuid[]'
\set dues ':due_ids, $8::int2[], $9::timestamptz[]'
\ir lib/names.psql
prepare set_hook as
with written as (
    update webhooks h set url = c.url, events = c.events, secret = c.secret,
    old_secret = c.old_secret, old_until = c.old_until,
    disabled = case when c.disabled < 0 then h.disabled else c.disabled end,
    test_at = coalesce(c.test_at, h.test_at),
    failures = case when c.afresh = 1 then 0 else h.failures end,
    failing_since = case when c.afresh = 1 then null else h.failing_since end,
    retry_at = case when c.afresh = 1 then null else h.retry_at end,
    made_by = case when c.url = h.url and c.secret = h.secret then h.made_by else c.made_by end
    from unnest($10::uuid[], $11::uuid[], $12::bytea[], $13::text[], $14::int8[],
        $15::bytea[], $16::bytea[], $17::timestamptz[], $18::int2[], $19::timestamptz[],
        $20::int2[], $21::bytea[], $22::bytea[])
    as c(player_id, id, expected, url, events, secret, old_secret, old_until, disabled,
        test_at, afresh, token, made_by)
    join players p on p.id = c.player_id and p.id = any($10) and (p.token = c.token or p.tokens_under = p.token and position(c.token in p.tokens) > 0)
    where h.player_id = c.player_id and h.player_id = any($10) and h.id = c.id
    and h.secret = c.expected
    returning h.player_id as id
), :answered, :promised
:existing_of;
