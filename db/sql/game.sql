-- The games of these ids, each once.
--: read; absent not_found; bind batch_bind_ids; decode games_decode
\ir lib/names.psql
prepare game as
select :game_columns from games where id = any($1::uuid[]);
