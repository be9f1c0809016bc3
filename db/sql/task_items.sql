-- Pages of the items of tasks, in order; all of them, or only those that failed.
--: read; absent ok; bind tasks_bind_items; decode tasks_decode_items
prepare task_items as
select r.n::int4, i.number, i.failed, i.data
from unnest($1::uuid[], $2::uuid[], $3::int2[], $4::int4[], $5::int4[])
with ordinality as r(owner_id, task, failed, after, most, n)
cross join lateral (
    select i.* from task_items i
    where i.owner_id = r.owner_id and i.owner_id = any($1) and i.task = r.task
    and i.number > r.after and i.failed >= r.failed
    order by i.number limit r.most
) i
order by r.n, i.number;
