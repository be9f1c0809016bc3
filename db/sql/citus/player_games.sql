-- The form for Citus of ../player_games.sql.
\set player '($1::uuid[])[1]'
\set point_rank '($5::int4[])[1]'
\set place_of_r 'case when r.rank <= 0 then r.at - ''epoch''::timestamptz else ''epoch''::timestamptz - r.at end'
\set point_place 'case when :point_rank <= 0 then ($6::timestamptz[])[1] - ''epoch''::timestamptz else ''epoch''::timestamptz - ($6::timestamptz[])[1] end'
prepare player_games as
select 1, g.*, l.rank
from (
    select l.id, l.rank, l.place
    from (
        select r.id, r.rank, :place_of_r as place
        from (
            select h.id, h.rank, case h.rank when -1 then h.deadline_at else h.updated_at end as at
            from (
                select t.id, t.updated_at, t.deadline_at, case when ($2::int2[])[1] = 0 then 1
                when t.their_turn and t.deadline_at is not null then -1 when t.their_turn then 0
                when t.status <= :status_active then 1 else 2 end as rank
                from (
                    select g.id, g.variant, g.status, :shown_visibility as visibility, g.updated_at,
                    g.deadline_at, :shown_ended_at as ended_at, g.status = :status_open and :is_challenge as is_challenge, g.metadata, g.status = :status_active and :player is not distinct from
                    case g.to_move when 1 then g.seat1_player else g.seat2_player end as their_turn
                    from games g
                    where g.seat1_player = :player or g.seat2_player = :player
                ) t
                where (t.variant = any($9::text[]) or $9 = '{}')
                and (t.status = any($10::int2[]) or $10 = '{}')
                and (t.visibility = :visibility_public or ($3::int2[])[1] = 0)
                and (t.their_turn or ($4::int2[])[1] = 0)
                and (t.is_challenge or ($12::int2[])[1] = 0)
                and (($11::text[])[1] is null or strpos(t.metadata, ($11::text[])[1]) > 0)
                and (($13::timestamptz[])[1] is null or t.ended_at > ($13::timestamptz[])[1])
            ) h
        ) r
    ) l
    where (l.rank, l.place) > (:point_rank, :point_place)
    or (l.rank, l.place) = (:point_rank, :point_place)
    and l.id < ($7::uuid[])[1]
    order by l.rank, l.place, l.id desc
    limit ($8::int4[])[1]
) l
join (select :listed_columns from games) as g on g.id = l.id
order by l.rank, l.place, l.id desc;
