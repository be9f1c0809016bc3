'with ' || string_agg(format('c%1$s as (update %2$s d set leased_until = %3$L, holder = %4$L'
    || ' from (select o.id, o.kind from ('
    || '(select id, kind, 1 as turn from %2$s where leased_until > at and leased_until >= %11$L and holder = %4$L'
    || ' and kind < 32 and %6$s >> kind & 1 = 1 limit %7$s)'
    || ' union (select id, kind, 2 from %2$s where leased_until <= %5$L and kind < 32 and %6$s >> kind & 1 = 1'
    || ' order by leased_until limit %7$s)'
    || ' union (select id, kind, 2 from %2$s where leased_until > at and holder = any(%8$L::uuid[])'
    || ' and (kind <> %9$s or holder = any(%10$L::uuid[])) and kind < 32 and %6$s >> kind & 1 = 1 limit %7$s)'
    || ' order by turn limit %7$s) o order by o.id, o.kind) o'
    || ' where d.id = o.id and d.kind = o.kind and (d.leased_until <= %5$L'
    || ' or d.leased_until > d.at and d.holder = any(%8$L::uuid[])'
    || ' or d.leased_until > d.at and d.leased_until >= %11$L and d.holder = %4$L)'
    || ' returning d.id, d.kind, d.at)',
    s.number, s.shard, ($2::timestamptz[])[1], ($4::uuid[])[1], ($1::timestamptz[])[1],
    ($5::int4[])[1], greatest(:due_max / s.count, 1), array(select g.id from daemons g
        where g.at < ($3::timestamptz[])[1] and g.at > ($1)[1] - interval '1 minute'
        and g.id <> ($4)[1]), :due_hooks, array(select g.id from daemons g
        where g.at < ($3)[1] - interval '2 seconds'), ($6::timestamptz[])[1]), ', ')
|| ' select json_agg(r) from (' || string_agg('select * from c' || s.number, ' union all ') || ') r'
