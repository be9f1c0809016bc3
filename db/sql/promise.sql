-- Makes promises where there is none of that kind for that id. Returns their ids.
--: write; absent conflict; bind due_bind; decode batch_decode_ids
prepare promise as
insert into due (id, kind, at, leased_until)
select d.id, d.kind, d.at, d.at
from unnest($1::uuid[], $2::int2[], $3::timestamptz[]) as d(id, kind, at)
on conflict (id, kind) do nothing
returning id;
