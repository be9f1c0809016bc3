-- Name and value. Values are in the units of pg_settings.
prepare settings as
select name, setting from pg_settings where name in ('autovacuum',
    'checkpoint_timeout', 'data_checksums', 'fsync', 'full_page_writes',
    'shared_buffers', 'track_counts', 'wal_compression') order by name;
