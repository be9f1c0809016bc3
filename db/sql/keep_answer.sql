-- Stores answers by themselves, under ids that are of no game and no player, but of a caller; not where there
-- is one already. Of each id it leaves those that were stored last, DB_KEPT_MAX of them. Returns the ids. A
-- batch may store several of one id at once, which then are more until the next one.
--: write; absent conflict; bind answers_bind_keep; decode batch_decode_ids
\ir lib/names.psql
prepare keep_answer as
with kept as (
    insert into answers (game_id, key, fingerprint, status, sealed, at)
    select a.*
    from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::int2[], $5::bytea[], $6::timestamptz[])
    as a(id, key, fingerprint, status, sealed, at)
    on conflict (game_id, key) do nothing
    returning game_id
), gone as (
    delete from answers o using (
        select a.game_id, a.key
        from (select distinct game_id from kept) k
        cross join lateral (
            select a.game_id, a.key from answers a
            where a.game_id = k.game_id and a.game_id = any($1)
            order by a.at desc offset :kept_max - 1
        ) a
    ) old
    where o.game_id = old.game_id and o.key = old.key and o.game_id = any($1)
)
select game_id from kept;
