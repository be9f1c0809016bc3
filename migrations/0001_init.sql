-- 0001: games, their events, and the first answers of idempotent requests.
--
-- Every key begins with the game's id, so that all of a game lives on one shard. No foreign keys
-- between ids of different kinds, no triggers, no sequences: order is the game's own version.

-- The present state of a game in one row. A move updates it in place: no indexed column changes
-- and the page keeps room, so that the update touches no index. What moves change stands first.
create table games (
    id            uuid        not null,
    version       integer     not null,
    ply           integer     not null,
    line          integer     not null,
    lines         integer     not null,
    tip           integer     not null,
    status        smallint    not null,
    to_move       smallint    not null,
    winner        smallint    not null,
    last_seat     smallint    not null,
    last_at       timestamptz not null,
    updated_at    timestamptz not null,
    reason        text,
    position      text        not null,
    last_move     text,
    seat1_state   smallint    not null,
    seat1_name    text,
    seat1_engine  text,
    seat1_token   bytea,
    seat1_player  uuid,
    seat2_state   smallint    not null,
    seat2_name    text,
    seat2_engine  text,
    seat2_token   bytea,
    seat2_player  uuid,
    variant       text        not null,
    rules_version integer     not null,
    options       text        not null,
    start         text        not null,
    undo          smallint    not null,
    visibility    smallint    not null,
    seed          bigint      not null,
    created_at    timestamptz not null,
    primary key (id)
) with (fillfactor = 70);

-- What happened, one row an event, never changed and never deleted. A move carries the position
-- after it, so that any position is one look-up and nothing is replayed.
create table events (
    game_id  uuid        not null,
    version  integer     not null,
    kind     smallint    not null,
    seat     smallint    not null,
    line     integer     not null,
    ply      integer     not null,
    key      bigint      not null,
    at       timestamptz not null,
    move     text,
    position text,
    data     text,
    primary key (game_id, version)
);

-- The first answer to a request that carried an Idempotency-Key. Only the key's hash is kept, and
-- the body is sealed under the key itself.
create table answers (
    game_id     uuid        not null,
    key         bytea       not null,
    fingerprint bytea       not null,
    status      smallint    not null,
    sealed      bytea       not null,
    at          timestamptz not null,
    primary key (game_id, key)
);
