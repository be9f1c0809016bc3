-- Pages of the list of public games, the newest activity first, each after a point of the list. A
-- request has a row for each wanted variant and status. The index has the newest games of each at
-- hand, and the newest of all those are the page. A row without a variant stands for each that no row
-- names: the index is asked for the next name, again and again. So a page reads no more than its length times
-- these rows, however many games there are. The limit of one makes each game a look-up by its key:
-- a plain join might read them all.
--: read; absent ok; bind lists_bind_public; decode lists_decode; everywhere; single; there public_games_there
\ir lib/names.psql
\if :citus
\ir citus/public_games.sql
\else
prepare public_games as
with recursive names as (
    (select p.variant from public_games p where array_position($5::text[], null) is not null
    order by p.variant limit 1)
    union all
    select (select p.variant from public_games p where p.variant > n.variant
        order by p.variant limit 1)
    from names n where n.variant is not null
)
select l.n, g.*, 1
from (
    select p.n, p.most, p.game_id, row_number() over (
        partition by p.n order by p.active_at desc, p.game_id desc) as place
    from (
        select r.n, r.most, p.game_id, p.active_at
        from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::uuid[], $5::text[],
            $6::int2[]) as r(n, most, at, id, variant, status)
        left join names o on r.variant is null and o.variant <> all(array_remove($5, null))
        cross join lateral (
            select p.game_id, p.active_at from public_games p
            where p.variant = coalesce(r.variant, o.variant) and p.status = r.status
            and (p.active_at, p.game_id) < (r.at, r.id)
            order by p.active_at desc, p.game_id desc
            limit r.most
        ) p
    ) p
) l
cross join lateral (
    select :game_columns from games g where g.id = l.game_id
    limit 1
) g
where l.place <= l.most
order by l.n, l.place;
\endif
