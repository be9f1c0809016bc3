-- plyd: oldest 10
-- 0015: Web Push: browsers and phones that are told of their players' games, beside webhooks, and the key that signs it.

-- A receiver is a row of `webhooks`, whatever its kind (0: a webhook, 1: a subscription to Web Push), so that all are
-- told by the same code. Programs from before this file do not read `kind`, so a row of another kind is at rest for them
-- (`disabled` is 4). `p256dh` and `auth` encrypt what is sent to a browser. Between `quiet_from` and `quiet_to`, minutes of a day that
-- begins `quiet_offset` minutes before that of UTC, nothing is sent.
set lock_timeout = '500ms';
alter table webhooks add column if not exists kind smallint not null default 0,
    add column if not exists p256dh bytea,
    add column if not exists auth bytea,
    add column if not exists lang text,
    add column if not exists quiet_from smallint,
    add column if not exists quiet_to smallint,
    add column if not exists quiet_offset smallint;
reset lock_timeout;

-- The private key by which push services know this plyd (VAPID): one row, made when it is first needed. Subscriptions
-- are bound to it, so it is as lasting as they are.
create table if not exists push_key (
    one     smallint primary key check (one = 1),
    made_at timestamptz not null,
    secret  bytea       not null
);
