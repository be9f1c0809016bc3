-- plyd: no transaction
-- 0006: when an event was written, and which daemons are up.

-- The server's time at the beginning of the transaction that wrote the event; null in those from
-- before. `at` is another time: a timeout happened at its deadline, and may be written much later.
-- Two steps, since a column that is added with its default would have it in old rows too.
set lock_timeout = '3s';
alter table events add column if not exists written_at timestamptz;
alter table events alter column written_at set default now();
reset lock_timeout;

-- The last heartbeat of each daemon.
create table if not exists daemons (
    id uuid        not null,
    at timestamptz not null,
    primary key (id)
);
