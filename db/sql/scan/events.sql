-- The events of games.
\ir ../lib/names.psql
prepare events as
select 0, :event_columns, e.game_id from events e
where e.game_id = any($1::uuid[])
order by e.game_id, e.version;
