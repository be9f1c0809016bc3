-- On Citus, claims as claim_due does where the workers are there, while one is away. Each shard gives its
-- part of what may be claimed at once.
--: write; absent ok; bind due_bind_claim; decode due_decode_claim; everywhere
\ir lib/names.psql
\if :citus
\set shards_of '''due'''
\set question `cat citus/claim_due_question.sql`
prepare claim_due_there as
select (r.row ->> 'id')::uuid, (r.row ->> 'kind')::int2, (r.row ->> 'at')::timestamptz
from :there;
\else
prepare claim_due_there as
select $4::uuid[] from unnest($1::timestamptz[], $2::timestamptz[], $3::timestamptz[], $5::int4[], $6::timestamptz[])
where false;
\endif
