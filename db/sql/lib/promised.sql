-- Makes the promises that belong to the games or players that this statement wrote, or deletes them
-- where the time is null.
--
-- Most writes promise nothing, and `any()` of no ids names no shard: Citus would take all of them, so
-- that every worker had to be there, and two such writes would wait for each other. So there the ids
-- of what is deleted are those of what the statement may have written.
promises as (
    select d.* from unnest(:dues) as d(id, kind, at)
    join written w on w.id = d.id
), promised as (
    insert into due (id, kind, at, leased_until)
    select :p_id, p.kind, p.at, p.at from :promises_here p where p.at is not null
    on conflict (id, kind) do update set at = excluded.at, leased_until = :lease
), fulfilled as (
    delete from due using promises p
    where due.id = p.id and due.id = any(:fulfilled_ids)
    and due.kind = p.kind and p.at is null
)
