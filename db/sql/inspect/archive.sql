-- Whether WAL is archived, how many files were, whether the last attempt failed, and the age of the
-- last archived file.
prepare archive as
select current_setting('archive_mode'), archived_count,
coalesce(last_failed_time > last_archived_time, last_failed_time is not null),
extract(epoch from clock_timestamp() - last_archived_time)::int8
from pg_stat_archiver;
