-- Promises that are leased, with their new times and those for which they were claimed.
unnest($1::uuid[], $2::int2[], $3::timestamptz[], $4::timestamptz[])
as s(id, kind, at, claimed_at)
where d.id = s.id and d.id = any($1) and d.kind = s.kind
and d.leased_until > d.at
