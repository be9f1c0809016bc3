#!/bin/bash
# run.sh SUITE... - runs test programs on Citus, as scripts/citus.sh provides it, and counts what each did.
# FILTER chooses the tests of the suites of db and HTTP. The kills of a worker come last, one test after the other:
# all have the same worker.
set -uo pipefail

failed=0

# Prints the tests that failed, and how many of the others passed and were left out.
run_suite() {
    local program=$1 filter=$2 tap=$1.citus.tap
    "$program" --filter "$filter" --tap="$tap" "${@:3}" >"$program.citus.log" 2>&1 || failed=1
    grep -a '^not ok' "$tap"
    printf '%s on Citus: %d passed, %d failed, %d are about plain PostgreSQL only\n' "$(basename "$program")" \
        "$(grep -a '^ok' "$tap" | grep -avc '# SKIP')" "$(grep -ac '^not ok' "$tap")" \
        "$(grep -ac '# SKIP plain PostgreSQL only' "$tap")"
    grep -a '^a worker\|^| ' "$program.citus.log"
}

for program in "$@"; do
    case $program in
    */test-fault) run_suite "$program" 'citus/*' --jobs 1 ;;
    *) run_suite "$program" "${FILTER:-*}" ;;
    esac
done
exit $failed
