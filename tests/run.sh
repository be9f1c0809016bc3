#!/bin/bash
# run.sh JOBS CHECK... - builds all test programs, then runs `make CHECK` for each of them, JOBS at a
# time, in the order given.
#
# What a check printed is in build/checks/CHECK.log, and is shown if it failed. The last lines are a
# table of all checks with their tests and seconds, the tests that were left out and why, and the sum.
# Exits with 1 if a check failed. A check that cannot run fails.
set -euo pipefail
. "$(dirname "$0")/support/shell.sh"

folder=build/checks
jobs=$1
shift

# Whoever presses Ctrl-C ends all of it: what runs in the background would go on.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT TERM HUP

# Runs a check, and leaves its exit code and seconds in CHECK.end when all is over.
run() {
    local check=$1 log=$folder/$1.log begin=$SECONDS status=0

    "${MAKE:-make}" "$check" >"$log" 2>&1 </dev/null || status=$?
    echo "$status $((SECONDS - begin))" >"$folder/$check.end"
    if [ $status = 0 ]; then
        echo "  DONE    $check, $((SECONDS - begin)) s"
    else
        flock "$folder" sh -c 'echo "  FAILED  $1:" && cat "$2"' sh "$check" "$log"
    fi
}

# The tests that were not run for another reason than FILTER.
left_out() {
    sed -n 's/^ok - \(.*\)  # SKIP \(.*\)$/left out: \1 (\2)/p' "$folder"/*.tap 2>/dev/null |
        grep -v '(test was skipped)$' || true
}

table() {
    local check status seconds tests failed all=0 bad=0

    printf '\n%-18s %6s %7s %8s\n' check tests failed seconds
    printf '%-18s %6s %7s %8d\n' build - - "$built"
    for check in "$@"; do
        read -r status seconds <"$folder/$check.end"
        read -r tests failed < <(counts_of "$folder/$check.log")
        # A check that broke without a failing test counts as one.
        [ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
        printf '%-18s %6d %7d %8d\n' "$check" "$tests" "$failed" "$seconds"
        all=$((all + tests)) bad=$((bad + failed))
    done
    printf '%-18s %6d %7d %8d\n' all $all $bad $SECONDS
    left_out
    printf '%d passed, %d failed\n' $((all > bad ? all - bad : 0)) $bad
    [ $bad = 0 ]
}

rm -rf "$folder"
mkdir -p "$folder"
"${MAKE:-make}" all tests
built=$SECONDS
for check in "$@"; do
    [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n || true
    run "$check" &
done
wait
table "$@"
