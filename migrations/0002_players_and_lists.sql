-- 0002: players, the games in which they hold a seat, and the list of public games.

-- Somebody who plays under a name, known by a token. Nothing of it ever changes. The first answer
-- to a request that made a player stands in `answers` under the player's id.
create table players (
    id         uuid        not null,
    name       text        not null,
    token      bytea       not null,
    created_at timestamptz not null,
    primary key (id)
);

-- Who sits where changes when somebody joins and never with a move, so that these cost a move
-- nothing, and seats without a player are not in them.
create index games_by_seat1_player on games (seat1_player) where seat1_player is not null;
create index games_by_seat2_player on games (seat2_player) where seat2_player is not null;

-- What a list of public games is sorted and chosen by. It moves with every move, and would cost
-- every move an entry in an index of `games`; here only public games pay for it.
create table public_games (
    game_id   uuid        not null,
    variant   text        not null,
    status    smallint    not null,
    active_at timestamptz not null,
    primary key (game_id)
);
create index public_games_by_activity on public_games (variant, status, active_at, game_id);

insert into public_games (game_id, variant, status, active_at)
select id, variant, status, updated_at from games where visibility = 1;
