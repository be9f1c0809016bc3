select c.owner, w.id is not null
from unnest(:asked, :asked_own) as c(owner, id)
left join written w on w.id = c.owner
where w.id is not null or (select true from :owned o
    where o.:owner = c.owner and o.id = c.id)
