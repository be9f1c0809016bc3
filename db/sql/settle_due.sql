-- Moves promises that are leased and still for the time for which they were claimed, or deletes
-- them where the new time is null. A promise that was made anew is not leased: see
-- lib/names.psql. That of a player's webhooks stays leased, and its lease ends here: so it is one
-- update that moves it or lets it stand, since two would each see what was there before somebody
-- made it anew. Returns the ids of those that were moved.
--: write; absent ok; bind due_bind_settle; decode batch_decode_ids
\ir lib/names.psql
\set settled `cat lib/settled.sql`
\set stands 'case when d.at = s.claimed_at then s.at else d.at end'
prepare settle_due as
with fulfilled as (
    delete from due d using :settled
    and d.at = s.claimed_at and s.at is null
)
update due d set at = :stands, leased_until = :stands
from :settled
and (d.at = s.claimed_at or d.kind = :due_hooks) and s.at is not null
returning d.id;
