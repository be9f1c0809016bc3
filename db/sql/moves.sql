-- The moves of a line, in order of ply, for each request whose game exists; or a row of nulls.
--: read; absent not_found; bind events_bind; decode events_decode
\set name moves
\set columns ':event_columns'
\set kinds 'e.kind = :event_move'
\ir lib/names.psql
\ir lib/moves.psql
