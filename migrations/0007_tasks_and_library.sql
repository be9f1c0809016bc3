-- 0007: long work of players (jobs), their collections of games, and which games reached a position.

-- Work that takes minutes and goes on where it was. `owner_id` is the player, or the game, that it is
-- for. `version` grows with each write and guards it. `size` and `place` say how far it is, `done` and
-- `failed` what came out so far; `params`, `mark` and `result` are texts of its kind.
create table if not exists tasks (
    owner_id   uuid        not null,
    id         uuid        not null,
    kind       smallint    not null,
    state      smallint    not null,
    version    integer     not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    size       bigint      not null,
    place      bigint      not null,
    done       integer     not null,
    failed     integer     not null,
    params     text        not null,
    mark       text,
    result     text,
    primary key (owner_id, id)
);

-- The file that a task works on, in parts. It is deleted when the task is over.
create table if not exists task_parts (
    owner_id uuid    not null,
    task     uuid    not null,
    number   integer not null,
    bytes    bytea   not null,
    primary key (owner_id, task, number)
);

-- What came of each thing that a task has worked on.
create table if not exists task_items (
    owner_id uuid     not null,
    task     uuid     not null,
    number   integer  not null,
    failed   smallint not null,
    data     text     not null,
    primary key (owner_id, task, number)
);

-- A player's collections of games, and the games in them. `games` is their number, so that nothing
-- has to count them.
create table if not exists collections (
    player_id  uuid        not null,
    id         uuid        not null,
    name       text        not null,
    created_at timestamptz not null,
    games      integer     not null default 0,
    primary key (player_id, id)
);
create table if not exists collection_games (
    player_id  uuid        not null,
    collection uuid        not null,
    game_id    uuid        not null,
    added_at   timestamptz not null,
    primary key (player_id, collection, game_id)
);
create index if not exists collection_games_by_time on collection_games (player_id, collection, added_at, game_id);
create index if not exists collection_games_by_game on collection_games (game_id);

-- The games that are over and reached a position. `scope` is the player in whose collections they are;
-- of public games it follows from the position, so that these are spread over all shards. `next` is
-- the move that was played there, '' if it was the last position.
create table if not exists positions (
    scope   uuid        not null,
    key     bigint      not null,
    game_id uuid        not null,
    ply     integer     not null,
    next    text        not null,
    winner  smallint    not null,
    at      timestamptz not null,
    primary key (scope, key, game_id)
);
create index if not exists positions_by_time on positions (scope, key, at, game_id);
