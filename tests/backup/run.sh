#!/bin/bash
# run.sh - the commands of docs/backup.md, in their order, on a private server, with a daemon that plays between
# them. The environment has PLYD_PROGRAM.
#
# With PLYD_FILL (tests/bench/fill.c) and GAMES, so many games are stored before, whose moves mean nothing: then nothing is
# verified, and what counts is how long each step takes.
set -Eeuo pipefail

self=$(realpath "$0")
root=$(realpath "$(dirname "$self")/../..")

# The commands are those of the server's user.
if [ $EUID -eq 0 ]; then
    exec setpriv --reuid=postgres --regid=postgres --clear-groups "$self"
fi

. "$root/tests/support/shell.sh"

pg() { "$root/scripts/postgres.sh" "$@"; }

clean_up() {
    exec 2>/dev/null # what is killed needs no line
    [ -z "${daemon:-}" ] || kill -9 "$daemon" 2>/dev/null || true
    rm -rf -- "$work/db/data.old"
    pg remove "$work/db"
    rm -rf -- "${work:?}"
}

# Block $1 of the commands in the document.
block() { awk -v wanted="$1" '/^```$/ { on = 0 } on && n == wanted; /^```sh$/ { on = 1; n++ }' "$root/docs/backup.md"; }

run() {
    local begin=${EPOCHREALTIME/./}
    echo "  DOC     $2"
    block "$1" >commands
    [ -s commands ]
    . ./commands
    [ -z "$filled" ] || printf '          %d.%d s\n' $(((${EPOCHREALTIME/./} - begin) / 1000000)) \
        $(((${EPOCHREALTIME/./} - begin) / 100000 % 10))
}

# ---- what the commands call ----------------------------------------------------------------------

plyd() { [ "$1" = verify ] && [ -n "$filled" ] || "$PLYD_PROGRAM" "$@"; }

systemctl() {
    case "$*" in
    'stop plyd') kill "$daemon" && wait "$daemon" ;;
    'start plyd') start_daemon ;;
    'stop postgresql') pg stop "$work/db" ;;
    'start postgresql') pg start "$work/db" ;;
    'restart postgresql') pg stop "$work/db" && pg start "$work/db" ;;
    *) return 1 ;;
    esac
}

start_daemon() {
    "$PLYD_PROGRAM" serve --database "$DATABASE_URL" --listen 127.0.0.1:0 2>log &
    daemon=$!
    wait_until holds log '"listening"'
    port=$(sed -n 's/.*"listening".*127.0.0.1:\([0-9]*\).*/\1/p' log)
}

# ---- a game --------------------------------------------------------------------------------------

move() { curl -sf "127.0.0.1:$port/v1/games/$id/moves/$1" -u "$token:" -X PUT -d "$2" --retry 5 -o answer; }

ply_in() { psql -XAtq "$1" -c "select ply from games where variant = 'tictactoe'"; }

# ---- many games ----------------------------------------------------------------------------------

sizes() {
    psql -XAtq "$DATABASE_URL" -c "select format('          the database has %s, of which events are %s rows',
        pg_size_pretty(pg_database_size(current_database())), reltuples::int8) from pg_class where relname = 'events'"
    du -sh backups/* | sed 's/^/          /'
}

# Ten rounds of a move in each of the newest 5 % of the games.
play_many() {
    local begin
    begin=$(psql -XAtq "$DATABASE_URL" -c 'select pg_current_wal_lsn()')
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        psql -Xq "$DATABASE_URL" <<END
with written as (
    update games set version = version + 1, ply = ply + 1, updated_at = now() where id in (
        select id from games where variant = 'shogi' order by id desc limit $((GAMES / 20))) returning *
) insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)
select id, version, 1, 1, 1, ply, 0, updated_at, '7g7f', position from written;
checkpoint;
END
    done
    psql -XAtq "$DATABASE_URL" -c "select '          WAL of ' || pg_size_pretty(pg_current_wal_lsn() - '$begin')"
}

filled=${PLYD_FILL:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-backup.XXXXXX")
cd "$work"
trap clean_up EXIT
trap 'echo "plyd: check-backup failed at line $LINENO: $BASH_COMMAND" >&2' ERR
mkdir backups
PATH=$("$root/scripts/postgres.sh" programs):$PATH
pg start "$work/db"
DATABASE_URL=$(pg url "$work/db")
# shellcheck disable=SC2034 # these are for the commands
PGDATA=$work/db/data
# shellcheck disable=SC2034
BACKUPS=$work/backups
plyd migrate --database "$DATABASE_URL" >/dev/null
[ -z "$filled" ] || "$PLYD_FILL" "$GAMES" "$DATABASE_URL"
start_daemon
curl -sf -H 'Accept: text/plain' -d variant=tictactoe "127.0.0.1:$port/v1/games" >game
id=$(awk '/^id/ { print $2 }' game)
token=$(awk '/^token/ { print $2 }' game)

block 1 | grep -q '^DATABASE_URL=.*plyd?'
[[ $DATABASE_URL == *plyd\?* ]]
move 1 b2
run 2 'a dump, beside a daemon that serves'
move 2 a1
run 3 'its restoration'
[ "$(ply_in "${DATABASE_URL/plyd?/plyd_restored?}")" = 1 ]
[ "$(ply_in "$DATABASE_URL")" = 2 ]

run 4 'an archive of the WAL'
wait_until move 3 c3
run 5 'a base backup'
[ -z "$filled" ] || { sizes && play_many; }
move 4 a3
# shellcheck disable=SC2034
MOMENT=$(psql -XAtq "$DATABASE_URL" -c 'select clock_timestamp()')
move 5 a2
run 6 'going back to a moment'
[ "$(ply_in "$DATABASE_URL")" = 4 ]
wait_until move 5 a2
plyd verify --database "$DATABASE_URL"
rm -rf -- "$work/db/data.old" # many games may leave no room for it
run 5 'a base backup of the new timeline'
