-- The transaction that has been open for the longest time: seconds, process, what it does.
prepare transactions as
select extract(epoch from clock_timestamp() - xact_start)::int8, pid, state
from pg_stat_activity where datname = current_database()
and pid <> pg_backend_pid() and xact_start is not null
order by xact_start limit 1;
