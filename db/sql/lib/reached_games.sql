-- The last games of a position that count, as many as the number behind this. Those that were taken
-- out of all collections are passed over; so that these cannot be ever more, a bound is set to how
-- many are looked at.
select p.* from (select o.* from positions o
    where o.scope = r.scope and o.scope = any($1) and o.key = r.key
    order by o.at desc, o.game_id desc limit :reached_looks) p
where r.of_player = 0 or exists (select from collection_games c
    where c.player_id = r.scope and c.player_id = any($1) and c.game_id = p.game_id)
order by p.at desc, p.game_id desc limit
