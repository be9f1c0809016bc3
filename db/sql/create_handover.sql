-- Says which players these codes are for, and promises to look at the codes when their time is over. Returns their ids.
--: write; absent conflict; bind handovers_bind; decode batch_decode_ids
\set table handovers
\set asked $4
\set due_ids '$1::uuid[]'
\set dues ':due_ids, $2::int2[], $3::timestamptz[]'
\ir lib/names.psql
prepare create_handover as
with written as (
    insert into handovers (id, player_id, until)
    select h.* from unnest($4::uuid[], $5::uuid[], $6::timestamptz[]) as h(id, player_id, until)
    on conflict (id) do nothing
    returning id
), :promised
select id from written;
