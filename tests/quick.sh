#!/bin/bash
# quick.sh BUILD [FILE...] - runs the tests that a change of files can break, most often in under a minute:
# `make test QUICK=1`. BUILD is the folder of the flavour, such as build/release.
#
# Without FILEs, these are the files that differ from where this branch left origin/main (or from HEAD, where there is no
# such branch), and those that git does not know. Tests belong to a file if their source is it, is named after it, or
# includes its header, or, if nobody does, if they stand in the folder of the same name. It is no `make test`: what other
# folders make of the change is not tried.
set -euo pipefail
cd "$(dirname "$0")/.."

# A header that more sources of tests include belongs to all folders, and says nothing about which tests to run.
readonly INCLUDED_MOST=6

changed() {
    local base
    base=$(git merge-base HEAD origin/main 2>/dev/null) || base=HEAD
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
}

sources() { find tests -name 'test_*.c' -not -path 'tests/fault/*' "$@"; }

# The sources of tests that belong to a file of C.
sources_for() {
    local file=$1 name folder including
    name=$(basename "${file%.*}") folder=$(basename "$(dirname "$file")")
    including=$(sources | xargs grep -lF "\"${file%.*}.h\"" || true)
    [ "$(wc -l <<<"$including")" -le $INCLUDED_MOST ] || including=
    { sources -name "test_$name.c" && echo "$including"; } | grep . || sources -path "*/$folder/*"
}

# Lines "CHECK SUITE" of a source of tests.
suites_in() {
    local check
    case $1 in
    tests/unit/*) check=unit ;;
    tests/http/* | tests/walk/*) check=http ;;
    tests/rules/* | tests/reference/* | tests/examples/*) check=rules ;;
    *) check=$(cut -d/ -f2 <<<"$1") ;;
    esac
    sed -nE -e 's/^Test\((\w+),.*/\1/p' -e 's/^ParameterizedTest\([^,]*, (\w+),.*/\1/p' "$1" | sort -u | sed "s/^/$check /"
}

# Lines "CHECK" or "CHECK PART" of a file: a part is a suite, or a file of tests in browsers.
parts_of() {
    local file=$1 name source
    name=$(basename "${file%.*}")
    case $file in
    tests/browser/test_*) echo "browser $file" ;;
    api/pages/plyd[./]*) printf '%s\n' lint-pages 'browser tests/browser/test_plyd.mjs' ;;
    api/pages/board[./]*) printf '%s\n' lint-pages 'browser tests/browser/test_board.mjs' ;;
    scripts/join.awk) echo 'browser tests/browser/test_join.mjs' ;;
    api/pages/*) echo lint-pages && printf 'browser tests/browser/test_%s.mjs\n' pages play ;;
    FRONTENDS.md | docs/module.md) echo 'browser tests/browser/test_frontends.mjs' ;;
    README.md | docs/*) printf 'http %s\n' sessions documents ;;
    openapi.yaml) echo 'http contract' ;;
    migrations/*) printf '%s\n' 'lint-migrations' 'db migrate' ;;
    db/sql/*) echo sql && sources -path 'tests/db/*' | xargs grep -lw "$name" | while read -r source; do suites_in "$source"; done ;;
    scripts/*.sh | tests/setup/* | tests/*.sh) echo setup ;;
    rules/*/*.[ch]) echo "rules *$(cut -d/ -f2 <<<"$file")*" && printf 'rules %s\n' perft playthrough ;;
    contract/*.[ch]) printf '%s\n' 'rules contract' 'terminal check_game' ;;
    api/terminal/*.[ch]) echo 'terminal *' && echo 'unit match' ;;
    tests/*/test_*.c) suites_in "$file" ;;
    api/*.[ch] | db/*.[ch] | engine/*.[ch] | rules/*.[ch]) sources_for "$file" | while read -r source; do suites_in "$source"; done ;;
    esac
}

# The parts of a check, with this between them.
joined() {
    awk -v check="$1" -v between="$2" '$1 == check && NF > 1 { printf "%s%s", next_to, $2; next_to = between }' <<<"$all"
}

# The words that make gets for a check and its parts.
goal() {
    local check=$1 parts
    parts=$(joined "$check" '|')
    case $check in
    lint-*) echo "$check" ;;
    browser) echo check-browser ;; # BROWSER_TESTS has its parts
    *) echo "check-$check${parts:+ FILTER=@($parts)/*}" ;;
    esac
}

build=$1
shift
[ $# -gt 0 ] || mapfile -t files < <(changed | sort -u)
all=$(for file in "${@:-${files[@]}}"; do [ ! -e "$file" ] || parts_of "$file"; done | sort -u)
mapfile -t checks < <(cut -d' ' -f1 <<<"$all" | sort -u | grep . || true)
goals=(lint-layering lint-names) programs=
for check in "${checks[@]}"; do
    goals+=("$(goal "$check")")
    case $check in unit | http | rules | engine | db | terminal | fault) programs+=" $build/test-$check" ;; esac
done
BROWSER_TESTS=$(joined browser ' ')
if [ -n "$BROWSER_TESTS" ]; then export BROWSER_TESTS; else unset BROWSER_TESTS; fi
printf '  QUICK   %s\n' "${goals[@]}"
exec tests/run.sh --build "all$programs" "${goals[@]}"
