#!/bin/bash
# run.sh [TEST.mjs...] - the tests of what browsers load, each file beside a PostgreSQL server of its own.
set -uo pipefail

failed=0
[ $# -gt 0 ] || set -- tests/browser/test_*.mjs
for test; do
    scripts/postgres.sh with node --test --test-reporter=spec "$test" || failed=1
done
exit $failed
