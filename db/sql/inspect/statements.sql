-- The statements that have taken most of the server's time: text, calls, mean and total in ms.
prepare statements as
select left(regexp_replace(query, '\s+', ' ', 'g'), 60), calls,
round(mean_exec_time::numeric, 1), round(total_exec_time)
from pg_stat_statements where calls >= 10
and dbid = (select oid from pg_database where datname = current_database())
order by total_exec_time desc limit 5;
