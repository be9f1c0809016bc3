-- A time up to which all is seen by whoever looks from now on: whatever is written and not
-- committed yet is written later than that. A transaction shows when it began from then until its
-- writes can be seen; the second is for the moment in which it has begun and does not show it yet.
--: read; absent unavailable; bind feeds_bind_horizon; decode feeds_decode_horizon
prepare horizon as
select least(now(), min(a.xact_start)) - interval '1 second'
from unnest($1::int4[])
left join pg_stat_activity a
on a.datname = current_database() and a.pid <> pg_backend_pid()
and (a.backend_xid is not null
    or a.application_name = current_setting('application_name'));
