-- The events from one version to another, of one kind or (0) of all, in order, for each request whose
-- game exists.
--: read; absent not_found; bind events_bind; decode events_decode
\set name events
\set columns ':event_columns'
\ir lib/names.psql
\ir lib/events.psql
