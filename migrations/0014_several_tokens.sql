-- plyd: oldest 10
-- 0014: several tokens of a player, and handing a player over to another device.

-- The hashes of the tokens that act beside `token`, one behind the other, and what is known of each, as a text that
-- only the daemon reads. They stand in the player's row, so that one look-up finds them and one update ends them. As an
-- account does (0013), they act as long as the player has the token under which they were written: an old daemon that
-- replaces it ends them all. So does what is open for another device: the id of a row of `handovers`.
set lock_timeout = '500ms';
alter table players add column if not exists tokens bytea,
    add column if not exists tokens_about text,
    add column if not exists tokens_under bytea,
    add column if not exists handover uuid;
reset lock_timeout;

-- Which player a code is for, until its time is over. The id is a hash of the code. The row opens nothing unless the
-- player's names it: so one of a player is open, and it is used once.
create table if not exists handovers (
    id uuid primary key,
    player_id uuid not null,
    until timestamptz not null
);
