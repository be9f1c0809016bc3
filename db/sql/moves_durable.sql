-- As moves.sql, when the standby has them, too.
--: write; absent not_found; bind events_bind; decode events_decode
\set name moves_durable
\set columns ':event_columns :durable'
\set kinds 'e.kind = :event_move'
\ir lib/names.psql
\ir lib/moves.psql
