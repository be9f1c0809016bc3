-- A page of the games of a collection that fit, one more than is asked for, of the next
-- DB_SEARCH_LOOKS; with each row the last of those, if there are so many. The conditions that are
-- null fit everything, and so it is where no variants are named. `apart`: only games of which the
-- player holds no seat, and that are in no collection with a smaller id. If nothing fits, the game
-- of the row is null; without a collection, there is no row. A batch has one member.
--: read; absent not_found; bind library_bind_search; decode library_decode_search; everywhere
\ir lib/names.psql
\if :citus
\ir citus/search.sql
\else
\set collected `cat lib/collected.sql`
prepare search as
select 1, :game_columns, l.added_at, w.to_at, w.to_id
from unnest($1::uuid[], $2::uuid[], $3::text[], $5::int2[], $6::timestamptz[], $7::timestamptz[],
    $8::int8[], $9::timestamptz[], $10::uuid[], $11::int4[], $12::int2[])
as r(player_id, collection, part, won_by, since, until, key, at, after, most, apart)
left join lateral (
    select c.added_at as to_at, c.game_id as to_id
    from (:collected offset :search_looks - 1 limit 1) c
) w on true
left join lateral (
    select g.*, c.added_at from (:collected limit :search_looks) c
    join games g on g.id = c.game_id
    where (r.part is null or strpos(lower(g.seat1_name), lower(r.part)) > 0
        or strpos(lower(g.seat2_name), lower(r.part)) > 0)
    and (g.variant = any($4::text[]) or $4 = '{}')
    and (r.won_by is null or (g.status = :status_finished and g.winner = r.won_by))
    and (coalesce(r.since, r.until) is null or exists (select from events e
            where e.game_id = c.game_id and e.version = 1 and (r.since is null or e.at >= r.since)
            and (r.until is null or e.at < r.until)))
    and (r.key is null or exists (select from positions p
            where p.scope = r.player_id and p.key = r.key and p.game_id = c.game_id))
    and (r.apart = 0 or (g.seat1_player is distinct from r.player_id
            and g.seat2_player is distinct from r.player_id
            and not exists (select from collection_games o where o.player_id = r.player_id
                and o.game_id = c.game_id and o.collection < c.collection)))
    order by c.added_at desc, c.game_id desc limit r.most
) l on true
where exists (select from collections k where k.player_id = r.player_id
    and k.id = r.collection)
order by l.added_at desc, l.id desc;
\endif
