-- As move.sql, for one move of any game, whose parameters are values.
--: write; absent conflict; bind writes_bind_move; decode writes_decode_moves
\set name shown_move_alone
\set table games
\set asked $1
\set guard ''
\set beside ', :published, :awaited'
\ir lib/names.psql
\set ids ':asked'
\set rows `cat lib/move_row.sql`
\ir lib/moved.psql
