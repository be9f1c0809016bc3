-- The form for Citus of ../search.sql.
\set player '($1::uuid[])[1]'
prepare search as
with chosen as (
    select c.game_id, c.added_at from collection_games c
    where c.player_id = :player
    and c.collection = ($2::uuid[])[1]
    and (($9::timestamptz[])[1] is null
        or (c.added_at, c.game_id) < (($9)[1], ($10::uuid[])[1]))
    order by c.added_at desc, c.game_id desc limit :search_looks
), reached as (
    select p.game_id from positions p
    where p.scope = :player
    and p.key = ($8::int8[])[1]
    and p.game_id in (select c.game_id from chosen c)
), before as (
    select o.game_id from collection_games o
    where o.player_id = :player
    and o.collection < ($2)[1]
    and ($12::int2[])[1] <> 0 and o.game_id in (select c.game_id from chosen c)
), found as (
    select g.*, c.added_at from chosen c
    join games g on g.id = c.game_id
    join (select e.game_id, e.at as begun_at from events e where e.version = 1) b
    on b.game_id = g.id
    where (($3::text[])[1] is null or strpos(lower(g.seat1_name), lower(($3)[1])) > 0
        or strpos(lower(g.seat2_name), lower(($3)[1])) > 0)
    and (g.variant = any($4::text[]) or $4 = '{}')
    and (($5::int2[])[1] is null or (g.status = :status_finished and g.winner = ($5)[1]))
    and (($6::timestamptz[])[1] is null or b.begun_at >= ($6)[1])
    and (($7::timestamptz[])[1] is null or b.begun_at < ($7)[1])
    and (($8)[1] is null or g.id in (select r.game_id from reached r))
    and (($12)[1] = 0 or (g.seat1_player is distinct from :player
            and g.seat2_player is distinct from :player
            and g.id not in (select o.game_id from before o)))
    order by c.added_at desc, c.game_id desc limit ($11::int4[])[1]
), edge as (
    select c.added_at as to_at, c.game_id as to_id from chosen c
    order by c.added_at desc, c.game_id desc offset :search_looks - 1 limit 1
), shelf as (
    select k.id as collection from collections k
    where k.player_id = :player
    and k.id = ($2)[1]
)
select 1, :game_columns, l.added_at, w.to_at, w.to_id
from shelf s left join edge w on true left join found l on true
order by l.added_at desc, l.id desc;
