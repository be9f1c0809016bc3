-- The receivers of these players who are here, the oldest first, and of each in how many games it is the
-- player's move, as far as it has come in them, and of those that fail what the last attempt has found. Only a webhook is ever at rest: for the others `disabled` is a word to
-- older programs.
--: read; absent ok; bind hooks_bind; decode hooks_decode
\ir lib/names.psql
prepare hooks as
select r.n::int4, h.id, h.created_at, h.url, h.events, h.secret, h.old_secret,
h.old_until, (case when h.kind = 0 then h.disabled else 0 end)::int2, h.failures,
h.failing_since, h.retry_at, h.test_at, h.attempts, h.took_ms, h.kind, h.p256dh, h.auth, h.lang,
h.quiet_from, h.quiet_to, h.quiet_offset, h.confirmed_at, w.waiting,
h.digest_minute, h.digest_offset, h.digest_at, h.made_by, d.failure, d.status
from unnest($1::uuid[]) with ordinality as r(id, n)
join players p on p.id = r.id and p.id = any($1) and p.left_at is null
join webhooks h on h.player_id = r.id and h.player_id = any($1)
cross join lateral (
    select count(*)::int4 as waiting from (
        select from webhook_games g
        where g.player_id = r.id and g.player_id = any($1) and g.webhook = h.id and g.waits
        limit :waiting_max
    ) g
) w
left join deliveries d on d.player_id = r.id and d.player_id = any($1) and d.webhook = h.id
    and d.slot = h.attempts % :deliveries_max and h.failures > 0
order by r.n, h.created_at, h.id;
