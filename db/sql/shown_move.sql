-- As move.sql, for moves of any game.
--: write; absent conflict; bind writes_bind_move; decode writes_decode_moves; alone shown_move_alone
\set name shown_move
\set table games
\set asked $1
\set guard ''
\set beside ', :published, :awaited'
\ir lib/names.psql
\set rows `cat lib/move_rows.sql`
\ir lib/moved.psql
