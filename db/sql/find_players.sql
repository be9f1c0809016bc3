-- The players whose names begin with a text, whichever case its letters have, in the order of their
-- names; but not those who do not want to be found. The index has them in this order, so no more are
-- read than are wanted.
--: read; absent ok; bind players_bind_find; decode players_decode_found; everywhere; single
prepare find_players as
select 1, p.id, p.name, p.created_at, p.about, p.picture from players p
where p.left_at is null and not p.unfound
and lower(p.name) collate "C" >= lower(($1::text[])[1])
and lower(p.name) collate "C" < lower(($1)[1]) || chr(1114111)
order by lower(p.name) collate "C", p.id
limit ($2::int4[])[1];
