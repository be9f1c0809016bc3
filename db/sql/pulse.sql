-- Beats at $1. If the last beat was before $2, the time between is an outage. The row of the pulse
-- is locked, so of two that beat at once after an outage the second one finds the beat of the
-- first. Notes the daemon $3 too, and forgets those that have not beaten for a day, but for rows
-- that another one is at. Returns how many outages there were.
--: write; absent ok; bind pulse_bind; decode pulse_decode
prepare pulse as
with beat as (
    insert into pulse (one, at, before_at, outages)
    values (1, ($1::timestamptz[])[1], ($1::timestamptz[])[1], 0)
    on conflict (one) do update
    set at = greatest(pulse.at, excluded.at), before_at = pulse.at,
    outages = pulse.outages
    + case when pulse.at < ($2::timestamptz[])[1] then 1 else 0 end
    returning at, before_at, outages
), known as (
    insert into outages (number, from_at, to_at)
    select b.outages, b.before_at, b.at from beat b
    where b.before_at < ($2::timestamptz[])[1]
), here as (
    insert into daemons (id, at) values (($3::uuid[])[1], ($1::timestamptz[])[1])
    on conflict (id) do update set at = excluded.at
), gone as (
    delete from daemons where id = any(array(
            select d.id from daemons d
            where d.at < ($1::timestamptz[])[1] - interval '1 day' for update skip locked
    ))
)
select outages from beat;
