-- plyd: oldest 10
-- 0021: players whom a player has blocked.

-- They learn nothing of it. Both directions are asked for by the key: whom a player has blocked, and whether this one is among
-- them.
create table if not exists blocks (
    player_id uuid        not null,
    blocked   uuid        not null,
    at        timestamptz not null,
    primary key (player_id, blocked)
);
