select g.id, w.id is not null from :table g
left join written w on w.id = g.id where g.id = any(:asked)
