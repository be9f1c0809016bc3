-- The form for Citus of ../public_games.sql. A batch has one request, and each shard sorts all of its games
-- that are wanted.
prepare public_games as
select 1, g.*, 1
from (select p.game_id, p.active_at from public_games p
    where (p.variant = any($5::text[]) or array_position($5, null) is not null)
    and p.status = any($6::int2[])
    and (p.active_at, p.game_id) < (($3::timestamptz[])[1], ($4::uuid[])[1])
    and ($1::int4[])[1] > 0
    order by p.active_at desc, p.game_id desc limit ($2::int4[])[1]) as l
join (select :game_columns from games) as g on g.id = l.game_id
order by l.active_at desc, l.game_id desc;
