-- Makes the moves whose games are at the version before and have the plans that were expected. Returns
-- their games. Nothing was written of any other. The games must be ones of which nobody else is told:
-- no public ones, none with webhooks, and none that the move ends. The caller's row may be too old to
-- know of a webhook; so the statement looks itself, and makes no such move.
--: write; absent conflict; bind writes_bind_move; decode writes_decode_moves; alone move_alone
\set name move
\set table games
\set asked $1
\set guard 'and g.visibility <> :visibility_public and g.hooks = 0'
\set beside ''
\ir lib/names.psql
\set rows `cat lib/move_rows.sql`
\ir lib/moved.psql
