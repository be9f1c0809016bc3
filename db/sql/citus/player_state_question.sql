'with games as not materialized (' || string_agg('select * from ' || s.games, ' union all ')
|| format(') select json_agg(r) from ('
    || 'select u.player, count(*) as games, sum(u.version) as versions from ('
    || 'select g.id, g.seat1_player as player, g.version from games g'
    || ' where g.seat1_player = any(%1$L::uuid[])'
    || ' union all select g.id, g.seat2_player, g.version from games g'
    || ' where g.seat2_player = any(%1$L::uuid[]) and g.seat1_player is distinct from g.seat2_player'
    || ') u group by u.player) r', $1::uuid[])
