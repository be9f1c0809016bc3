-- The ids of the next games behind one. It is done while the other readers wait; it needs only the primary
-- key.
prepare slice as
select id from games where id > $1::uuid and ($2::text is null or variant = $2) order by id limit 200;
