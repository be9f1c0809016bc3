'with games as not materialized (' || string_agg('select * from ' || s.games, ' union all ')
|| '), events as not materialized (' || string_agg('select * from ' || s.shard, ' union all ')
|| format(') select json_agg(r) from ('
    || 'with news as (select g.id from games g'
    || ' join events o on o.game_id = g.id and o.version = g.version'
    || ' where (g.seat1_player = %1$L or g.seat2_player = %1$L) and g.id >= %3$L'
    || ' and (%2$L <= ''epoch''::timestamptz or o.written_at >= %2$L)'
    || ' order by g.id limit %6$s)'
    || ' select e.* from news n join events e on e.game_id = n.id'
    || ' where case when e.game_id = %3$L then e.version > %4$s'
    || ' else %2$L <= ''epoch''::timestamptz or e.written_at >= %2$L end'
    || ' order by e.game_id, e.version limit %5$s) r',
    ($1::uuid[])[1], ($2::timestamptz[])[1], ($3::uuid[])[1], ($4::int4[])[1], ($5::int4[])[1],
    :feed_looks)
