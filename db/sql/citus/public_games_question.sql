'with games as not materialized (' || string_agg('select * from ' || s.games, ' union all ')
|| '), public_games as not materialized ('
|| string_agg('select * from ' || s.shard, ' union all ')
|| format(') select json_agg(r) from (select to_json(g) as game, p.active_at as place'
    || ' from public_games p join games g on g.id = p.game_id'
    || ' where (p.variant = any(%L::text[]) or %L) and p.status = any(%L::int2[])'
    || ' and (p.active_at, p.game_id) < (%L::timestamptz, %L::uuid)'
    || ' order by p.active_at desc, p.game_id desc limit %s) r',
    $5::text[], array_position($5, null) is not null, $6::int2[], ($3::timestamptz[])[1], ($4::uuid[])[1], ($2::int4[])[1])
