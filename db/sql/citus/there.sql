(
    select array_agg(w.host) as hosts, array_agg(w.port) as ports,
        array_agg(w.question) as questions
    from (
        select s.host, s.port, :question as question from (:shards) s group by s.host, s.port
    ) w
) w
cross join lateral master_run_on_worker(w.hosts, w.ports, w.questions, true)
    as a(host, port, success, answer)
cross join lateral json_array_elements(case when a.success then nullif(a.answer, '')::json end) as r(row)
