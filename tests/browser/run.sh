#!/bin/bash
# run.sh [TEST.mjs...] - the tests of what browsers load, each file beside a PostgreSQL server of its own.
# NAMED='a stream' runs only the tests whose names fit this pattern. Two files run at a time, since they wait
# more than they work; what a file says is printed when it has ended.
set -euo pipefail

run_file() {
    local said failed=0

    said=$(scripts/postgres.sh with node --test --test-reporter=spec ${NAMED:+"--test-name-pattern=$NAMED"} "$1" 2>&1 |
        grep -v ' # test name does not match pattern$') || failed=1
    printf '%s\n' "$said"
    return $failed
}
export -f run_file

[ $# -gt 0 ] || set -- tests/browser/test_*.mjs
printf '%s\0' "$@" | xargs -0 -n 1 -P 2 bash -o pipefail -c 'run_file "$1"' run_file
