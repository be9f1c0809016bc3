#!/bin/bash
# postgres.sh - a real PostgreSQL server in a folder of its own, for one project and one user.
#
#   postgres.sh start DIR [SETTING=VALUE...]   start it, and make its data first if there is none
#   postgres.sh stop DIR                       stop it; the data stays
#   postgres.sh status DIR                     say whether it runs; exit 3 if it does not
#   postgres.sh url DIR                        print the connection string of its database "plyd"
#   postgres.sh signal DIR SIGNAL              send a signal to all of its processes, as faults do
#   postgres.sh remove DIR                     stop it at once and delete it
#   postgres.sh programs                       print the folder of the newest server's programs
#   postgres.sh with COMMAND...                run a command with a throw-away server, whose
#                                              connection string is in PLYD_TEST_DATABASE_URL
#
# PLYD_POSTGRES names another folder of programs than the newest. PLYD_TEST_PRISTINE is a folder with data
# as it is when it was just made, which is copied instead of being made (`with` has one for its command).
#
# DIR/data has the data, DIR/log the server's log since its last start. The server listens only on a
# Unix socket in DIR/data. Only the server's user and root can go there, so the server trusts everybody
# who connects. The script touches no system service, and no file outside DIR except in two cases that
# leave no other way: see make_place() and socket_folder().
set -euo pipefail
unset "${!PG@}" # these settings are for the caller's own PostgreSQL

# What tests fill the memory of the programs with that they test (tests.mk). A server would take twice as long.
rubbish=${MALLOC_PERTURB_:-}
unset MALLOC_PERTURB_

readonly SOCKET_PATH_MAX=107 # the kernel's limit for the path of a Unix socket, in bytes
readonly START_SECONDS=300   # crash recovery may take long
readonly STOP_SECONDS=60     # transactions are aborted, a checkpoint is written

self=$(realpath "$0")
exec {never}<> <(:) # nothing comes from there

# Sleeps without a process.
nap() { read -rt "$1" -u "$never" || true; }

fail() {
    echo "postgres: $*" >&2
    exit 1
}

# ---- owner and lock of a folder ------------------------------------------------------------------

dir=      # absolute
data=     # the data folder, wherever it really is
user=     # the server's
server=() # the command that runs others as that user

# A server refuses to run as root. So root runs it as the owner of the folder, or of the nearest folder
# above it that exists. If that owner is root, too, it runs as the user of Debian's package.
server_user() {
    local place=$data owner
    while [ ! -e "$place" ]; do place=$(dirname "$place"); done
    owner=$(stat -c %U "$place")
    [ "$owner" != root ] || owner=$(id -un postgres 2>/dev/null || echo nobody)
    echo "$owner"
}

use_dir() {
    dir=$(realpath -m -- "$1")
    data=$(realpath -m -- "$dir/data")
    if [ "$EUID" -eq 0 ]; then
        user=$(server_user)
        server=(setpriv "--reuid=$user" "--regid=$(id -gn "$user")" --clear-groups)
    elif [ -e "$data" ] && [ ! -O "$data" ]; then
        fail "$data belongs to $(stat -c %U "$data"): only they and root can use it"
    fi
}

# Until this process ends, no other process starts, stops or removes the server of $dir.
lock_dir() {
    exec 9<"$dir"
    flock 9
    use_dir "$dir" # another process may have made its data meanwhile
}

# ---- the server's processes ----------------------------------------------------------------------

# The number in a pid file proves nothing: after a crash another process may have it. But every process
# of a server has the data folder as its working directory.
is_ours() {
    [ "/proc/$1/cwd" -ef "$data" ] &&
        [[ $(readlink "/proc/$1/exe") =~ /postgres(' (deleted)')?$ ]]
}

postmaster() {
    local pid
    { read -r pid <"$data/postmaster.pid"; } 2>/dev/null && is_ours "$pid" && echo "$pid"
}

server_processes() {
    local process
    for process in /proc/[0-9]*; do
        ! is_ours "${process#/proc/}" || echo "${process#/proc/}"
    done
}

# The postmaster comes first. Frozen or dead it makes no more processes, so the others can be listed.
signal_all() {
    local pid
    ! pid=$(postmaster) || kill -s "$1" "$pid" 2>/dev/null || true
    for pid in $(server_processes); do kill -s "$1" "$pid" 2>/dev/null || true; done
}

# Waits until no process of the server is left; fails after $1 seconds.
wait_gone() {
    local end=$((SECONDS + $1))
    while [ -n "$(server_processes)" ]; do
        [ $SECONDS -lt $end ] || return 1
        nap 0.05
    done
}

# A kill -9 of the postmaster leaves children that have not noticed yet, and files with its number, which
# another process may have by now. Either would keep a new server from starting.
clean_up_crash() {
    signal_all KILL
    wait_gone 10 || fail "processes of the crashed server in $data will not die"
    rm -f -- "$data/postmaster.pid" "$data"/.s.PGSQL.5432{,.lock}
}

# Sends signal $1 and waits $2 seconds, then sends stronger signals. A frozen server reacts only to the
# last one.
stop_server() {
    local pid
    if pid=$(postmaster); then
        kill -s "$1" "$pid" 2>/dev/null || true
        wait_gone "$2" || { signal_all QUIT && wait_gone 5; } || true
    fi
    clean_up_crash
}

# ---- the data ------------------------------------------------------------------------------------

# The folder of the server's programs: $PLYD_POSTGRES, or of major version $1, or the newest.
find_programs() {
    local folder folders
    mapfile -t folders < <(printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr)
    folders=(${PLYD_POSTGRES:+"$PLYD_POSTGRES"} "${folders[@]}" "$(pg_config --bindir 2>/dev/null)"
        "$(dirname "$(type -P initdb || echo /)")")
    for folder in "${folders[@]}"; do
        if [ -x "$folder/initdb" ] && [[ $("$folder/postgres" --version) =~ ' '([0-9]+) ]] &&
            [ "${1:-${BASH_REMATCH[1]}}" = "${BASH_REMATCH[1]}" ]; then
            echo "$folder"
            return
        fi
    done
    return 1
}

# Deletes what a killed start has left of data that it made.
drop_new() {
    local place="$dir/data.new"
    [ ! -h "$place" ] || rm -rf -- "$(readlink "$place")"
    rm -rf -- "$place"
}

# Whether this is a throw-away server of one test, and there is a gigabyte of memory for it. To make and
# delete its thousand files on a disk takes longer than such a test.
fits_in_memory() {
    [ -n "${PLYD_TEST_PRISTINE:-}" ] && [ -e "$dir/owner" ] && [ -w /dev/shm ] &&
        [ "$(df --output=avail /dev/shm | tail -n 1)" -ge $((1 << 20)) ]
}

# Makes an empty folder of the server's user for the data: $dir/data.new. It is a link if the data belongs
# into memory, or if that user cannot reach $dir (in root's home, for example).
make_place() {
    local place="$dir/data.new" elsewhere=
    drop_new
    mkdir -m 700 -- "$place"
    [ "$EUID" -ne 0 ] || chown "$user:" -- "$place"
    if fits_in_memory; then
        elsewhere=/dev/shm
    elif ! "${server[@]}" test -w "$place"; then
        elsewhere=/var/lib
    fi
    [ -n "$elsewhere" ] || return 0
    rmdir -- "$place"
    elsewhere=$(mktemp -d "$elsewhere/plyd-postgres.XXXXXX")
    ln -s -- "$elsewhere" "$place"
    [ "$EUID" -ne 0 ] || chown "$user:" -- "$elsewhere"
    [ -e "$dir/owner" ] ||
        echo "postgres: its user cannot reach $dir, so the data is in $elsewhere" >&2
}

initialise() {
    local programs=$1 place=$2
    shift 2
    (
        cd /
        "${server[@]}" "$programs/initdb" --pgdata="$place" --username=plyd --encoding=UTF8 \
            --locale=C.UTF-8 --data-checksums --auth-local=trust --auth-host=reject \
            --no-instructions "$@" &&
            "${server[@]}" "$programs/postgres" --single -D "$place" postgres \
                <<<'create database plyd'
    ) >"$dir/log" 2>&1 || fail "initdb failed: $(tail -n 3 "$dir/log")"
}

# The data gets its name last. So a caller that is killed half-way leaves nothing that looks complete.
make_data() {
    local programs=$1 place
    make_place
    place=$(realpath -- "$dir/data.new")
    if [ -n "${PLYD_TEST_PRISTINE:-}" ]; then
        cp -a -- "$PLYD_TEST_PRISTINE/." "$place"
    elif [ -e "$dir/owner" ]; then
        # A throw-away server need not survive a power cut. Others are copied from it.
        initialise "$programs" "$place" --no-sync
        cp -a -- "$place" "$dir/pristine"
    else
        initialise "$programs" "$place"
    fi
    mv -T -- "$dir/data.new" "$dir/data"
    use_dir "$dir"
}

short_link() {
    echo "${XDG_RUNTIME_DIR:-/tmp}/plyd-$EUID-$(printf %s "$data" | sha256sum | cut -c 1-16)"
}

# Prints the folder in which clients find the socket. It is the data folder, or a short link to it if the
# path is too long for a socket, or has a comma, which separates hosts. A link that somebody else made
# might lead to a server of theirs.
socket_folder() {
    local LC_ALL=C socket="$data/.s.PGSQL.5432" link
    if [ ${#socket} -le $SOCKET_PATH_MAX ] && [[ $socket != *,* ]]; then
        echo "$data"
        return
    fi
    link=$(short_link)
    ln -sT -- "$data" "$link" 2>/dev/null || true
    if [ "$(stat -c %u "$link")" != $EUID ] || [ "$(readlink "$link")" != "$data" ]; then
        fail "$link exists, but somebody else made it"
    fi
    echo "$link"
}

percent_encode() {
    local LC_ALL=C text=$1 i
    for ((i = 0; i < ${#text}; i++)); do
        case ${text:i:1} in
        [A-Za-z0-9/._~-]) printf %s "${text:i:1}" ;;
        *) printf %s "${text:i:1}" | od -An -tx1 | tr ' ' % | tr -d '\n' ;;
        esac
    done
}

# ---- commands ------------------------------------------------------------------------------------

# The server gets a session of its own, so that Ctrl-C on our terminal does not reach it. It gets none of
# our locks, since it would hold them for its whole life.
launch() {
    local programs=$1 setting settings=()
    shift
    for setting in listen_addresses= unix_socket_directories=. unix_socket_permissions=0700 \
        port=5432 max_connections=200 timezone=UTC log_timezone=UTC "$@"; do
        settings+=(-c "$setting")
    done
    cd /
    exec "${server[@]}" setsid "$programs/postgres" -D "$data" "${settings[@]}" 7<&- 8<&- 9<&- {never}<&-
}

# In line 8 of the pid file the postmaster writes its own state.
is_ready() {
    local lines
    { mapfile -t lines <"$data/postmaster.pid"; } 2>/dev/null && [ "${lines[7]:-}" = 'ready   ' ]
}

wait_ready() {
    local pid=$1 end=$((SECONDS + START_SECONDS))
    until is_ready; do
        kill -0 "$pid" 2>/dev/null || fail "the server did not start: $(tail -n 5 "$dir/log")"
        [ $SECONDS -lt $end ] || fail "the server is still not ready, see $dir/log"
        nap 0.02
    done
}

start() {
    local programs version
    use_dir "$1"
    shift
    "${server[@]}" mkdir -p -- "$dir" 2>/dev/null || (umask 022 && mkdir -p -- "$dir")
    lock_dir
    ! postmaster >/dev/null || return 0
    if [ -e "$dir/data" ] || [ -h "$dir/data" ]; then
        version=$(cat "$data/PG_VERSION") || fail "$data is not a data folder of PostgreSQL"
        programs=$(find_programs "$version") ||
            fail "$data is of PostgreSQL $version: install postgresql-$version, or move the" \
                "folder away to begin anew. Nothing was changed."
        clean_up_crash
    else
        programs=$(find_programs) || fail "no server is installed (package postgresql)"
        make_data "$programs"
    fi
    [ ! -e "$dir/log" ] || mv -f -- "$dir/log" "$dir/log.old"
    launch "$programs" "$@" </dev/null >"$dir/log" 2>&1 &
    wait_ready $!
}

stop() {
    use_dir "$1"
    [ -e "$dir/data" ] || return 0
    lock_dir
    stop_server INT $STOP_SECONDS
}

# Deletes only what this script has made. Naming a wrong folder by mistake loses nothing. The data goes
# first and the file `owner` last: with it, what a killed removal has left is still known as ours, though
# its data may have lost PG_VERSION.
remove() {
    local more
    use_dir "$1"
    [ -e "$dir" ] || return 0
    lock_dir
    more=$(find "$dir" -mindepth 1 -maxdepth 1 -regextype egrep \
        ! -regex '.*/(data|data\.new|pristine|log|log\.old|owner)' -print -quit)
    [ -z "$more" ] || fail "$dir holds more than a server: $more. Nothing was removed."
    [ ! -e "$dir/data" ] || [ -e "$data/PG_VERSION" ] || [ -e "$dir/owner" ] ||
        fail "$data is not a data folder of PostgreSQL"
    stop_server QUIT 5
    drop_new
    rm -rf -- "$data"
    rm -rf -- "$dir"/{data,pristine,log,log.old}
    rm -rf -- "$dir"
    [ ! -h "$(short_link)" ] || rm -f -- "$(short_link)"
}

status() {
    local pid
    use_dir "$1"
    if ! pid=$(postmaster); then
        echo stopped
        return 3
    fi
    echo "running, pid $pid, PostgreSQL $(cat "$data/PG_VERSION")"
}

url() {
    local folder
    use_dir "$1"
    folder=$(socket_folder)
    echo "postgresql:///plyd?host=$(percent_encode "$folder")&port=5432&user=plyd"
}

# A killed process may take a moment to end. Until then a start would mistake it for a running server.
send_signal() {
    use_dir "$1"
    signal_all "$2"
    [ "$2" != KILL ] || wait_gone 10 || fail "processes of the server in $data will not die"
}

# ---- a throw-away server -------------------------------------------------------------------------

# The folder of a throw-away server has a lock that its owner holds to the end (descriptor 8). A folder
# without that lock was left by an owner that was killed, and is removed here.
make_throw_away() {
    local old parent
    parent=$(dirname "$self")/../build/postgres
    mkdir -p -- "$parent"
    exec 7<"$parent"
    flock 7
    for old in "$parent"/*/; do
        if [ -w "$old/owner" ] && flock -n "$old/owner" true; then "$self" remove "$old"; fi
    done
    throw_away=$(mktemp -d "$parent/XXXXXX")
    chmod 755 -- "$throw_away"
    exec 8>"$throw_away/owner"
    flock 8
    exec 7<&-
}

stop_command() {
    [ -n "$child" ] || exit 130
    kill -TERM "$child" 2>/dev/null || true
    wait "$child" || exit $?
    exit 0
}

with_server() {
    local settings=()
    throw_away='' child=''
    trap stop_command INT TERM HUP
    trap '[ -z "$throw_away" ] || "$self" remove "$throw_away" 8<&-' EXIT
    make_throw_away

    # Tests sync to disk as in production, since the time of a commit decides how moves gather into
    # batches. If that takes too long, set PLYD_TEST_FSYNC=off.
    [ "${PLYD_TEST_FSYNC:-on}" = on ] || settings=(fsync=off)
    "$self" start "$throw_away" "${settings[@]}" 8<&-
    PLYD_TEST_DATABASE_URL=$("$self" url "$throw_away")
    PLYD_TEST_PRISTINE=$(realpath -- "$throw_away")/pristine
    export PLYD_TEST_DATABASE_URL PLYD_TEST_PRISTINE

    # In the background, so that traps run at once. A background child would ignore Ctrl-C, hence env.
    env --default-signal=INT,QUIT ${rubbish:+MALLOC_PERTURB_=$rubbish} "$@" 8<&- {never}<&- &
    child=$!
    wait $child
}

usage() {
    sed -n 's/^#   //p' "$self" >&2
    exit 2
}

case "$#-${1:-}" in
[2-9]-start | [1-9][0-9]-start | 2-stop | 2-remove | 2-status | 2-url) "$1" "${@:2}" ;;
3-signal) send_signal "$2" "$3" ;;
1-programs) find_programs ;;
[2-9]*-with | [1-9][0-9]*-with) with_server "${@:2}" ;;
*) usage ;;
esac
