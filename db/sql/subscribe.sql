-- Makes or sets receivers other than webhooks of players who are here and have the token that was
-- expected, with their promises; but no new one where the player has DB_SUBSCRIPTIONS_MAX of that
-- kind. One that is set begins anew: its failures are forgotten. One that gets another URL has
-- another secret, and is confirmed no more. One that is confirmed stays with whoever has named it: who changes
-- what it is told keeps nobody else's. Returns the ids of the players.
--: write; absent conflict; bind hooks_bind_subscribe; decode batch_decode_ids
\set table players
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
\set same 'webhooks.url = excluded.url'
prepare subscribe as
with written as (
    insert into webhooks (player_id, id, created_at, url, events, secret, disabled, kind, p256dh,
        auth, lang, quiet_from, quiet_to, quiet_offset, test_at, made_by,
        digest_minute, digest_offset, digest_at)
    select s.player_id, s.id, s.created_at, s.url, s.events, s.secret, :hook_not_web, s.kind,
    s.p256dh, s.auth, s.lang, s.quiet_from, s.quiet_to, s.quiet_offset, s.test_at, s.made_by,
    s.digest_minute, s.digest_offset, s.digest_at
    from unnest($4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::int8[], $9::int2[],
        $10::bytea[], $11::bytea[], $12::text[], $13::int2[], $14::int2[], $15::int2[],
        $16::bytea[], $17::bytea[], $18::timestamptz[], $19::bytea[], $20::int2[], $21::int2[],
        $22::timestamptz[])
    as s(player_id, id, created_at, url, events, kind, p256dh, auth, lang, quiet_from, quiet_to,
        quiet_offset, token, secret, test_at, made_by, digest_minute, digest_offset, digest_at)
    join players p on p.id = s.player_id and p.id = any($4) and p.left_at is null
        and (p.token = s.token or p.tokens_under = p.token and position(s.token in p.tokens) > 0)
    where (select count(*) from webhooks o
        where o.player_id = s.player_id and o.player_id = any($4) and o.kind = s.kind
        and o.id <> s.id) < :subscriptions_max
    on conflict (player_id, id) do update
    set url = excluded.url, events = excluded.events, p256dh = excluded.p256dh,
    auth = excluded.auth, lang = excluded.lang, quiet_from = excluded.quiet_from,
    quiet_to = excluded.quiet_to, quiet_offset = excluded.quiet_offset, failures = 0,
    failing_since = null, retry_at = null,
    made_by = case when :same and webhooks.confirmed_at is not null then webhooks.made_by
    else excluded.made_by end,
    digest_minute = excluded.digest_minute, digest_offset = excluded.digest_offset,
    digest_at = case when webhooks.digest_minute = excluded.digest_minute
    and webhooks.digest_offset = excluded.digest_offset then webhooks.digest_at
    else excluded.digest_at end,
    secret = case when :same then webhooks.secret else excluded.secret end,
    confirmed_at = case when :same then webhooks.confirmed_at end,
    test_at = case when excluded.test_at is null and :same then webhooks.test_at
    else excluded.test_at end,
    created_at = case when excluded.test_at is null then webhooks.created_at
    else excluded.created_at end
    returning player_id as id
), known as (
    update players p set hooks = true from written w where p.id = w.id and p.id = any($4)
), :promised
select id from written;
