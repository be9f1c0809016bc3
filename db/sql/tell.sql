-- Stores the first events of a write that goes in pieces (exchange.h). Its own statement follows in
-- the same transaction, and that is committed only if the write was done.
--: write; absent ok; bind writes_bind_piece
\set event_game e.game_id
\ir lib/names.psql
prepare tell as
:events;
