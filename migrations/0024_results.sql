-- plyd: no transaction
-- plyd: oldest 10
-- 0024: the results of players, by the game and against each other.

-- All that is counted stands in these, and of games that count alone. So a move costs nothing more, and an end two entries.
-- What may be seen comes before the other player: games that are not public are looked at for their players alone.
drop index concurrently if exists games_by_result1;
create index concurrently games_by_result1 on games (seat1_player, visibility, seat2_player, variant, winner)
    where status = 3 and seat1_player <> seat2_player;
drop index concurrently if exists games_by_result2;
create index concurrently games_by_result2 on games (seat2_player, visibility, seat1_player, variant, winner)
    where status = 3 and seat1_player <> seat2_player;
