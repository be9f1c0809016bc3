#!/bin/bash
# run.sh [--build GOALS] CHECK... - builds all test programs, or these goals, then runs `make CHECK` for each, in the order
# given: as many at a time as there are processors, and one more. A CHECK may have variables behind it:
# "check-unit FILTER=plans/*".
#
# Meanwhile a line says what is done, what failed, which checks run, and about how long they will (progress.sh). What
# failed runs once more alone when all is over, and is told with its place, its log and the command that runs it alone
# (failures.sh). The last lines are a table of all checks with their tests and seconds, the tests that were left out and
# why, and the sum. What a check printed is in build/checks/CHECK.log. Exits with 1 if a check failed. A check that
# cannot run fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/support/shell.sh
. tests/support/progress.sh
. tests/support/failures.sh

readonly FOLDER=build/checks
make() { command "${MAKE:-make}" "$@"; }

# Whoever presses Ctrl-C ends all of it: what runs in the background would go on.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT TERM HUP

# Runs a check, and leaves its exit code and seconds in CHECK.end when all is over.
run() {
    local check=$1 begin=$SECONDS status=0

    # Criterion tells of each test as it ends.
    CRITERION_VERBOSITY_LEVEL=1 make "$@" >"$FOLDER/$check.log" 2>&1 </dev/null || status=$?
    echo "$status $((SECONDS - begin))" >"$FOLDER/$check.end"
    if [ $status = 0 ]; then
        say "  DONE    $check, $((SECONDS - begin)) s"
        remember "$check"
    else
        say "  FAILED  $check"
    fi
}

remember() {
    local tests seconds

    read -r _ seconds <"$FOLDER/$1.end"
    read -r tests _ < <(counts_of "$FOLDER/$1.log")
    echo "$tests $seconds" >"$LAST/$1"
}

# The tests that were not run for another reason than FILTER.
left_out() {
    sed -n 's/^ok - \(.*\)  # SKIP \(.*\)$/left out: \1 (\2)/p' "$FOLDER"/taps/*.tap 2>/dev/null |
        grep -v '(test was skipped)$' || true
}

table() {
    local check status seconds tests failed all=0 bad=0

    printf '\n%-18s %6s %7s %8s\n' check tests failed seconds
    printf '%-18s %6s %7s %8d\n' build - - "$built"
    for check in "$@"; do
        read -r status seconds <"$FOLDER/$check.end"
        read -r tests failed < <(counts_of "$FOLDER/$check.log")
        # A check that broke without a failing test counts as one.
        [ "$status" = 0 ] || [ "$failed" -gt 0 ] || { tests=$((tests + 1)) && failed=1; }
        printf '%-18s %6d %7d %8d  %s\n' "$check" "$tests" "$failed" "$seconds" "$(judged "$check")" | sed 's/ *$//'
        all=$((all + tests)) bad=$((bad + failed))
    done
    printf '%-18s %6d %7d %8d\n' all $all $bad $SECONDS
    left_out
    failures_in_short
    printf '%d passed, %d failed\n' $((all - bad)) $bad
    [ $bad = 0 ]
}

goals='all tests replays'
if [ "$1" = --build ]; then
    goals=$2
    shift 2
fi
# The tests and seconds of each check that has passed; those of a part say nothing of the whole.
LAST=build/checks.last${PLYD_TEST_LONG:+.long}
[[ -z ${FILTER:-}${NAMED:-}${BROWSER_TESTS:-} && $* != *FILTER=* ]] || LAST=$FOLDER/last
readonly LAST
rm -rf "$FOLDER"
mkdir -p "$FOLDER" "$LAST"
# shellcheck disable=SC2086 # They are several.
make $goals
readonly built=$SECONDS
readonly CHECKS=("${@%% *}")
readonly JOBS=$(($(nproc) + 1))
watch &
watcher=$! running=()
for check in "$@"; do
    read -ra words <<<"$check"
    [ "$(jobs -rp | wc -l)" -le "$JOBS" ] || wait -n || true
    run "${words[@]}" &
    running+=($!)
done
wait "${running[@]}"
kill "$watcher" && wait "$watcher" || true
clear_line
mkdir "$FOLDER/taps"
mv "$FOLDER"/*.tap "$FOLDER/taps" 2>/dev/null || true
tell_failures
table "${CHECKS[@]}"
