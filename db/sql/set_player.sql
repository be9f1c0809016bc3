-- Sets the players whose token has the hash that was expected, and to whom an account is joined if `keeps` says
-- that one asks, and stores their promises. With another token the
-- account that is joined to them ends, and so do their webhooks, unless `keeps` has their bits. Those who leave lose
-- both, and all that they have collected. Returns every player that exists, and whether they were set.
--: write; absent not_found; bind players_bind_change; decode writes_decode
\set table players
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
prepare set_player as
with written as (
    update players p set name = c.name, token = c.token, left_at = c.left_at,
        token_at = case when c.token <> p.token then now() else p.token_at end,
        account_at = case when c.token <> p.token and c.keeps & :keep_account = 0
            then coalesce(p.account_at, now())
            else p.account_at end,
        account_under = case when c.keeps & :keep_account <> 0 and p.account_under = p.token then c.token
            else p.account_under end
    from unnest($4::uuid[], $5::text[], $6::bytea[], $7::timestamptz[], $8::bytea[], $9::int2[])
    as c(id, name, token, left_at, expected, keeps)
    where p.id = c.id and p.id = any($4) and p.token = c.expected
        and (c.keeps & :by_account = 0 or p.account is not null and p.account_under = p.token)
    returning p.id, p.left_at is not null as has_left,
        p.left_at is not null or c.token <> c.expected and c.keeps & :keep_hooks = 0 as ends_hooks
), hooks as (
    delete from webhooks o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.ends_hooks
), places as (
    delete from webhook_games o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.ends_hooks
), log as (
    delete from deliveries o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.ends_hooks
), shelves as (
    delete from collections o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.has_left
), shelved as (
    delete from collection_games o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.has_left
), reached as (
    delete from positions o using written w
    where o.scope = w.id and o.scope = any($4) and w.has_left
), settled as (
    delete from due o using written w
    where o.id = w.id and o.id = any($4) and o.kind = :due_hooks and w.ends_hooks
), :promised
:existing;
