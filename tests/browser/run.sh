#!/bin/bash
# run.sh [TEST.mjs...] - the tests of what browsers load, each file beside a PostgreSQL server of its own.
# NAMED='a stream' runs only the tests whose names fit this pattern.
set -uo pipefail

failed=0
[ $# -gt 0 ] || set -- tests/browser/test_*.mjs
for test; do
    scripts/postgres.sh with node --test --test-reporter=spec ${NAMED:+"--test-name-pattern=$NAMED"} "$test" |
        grep -v ' # test name does not match pattern$' || failed=1
done
exit $failed
