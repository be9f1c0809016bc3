-- Sets the games that are at the version that was expected, and stores what belongs to them.
-- Returns every game that exists, and whether it was set.
--: write; absent not_found; bind writes_bind_append; decode writes_decode; piece writes_piece
\set name append
\set set ':set_state'
\set arrays ':state_arrays'
\set names ':state_names'
\ir lib/game_write.psql
\ir lib/guarded_update.psql
