-- As moves.sql, without positions and data.
--: read; absent not_found; bind events_bind; decode events_decode
\set name played
\set columns ':event_head, null::text, null::text'
\set kinds 'e.kind = :event_move'
\ir lib/names.psql
\ir lib/moves.psql
