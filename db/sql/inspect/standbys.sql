-- How many standbys there are, how many of them are synchronous, and whether commits wait for one.
prepare standbys as
select count(*), count(*) filter (where sync_state in ('sync', 'quorum')),
current_setting('synchronous_standby_names') <> ''
from pg_stat_replication;
