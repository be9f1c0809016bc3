-- Deletes the oldest answers from before $1, at most DB_FORGET_MAX of them, and returns how many
-- there were. It leaves rows to others that are deleting them right now, so nobody waits (which Citus
-- cannot). The limit is no parameter: the planner must know that it is small, and that the rows are
-- found by ctid.
--: write; absent ok; bind answers_bind_forget; decode answers_decode_forget; everywhere
\ir lib/names.psql
prepare forget as
with gone as (
    delete from answers
\if :citus
    using (select a.game_id, a.key from answers a where a.at < ($1::timestamptz[])[1]
        order by a.at limit :forget_max) as o
    where answers.game_id = o.game_id and answers.key = o.key
\else
    where ctid = any(array(
        select a.ctid from answers a where a.at < ($1::timestamptz[])[1]
        order by a.at limit :forget_max for update skip locked
    ))
\endif
    returning 1
)
select count(*)::int4 from gone;
