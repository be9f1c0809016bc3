-- Games and all that is stored of them.
\ir ../lib/names.psql
prepare games as
select :game_columns from games where id = any($1::uuid[]) order by id;
