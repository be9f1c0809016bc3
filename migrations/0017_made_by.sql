-- plyd: oldest 10
-- 0017: by which token a receiver was made, so that what a lost device or a thief has made ends with what it acted by.

-- The hash of that token, or what stands for an account. Null: the player's own, or an older program has made it; then
-- it ends with the own token, as all receivers do.
set lock_timeout = '500ms';
alter table webhooks add column if not exists made_by bytea;
reset lock_timeout;
