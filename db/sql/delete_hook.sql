-- Deletes receivers of these kinds that have the URL which was expected (null: any), of players who have the token by which was asked
-- (null: nobody has asked), and all that is known of their games and deliveries, and stores the promises.
-- Returns the ids of the players who had them, and of those who have another token.
--: write; absent not_found; bind hooks_bind_delete; decode writes_decode
\set table players
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
\set is_theirs '(c.token is null or p.token = c.token or p.tokens_under = p.token and position(c.token in p.tokens) > 0)'
prepare delete_hook as
with written as (
    delete from webhooks h
    using unnest($4::uuid[], $5::uuid[], $6::int2[], $7::text[], $8::bytea[])
    as c(player_id, id, kind, url, token)
    join players p on p.id = c.player_id and p.id = any($4) and :is_theirs
    where h.player_id = c.player_id and h.player_id = any($4) and h.id = c.id and h.kind = c.kind
    and h.url = coalesce(c.url, h.url)
    returning h.player_id as id, h.id as webhook
), places as (
    delete from webhook_games o using written w
    where o.player_id = w.id and o.player_id = any($4) and o.webhook = w.webhook
), log as (
    delete from deliveries o using written w
    where o.player_id = w.id and o.player_id = any($4) and o.webhook = w.webhook
), :promised
select id, true from written
union all
select p.id, false
from players p join unnest($4::uuid[], $8::bytea[]) as c(player_id, token) on p.id = c.player_id
where p.id = any($4) and :is_theirs is not true;
