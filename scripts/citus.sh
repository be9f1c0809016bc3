#!/bin/bash
# citus.sh - a Citus for tests: a coordinator and two workers, or one that is there.
#
#   citus.sh with CITUS COMMAND...   run a command with PLYD_TEST_DATABASE_URL (the coordinator) and
#                                    PLYD_TEST_CITUS (the workers) set to connection strings
#   citus.sh start NODE              start one of its servers again: coordinator, worker1, worker2
#
# CITUS is a connection string of a coordinator's database, whose user may make databases on all nodes; or
# the pg_config of a PostgreSQL that has the extension. Then three servers are started as by postgres.sh, in
# build/citus/, and are removed in the end; PLYD_TEST_WORKER is the folder of the first worker. How to build
# Citus stands in docs/citus.md.
set -euo pipefail

readonly SHARDS=4
readonly ready=plyd_ready # the database that tests copy, on each node

self=$(realpath "$0")
here=$(dirname "$self")
root=$(realpath -m "$here/../build/citus")
nodes=(coordinator worker1 worker2)

fail() {
    echo "citus: $*" >&2
    exit 1
}

sql() {
    psql -XAtq -v ON_ERROR_STOP=1 "$1" "${@:2}" 2> >(grep -v '^NOTICE\|^DETAIL\|^HINT' >&2)
}

# ---- connection strings --------------------------------------------------------------------------

# The connection string $1 with another database. Those of postgres.sh and of operators are URIs.
with_database() {
    [[ $1 =~ ^(postgres(ql)?://[^/]*)(/[^?]*)?(\?.*)?$ ]] || fail "'$1' is not a URI, postgresql://HOST/NAME"
    echo "${BASH_REMATCH[1]}/$2${BASH_REMATCH[4]}"
}

# The connection string $1 at another host and port.
at_node() {
    local user=''
    [[ $1 =~ ^(postgres(ql)?://)([^/@]*@)?[^/]*(/[^?]*)?(\?.*)?$ ]]
    user=${BASH_REMATCH[3]}
    echo "${BASH_REMATCH[1]}$user/${BASH_REMATCH[4]#/}?host=$2&port=$3"
}

# ---- servers -------------------------------------------------------------------------------------

start_node() {
    local sync=()
    [ "${PLYD_TEST_FSYNC:-on}" = on ] || sync=(fsync=off)
    "$here/postgres.sh" start "$root/$1" shared_preload_libraries=citus citus.shard_count=$SHARDS \
        citus.node_conninfo=sslmode=prefer citus.enable_statistics_collection=off \
        max_prepared_transactions=300 max_connections=300 max_worker_processes=256 \
        citus.max_client_connections=-1 citus.node_connection_timeout=10s citus.recover_2pc_interval=3s \
        shared_buffers=64MB \
        "${sync[@]}"
}

socket_of() {
    sed -e 's/.*[?&]host=\([^&]*\).*/\1/' -e 's/%2C/,/g' <<<"$1"
}

remove_nodes() {
    local node
    for node in "${nodes[@]}"; do "$here/postgres.sh" remove "$root/$node"; done
}

# What the servers said is left in build/citus/NODE.log.
end_nodes() {
    local node
    for node in "${nodes[@]}"; do cat "$root/$node/log.old" "$root/$node/log" >"$root/$node.log" 2>/dev/null || true; done
    remove_nodes
}

start_nodes() {
    local node pids=()
    remove_nodes
    mkdir -p "$root"
    for node in "${nodes[@]}"; do
        start_node "$node" &
        pids+=($!)
    done
    for node in "${pids[@]}"; do wait "$node" || fail "a server did not start"; done
    coordinator=$("$here/postgres.sh" url "$root/coordinator")
    workers=("$("$here/postgres.sh" url "$root/worker1")" "$("$here/postgres.sh" url "$root/worker2")")
    export PLYD_TEST_WORKER=$root/worker1
}

# ---- the database that tests copy ----------------------------------------------------------------

# Nobody may be connected to a database that is copied, so Citus's own process is ended there, too.
close_ready() {
    sql "$1" -c "alter database $ready allow_connections false" \
        -c "select pg_terminate_backend(pid) from pg_stat_activity where datname = '$ready'" >/dev/null
}

make_ready() {
    local url node
    for url in "${workers[@]}" "$coordinator"; do
        sql "$url" <<<"select format('drop database %I with (force)', datname) from pg_database
            where datname like 'ready\\_%' \\gexec"
        sql "$url" -c "drop database if exists $ready with (force)" -c "create database $ready"
        sql "$(with_database "$url" $ready)" -c 'create extension citus'
    done
    url=$(with_database "$coordinator" $ready)
    sql "$url" -c "select citus_set_coordinator_host('$(socket_of "$coordinator")', $(port_of "$coordinator"))"
    for node in "${workers[@]}"; do
        sql "$url" -c "select citus_add_node('$(socket_of "$node")', $(port_of "$node"))" >/dev/null
    done
    sql "$(with_database "$coordinator" $ready)" -c "alter database $ready set citus.shard_count = $SHARDS"
    "${PLYD_PROGRAM:-$here/../build/plyd}" migrate --distribute --database "$url" >/dev/null
    for url in "$coordinator" "${workers[@]}"; do close_ready "$url"; done
}

port_of() {
    [[ $1 =~ [?\&]port=([0-9]+) ]] && echo "${BASH_REMATCH[1]}" || echo 5432
}

# A Citus that is there says itself which nodes it has.
use_nodes() {
    local host port
    coordinator=$1
    workers=()
    [ "$(sql "$1" -c "select to_regclass('pg_dist_node') is not null")" = t ] ||
        fail "the database at CITUS is not one of Citus: 'create extension citus' comes first"
    while IFS='|' read -r host port; do
        workers+=("$(at_node "$1" "$host" "$port")")
    done < <(sql "$1" -c "select nodename, nodeport from pg_dist_node where groupid > 0 and noderole = 'primary'")
    [ ${#workers[@]} -gt 0 ] || fail "the Citus at CITUS has no workers"
}

# ---- the command ---------------------------------------------------------------------------------

with_citus() {
    local programs coordinator workers
    if [[ $1 =~ ^postgres(ql)?:// ]]; then
        use_nodes "$1"
    else
        [ -x "$1" ] || fail "CITUS is neither a connection string nor a pg_config: '$1' (docs/citus.md)"
        programs=$("$1" --bindir)
        [ -e "$("$1" --sharedir)/extension/citus.control" ] ||
            fail "the PostgreSQL of $1 does not have Citus: build it as docs/citus.md says"
        export PLYD_POSTGRES=$programs
        mkdir -p "$root"
        exec 6<"$root"
        flock -n 6 || fail "another drill runs in $root"
        trap end_nodes EXIT
        trap 'exit 130' INT TERM HUP
        start_nodes 6<&-
    fi
    make_ready 6<&-
    PLYD_TEST_DATABASE_URL=$coordinator PLYD_TEST_CITUS="${workers[*]}" "${@:2}" 6<&-
}

case "$#-${1:-}" in
2-start) start_node "$2" ;;
[3-9]*-with | [1-9][0-9]*-with) with_citus "${@:2}" ;;
*)
    sed -n 's/^#   //p' "$self" >&2
    exit 2
    ;;
esac
