-- The form for Citus of ../player_events.sql. A batch has one request, and the whole logs of these games are
-- read.
\set player '($1::uuid[])[1]'
\set new_to_since '(($2::timestamptz[])[1] <= ''epoch'' or o.written_at >= ($2::timestamptz[])[1])'
prepare player_events as
with news as (
    select g.id from games g join events o on o.game_id = g.id and o.version = g.version
    where (g.seat1_player = :player or g.seat2_player = :player)
    and g.id >= ($3::uuid[])[1] and :new_to_since
    order by g.id limit :feed_looks
)
select 1, :event_columns, e.game_id, e.written_at
from news n join (select o.*, :new_to_since as is_new from events o) e
on e.game_id = n.id
where case when e.game_id = ($3::uuid[])[1] then e.version > ($4::int4[])[1]
else e.is_new end
order by e.game_id, e.version limit ($5::int4[])[1];
