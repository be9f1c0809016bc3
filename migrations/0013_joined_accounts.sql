-- plyd: oldest 10
-- 0013: what acts as a player beside their token: an account of an identity provider that was joined to them.

-- It acts as long as the player has the token that they had when it was joined (account_under), so whoever replaces
-- the token ends it in the same update. account_at null: none was ever joined, and account_at without an account: it
-- was ended. account_secret is how keys know the account; nobody is shown it. account_from is a part of the address
-- that joined it. token_at null: the player has had the token from the beginning.
set lock_timeout = '500ms';
alter table players add column if not exists account uuid,
    add column if not exists account_at timestamptz,
    add column if not exists account_under bytea,
    add column if not exists account_secret bytea,
    add column if not exists account_from text,
    add column if not exists token_at timestamptz;
reset lock_timeout;
