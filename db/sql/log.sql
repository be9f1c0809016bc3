-- As events.sql, without the positions, which are most of the bytes of a log.
--: read; absent not_found; bind events_bind; decode events_decode
\set name log
\set columns ':event_head, null::text, e.data'
\ir lib/names.psql
\ir lib/events.psql
