-- As append.sql, and sets the seats.
--: write; absent not_found; bind writes_bind_join; decode writes_decode; piece writes_piece
\set name join
\set set ':set_state, :set_seats'
\set arrays ':state_arrays, :seat_arrays'
\set names ':state_names, :seat_columns'
\ir lib/game_write.psql
\set set_seats `cat lib/set_seats.sql`
\ir lib/guarded_update.psql
