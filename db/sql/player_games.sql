-- A page of the games in which a player holds a seat, after a point of that list. With `by_turn`,
-- the games in which it is the player's turn come first, those with a deadline (rank -1) before
-- those without (0), and games that are over come last (2). Without it, every game has the rank 1.
-- Where no variants are named, games of all are meant; and so it is with statuses.
-- With a piece of metadata, only games that have it. With `challenges_only`, only challenges that wait for an answer. With
-- `ended_after`, only games that have ended later.
-- All games of this player are looked at and no others, and those of the page are then read whole.
--: read; absent ok; bind lists_bind_player; decode lists_decode; everywhere; there player_games_there
\ir lib/names.psql
\if :citus
\ir citus/player_games.sql
\else
-- Where a game stands among those of its rank, least first. Where it is the player's turn, the game with
-- the soonest deadline comes first, or the one that has waited longest; anywhere else the newest
-- activity.
\set place_of_l 'case when l.rank <= 0 then l.at - ''epoch''::timestamptz else ''epoch''::timestamptz - l.at end'
\set place_of_p 'case when p.rank <= 0 then p.at - ''epoch''::timestamptz else ''epoch''::timestamptz - p.at end'
\set held `cat lib/held.sql`
prepare player_games as
select 1, g.*, l.rank
from unnest($1::uuid[], $2::int2[], $3::int2[], $4::int2[], $5::int4[], $6::timestamptz[],
    $7::uuid[], $8::int4[], $11::text[], $12::int2[], $13::timestamptz[])
as p(player, by_turn, public_only, turn_only, rank, at, id, most, piece, challenges_only, ended_after)
cross join lateral (
    select l.id, l.rank, l.place
    from (
        select l.id, l.rank, :place_of_l as place
        from (
            select r.id, r.rank, case r.rank when -1 then r.deadline_at else r.updated_at end as at
            from (
                select h.id, h.updated_at, h.deadline_at, case when p.by_turn = 0 then 1
                when h.their_turn and h.deadline_at is not null then -1 when h.their_turn then 0
                when h.status <= :status_active then 1 else 2 end as rank
                from (
                    :held g.seat1_player = p.player
                    union all
                    :held g.seat2_player = p.player
                    and g.seat1_player is distinct from g.seat2_player
                ) h
                where (h.variant = any($9::text[]) or $9 = '{}')
                and (h.status = any($10::int2[]) or $10 = '{}')
                and (h.visibility = :visibility_public or p.public_only = 0)
                and (h.their_turn or p.turn_only = 0)
                and (h.is_challenge or p.challenges_only = 0)
                and (p.piece is null or strpos(h.metadata, p.piece) > 0)
                and (p.ended_after is null or h.ended_at > p.ended_after)
            ) r
        ) l
    ) l
    where (l.rank, l.place) > (p.rank, :place_of_p)
    or (l.rank, l.place) = (p.rank, :place_of_p) and l.id < p.id
    order by l.rank, l.place, l.id desc
    limit p.most
) l
cross join lateral (
    select :listed_columns from games g where g.id = l.id
    limit 1
) g
order by l.rank, l.place, l.id desc;
\endif
