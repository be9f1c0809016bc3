#!/bin/bash
# run.sh - serve games as `make run` does.
#
#   run.sh PROGRAM [ARGUMENT...]   migrate the database, then PROGRAM serve ARGUMENT...
#
# With DATABASE_URL it is that database; without, a private PostgreSQL server whose data stays in
# var/postgres. Whatever this script starts, it stops when it ends: the daemon first, so that it can
# answer what is in flight.
set -euo pipefail

program=$(realpath "$1")
shift
cd "$(dirname "$0")/.."

readonly postgres=var/postgres
readonly started=var/started # there if a run.sh started the server: its `postgres.sh status`

# Several daemons may share the server: each holds a lock (descriptor 8, which the daemon keeps even
# if this script is killed) for as long as it needs it, and the last one to go stops the server. One
# that was started by hand stays.
use_private_server() {
    mkdir -p var
    exec 8<var
    flock --shared 8
    trap leave_private_server EXIT
    if ! scripts/postgres.sh status $postgres >/dev/null; then
        : >$started # empty on the way there
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
"$program" migrate
"$program" serve "$@" &
daemon=$!
wait $daemon
