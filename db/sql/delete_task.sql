-- Deletes tasks with all that belongs to them. Returns the ids of their owners.
--: write; absent not_found; bind tasks_bind_delete; decode batch_decode_ids
prepare delete_task as
with written as (
    delete from tasks t using unnest($1::uuid[], $2::uuid[]) as c(owner_id, id)
    where t.owner_id = c.owner_id and t.owner_id = any($1) and t.id = c.id
    returning t.owner_id as id, t.id as task
), parts as (
    delete from task_parts o using written w
    where o.owner_id = w.id and o.owner_id = any($1) and o.task = w.task
), items as (
    delete from task_items o using written w
    where o.owner_id = w.id and o.owner_id = any($1) and o.task = w.task
)
select id from written;
