-- Sets the players who are as was expected, in all that is set, and stores their promises. What was written acts under
-- the token that is set with it. Those who leave lose their webhooks, all that they have collected and whom they have blocked;
-- others all receivers if `ends_hooks` says so, or those that were made by what has ended and become nothing else. Returns every player that exists, and whether they were set.
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
        account = c.account, account_at = c.account_at, account_secret = c.secret, account_from = c.origin,
        account_under = case when c.acts = 1 then c.token else p.account_under end,
        tokens = c.tokens, tokens_about = c.about, tokens_under = c.token, handover = c.handover,
        unfound = c.unfound = 1, about = c.about_them, picture = c.picture
    from unnest($4::uuid[], $5::text[], $6::bytea[], $7::timestamptz[], $8::uuid[], $9::timestamptz[],
        $10::int2[], $11::bytea[], $12::text[], $13::bytea[], $14::text[], $15::uuid[], $16::int2[],
        $17::text[], $18::bytea[], $19::uuid[], $20::timestamptz[], $21::bytea[], $22::text[], $23::uuid[],
        $24::bytea[], $25::bytea[], $26::int2[], $27::int2[], $28::text[], $29::text[], $30::text[], $31::text[])
    as c(id, name, token, left_at, account, account_at,
        acts, secret, origin, tokens, about, handover, ends_hooks,
        had_name, had_token, had_account, had_account_at, had_tokens, had_about, had_handover, ended, become, unfound,
        had_unfound, about_them, picture, had_about_them, had_picture)
    where p.id = c.id and p.id = any($4) and p.name = c.had_name and p.token = c.had_token
        and p.account is not distinct from c.had_account
        and p.account_at is not distinct from c.had_account_at
        and case when p.tokens_under = p.token then p.tokens end is not distinct from c.had_tokens
        and case when p.tokens_under = p.token then p.tokens_about end is not distinct from c.had_about
        and case when p.tokens_under = p.token then p.handover end is not distinct from c.had_handover
        and p.unfound = (c.had_unfound = 1)
        and p.about is not distinct from c.had_about_them and p.picture is not distinct from c.had_picture
    returning p.id, p.left_at is not null as has_left,
        p.left_at is not null or c.ends_hooks = 1 as ends_hooks, c.ended, c.become
), hooks as (
    delete from webhooks o using written w
    where o.player_id = w.id and o.player_id = any($4) and (w.ends_hooks or o.made_by = w.ended and w.become is null)
    returning o.player_id, o.id
), handed as (
    update webhooks o set made_by = w.become from written w
    where o.player_id = w.id and o.player_id = any($4) and o.made_by = w.ended
    and w.become is not null and not w.ends_hooks
), places as (
    delete from webhook_games o using hooks h
    where o.player_id = h.player_id and o.player_id = any($4) and o.webhook = h.id
), log as (
    delete from deliveries o using hooks h
    where o.player_id = h.player_id and o.player_id = any($4) and o.webhook = h.id
), blocked as (
    delete from blocks o using written w
    where o.player_id = w.id and o.player_id = any($4) and w.has_left
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
