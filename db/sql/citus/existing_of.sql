select o.:owner, w.id is not null
from unnest(:asked, :asked_own) as c(owner, id)
join :owned o on o.:owner = c.owner
and o.:owner = any(:asked) and o.id = c.id
left join written w on w.id = c.owner
