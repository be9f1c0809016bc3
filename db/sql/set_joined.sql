-- Joins accounts to players, or ends them (null), where the player's token, account and the time of that are those
-- that were expected. Returns the ids of the players.
--: write; absent conflict; bind players_bind_joined; decode batch_decode_ids
prepare set_joined as
update players p set account = c.account, account_at = c.at, account_under = p.token,
    account_secret = c.secret, account_from = c.origin
from unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::timestamptz[],
    $7::bytea[], $8::text[])
as c(id, token, had, had_at, account, at, secret, origin)
where p.id = c.id and p.id = any($1) and p.token = c.token
    and p.account is not distinct from c.had and p.account_at is not distinct from c.had_at
returning p.id;
