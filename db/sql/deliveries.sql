-- The last attempts of these webhooks, the newest first.
--: read; absent ok; bind hooks_bind_one; decode hooks_decode_deliveries
prepare deliveries as
select r.n::int4, d.number, d.game_id, d.version, d.kind, d.at, d.took_ms,
d.status, d.failure, d.retry_at
from unnest($1::uuid[], $2::uuid[]) with ordinality as r(id, webhook, n)
join deliveries d on d.player_id = r.id and d.player_id = any($1)
and d.webhook = r.webhook
order by r.n, d.number desc;
