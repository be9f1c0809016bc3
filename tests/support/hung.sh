#!/bin/bash
# hung.sh TEST DATABASE PORT... <STACK - prints where a test stands, what the sessions of its database do, what work is
# due there, and what the daemons at these ports count, each line behind the test's name (hung.h). It does not wait
# long for any of them. A stack is as backtrace_symbols_fd() writes it.
set -uo pipefail
test=$1 database=$2
shift 2

# What is not 0, without the buckets of histograms.
metrics() {
    # shellcheck disable=SC2016 # That shell expands it.
    timeout 5 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" &&
        printf "GET /metrics HTTP/1.1\r\nHost: plyd\r\nConnection: close\r\n\r\n" >&3 && cat <&3' - "$1" 2>&1 |
        grep -v -e '^#' -e _bucket -e ' 0\r*$' || echo 'it does not answer'
}

stack() {
    sed -nE 's/^(.*)\(\+(0x[0-9a-f]+)\).*/\1 \2/p' | while read -r program address; do
        addr2line -pfse "$program" "$address"
    done
}

query() {
    timeout 10 "$(scripts/postgres.sh programs)/psql" -X -d "$database" -c "$1"
}

sessions() {
    query "
        select state, wait_event, now() - query_start as since, left(regexp_replace(query, '\s+', ' ', 'g'), 60) as query
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by query_start"
}

due() {
    query "
        select kind, id, at - now() as due_in, leased_until - now() as leased_for
        from due order by leased_until limit 40"
}

{
    echo 'it stands in:'
    stack
    echo 'sessions:'
    sessions
    echo 'due work:'
    due
    for port; do
        echo "metrics of the daemon at port $port:"
        metrics "$port"
    done
} 2>&1 | tr -d '\r' | sed "s/^/$test| /"
