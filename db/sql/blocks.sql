-- A page of those whom a player has blocked, by their ids, with the names that they have now; without one, if they have left.
-- The names are asked for by themselves, since other workers of Citus may have them.
--: read; absent ok; bind blocks_bind_page; decode blocks_decode; everywhere; single
prepare blocks as
with page as materialized (
    select o.blocked, o.at from blocks o
    where o.player_id = ($1::uuid[])[1] and o.blocked > ($2::uuid[])[1]
    order by o.blocked
    limit ($3::int4[])[1]
), named as materialized (
    select p.id, p.name from players p where p.id in (select g.blocked from page g) and p.left_at is null
)
select 1, g.blocked, g.at, p.name from page g left join named p on p.id = g.blocked
order by g.blocked;
