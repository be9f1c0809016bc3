-- Deletes up to DB_RENEW_MAX rows of the index of positions that older programs made, those of one game
-- after the other, and promises to note these games again, one each DB_RENEW_PAUSE_MS from $1 on. Returns how many
-- games that are. It leaves rows to others that are deleting them right now, so nobody waits (which
-- Citus cannot). A game may be promised again while its rows are noted: what is noted already stays.
--: write; absent ok; bind library_bind_renew; decode library_decode_renew; everywhere
\ir lib/names.psql
prepare renew_positions as
with gone as (
    delete from positions
\if :citus
    using (select p.scope, p.key, p.game_id from positions p where p.made < :positions_made
        order by p.game_id limit :renew_max) as o
    where positions.scope = o.scope and positions.key = o.key and positions.game_id = o.game_id
    and positions.made < :positions_made
\else
    where ctid = any(array(
        select p.ctid from positions p where p.made < :positions_made
        order by p.game_id limit :renew_max for update skip locked
    ))
\endif
    returning positions.game_id
), renewed as (
    select g.game_id, t.now + interval '1 millisecond' * :renew_pause_ms
    * (row_number() over (order by g.game_id) - 1) as at
    from (select distinct game_id from gone) g cross join unnest($1::timestamptz[]) as t(now)
), promised as (
    insert into due (id, kind, at, leased_until)
    select r.game_id, :due_positions::int2, r.at, r.at from renewed r order by r.game_id
    on conflict (id, kind) do nothing
)
select count(*)::int4 from renewed;
