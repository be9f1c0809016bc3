'with games as not materialized (' || string_agg('select * from ' || s.games, ' union all ')
|| format(') select json_agg(r) from ('
    || 'select u.player, count(*) as games, sum(u.version) as versions,'
    || ' count(*) filter (where u.turn = u.player) as waiting, sum(u.read) as read from ('
    || 'select g.id, g.seat1_player as player, g.version, g.seat1_read as read, '
    || 'case when g.status = %2$s then case g.to_move when 1 then g.seat1_player else g.seat2_player end end as turn from games g'
    || ' where g.seat1_player = any(%1$L::uuid[])'
    || ' union all select g.id, g.seat2_player, g.version, g.seat2_read, '
    || 'case when g.status = %2$s then case g.to_move when 1 then g.seat1_player else g.seat2_player end end from games g'
    || ' where g.seat2_player = any(%1$L::uuid[]) and g.seat1_player is distinct from g.seat2_player'
    || ') u group by u.player) r', $1::uuid[], :status_active)
