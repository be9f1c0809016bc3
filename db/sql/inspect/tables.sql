-- Tables: name, rows, dead rows, updates, those of them that changed no index (HOT), the rows' bytes,
-- the bytes that so many rows should take, how many dead rows autovacuum waits for (null: it is off
-- for this table).
\set here '(select relnamespace from pg_class where oid = ''games''::regclass)'
prepare tables as
select c.relname, greatest(c.reltuples, 0)::int8, s.n_dead_tup, s.n_tup_upd,
s.n_tup_hot_upd, pg_relation_size(c.oid), (greatest(c.reltuples, 0)
    * (28 + coalesce(w.width, 0)) * 100 / coalesce(o.fillfactor::int, 100))::int8,
case when coalesce(o.enabled::bool, true) then
(coalesce(o.threshold, current_setting('autovacuum_vacuum_threshold'))::int8
    + coalesce(o.scale, current_setting('autovacuum_vacuum_scale_factor'))::float8
    * greatest(c.reltuples, 0))::int8 end
from pg_class c join pg_stat_user_tables s on s.relid = c.oid
cross join lateral (select max(option_value) filter (where option_name = 'fillfactor'),
    max(option_value) filter (where option_name = 'autovacuum_enabled'),
    max(option_value) filter (where option_name = 'autovacuum_vacuum_threshold'),
    max(option_value) filter (where option_name = 'autovacuum_vacuum_scale_factor')
    from pg_options_to_table(c.reloptions)) as o(fillfactor, enabled, threshold, scale)
cross join lateral (select sum(avg_width * (1 - null_frac)) from pg_stats
    where schemaname = s.schemaname and tablename = s.relname) as w(width)
where c.relnamespace = :here
order by c.relname;
