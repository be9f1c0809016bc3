-- The form for Citus of ../claim_due.sql. Nothing is assigned from an element of a parameter: there, Citus
-- 13.2 crashes.
prepare claim_due as
update due set leased_until = o.until, holder = o.holder
from (
    select c.id, c.kind, c.held_by, t.now, t.until, t.holder from (
        (select id, kind, holder as held_by, 1 as turn from due where :unheard
            and :knows limit :due_max)
        union
        (select id, kind, null::uuid, 2 from due
            where leased_until <= ($1::timestamptz[])[1] and :knows
            order by leased_until limit :due_max)
        union
        (select id, kind, holder, 2 from due where :orphaned
            and :knows limit :due_max)
        order by turn limit :due_max
    ) c cross join unnest($1::timestamptz[], $2::timestamptz[], $4::uuid[])
    as t(now, until, holder)
) o
where due.id = o.id and due.kind = o.kind and (due.leased_until <= o.now
    or (due.leased_until > due.at and due.holder = o.held_by))
returning due.id, due.kind, due.at;
