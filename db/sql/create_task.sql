-- Makes the tasks whose id is free, with their promises; but not where the owner has
-- DB_TASKS_OPEN_MAX that are not over (DB_TASK_OVER), or DB_TASKS_MAX. Returns the ids of the
-- owners.
--: write; absent conflict; bind tasks_bind_create; decode batch_decode_ids
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
\set tasks_of '(select count(*) from tasks o where o.owner_id = c.owner_id and o.owner_id = any($4)'
\set promises_here ':promises_anywhere'
prepare create_task as
with written as (
    insert into tasks (owner_id, id, kind, state, version, created_at, updated_at, size, place,
        done, failed, params)
    select c.owner_id, c.id, c.kind, c.state, 1, c.at, c.at, c.size, c.place, 0, 0, c.params
    from unnest($4::uuid[], $5::uuid[], $6::int2[], $7::int2[], $8::timestamptz[], $9::int8[],
        $10::int8[], $11::text[])
    as c(owner_id, id, kind, state, at, size, place, params)
    where :tasks_of and o.state < :task_over) < :tasks_open_max and :tasks_of) < :tasks_max
    on conflict (owner_id, id) do nothing
    returning owner_id as id
), :promised
select id from written;
