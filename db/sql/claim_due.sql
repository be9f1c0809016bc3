-- Leases to the daemon $4, until $2, the oldest promises whose time has come at $1, and those that
-- daemons hold that have been silent since $3; at most DB_DUE_MAX of them, and only of kinds
-- whose bits are set in $5. The others may be a newer program's. First comes what the daemon itself holds
-- until $6 or later: the answer to an earlier claim was lost.
--
-- Two that choose the same promise meet at its row: the second one waits for the first, sees that
-- the promise is leased to another one by then, and leaves it out. Rows are locked in the order of
-- ids, as by every write, so that no two statements wait for each other.
--
-- A lease is no longer than a minute, so those that have been silent for longer hold nothing.
--: write; absent ok; bind due_bind_claim; decode due_decode_claim; everywhere; there claim_due_there
\ir lib/names.psql
\set orphaned `cat lib/orphaned.sql`
\set unheard `cat lib/unheard.sql`
\set knows 'kind < 32 and ($5::int4[])[1] >> kind & 1 = 1'
\if :citus
\ir citus/claim_due.sql
\else
prepare claim_due as
update due set leased_until = ($2::timestamptz[])[1], holder = ($4::uuid[])[1]
from (
    select o.id, o.kind from (
        (select id, kind, 1 as turn from due where :unheard
            and :knows limit :due_max)
        union
        (select id, kind, 2 from due where leased_until <= ($1::timestamptz[])[1]
            and :knows order by leased_until limit :due_max)
        union
        (select id, kind, 2 from due where :orphaned
            and :knows limit :due_max)
        order by turn limit :due_max
    ) o order by o.id, o.kind
) o
where due.id = o.id and due.kind = o.kind
and (due.leased_until <= ($1::timestamptz[])[1] or (:orphaned) or (:unheard))
returning due.id, due.kind, due.at;
\endif
