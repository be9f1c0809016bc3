-- plyd: oldest 10
-- 0016: e-mail: addresses that are told of their players' games, beside webhooks and subscriptions to Web Push.

-- An address is a row of `webhooks` of kind 2, whose `secret` is the key of the codes that its mails hold. Nothing but the
-- mail that asks for it is sent before `confirmed_at`; null: it was not confirmed. Receivers of other kinds need no such thing.
set lock_timeout = '500ms';
alter table webhooks add column if not exists confirmed_at timestamptz;
reset lock_timeout;
