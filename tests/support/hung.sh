#!/bin/bash
# hung.sh TEST DATABASE PORT... - prints what the daemons at these ports count, and what work is due in their database,
# each line behind the test's name (hung.h). It does not wait long for any of them.
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

due() {
    timeout 10 "$(scripts/postgres.sh programs)/psql" -X -d "$database" -c "
        select kind, id, at - now() as due_in, leased_until - now() as leased_for
        from due order by leased_until limit 40"
}

{
    for port; do
        echo "metrics of the daemon at port $port:"
        metrics "$port"
    done
    echo 'due work:'
    due
} 2>&1 | tr -d '\r' | sed "s/^/$test| /"
