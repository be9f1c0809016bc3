'with games as not materialized (' || string_agg('select * from ' || s.games, ' union all ')
|| format(') select json_agg(r) from (select to_json(g) as game, l.rank, l.place'
    || ' from (select h.*, case when h.rank <= 0 then h.at - ''epoch''::timestamptz'
    || ' else ''epoch''::timestamptz - h.at end as place'
    || ' from (select t.id, t.rank, case t.rank when -1 then t.deadline_at else t.updated_at end as at'
    || ' from (select g.*, case when %2$s = 0 then 1'
    || ' when o.turn and g.deadline_at is not null then -1 when o.turn then 0'
    || ' when g.status <= %3$s then 1 else 2 end as rank'
    || ' from games g cross join lateral (select g.status = %3$s and %1$L is not distinct from'
    || ' case g.to_move when 1 then g.seat1_player else g.seat2_player end as turn) o'
    || ' where (g.seat1_player = %1$L or g.seat2_player = %1$L)'
    || ' and (g.variant = any(%4$L::text[]) or %4$L = ''{}'')'
    || ' and (g.status = any(%5$L::int2[]) or %5$L = ''{}'')'
    || ' and (g.visibility = %6$s and not %14$s in (g.seat1_state, g.seat2_state) or %7$s = 0)'
    || ' and (o.turn or %8$s = 0) and (%15$s = 0'
    || ' or g.status = %16$s and %14$s in (g.seat1_state, g.seat2_state))'
    || ' and (%13$L is null or strpos(g.metadata, %13$L) > 0)'
    || ' and (%17$L::timestamptz is null or g.status > %3$s and coalesce(g.ended_at, g.updated_at) > %17$L::timestamptz)) t) h) l'
    || ' join games g on g.id = l.id'
    || ' where (l.rank, l.place) > (%9$s, %10$L::interval)'
    || ' or (l.rank, l.place) = (%9$s, %10$L::interval) and l.id < %11$L'
    || ' order by l.rank, l.place, l.id desc limit %12$s) r',
    ($1::uuid[])[1], ($2::int2[])[1], :status_active, $9::text[], $10::int2[], :visibility_public,
    ($3::int2[])[1], ($4::int2[])[1], ($5::int4[])[1], :point_place, ($7::uuid[])[1],
    ($8::int4[])[1], ($11::text[])[1], :seat_challenged, ($12::int2[])[1], :status_open, ($13::timestamptz[])[1])
