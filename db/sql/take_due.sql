-- Deletes these promises, if they are for these times. Returns the ids of those that were there: of
-- two who ask at once, the row lets one through.
--: write; absent not_found; bind due_bind; decode batch_decode_ids
prepare take_due as
delete from due
using unnest($1::uuid[], $2::int2[], $3::timestamptz[]) as d(id, kind, at)
where due.id = d.id and due.id = any($1) and due.kind = d.kind and due.at = d.at
returning due.id;
