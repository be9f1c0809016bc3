-- plyd: no transaction
-- plyd: oldest 10
-- 0024: the results of players, by the game and against each other.

-- All that is counted stands in these, and of games that are over alone. So a move costs nothing more, and an end two entries.
drop index concurrently if exists games_by_result1;
create index concurrently games_by_result1 on games (seat1_player, seat2_player, variant, winner, visibility)
    where status = 3 and seat1_player is not null;
drop index concurrently if exists games_by_result2;
create index concurrently games_by_result2 on games (seat2_player, seat1_player, variant, winner, visibility)
    where status = 3 and seat2_player is not null;
