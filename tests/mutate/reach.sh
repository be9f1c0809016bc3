#!/bin/bash
# reach.sh KIND PROGRAM... - prints which lines of the code the tests of build/cover/test-KIND reach: file,
# line and suite, with tabs between them. Line 0 is the whole file. The suite "-" stands for a line that a
# test could reach; so what has no line at all here is no code, but a table or a declaration.
#
# What is found of a suite is kept in build/mutate/kept/KIND/ until one of the PROGRAMs, with which it was
# found, is made anew. So a run that was ended goes on where it was.
set -euo pipefail

kind=$1
shift
counts=$PWD/build/mutate/counts.$kind
kept=build/mutate/kept/$kind
program=build/cover/test-$kind

# The counters of a run lie beside links to what the compiler wrote about the lines.
rm -rf "$counts"
find build/cover -path build/cover/tests -prune -o -name '*.gcno' -print | while read -r notes; do
    mkdir -p "$counts/$(dirname "$notes")"
    ln -s "$PWD/$notes" "$counts/$notes"
done
export GCOV_PREFIX=$counts GCOV_PREFIX_STRIP
GCOV_PREFIX_STRIP=$(tr -dc / <<<"$PWD" | wc -c)

# A line that has no count of its own is taken as part of the statement above it.
lines() {
    find "$counts" -path "$counts/build/cover/tests" -prune -o -name '*.gcda' -print0 |
        xargs -0 gcov --stdout --relative-only --source-prefix "$PWD" |
        awk -F : -v suite="$1" -v OFS='\t' '
            $2 + 0 == 0 { if ($3 == "Source") { file = $4; last = "" } next }
            $3 == "}" { last = "" }
            $1 ~ /[0-9]/ { last = suite; print file, 0, suite }
            $1 ~ /#|=/ { last = "-" }
            last != "" { print file, $2 + 0, last }' | sort -u
}

is_kept() {
    local suite=$1 made
    shift
    for made; do [ "$kept/$suite" -nt "$made" ] || return 1; done
}

find_reach() {
    find "$counts" -name '*.gcda' -delete
    "$program" -j4 --filter "$1/*" >/dev/null 2>&1 || echo "reach: $kind: $1 fails" >&2
    lines "$1" >"$kept/new"
    mv "$kept/new" "$kept/$1"
}

mkdir -p "$kept"
"$program" --list | sed -n 's/^\([a-z_]*\):$/\1/p' | while read -r suite; do
    is_kept "$suite" "$@" || find_reach "$suite"
    cat "$kept/$suite"
done | sort -u
