-- 0008: the index of positions counts a position and its mirror images together.

-- Keys and moves in `positions` have another meaning now, so each game is noted anew, as a promise of a kind of its own
-- (11), which older daemons leave alone. The promises come due one after the other, fifty a second, so that
-- they hold up no other; until then an answer lacks the games that are still to come.
insert into due (id, kind, at, leased_until)
select o.game_id, 11, o.at, o.at from (
    select g.game_id, now() + row_number() over () * interval '20 milliseconds' as at from (
        select p.game_id from public_games p where p.status = 3
        union
        select c.game_id from collection_games c
    ) g
) o
on conflict (id, kind) do nothing;

set lock_timeout = '500ms';
truncate positions;
reset lock_timeout;
