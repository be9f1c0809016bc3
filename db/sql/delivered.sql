-- Notes an attempt to deliver (`counts`), in the log of the last DB_DELIVERIES_MAX, or only that a
-- webhook has come to a version of a game, or of a digest to a time, without one. Returns the ids of the players whose webhook
-- exists and has the URL that was asked.
--: write; absent not_found; bind hooks_bind_delivered; decode batch_decode_ids
\set table players
\set asked $1
\ir lib/names.psql
prepare delivered as
with written as (
    update webhooks h set attempts = h.attempts + c.counts,
    took_ms = case when c.counts = 1 then c.took_ms else h.took_ms end,
    failures = case when c.counts = 1 then c.failures else h.failures end,
    failing_since = case when c.counts = 0 then h.failing_since when c.failures = 0 then null
    else coalesce(h.failing_since, c.at) end,
    retry_at = case when c.counts = 1 then c.retry_at else h.retry_at end,
    disabled = case when c.disabled > 0 then c.disabled else h.disabled end,
    test_at = case when c.counts = 1 and c.game_id is null and c.tests_again = 0 then null
    else h.test_at end,
    digest_at = coalesce(c.digest_at, h.digest_at)
    from unnest($1::uuid[], $2::uuid[], $3::int2[], $4::uuid[], $5::int4[], $6::int4[],
        $7::int2[], $8::timestamptz[], $9::int4[], $10::int2[], $11::int2[], $12::int4[],
        $13::timestamptz[], $14::int2[], $15::int2[], $16::int2[],
        $17::timestamptz[], $18::text[])
    as c(player_id, webhook, counts, game_id, sent, version, kind, at, took_ms, status,
        failure, failures, retry_at, disabled, tests_again, waits, digest_at, url)
    where h.player_id = c.player_id and h.player_id = any($1) and h.id = c.webhook
    and h.url = c.url
    returning h.player_id as id, h.attempts, c.webhook, c.counts, c.game_id, c.sent,
    c.version, c.kind, c.at, c.took_ms, c.status, c.failure, c.retry_at, c.waits
), moved as (
    update webhook_games g set sent = w.sent, waits = w.waits = 1 from written w
    where g.player_id = w.id and g.player_id = any($1) and g.webhook = w.webhook
    and g.game_id = w.game_id and g.sent < w.sent
), logged as (
    insert into deliveries (player_id, webhook, slot, number, game_id, version, kind, at,
        took_ms, status, failure, retry_at)
    select :w_id, w.webhook, w.attempts % :deliveries_max, w.attempts, w.game_id,
    w.version, w.kind, w.at, w.took_ms, w.status, w.failure, w.retry_at
    from :written_here w where w.counts = 1
    on conflict (player_id, webhook, slot) do update
    set number = excluded.number, game_id = excluded.game_id, version = excluded.version,
    kind = excluded.kind, at = excluded.at, took_ms = excluded.took_ms,
    status = excluded.status, failure = excluded.failure, retry_at = excluded.retry_at
)
select id from written;
