-- plyd: no transaction
-- 0010: which meaning of keys a row of the index of positions was noted with.

-- Programs before this one write no value, so their rows have 1: there, options did not tell positions apart.
-- Newer programs write 2 or more (DB_POSITIONS_MADE). They delete older rows bit by bit and note the games anew.
set lock_timeout = '500ms';
alter table positions add column if not exists made smallint not null default 1;
reset lock_timeout;

-- The rows that are still to be renewed, game by game. It is empty once all are.
drop index concurrently if exists positions_to_renew;
create index concurrently positions_to_renew on positions (game_id) where made < 2;
