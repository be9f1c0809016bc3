-- plyd: oldest 10
-- 0018: in how many games it is a player's move, as far as a receiver has come in them.

-- Whether it was the player's move when the receiver had come to `sent`. So a notice says how many games wait without a look
-- at them, by an index that holds no other ones. False where an older program has come there.
set lock_timeout = '500ms';
alter table webhook_games add column if not exists waits boolean not null default false;
create index if not exists webhook_games_waits on webhook_games (player_id, webhook) where waits;
reset lock_timeout;
