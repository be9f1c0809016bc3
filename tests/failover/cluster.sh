#!/bin/bash
# cluster.sh - three PostgreSQL servers under Patroni, with etcd and HAProxy, for one command.
#
#   cluster.sh with COMMAND...   make a cluster in a temporary folder, run the command, remove all of it
#
# The command finds the folder in PLYD_FAILOVER, and there connection strings that lack only the name of a database:
# in the files `hosts` (all three servers), `balanced` (through HAProxy) and `url.N`. It may call:
#
#   cluster.sh signal N what SIGNAL   to the server of node N (postgres), its Patroni (patroni), or both (node)
#   cluster.sh start N                the Patroni of node N again, which starts its server
#   cluster.sh switchover             hand over as planned
#   cluster.sh primary                print the number of the node that takes writes, as Patroni sees it
#   cluster.sh standby                print the number of the synchronous standby
#   cluster.sh database NAME          make an empty database, and wait until every server has it
#   cluster.sh settle                 wait until there are a primary, a synchronous standby and a third that follows
#
# Patroni 3.0.2 loses writes with etcd's v3 API (docs/failover.md), so it uses v2. Everything listens on 127.0.0.1.
# As root, everything but HAProxy runs as the user of the servers. Only processes that were started here are ended.
set -Eeuo pipefail

self=$(realpath "$0")
postgres=$(dirname "$self")/../../scripts/postgres.sh
readonly NODES='1 2 3'

. "$(dirname "$self")/../support/shell.sh"

# ---- processes -----------------------------------------------------------------------------------

# Runs a program in the background, as the servers' user, and notes its number in NAME.pid.
launch() {
    local name=$1
    shift
    (
        cd "$work"
        exec setsid "${as_user[@]}" "$@" </dev/null >>"log.$name" 2>&1 8<&-
    ) &
    echo $! >"$work/$name.pid"
}

# Sends a signal to what was launched under a name. Another process may have its number by now, but its
# working directory tells.
signal_one() {
    local pid
    { pid=$(<"$work/$1.pid"); } 2>/dev/null || return 0
    [ ! "/proc/$pid/cwd" -ef "$work" ] || kill -s "$2" "$pid" 2>/dev/null || true
}

use_user() {
    as_user=()
    [ $EUID -ne 0 ] || as_user=(setpriv "--reuid=postgres" "--regid=postgres" --clear-groups)
}

# ---- etcd, Patroni, HAProxy ----------------------------------------------------------------------

start_etcd() {
    local client=$1 peer=$2
    launch etcd etcd --enable-v2 --name e1 --data-dir "$work/etcd" \
        --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" \
        --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" \
        --initial-cluster "e1=http://127.0.0.1:$peer"
    wait_until curl -sf "http://127.0.0.1:$client/health" -o /dev/null
}

# The settings of node $1, whose server has port $2 and whose Patroni answers at port $3.
patroni_settings() {
    cat <<END
scope: plyd
name: n$1
restapi: {listen: "127.0.0.1:$3", connect_address: "127.0.0.1:$3"}
etcd: {host: "127.0.0.1:$etcd"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      remove_data_directory_on_rewind_failure: true
      remove_data_directory_on_diverged_timelines: true
      parameters: {max_connections: 100, wal_keep_size: 256MB, wal_log_hints: "on"}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
postgresql:
  listen: "127.0.0.1:$2"
  connect_address: "127.0.0.1:$2"
  data_dir: "$work/n$1/data"
  bin_dir: "$("$postgres" programs)"
  pgpass: "$work/n$1/pgpass"
  authentication:
    superuser: {username: postgres}
    replication: {username: replicator}
    rewind: {username: rewinder}
  parameters: {unix_socket_directories: "", shared_buffers: 32MB}
  pg_hba: [host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
END
}

start_patroni() { launch "n$1" patroni "$work/n$1/patroni.yml"; }

make_node() {
    local port=$2 rest=$3
    "${as_user[@]}" mkdir "$work/n$1"
    patroni_settings "$1" "$port" "$rest" >"$work/n$1/patroni.yml"
    echo "$rest" >"$work/n$1/rest"
    echo "postgresql://plyd@127.0.0.1:$port/" >"$work/url.$1"
}

haproxy_settings() {
    local n
    cat <<END
defaults
    mode tcp
    timeout connect 2s
    timeout client 1m
    timeout server 1m
listen primary
    bind 127.0.0.1:$1
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 3 rise 2 on-marked-down shutdown-sessions
END
    for n in $NODES; do
        echo "    server n$n 127.0.0.1:${port[n]} check port ${rest[n]}"
    done
}

# ---- asking --------------------------------------------------------------------------------------

# The cluster as a running Patroni sees it, a line for each node whose server runs: its number, role and timeline.
members() {
    local n
    for n in $NODES; do
        if curl -sf --max-time 2 "http://127.0.0.1:$(<"$work/n$n/rest")/cluster"; then
            return
        fi
    done | tr '{' '\n' |
        sed -n 's/.*"name": "n\(.\)", "role": "\([a-z_]*\)", "state": "running".*"timeline": \([0-9]*\).*/\1 \2 \3/p'
}

node_with() {
    local number
    number=$(members | awk -v role="$1" '$2 == role { print $1 }')
    [ -n "$number" ] && echo "$number"
}

# A node that is still being rewound is not on the timeline of the primary.
is_settled() {
    [ "$(members | awk '{ print $2, $3 }' | sort | awk '{ printf "%s ", $1; seen[$2] } END { print length(seen) }')" = \
        'leader replica sync_standby 1' ]
}

# Rewinding an old primary takes its time.
settle() {
    local end=$((SECONDS + 120))
    until is_settled; do
        [ $SECONDS -lt $end ] || { members >&2 && return 1; }
        sleep 0.2
    done
}

switchover() {
    curl -s --max-time 60 "http://127.0.0.1:$(<"$work/n$1/rest")/switchover" -d "{\"leader\": \"n$1\"}"
    echo
}

as_operator() {
    PGOPTIONS='-c client_min_messages=error' psql -qX "$(sed 's|//plyd@|//postgres@|' "$work/hosts")postgres?target_session_attrs=read-write" -c "$1"
}

has_database() {
    psql -qX "$(sed 's|//plyd@|//postgres@|' "$work/url.$1")$2" -c '' 2>/dev/null
}

# A standby has it once it has replayed so far. Of three servers the first that is asked may be a standby.
make_database() {
    local n
    as_operator "create database $1 owner plyd"
    for n in $NODES; do wait_until has_database "$n" "$1"; done
}

send_signal() {
    local node=$1 what=$2 signal=$3
    # A Patroni that still lives would start its server again.
    [ "$what" = postgres ] || signal_one "n$node" "$signal"
    [ "$what" = patroni ] || "$postgres" signal "$work/n$node" "$signal"
}

# ---- from beginning to end -----------------------------------------------------------------------

remove() {
    local n name
    exec 2>/dev/null
    [ -z "${command:-}" ] || kill "$command" || true
    for n in $NODES; do
        signal_one "n$n" KILL
        [ ! -d "$work/n$n/data" ] || "$postgres" signal "$work/n$n" KILL || true
    done
    for name in haproxy etcd; do signal_one $name KILL; done
    wait
    rm -rf -- "${work:?}"
}

# What was left by a run that was killed has an owner file that nobody holds.
remove_leftovers() {
    for work in "${TMPDIR:-/tmp}"/plyd-failover.*/; do
        work=${work%/}
        if [ -w "$work/owner" ] && flock -n "$work/owner" true; then (remove) || true; fi
    done
}

make_cluster() {
    local n port rest etcd balanced hosts=
    etcd=$(free_port)
    start_etcd "$etcd" "$(free_port)"
    for n in $NODES; do
        port[n]=$(free_port)
        rest[n]=$(free_port)
        make_node "$n" "${port[n]}" "${rest[n]}"
        hosts+=${hosts:+,}127.0.0.1:${port[n]}
    done
    balanced=$(free_port)
    haproxy_settings "$balanced" >"$work/haproxy.cfg"
    echo "postgresql://plyd@$hosts/" >"$work/hosts"
    echo "postgresql://plyd@127.0.0.1:$balanced/" >"$work/balanced"
    for n in $NODES; do start_patroni "$n"; done
    launch haproxy haproxy -db -f "$work/haproxy.cfg"
    settle
    as_operator 'create role plyd login'
}

with_cluster() {
    remove_leftovers
    work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-failover.XXXXXX")
    trap remove EXIT
    trap 'exit 130' INT TERM HUP
    [ $EUID -ne 0 ] || chown postgres: "$work"
    chmod 755 "$work"
    exec 8>"$work/owner"
    flock 8
    trap 'tail -n 20 "$work"/log.* >&2' ERR
    make_cluster
    trap - ERR
    PLYD_FAILOVER=$work "$@" 8<&- &
    command=$!
    wait $command 2>/dev/null # what a fault has killed needs no line
}

PATH=$PATH:/usr/sbin
use_user
work=${PLYD_FAILOVER:-}
case "$#-${1:-}" in
[2-9]*-with | [1-9][0-9]*-with) with_cluster "${@:2}" ;;
4-signal) send_signal "${@:2}" ;;
2-start) start_patroni "$2" ;;
2-database) make_database "$2" ;;
1-switchover) switchover "$(node_with leader)" ;;
1-primary) node_with leader ;;
1-standby) node_with sync_standby ;;
1-settle) settle ;;
*) sed -n 's/^#   //p' "$self" >&2 && exit 2 ;;
esac
