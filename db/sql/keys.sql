-- The keys of the positions of a line's moves. The first event stands for ply 0.
--: read; absent not_found; bind events_bind; decode events_decode_keys
\set name keys
\set columns 'e.key'
\set kinds '(e.kind = :event_move or e.version = 1)'
\ir lib/names.psql
\ir lib/moves.psql
