-- How many checkpoints came by time, and how many because max_wal_size was reached. PostgreSQL 17
-- has them in another view, which is asked for only there.
prepare checkpoints as
select (x.at)[1], (x.at)[2], current_setting('max_wal_size') from (select case
    when current_setting('server_version_num')::int >= 170000 then
    xpath('//num_timed/text()|//num_requested/text()',
        query_to_xml('select num_timed, num_requested from pg_stat_checkpointer',
            false, false, ''))
    else xpath('//checkpoints_timed/text()|//checkpoints_req/text()',
        query_to_xml('select checkpoints_timed, checkpoints_req from pg_stat_bgwriter',
            false, false, '')) end) as x(at);
