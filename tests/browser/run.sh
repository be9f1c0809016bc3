#!/bin/bash
# run.sh TEST.mjs... - the tests of what browsers load. The last line says how many passed and failed.
#
# NAMED='a stream' runs only the tests whose names fit this pattern. Several files run at a time, since they
# wait more than they work; what a file says is printed when it has ended. The environment has the server of
# PLYD_TEST_DATABASE_URL, where each file has a database of its own.
set -euo pipefail

readonly FILES_AT_A_TIME=5

PATH=$(scripts/postgres.sh programs):$PATH
node --test --test-concurrency=$FILES_AT_A_TIME --test-reporter=spec ${NAMED:+"--test-name-pattern=$NAMED"} "$@" 2>&1 |
    awk '!/ # test name does not match pattern$/
         /^ℹ (pass|fail|cancelled) / { count[$2] = $3 }
         END {
             failed = count["fail"] + count["cancelled"]
             printf "browser: %d passed, %d failed\n", count["pass"], failed
             exit count["pass"] + failed == 0
         }'
