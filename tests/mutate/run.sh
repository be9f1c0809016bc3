#!/bin/bash
# run.sh FOLDER COUNT SEED JOBS PLACE... - makes COUNT small mistakes in the code of these files and
# folders, one at a time, and says which of them no test notices. With EACH=1 it makes so many in each.
#
# Each job works in a copy of the tree, in FOLDER. For a mistake it runs the suites that reach its line, of
# each of the KINDS of tests in turn: those that noticed a mistake in that file before, and then the others.
# FOLDER/reach.KIND says which they are (reach.sh). A mistake is survived by the tests if none of them
# fails. The suites that show what happens under load (SLOW) are left out. equivalent.txt has the mistakes
# that change nothing, each with its reason: they are not tried.
#
# FOLDER/results.SEED grows as mistakes are tried. What it has is not tried again: a run that was ended
# goes on where it was, and a larger COUNT tries only what is new.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
mutate=$PWD/build/mutate-tool
equivalent=$here/equivalent.txt
slow=${SLOW-races crowd}

# ---- which mistakes ------------------------------------------------------------------------------

# Every place: FILE, number, line, what is changed, the line's text; tabs between them. The statements of
# Citus are left out, since these tests run on a PostgreSQL without it.
places() {
    local file
    find "$@" -name citus -prune -o -name '*.c' -print -o -name '*.*sql' -print | sort | while read -r file; do
        "$mutate" list "$file" | sed "s|^|$file\t|"
    done
}

# The first of them in the order of chance, so that the first part of a run speaks for all of it.
choose() { shuf --random-source=<(same_bytes "$1") | sed -n "1,$2p"; }

# The same bytes for the same seed, on every machine.
same_bytes() {
    awk -v seed="$1" 'BEGIN { srand(seed); for (;;) printf "%c", int(rand() * 255) + 1 }'
}

# ---- a job ---------------------------------------------------------------------------------------

# Nothing is built anew in it because warnings are no errors there.
make_copy() {
    rm -rf "$1"
    mkdir -p "$1/build"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$1"
    cp -a build/release build/embed build/contract "$1/build/"
    sed -i s/-Werror// "$1/build/release/flags"
    touch -r build/release/flags "$1/build/release/flags"
}

# The servers that tests started outlive them.
end_strays() {
    local pid
    for pid in $(pgrep "^test-"; pgrep -x plyd; pgrep -x postgres); do
        [[ $(readlink "/proc/$pid/cwd")/ != "$PWD"/* ]] || kill -9 "$pid" 2>/dev/null || true
    done
}

# How long all tests of a kind may take on a busy machine, in seconds; a single one may take a twentieth of
# it: what then takes too long is asked once more, with more patience.
declare -A patience=([unit]=100 [rules]=150 [engine]=150 [terminal]=100 [db]=200 [http]=400)

# Runs tests until the first failure, with so many times the usual patience. A mistake may well make one
# run for ever.
passes() {
    local kind=$1 tests=$2 seconds=$(($3 * ${patience[$1]:-400})) status=0
    timeout --kill-after=5 $seconds "build/release/test-$kind" -j4 --fail-fast \
        --timeout $((seconds / 20)) --filter "$tests" >run.log 2>&1 || status=$?
    [ $status = 0 ] || end_strays
    return $status
}

# The test that failed, as SUITE/TEST.
failed_test() {
    sed -nE '/(FAIL|CRASH). [a-z_]+::/{s,^.*(FAIL|CRASH). ([a-z_]+)::([a-z0-9_]+).*$,\2/\3,p;q}' run.log
}

# Prints the suite that fails because of the mistake, and not because the machine is busy: what failed,
# or took too long, does so again with more patience. If it does not, the others get that patience, too.
failing_suite() {
    local kind=$1 suites=$2 tests test suite times
    [ -n "$suites" ] || return 0
    tests="@(${suites//$'\n'/|})/*"
    for times in 1 3; do
        ! passes "$kind" "$tests" $times || return 0
        test=$(failed_test)
        suite=${test%/*}
        passes "$kind" "${test:-$tests}" 3 || { echo "$kind ${suite:-all}" && return; }
        [ -n "$test" ] || return 0
    done
}

# Builds something with the mistake, even if it makes the compiler warn.
builds() { make --silent -j1 WERROR= "$@" >build.log 2>&1; }

# Whether the compiler makes the same of a file as without the mistake.
is_the_same() {
    objcopy --strip-debug "$1" build/with.o && objcopy --strip-debug build/kept.o build/without.o &&
        cmp -s build/with.o build/without.o
}

# The suites of a kind that reach a line. A line that is no code belongs to the whole file, and a file
# that has no code to its folder. A statement belongs to the file that binds its parameters.
reaching() {
    local kind=$1 file=$2 line=$3
    [[ $file != db/sql/* ]] || file=$(binding "$file")
    is_known "$file"$'\t'"$line" && [ "$file" = "$2" ] || line=0
    if is_known "$file"; then
        grep "^$file"$'\t'"$line"$'\t' "$base/reach.$kind"
    else
        grep "^${file%/*}/[^/]*"$'\t0\t' "$base/reach.$kind"
    fi | cut -f 3 | sort -u | grep -vxF -e - -e "${slow// /$'\n'}"
}

# Which file binds the parameters of a statement. What many statements have in common, and what has no
# parameters, belongs to all of db/.
binding() {
    local function
    function=$(sed -nE 's/^--:.* bind ([a-z_]+).*/\1/p' "$1")
    grep -rl --include='*.c' "^void ${function:-none}(" db || echo db/sql
}

is_known() { grep -q "^$1"$'\t' "${reach[@]}"; }

# The suites that noticed a mistake in a file before, the last one first.
killers() { tac "$results" | sed -n "s|^$1 \([a-z_]*\)\t$2\t.*|\1|p" | awk '!seen[$0]++ && n++ < 2'; }

# Prints who noticed the mistake in a line: the kind of tests, and the suite. Nobody: nothing.
who_notices() {
    local file=$1 line=$2 object=$3 kind who
    if [ -n "$object" ]; then
        builds "$object" || { echo invalid && return; }
        ! is_the_same "$object" || { echo same && return; }
    fi
    for kind in $KINDS; do
        reaching "$kind" "$file" "$line" >suites || continue
        builds "build/release/test-$kind" build/release/plyd || { echo invalid && return; }
        killers "$kind" "$file" | grep -xFf suites >first || true
        who=$(failing_suite "$kind" "$(cat first)")
        [ -n "$who" ] || who=$(failing_suite "$kind" "$(grep -vxFf first suites)")
        [ -z "$who" ] || { echo "$who" && return; }
    done
}

# The object is put back, too, newer than the file: so it is not compiled once more for the next mistake.
try() {
    local file=$1 number=$2 line=$3 what=$4 text=$5 kept=build/kept.${1##*.} object='' who
    [[ $file != *.c ]] || object=build/release/${file%.c}.o
    cp -p "$file" "$kept"
    [ -z "$object" ] || cp "$object" build/kept.o
    "$mutate" apply "$kept" "$number" >"$file"
    who=$(who_notices "$file" "$line" "$object")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${who:-survived}" "$file" "$number" "$line" "$what" "$text" \
        >>"$results"
    if [ -n "$object" ]; then
        cp -p "$kept" "$file"
        cp build/kept.o "$object"
    else
        cp "$kept" "$file"
    fi
}

# Takes the first mistake of a list that all jobs share.
next() { flock "$1.lock" sh -c 'head -n 1 "$0" && sed -i 1d "$0"' "$1"; }

# Tries the mistakes of a list, in a copy of the tree. A mistake must not use up the machine.
work() {
    local file number line what text
    mapfile -t reach < <(printf "$base/reach.%s\n" $KINDS)
    make_copy "$base/$1"
    cd "$base/$1"
    ulimit -v 8000000 -f 1000000 -c 0
    set -f
    while IFS=$'\t' read -r file number line what text < <(next "$2"); do
        try "$file" "$number" "$line" "$what" "$text" </dev/null
    done
    cd "$here"
    rm -rf "${base:?}/$1"
}

# ---- all of them ---------------------------------------------------------------------------------

# What became of each chosen mistake, in front of it: "untried" where nothing is known of it yet.
outcomes() {
    awk -F '\t' '
        FILENAME == ARGV[1] { same[$0] = 1; next }
        FILENAME == ARGV[2] { who = $1; sub(/^[^\t]*\t/, ""); found[$0] = who; next }
        {
            who = $0 in found ? found[$0] : "untried"
            if (who == "same" || ($1 ": " $4 ": " $5) in same) who = "equivalent"
            print who "\t" $0
        }' "$equivalent" "$results" "$base/chosen"
}

report() {
    awk -F '\t' '
        $1 == "invalid" { next }
        $1 == "untried" { untried++; next }
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
            if (untried) print untried " could not be tried"
            exit untried > 0
        }'
}

if [ "$1" = --job ]; then
    base=$3 results=$5
    work "$2" "$4"
    exit
fi
base=$(realpath -m "$1") count=$2 seed=$3 jobs=$4
shift 4
results=$base/results.$seed
mkdir -p "$base"
touch "$results"
if [ "${EACH-}" = 1 ]; then
    for place; do places "$place" | choose "$seed" "$count"; done
else
    places "$@" | choose "$seed" "$count"
fi >"$base/chosen"
outcomes | sed -n 's/^untried\t//p' >"$base/left"
echo "$(wc -l <"$base/chosen") mistakes, seed $seed, $(wc -l <"$base/left") left, $jobs at a time"
for ((job = 0; job < jobs; job++)); do
    PLYD_TEST_FSYNC=off scripts/postgres.sh with "$0" --job $job "$base" "$base/left" "$results" &
done
wait
outcomes | report
