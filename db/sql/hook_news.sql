-- The games of which webhooks of these players have something to send, those that have waited
-- longest first; at most DB_HOOK_NEWS_MAX of each webhook.
--: read; absent ok; bind hooks_bind; decode hooks_decode_news
\ir lib/names.psql
prepare hook_news as
select r.n::int4, g.webhook, g.game_id, g.sent, g.known, g.since,
g.waits::int4::int2
from unnest($1::uuid[]) with ordinality as r(id, n)
join webhooks h on h.player_id = r.id and h.player_id = any($1)
cross join lateral (
    select g.* from webhook_games g
    where g.player_id = r.id and g.player_id = any($1) and g.webhook = h.id
    and g.known > g.sent
    order by g.since limit :hook_news_max
) g
order by r.n, g.since;
