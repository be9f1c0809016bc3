-- The parts of the files of tasks behind a number, at most DB_TASK_PARTS_MAX.
--: read; absent ok; bind tasks_bind_parts; decode tasks_decode_parts
\ir lib/names.psql
prepare task_parts as
select r.n::int4, p.number, p.bytes
from unnest($1::uuid[], $2::uuid[], $3::int4[])
with ordinality as r(owner_id, task, after, n)
cross join lateral (
    select p.* from task_parts p
    where p.owner_id = r.owner_id and p.owner_id = any($1) and p.task = r.task
    and p.number > r.after
    order by p.number limit :task_parts_max
) p
order by r.n, p.number;
