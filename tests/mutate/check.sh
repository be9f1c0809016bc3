#!/bin/bash
# check.sh JOBS - whether run.sh finds what tests notice, and what they do not. A mistake in each of six
# files is tried on the suite of that file, one for each kind of tests. One in a statement is tried on the
# suite of the file that binds it. One in an eighth file is tried on suites of all kinds that do not use that
# file, and has to survive.
#
# Which suites are asked stands here, so that no coverage build is needed. If a file changed and a mistake
# now comes to a place where it changes nothing, or is noticed by nothing, take another SEED.
set -euo pipefail

readonly SEED=5
readonly FOLDER=build/mutate-check
readonly SURVIVES=db/lists.c
readonly STATEMENT=db/sql/set_plan.sql

# FILE KIND SUITE
asked() {
    cat <<END
$SURVIVES unit words
$SURVIVES rules tree
$SURVIVES engine worth
$SURVIVES terminal screen
$SURVIVES db notes
$SURVIVES http documents
api/endpoints/games/take_over.c http take_over
db/plans.c db plans
api/terminal/match.c terminal lines
engine/order.c engine tactics
rules/tictactoe/tictactoe.c rules tictactoe
api/game/feed_cursor.c unit feed_cursor
END
}

# Who has to notice the mistake in each file.
expected() {
    printf 'survived\t%s\n' "$SURVIVES"
    printf 'db plans\t%s\n' "$STATEMENT"
    asked | awk -v survives="$SURVIVES" '$1 != survives { print $2 " " $3 "\t" $1 }'
}

fail() {
    cat "$FOLDER/report"
    echo "mutate-check: $*" >&2
    exit 1
}

rm -rf "$FOLDER"
mkdir -p "$FOLDER"
asked | while read -r file kind suite; do
    printf '%s\t0\t%s\n' "$file" "$suite" >>"$FOLDER/reach.$kind"
done
mapfile -t files < <(asked | cut -d ' ' -f 1 | uniq)
EACH=1 "$(dirname "$0")/run.sh" "$FOLDER" 1 $SEED "$1" "${files[@]}" "$STATEMENT" >"$FOLDER/report" ||
    fail "run.sh failed"
diff <(expected | sort) <(cut -f 1,2 "$FOLDER/results.$SEED" | sort) ||
    fail "other mistakes were noticed (>) than there should be (<)"
[[ $(tail -n 1 "$FOLDER/report") == "8 tried, 7 noticed, 0 change nothing, 1 survived"* ]] ||
    fail "the report counts wrongly"
echo "  8 passed, 0 failed"
