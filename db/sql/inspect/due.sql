-- Promises, of the 10,000 that come next: kind, how many are due, the seconds by which the oldest is
-- late.
prepare due as
select kind, count(*), extract(epoch from clock_timestamp() - min(at))::int8
from (select kind, at from due order by leased_until limit 10000) as d
where at <= clock_timestamp() group by kind order by kind;
