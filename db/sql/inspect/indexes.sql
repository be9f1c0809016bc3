-- Indexes that are not as the migrations $2, with the numbers $1, make them: name, table (null: the
-- index is missing), whether it is one of theirs (then it is broken), how often it was used, bytes.
\set here '(select relnamespace from pg_class where oid = ''games''::regclass)'
prepare indexes as
with code as (select number, regexp_replace(sql, '--[^\n]*', '', 'g') as sql
    from unnest($1::int4[], $2::text[]) as f(number, sql)),
made as (select name, max(number) as number from (select number,
        (regexp_matches(sql,
            'create (?:unique )?index (?:concurrently )?(?:if not exists )?([a-z0-9_]+)', 'g'))[1] as name
        from code
        union all select number, (regexp_matches(sql,
            'create table (?:if not exists )?([a-z0-9_]+)', 'g'))[1] || '_pkey' from code
        union all select 0, 'schema_migrations_pkey') as m group by name),
dropped as (select number, (regexp_matches(sql,
        'drop index (?:concurrently )?(?:if exists )?([a-z0-9_]+)', 'g'))[1] as name
    from code),
wanted as (select name from made where not exists (select from dropped d
        where d.name = made.name and d.number > made.number)),
there as (select c.relname as name, t.relname as on_table, i.indisvalid as valid,
    coalesce(s.idx_scan, 0) as scans, pg_relation_size(c.oid) as bytes
    from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    left join pg_stat_user_indexes s on s.indexrelid = c.oid
    where t.relnamespace = :here)
select name, on_table, w.name is not null, scans, bytes
from wanted w full join there using (name)
where w.name is null or on_table is null or not valid order by name;
