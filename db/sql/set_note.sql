-- Stores notes, or deletes those that are null, and returns the ids of their games; but not where a
-- seat has DB_NOTES_MAX notes and this is another one.
--: write; absent conflict; bind notes_bind_set; decode batch_decode_ids
\ir lib/names.psql
prepare set_note as
with written as (
    insert into notes (game_id, seat, ply, text, at)
    select n.* from unnest($1::uuid[], $2::int2[], $3::int4[], $4::text[], $5::timestamptz[])
    as n(id, seat, ply, text, at)
    where n.text is not null and coalesce(
        (select true from notes o where o.game_id = n.id and o.game_id = any($1)
            and o.seat = n.seat and o.ply = n.ply),
        (select count(*) from notes o where o.game_id = n.id and o.game_id = any($1)
            and o.seat = n.seat) < :notes_max)
    on conflict (game_id, seat, ply) do update set text = excluded.text, at = excluded.at
    returning game_id
), dropped as (
    delete from notes o
    using unnest($1::uuid[], $2::int2[], $3::int4[], $4::text[]) as n(id, seat, ply, text)
    where o.game_id = n.id and o.game_id = any($1) and o.seat = n.seat and o.ply = n.ply
    and n.text is null
)
select game_id from written union all
select n.id from unnest($1::uuid[], $4::text[]) as n(id, text) where n.text is null;
