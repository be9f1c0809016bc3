-- These tasks of these owners, or all of theirs ($3), the oldest first.
--: read; absent ok; bind tasks_bind; decode tasks_decode
prepare tasks as
select r.n::int4, t.owner_id, t.id, t.kind, t.state, t.version, t.created_at,
t.updated_at, t.size, t.place, t.done, t.failed, t.params, t.mark, t.result
from unnest($1::uuid[], $2::uuid[], $3::int2[])
with ordinality as r(owner_id, task, every, n)
join tasks t on t.owner_id = r.owner_id and t.owner_id = any($1)
and (r.every = 1 or t.id = r.task)
order by r.n, t.created_at, t.id;
