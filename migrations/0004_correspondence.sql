-- plyd: no transaction
-- 0004: offers, clocks, invitations, plans, notes, rematches; players who rename themselves, go on
-- vacation and leave; and the work that is due at a time.

-- All are null or zero in a game that does not use them, and take no room there. `clock` holds the
-- terms of the game's clock, and never changes. `timing` holds its state, `offers` what is open. A
-- plan is invisible to the opponent, so setting one changes no version: `plans` counts instead, and
-- its two low bits say which seats have one.
set lock_timeout = '3s';
alter table games
    add column if not exists deadline_at timestamptz,
    add column if not exists timing text,
    add column if not exists offers text,
    add column if not exists plans integer not null default 0,
    add column if not exists next_game uuid,
    add column if not exists clock text,
    add column if not exists seat1_invitation bytea,
    add column if not exists seat1_invited_until timestamptz,
    add column if not exists seat2_invitation bytea,
    add column if not exists seat2_invited_until timestamptz;
alter table players add column if not exists left_at timestamptz;
reset lock_timeout;

-- When something must be looked at again: a game whose clock may run out, a player whose games must
-- learn a new name. A row promises a look, no more: whether there is anything to do is decided
-- then, from the game itself. `leased_until` is `at` too, unless a daemon is about to look: then it
-- is when the next one may.
create table if not exists due (
    id           uuid        not null,
    kind         smallint    not null,
    at           timestamptz not null,
    leased_until timestamptz not null,
    primary key (id, kind)
);
create index if not exists due_by_time on due (leased_until);

-- The heartbeat of all daemons together, in one row: the last beat, the one before it, and how many
-- outages there were. Outages are the times without a beat. They are numbered, so that a daemon
-- knows whether it has seen all of them.
create table if not exists pulse (
    one       smallint    not null,
    at        timestamptz not null,
    before_at timestamptz not null,
    outages   integer     not null,
    primary key (one)
);
create table if not exists outages (
    number  integer     not null,
    from_at timestamptz not null,
    to_at   timestamptz not null,
    primary key (number)
);

create table if not exists vacations (
    player_id uuid        not null,
    from_at   timestamptz not null,
    until_at  timestamptz not null,
    primary key (player_id, from_at)
);

-- What a seat plays if its opponent plays this or that; and what it wrote for itself. Both are the
-- seat's own and in no log.
create table if not exists plans (
    game_id uuid     not null,
    seat    smallint not null,
    line    integer  not null,
    ply     integer  not null,
    tree    text     not null,
    primary key (game_id, seat)
);
create table if not exists notes (
    game_id uuid        not null,
    seat    smallint    not null,
    ply     integer     not null,
    text    text        not null,
    at      timestamptz not null,
    primary key (game_id, seat, ply)
);
