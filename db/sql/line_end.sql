-- How far a line goes: the last of the moves that it does not share with a line before it.
--: read; absent not_found; bind events_bind_lines; decode events_decode_line_ends
\ir lib/names.psql
prepare line_end as
select r.n::int4, (select max(e.ply) from events e
    where e.game_id = g.id
    :here
    and e.line = r.line and e.kind = :event_move)
from unnest($1::uuid[], $2::int4[]) with ordinality as r(id, line, n)
join games g on g.id = r.id and g.id = any($1)
order by r.n;
