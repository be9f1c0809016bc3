-- Replication slots that nobody reads: name, bytes of WAL that each keeps.
prepare slots as
select slot_name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)
from pg_replication_slots where not active order by slot_name;
