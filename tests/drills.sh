#!/bin/bash
# drills.sh DRILL... - runs drills one after the other, each in a short form of ten minutes at most. `make drills`.
#
# A drill first installs what it lacks. What it printed is in build/drills/DRILL.log, and is shown if it failed.
# The last lines are a table. Exits with 1 if a drill failed, or cannot run here.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/support/shell.sh

readonly SECONDS_MOST=600
readonly folder=build/drills

# Whoever presses Ctrl-C ends the drill, too, which has a process group of its own.
running=
trap '[ -z "$running" ] || kill $running; wait; exit 130' INT TERM HUP

# A primary that dies, hands over, freezes, is alone, dies behind a proxy.
readonly PATRONI='failover/@(a_primary_that_is_killed|a_planned|a_primary_that_is_frozen|both|a_primary_behind_haproxy_that_is_killed)*'

# What goes to shards, by both suites, and the kills of a worker.
readonly CITUS_TESTS='@(due|shards|lists)/*'

# Sets CITUS to a pg_config whose PostgreSQL has Citus, unless the caller did.
find_citus() {
    local server
    [ -z "${CITUS:-}" ] || return 0
    server=$(scripts/postgres.sh programs)/pg_config
    [ -x "$server" ] && [ -e "$("$server" --sharedir)/extension/citus.control" ] && CITUS=$server
}

# Why a drill cannot run here, or nothing.
obstacle() {
    case $1 in
    citus) find_citus || echo 'Debian has no Citus: build it (docs/citus.md), and say CITUS=/path/to/pg_config' ;;
    deb) [ $EUID -eq 0 ] || echo 'only root can make an empty Debian' ;;
    patroni | backup | proxies | monitoring) ;;
    *) echo 'there is no such drill' ;;
    esac
}

# What make is asked for.
goals() {
    case $1 in
    patroni) goals=(drill-patroni "FILTER=$PATRONI") ;;
    citus) goals=(drill-citus "CITUS=$CITUS" "FILTER=$CITUS_TESTS" PLYD_TEST_FAULT_ROUNDS=1) ;;
    deb) goals=(deb check-deb) ;;
    *) goals=("check-$1") ;;
    esac
}

# The groups of packages have the names of the drills.
install() { scripts/packages.sh install build server test "$1" >&2; }

# Leaves "SECONDS what became of it" in DRILL.end.
end() { echo "$2 $3" >"$folder/$1.end"; }

run() {
    local drill=$1 log=$folder/$1.log begin status=0 why goals
    why=$(obstacle "$drill")
    [ -n "$why" ] || install "$drill" || why='its packages cannot be installed'
    [ -z "$why" ] || { end "$drill" 0 "not run: $why" && return 1; }
    goals "$drill"
    begin=$SECONDS
    timeout --kill-after=60 $SECONDS_MOST "${MAKE:-make}" "${goals[@]}" >"$log" 2>&1 </dev/null &
    running=$!
    wait $running || status=$?
    running=
    case $status in
    0) end "$drill" $((SECONDS - begin)) passed && return ;;
    124 | 137) end "$drill" $((SECONDS - begin)) "failed: it took longer than $SECONDS_MOST s" ;;
    *) end "$drill" $((SECONDS - begin)) failed ;;
    esac
    cat "$log"
    return 1
}

table() {
    local drill seconds result tests failed
    printf '\n%-12s %6s %7s %8s  %s\n' drill tests failed seconds result
    for drill in "$@"; do
        read -r seconds result <"$folder/$drill.end"
        read -r tests failed < <(counts_of "$folder/$drill.log")
        printf '%-12s %6d %7d %8d  %s\n' "$drill" "$tests" "$failed" "$seconds" "$result"
    done
}

rm -rf "$folder"
mkdir -p "$folder"
bad=0
for drill in "$@"; do
    printf '  %-7s %s\n' DRILL "$drill"
    : >"$folder/$drill.log"
    run "$drill" || bad=1
done
table "$@"
exit $bad
