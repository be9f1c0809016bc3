-- Sets tasks that are at the version that was expected, and stores their items and promises. The
-- files of those that are over are deleted. Returns the ids of the owners of all tasks that exist,
-- and whether they were set.
--: write; absent not_found; bind tasks_bind_set; decode writes_decode
\set asked $4
\set asked_own $5
\set owned tasks
\set owner owner_id
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
\set promises_here ':promises_anywhere'
prepare set_task as
with written as (
    update tasks t set version = t.version + 1, state = c.state, updated_at = c.updated_at,
    size = c.size, place = c.place, done = c.done, failed = c.failed, mark = c.mark,
    result = c.result
    from unnest($4::uuid[], $5::uuid[], $6::int4[], $7::int2[], $8::timestamptz[], $9::int8[],
        $10::int8[], $11::int4[], $12::int4[], $13::text[], $14::text[])
    as c(owner_id, id, version, state, updated_at, size, place, done, failed, mark, result)
    where t.owner_id = c.owner_id and t.owner_id = any($4) and t.id = c.id
    and t.version = c.version
    returning t.owner_id as id, t.id as task, t.state
), items as (
    insert into task_items (owner_id, task, number, failed, data)
    select i.* from unnest($15::uuid[], $16::uuid[], $17::int4[], $18::int2[], $19::text[])
    as i(owner_id, task, number, failed, data)
    join written w on w.id = i.owner_id and w.task = i.task
), over as (
    delete from task_parts p using written w
    where p.owner_id = w.id and p.owner_id = any($4) and p.task = w.task and w.state >= :task_over
), :promised
:existing_of;
