-- What a daemon holds that has been silent since $3.
due.leased_until > due.at and due.kind <> :due_hooks and due.holder = any(array(
    select g.id from daemons g where g.at < ($3::timestamptz[])[1]
    and g.at > ($1::timestamptz[])[1] - interval '1 minute' and g.id <> ($4::uuid[])[1]
))
