-- The ids of games that are drawn by chance, always the same ones.
prepare sample as
select id from (
    select id from games where id > $1::uuid and ($2::text is null or variant = $2)
    order by uuid_hash(id), id limit $3::int8
) as drawn
order by id;
