-- As move.sql, for one move, whose parameters are values.
--: write; absent conflict; bind writes_bind_move; decode writes_decode_moves
\set name move_alone
\set table games
\set asked $1
\set guard 'and g.visibility <> :visibility_public and g.hooks = 0'
\set beside ''
\ir lib/names.psql
\set ids ':asked'
\set rows `cat lib/move_row.sql`
\ir lib/moved.psql
