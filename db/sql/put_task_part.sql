-- Stores parts of the files of tasks that are DB_TASK_INCOMING. Returns the ids of the owners.
--: write; absent not_found; bind tasks_bind_part; decode batch_decode_ids
\ir lib/names.psql
prepare put_task_part as
insert into task_parts (owner_id, task, number, bytes)
select c.* from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bytea[])
as c(owner_id, task, number, bytes)
join tasks t on t.owner_id = c.owner_id and t.owner_id = any($1) and t.id = c.task
and t.state = :task_incoming
on conflict (owner_id, task, number) do update set bytes = excluded.bytes
returning owner_id;
