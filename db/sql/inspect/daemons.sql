-- How many daemons beat within 15 s, and the age of the last beat of any.
prepare daemons as
select count(*) filter (where at > clock_timestamp() - interval '15 s'),
(select extract(epoch from clock_timestamp() - max(at))::int8 from pulse)
from daemons;
