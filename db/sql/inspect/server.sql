-- The server's version, the size of the database in bytes, connections, their limit, the age of the
-- oldest transaction number.
prepare server as
select current_setting('server_version'), pg_database_size(datname),
(select count(*) from pg_stat_activity where backend_type = 'client backend'),
current_setting('max_connections'), age(datfrozenxid)
from pg_database where datname = current_database();
