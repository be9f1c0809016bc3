select c.id, w.id is not null
from unnest(:asked) as c(id) left join written w on w.id = c.id
where w.id is not null
or (select true from :table g where g.id = c.id)
