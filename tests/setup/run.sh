#!/bin/bash
# run.sh - tests of scripts/: the private server through crashes, hostile paths and users, and what
# `make run` starts and stops. And of the scripts that run all tests: run.sh, quick.sh and slow.sh.
#
#   run.sh          every test; the last line says how many passed and failed
#   run.sh TEST     one of them, by its name below
#
# Each test is a function that ends at its first failing command. It works on a copy of scripts/ in
# a folder of its own, $work, so that several run at a time.
set -Eeuo pipefail

self=$(realpath "$0")
root=$(dirname "$self")/../..
. "$root/tests/support/shell.sh"

pg() { "$work/scripts/postgres.sh" "$@"; }

query() { "$(pg programs)/psql" -XAtq "$(pg url "$1")" -c "$2"; }

pid_of() { head -n 1 "$1/data/postmaster.pid"; }

# The data of a server in a folder, of a copy where there is one: making it takes the longest.
have_data() {
    mkdir -p "$1"
    [ -z "${template:-}" ] || cp -a "$template/data" "$1"
}

# A server that is already made, with settings.
start_made() {
    have_data "$1"
    pg start "$@"
}

# ---- running all tests ---------------------------------------------------------------------------

# A suite with tests of every fate, a check that fails once, and one that is no test.
have_checks() {
    mkdir -p tests/support
    cp "$root"/tests/run.sh tests
    cp "$root"/tests/support/{shell.sh,progress.sh,failures.sh,now.h} tests/support
    cp -r "$root"/tests/criterion tests
    cp "$root"/tests/setup/made.c tests
    cp "$root"/tests/setup/made.mk Makefile
}

a_run_tells_each_failure_with_its_place_and_its_command() {
    have_checks
    fails env MAKE=make tests/run.sh check-made check-good check-lint >told
    holds told '^made::fails failed: fails alone$'
    holds told '^    tests/made.c:[0-9]*$'
    holds told '^    |.*it is 3$'
    holds told "^    alone: make check-made FILTER='made/fails'$"
    holds told '^made::crashes crashed below this line: fails alone$'
    holds told '^made::exits failed: fails alone$'
    holds told '^made::hangs took too long: fails alone$'
    holds told '^check-lint failed: fails alone$'
    holds told '^    | lint says no$'
    fails holds told '^made::passes '
    holds told '^check-made  *5  *4  *[0-9]*  4 fails alone$'
    holds told '^check-good  *5  *0  *[0-9]*$'
    holds told '^left out: made::is_left_out (no room)$'
    [ "$(tail -n 1 told)" = '6 passed, 5 failed' ]
}

what_runs_again_takes_its_tokens_from_make() {
    have_checks
    fails env -u MAKEFLAGS make -j3 run >told 2>&1
    holds told '^check-parts failed: fails alone$'
    holds told '^check-parts  *1  *1  *[0-9]*  1 fails alone$'
    holds told '^check-lint  *1  *1  *[0-9]*  1 fails alone$'
    fails holds told 'tokens'
}

a_run_leaves_no_process_behind() {
    have_checks
    # shellcheck disable=SC2016 # The new session expands it.
    setsid -w bash -c 'echo $$ >session; MAKE=make exec tests/run.sh check-good' >told
    holds told '^5 passed, 0 failed$'
    ps -o stat= -s "$(cat session)" >left || true # a zombie runs no more
    fails holds left '^[^Z]'
}

a_run_tells_what_fails_only_under_load() {
    have_checks
    fails env MAKE=make tests/run.sh check-busy >told
    holds told '^it is busy failed: only under load$'
    holds told '^    tests/x:12$'
    holds told '^    | said this$'
    holds told '^check-busy  *1  *1  *[0-9]*  1 only under load$'
    holds told "^failed: it is busy: said this *(only under load)$" # the end of a log says it all
}

a_run_that_passes_says_so_and_remembers_how_long_it_took() {
    have_checks
    env MAKE=make tests/run.sh check-good >told
    [ "$(tail -n 1 told)" = '5 passed, 0 failed' ]
    [[ $(cat build/checks.last/check-good) == "5 "* ]]
    rm -r build/checks.last
    env MAKE=make tests/run.sh 'check-good FILTER=a/*' >told
    env FILTER='a/*' MAKE=make tests/run.sh check-good >told
    [ ! -e build/checks.last ]
}

# What make would be asked for after a change of these files in a repository with tests of a few.
quick() {
    mkdir -p tests/support tests/unit/live tests/http/games tests/db tests/browser api/live api/endpoints/games db/sql
    cp "$root"/tests/quick.sh tests
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" "${BROWSER_TESTS:-}"\n' >tests/run.sh
    chmod +x tests/run.sh
    printf '#include "api/live/cache.h"\nTest(cache, a)\nTest(cache, b)\n' >tests/unit/live/test_cache.c
    printf '#include "api/live/cache.h"\nTest(copies, a)\n' >tests/unit/live/test_copies.c
    printf 'Test(moves, a)\nTest(refused, a)\n' >tests/http/games/test_moves.c
    printf 'Test(seats, a)\n' >tests/http/games/test_seats.c
    printf 'Test(writes, append)\n' >tests/db/test_writes.c
    [ $# = 0 ] || touch "$@"
    tests/quick.sh build/release "$@"
}

quick_tests_are_those_of_the_files_that_were_changed() {
    quick api/live/cache.c >told
    holds told '^check-unit FILTER=@(cache|copies)/\*$'
    holds told '^lint-layering$'
    fails holds told '^check-http'
    quick api/endpoints/games/moves.c | holds /dev/stdin '^check-http FILTER=@(moves|refused)/\*$'
    quick api/endpoints/games/other.c | holds /dev/stdin '^check-http FILTER=@(moves|refused|seats)/\*$'
    quick tests/http/games/test_seats.c | holds /dev/stdin '^check-http FILTER=@(seats)/\*$'
    quick db/sql/append.sql >told
    holds told '^check-sql$'
    holds told '^check-db FILTER=@(writes)/\*$'
}

quick_tests_of_pages_are_in_browsers() {
    mkdir -p api/pages
    quick api/pages/plyd.js api/pages/play.js >told
    holds told '^lint-pages$'
    holds told '^check-browser$'
    [ "$(tail -n 1 told)" = 'tests/browser/test_pages.mjs tests/browser/test_play.mjs tests/browser/test_plyd.mjs' ]
}

quick_tests_begin_where_the_branch_does() {
    quick scripts/run.sh >told
    git init -q -b main
    printf 'told\nrepo\nscripts/\n' >.gitignore
    git add -A && git -c user.name=a -c user.email=a@b.invalid commit -qm base
    git update-ref refs/remotes/origin/main HEAD
    quick >told
    fails holds told '^check-'
    touch api/live/cache.c && git add -A && git -c user.name=a -c user.email=a@b.invalid commit -qm one
    echo '//' >api/endpoints/games/moves.c
    quick >told
    holds told '^check-unit FILTER=@(cache|copies)/\*$'
    holds told '^check-http FILTER=@(moves|refused)/\*$'
}

a_line_tells_how_far_a_run_is() {
    have_checks
    mkdir -p build/checks build/checks.last
    echo '10 100' >build/checks.last/check-made
    echo '5 20' >build/checks.last/check-good
    printf '[PASS] a::b\n[FAIL] a::c\n' >build/checks/check-made.log
    (
        # shellcheck disable=SC2034 # The script that is sourced reads them.
        FOLDER=build/checks LAST=build/checks.last CHECKS=(check-made check-good) JOBS=2
        # shellcheck source=/dev/null
        . tests/support/shell.sh && . tests/support/progress.sh
        [[ $(progress) == '  2 of 15 tests, 1 failed: check-made, about '*' more' ]]
        echo '5 passed, 0 failed' >build/checks/check-good.log
        echo '0 3' >build/checks/check-good.end
        [[ $(progress) == '  7 of 15 tests, 1 failed: check-made, about '*' more' ]]
        rm build/checks.last/check-made
        [ "$(progress)" = '  7 tests, 1 failed: check-made' ]
    )
}

settings_of_the_environment_are_heard() {
    env FILTER='made/*' make -C "$root" -n check-unit >told
    holds told "filter 'made/\\*'"
    env BROWSER_TESTS=made.mjs make -C "$root" -n check-browser >told
    holds told 'run.mjs made.mjs$'
    env FLAVOUR=debug make -C "$root" -n check-unit >told
    holds told '^build/debug/test-unit\|[ /]build/debug/test-unit'
}

# ---- a slow machine ------------------------------------------------------------------------------

# What tests look for afterwards has a number that no other process has.
some_minutes() { echo $((1000000 + BASHPID)); }

# No process has this word; grep itself has it otherwise.
no_process_has() { fails grep -qszx "[${1:0:1}]${1:1}" /proc/[0-9]*/cmdline; }

a_slow_machine_ends_with_its_command_and_fails_as_it_does() {
    local status=0 minutes
    minutes=$(some_minutes)
    "$root/tests/slow.sh" --faults 2 --beside 2 --minutes "$minutes" sh -c 'exit 7' || status=$?
    [ $status = 7 ]
    no_process_has $((minutes * 60))
}

a_slow_machine_that_is_told_to_end_ends_all_of_it() {
    local minutes
    minutes=$(some_minutes)
    "$root/tests/slow.sh" --faults 2 --beside 2 --minutes "$minutes" sh -c "touch here && sleep $minutes" &
    wait_until [ -e here ]
    kill $!
    fails wait $!
    no_process_has $((minutes * 60))
    no_process_has "$minutes"
}

# ---- a server ------------------------------------------------------------------------------------

start_again_finds_the_same_server() {
    start_made db
    local pid
    pid=$(pid_of db)
    pg start db
    [ "$(pid_of db)" = "$pid" ]
    [[ $(pg status db) == "running, pid $pid,"* ]]
}

only_the_socket_of_a_private_folder_leads_in() {
    pg start db
    [ "$(stat -c %a db/data)" = 700 ]
    [ "$(query db 'show listen_addresses')" = '' ]
    [ "$(query db 'show data_checksums')" = on ]
    [ "$(query db 'show fsync')" = on ]
}

settings_of_the_server_can_be_given() {
    start_made db max_connections=17
    [ "$(query db 'show max_connections')" = 17 ]
}

stop_keeps_the_data_and_remove_does_not() {
    start_made db
    query db 'create table kept ()'
    pg stop db
    fails pg status db
    pg start db
    query db 'select from kept'
    pg remove db
    [ ! -e db ]
}

two_starters_at_once_make_one_server() {
    local i pids=()
    for i in 1 2 3; do
        pg start db &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i"; done
    [ "$(query db 'select 1')" = 1 ]
}

# ---- crashes -------------------------------------------------------------------------------------

it_starts_after_kill_9_of_the_postmaster() {
    start_made db
    query db 'create table kept ()'
    kill -9 "$(pid_of db)"
    pg start db
    query db 'select from kept'
}

it_starts_after_kill_9_of_everything() {
    start_made db
    query db 'create table kept ()'
    pg signal db KILL
    fails pg status db
    pg start db
    query db 'select from kept'
}

children_that_outlive_the_postmaster_are_no_obstacle() {
    start_made db
    local pid
    pid=$(pid_of db)
    pg signal db STOP
    kill -9 "$pid"
    pg start db
    [ "$(query db 'select 1')" = 1 ]
}

a_pid_file_with_somebody_elses_number_is_no_obstacle() {
    start_made db
    cp -p db/data/postmaster.pid db/data/.s.PGSQL.5432.lock .
    pg signal db KILL
    sleep 600 &
    local stranger=$!
    sed -i "1s/.*/$stranger/" postmaster.pid .s.PGSQL.5432.lock
    cp -p postmaster.pid .s.PGSQL.5432.lock db/data/
    fails pg status db
    pg start db
    [ "$(query db 'select 1')" = 1 ]
    kill $stranger
}

a_half_made_data_folder_is_made_anew() {
    mkdir -p db/data.new
    touch db/data.new/PG_VERSION
    pg start db
    [ "$(query db 'select 1')" = 1 ]
}

a_frozen_server_can_be_removed() {
    start_made db
    pg signal db STOP
    pg remove db
    [ ! -e db ]
}

remove_deletes_nothing_but_servers() {
    mkdir -p mine/data
    fails pg remove mine
    rmdir mine/data
    start_made db
    touch db/mine
    fails pg remove db
    [ "$(query db 'select 1')" = 1 ]
    rm db/mine
}

data_of_another_version_is_refused_and_left_alone() {
    mkdir -p db/data
    echo 8 >db/data/PG_VERSION
    fails pg start db 2>message
    grep -q 'is of PostgreSQL 8: install postgresql-8' message
    [ "$(ls -A db/data)" = PG_VERSION ]
    rm -r db
}

# ---- paths ---------------------------------------------------------------------------------------

a_path_may_have_any_characters() {
    local dir="a b, c'd \"e\" \$(f) %41 é ☗"
    pg start "$dir"
    [ "$(query "$dir" 'select 1')" = 1 ]
    pg remove "$dir"
}

a_path_may_be_longer_than_a_sockets_name() {
    local dir
    dir=$(printf 'x%.0s' {1..100})/$(printf 'y%.0s' {1..200})
    start_made "$dir"
    [ "$(query "$dir" 'select 1')" = 1 ]
    local link
    link=$(readlink -f "$(pg url "$dir" | sed 's/.*host=\([^&]*\)&.*/\1/')")
    [ "$link" = "$(realpath "$dir/data")" ]
    pg remove "$dir"
    [ ! -e "$link" ]
}

a_short_link_that_is_not_ours_is_refused() {
    export XDG_RUNTIME_DIR=$work/runtime
    mkdir runtime elsewhere
    local dir link
    dir=$(printf 'x%.0s' {1..100})
    start_made "$dir"
    link=$(pg url "$dir" | sed 's/.*host=\([^&]*\)&.*/\1/')
    ln -sfT elsewhere "$link"
    fails pg url "$dir"
    rm "$link"
    mkdir "$link"
    fails pg url "$dir"
}

# ---- users ---------------------------------------------------------------------------------------

root_runs_it_as_the_owner_of_the_folder() {
    mkdir theirs
    chown nobody theirs
    pg start theirs/db
    [ "$(stat -c %U "/proc/$(pid_of theirs/db)")" = nobody ]
    [ "$(query theirs/db 'select 1')" = 1 ]
    pg stop theirs/db
    setpriv --reuid=nobody --clear-groups scripts/postgres.sh start theirs/db
    [ "$(query theirs/db 'select 1')" = 1 ]
}

root_runs_it_as_somebody_else_in_its_own_folder() {
    start_made db
    [ "$(stat -c %U "/proc/$(pid_of db)")" = postgres ]
}

root_keeps_the_data_elsewhere_if_the_server_cannot_reach_the_folder() {
    mkdir -m 700 private
    pg start private/db
    [ "$(query private/db 'select 1')" = 1 ]
    local data
    data=$(realpath private/db/data)
    [[ $data == /var/lib/plyd-postgres.* ]]
    query private/db 'create table kept ()'
    pg signal private/db KILL
    pg start private/db
    query private/db 'select from kept'
    pg remove private/db
    [ ! -e "$data" ]
}

root_is_needed_for_the_data_of_another_user() {
    start_made db
    fails setpriv --reuid=nobody --clear-groups scripts/postgres.sh start db 2>message
    grep -q 'belongs to postgres' message
}

# ---- throw-away servers --------------------------------------------------------------------------

left_over() { [ -n "$(ls build/postgres)" ]; }

with_runs_a_command_beside_a_server_and_removes_it() {
    local code=0
    # shellcheck disable=SC2016
    pg with sh -c '"$1"/psql -XAtq "$PLYD_TEST_DATABASE_URL" -c "select 1" >answer; exit 7' - \
        "$(pg programs)" || code=$?
    [ $code = 7 ]
    [ "$(cat answer)" = 1 ]
    fails left_over
}

with_removes_the_server_when_it_is_interrupted() {
    scripts/postgres.sh with sh -c 'touch runs; exec sleep 600' &
    local pid=$!
    wait_until test -e runs
    kill -TERM $pid
    fails wait $pid
    fails left_over
}

a_killed_with_is_cleaned_up_by_the_next() {
    scripts/postgres.sh with sh -c 'echo $$ >runs; exec sleep 600' &
    local pid=$!
    wait_until test -s runs
    kill -9 $pid
    left_over
    pg with true
    fails left_over
    kill "$(cat runs)"
}

# Its rm deletes one file, and kills whoever called it.
a_killed_remove_is_finished_by_the_next_with() {
    scripts/postgres.sh with sh -c 'echo $$ >runs; exec sleep 600' &
    local pid=$!
    wait_until test -s runs
    kill -9 $pid "$(cat runs)"
    fails wait $pid
    mkdir bin
    cat >bin/rm <<'END'
#!/bin/sh
[ "$1" = -rf ] && [ -e "$3/PG_VERSION" ] || exec /bin/rm "$@"
/bin/rm "$3/PG_VERSION"
kill -9 $PPID
END
    chmod +x bin/rm
    PATH=$work/bin:$PATH fails pg remove build/postgres/*
    ls build/postgres/*/data/base
    fails ls build/postgres/*/data/PG_VERSION
    pg with true
    fails left_over
}

several_withs_have_a_server_each() {
    pg with sh -c 'echo "$PLYD_TEST_DATABASE_URL" >a; while [ ! -s b ]; do sleep 0.05; done' &
    pg with sh -c 'echo "$PLYD_TEST_DATABASE_URL" >b; while [ ! -s a ]; do sleep 0.05; done'
    wait $!
    fails cmp -s a b
}

# ---- make run ------------------------------------------------------------------------------------

# A daemon that tells what it was given and stops politely.
make_daemon() {
    cat >daemon <<'END'
#!/bin/bash
echo "$DATABASE_URL $*" >>calls
[ "$1" = serve ] || exit 0
trap 'echo drained >>calls; exit 0' TERM
echo $$ >daemon.pid
while :; do sleep 0.05; done
END
    chmod +x daemon
}

# Starts run.sh, $runner, with a daemon that is up now.
run_in_background() {
    [ -e daemon ] || make_daemon
    rm -f daemon.pid
    scripts/run.sh daemon "$@" &
    runner=$!
    wait_until test -s daemon.pid
}

run_migrates_and_serves_and_stops_what_it_started() {
    run_in_background --listen 127.0.0.1:9000
    local url
    url=$(pg url var/postgres)
    [ "$(cat calls)" = "$url migrate"$'\n'"$url serve --listen 127.0.0.1:9000" ]
    query var/postgres 'create table kept ()'
    kill -TERM $runner
    wait $runner
    [ "$(tail -n 1 calls)" = drained ]
    fails pg status var/postgres
    run_in_background
    query var/postgres 'select from kept'
    kill -TERM $runner
    wait $runner
}

run_uses_a_given_database_and_starts_none() {
    export DATABASE_URL=postgresql://elsewhere/games
    run_in_background
    [ "$(head -n 1 calls)" = 'postgresql://elsewhere/games migrate' ]
    kill -TERM $runner
    wait $runner
    [ ! -e var ]
}

run_leaves_a_server_alone_that_somebody_else_started() {
    start_made var/postgres
    run_in_background
    kill -TERM $runner
    wait $runner
    pg status var/postgres
}

the_last_of_two_runs_stops_the_server() {
    have_data var/postgres
    run_in_background
    local first=$runner
    run_in_background
    kill -TERM $first
    wait $first
    pg status var/postgres
    kill -TERM $runner
    wait $runner
    fails pg status var/postgres
}

run_ends_as_its_daemon_does() {
    have_data var/postgres
    printf '#!/bin/sh\n[ "$1" = migrate ] || exit 9\n' >daemon
    chmod +x daemon
    local code=0
    scripts/run.sh daemon || code=$?
    [ $code = 9 ]
    fails pg status var/postgres
}

run_comes_up_after_kill_9_of_daemon_and_server_in_either_order() {
    local victims
    have_data var/postgres
    for victims in 'daemon server' 'server daemon'; do
        run_in_background
        query var/postgres 'create table if not exists kept ()'
        for victim in $victims; do
            case $victim in
            daemon) kill -9 "$(cat daemon.pid)" ;;
            server) kill -9 "$(pid_of var/postgres)" ;;
            esac
        done
        fails wait $runner
        run_in_background
        query var/postgres 'select from kept'
        kill -TERM $runner
        wait $runner
    done
}

run_comes_up_after_its_own_kill_9() {
    have_data var/postgres
    run_in_background
    query var/postgres 'create table kept ()'
    kill -9 $runner "$(cat daemon.pid)"
    run_in_background
    query var/postgres 'select from kept'
    kill -TERM $runner
    wait $runner
    fails pg status var/postgres
}

# ---- packages ------------------------------------------------------------------------------------

what_dockerignore_lets_through_is_enough_to_build() {
    local path
    mkdir image
    while read -r path; do
        (cd "$root" && cp -a --parents "$path" "$OLDPWD/image")
    done < <(sed -n 's/^!//p' "$root/.dockerignore")
    make -C image -n install >/dev/null
}

packages_is_silent_when_nothing_is_missing() {
    [ -z "$(scripts/packages.sh check build server 2>&1)" ]
    [ -z "$(scripts/packages.sh install build server 2>&1)" ]
}

packages_names_what_is_missing_in_one_line() {
    mkdir bin
    printf '#!/bin/sh\nfor last; do :; done; [ "$last" != libpq ] && [ "$last" != libcjson ]\n' \
        >bin/pkg-config
    chmod +x bin/pkg-config
    PATH=$work/bin:$PATH fails scripts/packages.sh check build 2>message
    [ "$(wc -l <message)" = 1 ]
    grep -qE 'apt-get install libcjson-dev libpq-dev$' message
}

# ---- running them --------------------------------------------------------------------------------

# A test is a function whose name has four words or more.
tests() { sed -nE 's/^([a-z0-9]+(_[a-z0-9]+){3,})\(\) \{$/\1/p' "$self"; }

clean_up() {
    local data pids
    mapfile -t pids < <(jobs -p)
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    find "$work" -name data -print | while read -r data; do
        pg remove "$(dirname "$data")"
    done
    rm -rf -- "${work:?}"
}

run_one() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-setup.XXXXXX")
    trap 'echo "  line $LINENO: $BASH_COMMAND" >&2' ERR
    trap clean_up EXIT
    unset DATABASE_URL XDG_RUNTIME_DIR MAKEFLAGS MFLAGS FILTER NAMED BROWSER_TESTS PLYD_TEST_LONG
    chmod 755 "$work"
    cp -r "$root/scripts" "$work"
    cd "$work"
    "$1"
}

make_template() {
    template=$(mktemp -d "${TMPDIR:-/tmp}/plyd-setup.XXXXXX")
    trap '"$root/scripts/postgres.sh" remove "$template"' EXIT
    export template
    chmod 755 "$template"
    touch "$template/owner"
    "$root/scripts/postgres.sh" start "$template"
    "$root/scripts/postgres.sh" stop "$template"
}

# Says what a test printed only if it failed. What failed is in build/checks/setup.tap, too, in the form of the suites in C.
run_quietly() {
    local output line
    if output=$("$self" "$1" 2>&1); then
        echo passed
    else
        printf 'setup: failed: %s\n%s\n' "$1" "$output" >&2
        line=$(grep -n "^$1() {" "$self" | cut -d: -f1)
        {
            flock 9
            printf 'not ok - %s\n  - tests/setup/run.sh:%d: |+\n%s\n  # alone: tests/setup/run.sh %s\n' \
                "$1" "$line" "$(tail -n 40 <<<"$output" | sed 's/^/      /')" "$1" >&9
        } 9>>"$root/build/checks/setup.tap"
        echo failed
    fi
}

# Whether there are two gigabytes of memory to put folders in, and programs may run there.
has_memory() {
    [ -w /dev/shm ] && [ "$(df --output=avail /dev/shm | tail -n 1)" -ge $((2 << 20)) ] &&
        ! findmnt -n -o OPTIONS -T /dev/shm | grep -qw noexec
}

# The folders are in memory, since no test is about power cuts, and most would wait for the disk.
run_all() {
    local chosen results
    chosen=$(tests)
    if [ $EUID -ne 0 ]; then
        echo "setup: only root can run $(grep -c '^root_' <<<"$chosen") of the tests"
        chosen=$(grep -v '^root_' <<<"$chosen")
    fi
    if [ -z "${TMPDIR:-}" ] && has_memory; then export TMPDIR=/dev/shm; fi
    mkdir -p "$root/build/checks"
    rm -f "$root/build/checks/setup.tap"
    make_template
    results=$(xargs -P $((2 * $(nproc))) -I{} "$self" --quietly {} <<<"$chosen")
    echo "setup: $(grep -c passed <<<"$results" || true) passed, $(grep -c failed <<<"$results" || true) failed"
    [[ $results != *failed* ]]
}

case ${1:-} in
'') run_all ;;
--quietly) run_quietly "$2" ;;
*) run_one "$1" ;;
esac
