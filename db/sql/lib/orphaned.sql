-- What a daemon holds that has been silent since $3, and of the promises of webhooks for two seconds more:
-- by then it has given up what it was sending (HOOKS_HOLD_US).
due.leased_until > due.at and due.holder = any(array(
    select g.id from daemons g where g.at < ($3::timestamptz[])[1]
    and g.at > ($1::timestamptz[])[1] - interval '1 minute' and g.id <> ($4::uuid[])[1]
)) and (due.kind <> :due_hooks or due.holder = any(array(
    select g.id from daemons g where g.at < ($3::timestamptz[])[1] - interval '2 seconds'
)))
