#!/bin/bash
# run.sh COUNT SEED JOBS PLACE... - makes COUNT small mistakes in the code of these files and folders,
# one at a time, and says which of them no test notices.
#
# Each job works in a copy of the tree, in build/mutate/. For a mistake it runs the suites that reach its
# line (reach.sh): those that noticed a mistake in that file before, and then the others. A mistake is
# survived by the tests if none of them fails. The suites that show what happens under load (SLOW) are
# left out. equivalent.txt has the mistakes that change nothing, each with its reason.
#
# build/mutate/results.SEED grows as mistakes are tried. What it has is not tried again: a run that was
# ended goes on where it was, and a larger COUNT tries only what is new.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
base=$PWD/build/mutate
mutate=$PWD/build/mutate-tool
equivalent=$here/equivalent.txt
slow=${SLOW-races crowd}

# ---- which mistakes ------------------------------------------------------------------------------

# Every place: FILE, number, line, what is changed, the line's text; tabs between them.
places() {
    local file
    find "$@" -name '*.c' -o -name 'sql.def' | sort | while read -r file; do
        "$mutate" list "$file" | sed "s|^|$file\t|"
    done
}

# In the order of chance, so that the first part of a run speaks for all of it.
choose() { shuf --random-source=<(same_bytes "$1") | sed -n "1,$2p"; }

# The same bytes for the same seed, on every machine.
same_bytes() {
    awk -v seed="$1" 'BEGIN { srand(seed); for (;;) printf "%c", int(rand() * 255) + 1 }'
}

# ---- a job ---------------------------------------------------------------------------------------

make_copy() {
    rm -rf "$1"
    mkdir -p "$1/build"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$1"
    cp -a build/release build/embed build/contract "$1/build/"
}

# Each test is a process in a session of its own, which outlives the program that began it, as do the
# servers that it started.
end_strays() {
    local pid
    for pid in $(pgrep -x boxfort-worker; pgrep -x plyd; pgrep -x postgres); do
        [[ $(readlink "/proc/$pid/cwd") != "$PWD"* ]] || kill -9 "$pid" 2>/dev/null || true
    done
}

# How long all tests of a kind may take on a busy machine, in seconds.
declare -A patience=([unit]=40 [rules]=150 [db]=100 [http]=200)

# Runs tests until the first failure. A mistake may well make one run for ever.
passes() {
    local kind=$1 tests=$2 status=0
    MALLOC_PERTURB_=90 PLYD_PROGRAM=build/release/plyd timeout --kill-after=5 "${patience[$kind]}" \
        "build/release/test-$kind" -j4 --fail-fast --timeout 30 \
        --filter "$tests" >run.log 2>&1 || status=$?
    [ $status = 0 ] || end_strays
    return $status
}

# The test that failed, as SUITE/TEST.
failed_test() {
    sed -nE '/(FAIL|CRASH). [a-z_]+::/{s,^.*(FAIL|CRASH). ([a-z_]+)::([a-z0-9_]+).*$,\2/\3,p;q}' run.log
}

# Prints the suite that fails because of the mistake, and not because the machine is busy.
failing_suite() {
    local kind=$1 suites=$2 test status=0
    [ -n "$suites" ] || return 0
    passes "$kind" "@(${suites//$'\n'/|})/*" || status=$?
    [ $status != 0 ] || return 0
    test=$(failed_test)
    if [ $status -ge 124 ] && [ -z "$test" ]; then
        echo "$kind timeout"
    elif ! passes "$kind" "${test:-@(${suites//$'\n'/|})/*}"; then
        echo "$kind ${test%/*}"
    fi
}

# The kinds of tests for a file, the fastest first.
kinds_of() {
    case $1 in
    rules/*) echo unit rules ;;
    db/*) echo db http ;;
    *) echo unit http ;;
    esac
}

# Builds the programs that the tests of a kind need, and at least what is made of the file itself.
builds() {
    local kind=$1 file=$2 targets=("build/release/test-$1")
    [ "$kind" != http ] || targets+=(build/release/plyd)
    [[ $file != *.c ]] || targets+=("build/release/${file%.c}.o")
    make --silent -j1 WERROR= "${targets[@]}" >build.log 2>&1
}

# Whether the compiler makes the same of a file as without the mistake.
is_the_same() {
    local object=build/release/${1%.c}.o
    [[ $1 == *.c ]] && objcopy --strip-debug "$object" with.o &&
        objcopy --strip-debug "$root/$object" without.o && cmp -s with.o without.o
}

# The suites of a kind that reach a line. A line that is no code belongs to the whole file, and a file
# that has no code to all of them.
reaching() {
    local reach=$base/reach.$1 file=$2 line=$3 all=("$base"/reach.{unit,rules,db,http})
    grep -q "^$file"$'\t'"$line"$'\t' "${all[@]}" || line=0
    if grep -q "^$file"$'\t' "${all[@]}"; then
        sed -n "s|^$file\t$line\t\([a-z].*\)|\1|p" "$reach"
    else
        sed 's/.*\t//' "$reach" | sort -u | grep -v '^-'
    fi | grep -vxF "${slow// /$'\n'}"
}

# The suites that noticed a mistake in a file before, the last one first.
killers() { tac "$results" | sed -n "s|^$1 \([a-z_]*\)\t$2\t.*|\1|p" | awk '!seen[$0]++ && n++ < 2'; }

# Prints who noticed the mistake in a line: the kind of tests, and the suite. Nobody: nothing.
who_notices() {
    local file=$1 line=$2 kind who
    for kind in $(kinds_of "$file"); do
        builds "$kind" "$file" || { echo invalid && return; }
        ! is_the_same "$file" || { echo same && return; }
        reaching "$kind" "$file" "$line" >suites || true
        killers "$kind" "$file" | grep -xFf suites >first || true
        who=$(failing_suite "$kind" "$(cat first)")
        [ -n "$who" ] || who=$(failing_suite "$kind" "$(grep -vxFf first suites)")
        [ -z "$who" ] || { echo "$who" && return; }
    done
}

try() {
    local file=$1 number=$2 line=$3 what=$4 text=$5 who
    "$mutate" apply "$root/$file" "$number" >"$file"
    who=$(who_notices "$file" "$line")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${who:-survived}" "$file" "$number" "$line" "$what" "$text" >>"$results"
    cp -p "$root/$file" "$file"
    touch "$file"
}

# Tries the mistakes of a list, in a copy of the tree. A mistake must not use up the machine.
work() {
    local file number line what text
    root=$PWD
    make_copy "$base/$1"
    cd "$base/$1"
    ulimit -v 8000000 -f 1000000 -c 0
    set -f
    while IFS=$'\t' read -r file number line what text; do
        try "$file" "$number" "$line" "$what" "$text" </dev/null
    done <"$2"
}

# ---- all of them ---------------------------------------------------------------------------------

# The results of the chosen mistakes, with those that are known to change nothing.
results_of() {
    awk -F '\t' '
        FILENAME == ARGV[1] { chosen[$0] = 1; next }
        FILENAME == ARGV[2] { same[$0] = 1; next }
        {
            who = $1; file = $2; what = $5; text = $6
            sub(/^[^\t]*\t/, "")
            if (!($0 in chosen)) next
            if (who == "same" || (file ": " what ": " text) in same) who = "equivalent"
            print who "\t" $0
        }' "$1" "$equivalent" "$results"
}

report() {
    awk -F '\t' '
        $1 == "invalid" { next }
        { folder = $2; sub(/\/[^\/]*$/, "", folder); tried[folder]++; all++ }
        $1 == "survived" { survived[folder]++; n++; print $2 ":" $4 ": " $5 "\n        " $6 }
        $1 == "equivalent" { same[folder]++; m++ }
        END {
            for (folder in tried)
                printf "%-18s %4d tried, %4d noticed, %4d change nothing: %3d %%\n", folder, tried[folder],
                    tried[folder] - survived[folder] - same[folder], same[folder],
                    100 * (tried[folder] - survived[folder]) / tried[folder] | "sort"
            close("sort")
            printf "%d tried, %d noticed, %d change nothing, %d survived: %.1f %%\n", all, all - n - m, m,
                n, all ? 100 * (all - n) / all : 0
        }'
}

if [ "$1" = --job ]; then
    results=$4
    work "$2" "$3"
    exit
fi
count=$1 seed=$2 jobs=$3
shift 3
results=$base/results.$seed
mkdir -p "$base"
touch "$results"
places "$@" | choose "$seed" "$count" >"$base/chosen"
cut -f 2- "$results" | grep -vxFf - "$base/chosen" >"$base/left" || true
echo "$(wc -l <"$base/chosen") mistakes, seed $seed, $(wc -l <"$base/left") left, $jobs at a time"
split -n "r/$jobs" -d "$base/left" "$base/left."
for ((job = 0; job < jobs; job++)); do
    PLYD_TEST_FSYNC=off scripts/postgres.sh with "$0" --job $job "$base/left.$(printf %02d $job)" "$results" &
done
wait
results_of "$base/chosen" | report
