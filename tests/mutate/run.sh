#!/bin/bash
# run.sh COUNT SEED JOBS PLACE... - makes COUNT small mistakes in the code of these files and folders,
# one at a time, and says which of them no test notices.
#
# Each job works in a copy of the tree, in build/mutate/. The tests that are nearest to a file run
# first: unit tests, then suites that noticed a mistake in that file before, then suites that bear
# its name, then all. A mistake is survived by the tests if none of them fails. equivalent.txt has
# the mistakes that change nothing, each with its reason.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
base=build/mutate
mutate=build/mutate-tool
equivalent=$here/equivalent.txt

# ---- which mistakes ------------------------------------------------------------------------------

# Every place: FILE, number, line, what is changed, the line's text; tabs between them.
places() {
    local file
    find "$@" -name '*.c' -o -name 'sql.def' | sort | while read -r file; do
        "$mutate" list "$file" | sed "s|^|$file\t|"
    done
}

# A mistake's name stays the same when lines are added above it.
name_of() { printf '%s: %s: %s' "$1" "$4" "$5"; }

choose() { shuf -n "$count" --random-source=<(same_bytes "$seed") | sort -k1,1 -k2,2n; }

# The same bytes for the same seed, on every machine.
same_bytes() {
    awk -v seed="$1" 'BEGIN { srand(seed); for (;;) printf "%c", int(rand() * 255) + 1 }'
}

# ---- a job ---------------------------------------------------------------------------------------

make_copy() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$1"
    mkdir -p "$1/build"
    cp -a build/release build/embed build/contract "$1/build/"
}

# Each test is a process in a session of its own, which outlives the program that began it.
end_strays() {
    local pid
    for pid in $(pgrep -x boxfort-worker; pgrep -x plyd); do
        [ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || kill -9 "$pid" 2>/dev/null || true
    done
}

# Runs a test program until its first failure; a mistake may well make it run for ever.
passes() {
    local seconds=$1
    shift
    timeout --kill-after=5 "$seconds" "$@" --fail-fast --timeout 30 >run.log 2>&1 ||
        { end_strays && return 1; }
}

unit() { passes 60 build/release/test-unit --filter "$1"; }
rules() { passes 200 build/release/test-rules --filter "$1"; }
db() { passes 200 build/release/test-db -j4 --filter "$1"; }
http() { PLYD_PROGRAM=build/release/plyd passes 300 build/release/test-http -j4 --filter "$1"; }

# The suite whose test failed, for the next mistake in the same file.
failed_suite() { sed -n 's/^.*\(FAIL\|CRASH\). \([a-z_]*\)::.*$/\2/p' run.log | head -n 1; }

# Whether a suite fails because of the mistake, and not because the machine is busy.
fails_again() { [ -z "$2" ] || ! "$1" "$2/*"; }

# The kinds of tests for a file, the fastest first.
kinds_of() {
    case $1 in
    rules/*) echo rules unit ;;
    db/*) echo db http ;;
    *) echo unit http ;;
    esac
}

builds() {
    local programs=("build/release/test-$1")
    [ "$1" != http ] || programs+=(build/release/plyd)
    make --silent -j1 WERROR= "${programs[@]}" >build.log 2>&1
}

# The suites of a kind that have a chance to notice at once, and then all of them.
suites_of() {
    local file=$1 kind=$2
    if [ "$kind" != unit ]; then
        cat "killers/$kind.${file//\//_}" 2>/dev/null || true
        grep -xF -e walk -e "$(basename "$file" .c)" "suites.$kind" || true
    fi
    echo '*'
}

# Prints who noticed the mistake in a file: the kind of tests, and the suite. Nobody: nothing.
who_notices() {
    local file=$1 kind suite
    for kind in $(kinds_of "$file"); do
        builds "$kind" || { echo invalid && return; }
        for suite in $(suites_of "$file" "$kind"); do
            if ! "$kind" "$suite/*" && suite=$(failed_suite) && fails_again "$kind" "$suite"; then
                [ -z "$suite" ] || echo "$suite" >"killers/$kind.${file//\//_}"
                echo "$kind ${suite:-timeout}"
                return
            fi
        done
    done
}

try() {
    local file=$1 number=$2 line=$3 what=$4 text=$5 who
    "$mutate" apply "$file" "$number" >mutated
    cp mutated "$file"
    who=$(set -f && who_notices "$file")
    printf '%s\t%s\t%s\t%s\t%s\n' "${who:-survived}" "$file" "$line" "$what" "$text"
    cp -p "$root/$file" "$file"
    touch "$file"
}

# Tries the mistakes of a list, in a copy of the tree.
work() {
    local job=$1 list kind file number line what text
    list=$(realpath "$2")
    root=$PWD
    mutate=$root/$mutate
    make_copy "$base/$job"
    cd "$base/$job"
    mkdir -p killers
    for kind in db http rules; do
        build/release/test-$kind --list | sed -n 's/^\([a-z_]*\): .*/\1/p' >"suites.$kind"
    done
    while IFS=$'\t' read -r file number line what text; do
        try "$file" "$number" "$line" "$what" "$text"
    done <"$list"
}

# ---- all of them ---------------------------------------------------------------------------------

report() {
    awk -F '\t' '
        $1 == "invalid" { next }
        { folder = $2; sub(/\/[^\/]*$/, "", folder); tried[folder]++; all++ }
        $1 == "survived" { survived[folder]++; n++; print $2 ":" $3 ": " $4 "\n        " $5 }
        $1 == "equivalent" { same[folder]++; m++ }
        END {
            for (folder in tried)
                printf "%-18s %4d tried, %4d noticed, %4d change nothing: %3d %%\n", folder, tried[folder],
                    tried[folder] - survived[folder] - same[folder], same[folder],
                    100 * (tried[folder] - survived[folder]) / tried[folder] | "sort"
            close("sort")
            printf "%d tried, %d noticed, %d change nothing, %d survived: %.1f %%\n", all, all - n - m, m,
                n, all ? 100 * (all - n) / all : 0
        }' "$1"
}

known_as_equivalent() {
    local who file line what text
    while IFS=$'\t' read -r who file line what text; do
        if [ "$who" = survived ] &&
            grep -qxF "$(name_of "$file" '' '' "$what" "$text")" "$equivalent" 2>/dev/null; then
            who=equivalent
        fi
        printf '%s\t%s\t%s\t%s\t%s\n' "$who" "$file" "$line" "$what" "$text"
    done
}

if [ "$1" = --job ]; then
    work "$2" "$3"
    exit
fi
count=$1 seed=$2 jobs=$3
shift 3
rm -rf "$base"
mkdir -p "$base"
places "$@" | choose >"$base/chosen"
echo "$(wc -l <"$base/chosen") mistakes, seed $seed, $jobs at a time"
split -n "l/$jobs" -d "$base/chosen" "$base/part." # files stay together: a file is built once a mistake
job=0
for part in "$base"/part.*; do
    job=$((job + 1))
    PLYD_TEST_FSYNC=off scripts/postgres.sh with "$0" --job "$job" "$part" >"$base/result.$job" &
done
wait
cat "$base"/result.* | known_as_equivalent >"$base/results"
report "$base/results"
