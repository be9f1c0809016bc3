-- plyd: no transaction
-- 0005: webhooks: which games have news for whom, where each webhook stands in each game, and what
-- became of its last deliveries.

-- The seats of a game whose players may have webhooks, as bits (seat 1 is 2, seat 2 is 4). A write
-- to a game that has any of them promises a look, in the same statement. `players.hooks` says that a
-- player has made a webhook once.
set lock_timeout = '3s';
alter table games add column if not exists hooks smallint not null default 0;
alter table players add column if not exists hooks boolean not null default false;
reset lock_timeout;

-- A webhook of a player. The secret is no hash, since requests are signed with it. After a rotation
-- the old one signs too, for a while. `failures` are those in a row, `disabled` says why it is at
-- rest, `took_ms` how long the last attempt took.
create table if not exists webhooks (
    player_id     uuid        not null,
    id            uuid        not null,
    created_at    timestamptz not null,
    url           text        not null,
    events        bigint      not null,
    secret        bytea       not null,
    old_secret    bytea,
    old_until     timestamptz,
    disabled      smallint    not null default 0,
    failures      integer     not null default 0,
    failing_since timestamptz,
    retry_at      timestamptz,
    test_at       timestamptz,
    attempts      integer     not null default 0,
    took_ms       integer     not null default -1,
    primary key (player_id, id)
);

-- Where a webhook stands in a game: the version that was sent last (-1: it has not begun), the one
-- that is known to exist, and since when there is something between the two.
create table if not exists webhook_games (
    player_id uuid        not null,
    webhook   uuid        not null,
    game_id   uuid        not null,
    sent      integer     not null,
    known     integer     not null,
    since     timestamptz not null,
    primary key (player_id, webhook, game_id)
);
create index if not exists webhook_games_waiting
    on webhook_games (player_id, webhook, since) where known > sent;

-- The last attempts of a webhook, in a ring: `slot` is the attempt's number modulo the length.
create table if not exists deliveries (
    player_id uuid        not null,
    webhook   uuid        not null,
    slot      smallint    not null,
    number    integer     not null,
    game_id   uuid,
    version   integer     not null,
    kind      smallint    not null,
    at        timestamptz not null,
    took_ms   integer     not null,
    status    smallint    not null,
    failure   smallint    not null,
    retry_at  timestamptz,
    primary key (player_id, webhook, slot)
);
