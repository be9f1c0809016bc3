select p.nodename::text as host, p.nodeport as port, s.shardid as number,
    shard_name(s.logicalrelid, s.shardid) as shard, shard_name(g.logicalrelid, g.shardid) as games,
    count(*) over () as count
from pg_dist_shard s
join pg_dist_shard g on g.logicalrelid = 'games'::regclass and g.shardminvalue = s.shardminvalue
join pg_dist_shard_placement p on p.shardid = s.shardid and p.shardstate = 1
where s.logicalrelid = :shards_of::regclass
