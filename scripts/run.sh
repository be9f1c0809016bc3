#!/bin/bash
# run.sh - serve games as `make run` does.
#
#   run.sh PROGRAM [ARGUMENT...]   migrate the database, then PROGRAM serve ARGUMENT...
#
# The database is that of DATABASE_URL. Without it, the script starts a private PostgreSQL server whose
# data stays in var/postgres. When the script ends, it stops what it has started: the daemon first, so
# that it can answer the requests in flight.
set -euo pipefail

program=$(realpath "$1")
shift
cd "$(dirname "$0")/.."

readonly postgres=var/postgres
readonly started=var/started # exists if a run.sh started the server: its `postgres.sh status`

# Several daemons may share the server. Each holds a lock for as long as it needs the server (descriptor
# 8, which the daemon keeps even if this script is killed). The last one stops the server, unless the
# server was started by hand.
use_private_server() {
    mkdir -p var
    exec 8<var
    flock --shared 8
    trap leave_private_server EXIT
    if ! scripts/postgres.sh status $postgres >/dev/null; then
        : >$started # empty while the server starts
        scripts/postgres.sh start $postgres
        scripts/postgres.sh status $postgres >$started
    fi
    DATABASE_URL=$(scripts/postgres.sh url $postgres)
}

leave_private_server() {
    local ours
    if flock --exclusive --nonblock 8 && ours=$(cat $started 2>/dev/null) &&
        [[ $ours == "$(scripts/postgres.sh status $postgres)" || -z $ours ]]; then
        scripts/postgres.sh stop $postgres
        rm $started
    fi
}

stop_daemon() {
    [ -n "$daemon" ] || exit 130
    kill -TERM "$daemon" 2>/dev/null || true
    wait "$daemon" || exit $?
    exit 0
}

daemon=''
trap stop_daemon INT TERM HUP
[ -n "${DATABASE_URL:-}" ] || use_private_server
export DATABASE_URL
# At a terminal plyd says in words that it serves; lines of JSON beside them are for programs.
[ ! -t 2 ] || export PLYD_LOG_LEVEL="${PLYD_LOG_LEVEL:-warn}"
"$program" migrate
"$program" serve "$@" &
daemon=$!
wait $daemon
