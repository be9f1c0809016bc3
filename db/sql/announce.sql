-- Notes for all webhooks of these players that their games have come to a version, and promises to
-- look at the player's webhooks: their turn (`leased_until`) is that of the oldest news that wait. Returns the ids of the players who have some.
--: write; absent not_found; bind hooks_bind_announce; decode batch_decode_ids
\ir lib/names.psql
\if :citus
\set news_here '(select home.id as home, x.* from players home join news x on x.player_id = home.id where home.id = any($1))'
\set n_id n.home
\else
\set news_here news
\set n_id n.player_id
\endif
prepare announce as
with news as (
    select a.player_id, h.id as webhook, a.game_id, a.version, a.at, a.since
    from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[], $5::timestamptz[])
    as a(player_id, game_id, version, at, since)
    join webhooks h on h.player_id = a.player_id and h.player_id = any($1)
), noted as (
    insert into webhook_games (player_id, webhook, game_id, sent, known, since)
    select :n_id, n.webhook, n.game_id, -1, n.version, n.at from :news_here n
    on conflict (player_id, webhook, game_id) do update
    set known = greatest(webhook_games.known, excluded.known),
    since = case when webhook_games.known > webhook_games.sent then webhook_games.since
    else excluded.since end
), promised as (
    insert into due (id, kind, at, leased_until)
    select distinct :n_id, :due_hooks::int2, n.at, n.since from :news_here n
    on conflict (id, kind) do update set at = excluded.at, leased_until = :lease
)
select distinct player_id from news;
