-- How many events of these games came after a version and are not the deed of these seats, which are bits. That a player's time is
-- nearly over, or has run out, is nobody's deed. A message that
-- its writer alone reads (api/game/messages.h) is not counted. Each game is looked up by itself: a plain join might read all events.
--: read; absent ok; bind reads_bind_unread; decode reads_decode_unread; everywhere
\ir lib/names.psql
\set is_heard '(e.kind <> :event_message or e.data not like ''%"unheard_by":%'')'
\set is_news '(r.seats >> e.seat & 1 = 0 or e.kind in (:event_timeout, :event_deadline)) and :is_heard'
prepare unread as
\if :citus
select 1, r.id, count(*)::int4
from unnest($1::uuid[], $2::int4[], $3::int2[]) as r(id, after, seats)
join events e on e.game_id = r.id and e.game_id = any($1) and e.version > r.after and :is_news
group by r.id;
\else
select 1, r.id, u.events::int4
from unnest($1::uuid[], $2::int4[], $3::int2[]) as r(id, after, seats)
cross join lateral (
    select count(*) as events from events e where e.game_id = r.id and e.version > r.after and :is_news
) u
where u.events > 0;
\endif
