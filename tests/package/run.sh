#!/bin/bash
# run.sh PACKAGE - installs a package of plyd in an empty Debian, serves games there with it, upgrades, goes back,
# removes and purges it. Needs root and debootstrap. `make check-deb` calls it.
#
# The Debian runs as in a container: its own systemd is process 1 of namespaces of their own, so the unit runs
# as it stands. Only the network is this machine's.
#
# The Debian is of the release SUITE. It is made once, in build/deb-SUITE.tar; MIRROR names where from, if debootstrap should not take
# what it usually does. All else happens in a folder that is deleted at the end.
set -Eeuo pipefail

SUITE=${SUITE:-bookworm}
[ -e "$1" ] || { echo "plyd: there is no package: make deb" >&2; exit 1; }
package=$(realpath "$1")
cd "$(dirname "$0")/../.."
. tests/support/shell.sh
empty=$PWD/build/deb-$SUITE.tar
root=$(mktemp -d "${TMPDIR:-/tmp}/plyd-deb.XXXXXX")
log=$root.log

[ $EUID -eq 0 ] || { echo "plyd: check-deb has to be root" >&2; exit 1; }

say() { printf '  %-7s %s\n' DEB "$*"; }

clean_up() {
    [ -z "${systemd:-}" ] || kill -9 "$systemd" 2>/dev/null || true # and with it everything that it runs
    wait
    [ -z "${cgroup:-}" ] || find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
    rm -rf -- "${root:?}"
}

inside() {
    nsenter --target "$systemd" --mount --uts --ipc --pid --cgroup \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}
quietly() { "$@" >>"$log" 2>&1 || { tail -n 30 "$log" >&2; return 1; }; }

# ---- an empty Debian -----------------------------------------------------------------------------

# With PostgreSQL, so that a test needs nothing from the mirror but the libraries of the package.
make_empty() {
    say "making an empty $SUITE"
    quietly debootstrap --variant=minbase --include=ca-certificates,curl,postgresql,systemd-sysv "$SUITE" "$root" ${MIRROR:+"$MIRROR"}
    tar -C "$root" -cf "$empty.new" . && mv "$empty.new" "$empty"
}

# What systemd expects of a container. It becomes process 1.
boot() {
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null zero full random urandom tty; do
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    mkdir "$root/dev/shm" "$root/run/host"
    mount -t tmpfs tmpfs "$root/dev/shm"
    cd "$root"
    pivot_root . run/host
    umount -l /run/host
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
}

start_systemd() {
    local unshare
    cgroup=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)/plyd-deb.$$
    mkdir "$cgroup"
    export root
    export -f boot
    (
        echo $BASHPID >"$cgroup/cgroup.procs"
        exec unshare --fork --kill-child --mount --uts --ipc --pid --cgroup bash -e -c boot
    ) >>"$log" 2>&1 &
    unshare=$!
    wait_until pgrep -P $unshare >/dev/null
    systemd=$(pgrep -P $unshare)
    wait_until is_up
}

# A service of Debian that cannot run in a container leaves the system degraded. It is none of ours.
is_up() { [[ $(inside systemctl is-system-running --wait 2>/dev/null) =~ ^(running|degraded)$ ]]; }

open_root() {
    if [ -e "$empty" ]; then tar -C "$root" -xf "$empty"; else make_empty; fi
    chmod 755 "$root"
    start_systemd
    quietly inside apt-get update
    postgres=$(ls "$root/usr/lib/postgresql")
}

# Every file that is there, but for what changes by itself. dpkg keeps the lists of packages in var/.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./srv -o -path ./var/lib/dpkg -o -path ./var/cache -o \
        -path ./var/log -o -path ./run \) -prune -o -print | LC_ALL=C sort)
}

# ---- the package ---------------------------------------------------------------------------------

install_package() {
    cp "$1" "$root/srv/plyd.deb"
    quietly inside apt-get install -y --allow-downgrades --no-install-recommends \
        -o Dpkg::Options::=--force-confold /srv/plyd.deb
}

# The same package with a higher version and another line in its conffile.
next_package() {
    rm -rf "$root/srv/next"
    dpkg-deb -R "$package" "$root/srv/next"
    sed -i 's/^Version: .*/&+next/' "$root/srv/next/DEBIAN/control"
    echo '# A line of the next version.' >>"$root/srv/next/etc/plyd.env"
    dpkg-deb --root-owner-group -b "$root/srv/next" "$root/srv/next.deb" >/dev/null
}

version() { inside dpkg-query -W -f '${Version}' plyd; }

# What a migration of the next version leaves that lets this one run.
migrate_as_next() {
    echo "insert into schema_migrations select max(number) + 1, 'next', '', now(), max(number) from schema_migrations" |
        inside runuser -u plyd -- psql -Xq plyd
}

# As README.Debian says it. The cluster of PostgreSQL's package is made here: debootstrap has no /proc,
# without which the package cannot. It leaves the ports of this machine alone.
make_database() {
    quietly inside pg_createcluster --port 5432 "$postgres" main -o listen_addresses=''
    quietly inside pg_ctlcluster "$postgres" main start
    quietly inside runuser -u postgres -- createuser plyd
    quietly inside runuser -u postgres -- createdb --owner=plyd --encoding=UTF8 --locale=C --template=template0 plyd
}

ask() { inside curl -sf "$@"; }

is_ready() { ask 127.0.0.1:8099/readyz >/dev/null; }

# What the unit forbids must not be needed: not by workers, nor by the engine, nor for names of hosts.
serve_a_game() {
    local id
    wait_until is_ready
    ask -d '{}' -H 'Content-Type: application/json' 127.0.0.1:8099/v1/variants/shogi/check >/dev/null
    ask -H 'Content-Type: text/plain' -d 'position startpos moves 7g7f' 127.0.0.1:8099/v1/games/import >/dev/null
    ask -H 'Content-Type: application/json' -d '{"variant":"jungle","seats":[{"me":true},{"engine":"plyd","level":1}]}' \
        127.0.0.1:8099/v1/games >"$root/srv/game"
    id=$(sed 's/.*"id":"\([^"]*\)".*/\1/' "$root/srv/game")
    ask -X PUT -H 'Prefer: wait=20' -H 'Content-Type: text/plain' -d a3a4 \
        -H "Authorization: Bearer $(sed 's/.*"token":"\([^"]*\)".*/\1/' "$root/srv/game")" \
        "127.0.0.1:8099/v1/games/$id/moves/1" | grep -q '"answers"'
    quietly inside runuser -u plyd -- plyd verify --database "$(sed -n 's/^DATABASE_URL=//p' "$root/etc/plyd.env")"
    [ "$(inside systemctl show --property NRestarts --value plyd)" = 0 ]
}

# Manuals and examples can be read as they are, and every link from one manual to another leads somewhere. The licence
# is Debian's file copyright. What is about the sources stays with them.
readonly with_sources='LICENSE|HACKING.md|ARCHITECTURE.md|CONTRIBUTING.md|.*/README.md|contrib/debian/.*'
manuals_lead_somewhere() {
    local doc=$root/usr/share/doc/plyd manual link
    for manual in "$doc"/*.md "$doc"/docs/*.md; do
        while read -r link; do
            [[ -e $(dirname "$manual")/$link || $link =~ ^($with_sources)$ ]] ||
                { echo "$manual: $link leads nowhere" >&2; return 1; }
        done < <(sed 's/](/\n](/g' "$manual" | sed -n '/:\/\//d; s/^](\([^)#]\{1,\}\)[)#].*/\1/p')
    done
    [ -s "$doc/docs/pictures/dashboard.svg" ]
    [ -s "$doc/examples/grafana/plyd.json" ]
    [ -s "$doc/examples/prometheus/alerts.yml" ]
    [ -s "$doc/examples/nginx.conf" ]
}

process() { inside systemctl show --property MainPID --value plyd; }

# ---- the test ------------------------------------------------------------------------------------

trap 'echo "plyd: check-deb failed at line $LINENO: $BASH_COMMAND; see $log" >&2; inside journalctl -u plyd --no-pager -n 30 >&2 || true' ERR
trap clean_up EXIT
open_root

say 'installed: it has a user, a unit, manuals, examples and a conffile that only root reads'
install_package "$package"
inside id plyd >/dev/null
[ "$(inside stat -c '%a %U' /etc/plyd.env)" = '640 root' ]
[ "$(inside plyd version)" = "plyd $(version)" ]
[ -s "$root/usr/share/man/man1/plyd.1.gz" ]
manuals_lead_somewhere
[ "$(inside dpkg -V plyd)" = '' ]

say 'serving: a game is kept, by the unit and the commands of README.Debian'
make_database
echo 'PLYD_LISTEN=127.0.0.1:8099' >>"$root/etc/plyd.env"
# The device nodes of this machine are bound one by one here, which PrivateDevices cannot take along.
mkdir -p "$root/etc/systemd/system/plyd.service.d"
printf '[Service]\nPrivateDevices=no\n' >"$root/etc/systemd/system/plyd.service.d/devices.conf"
quietly inside systemctl daemon-reload
quietly inside systemctl start plyd
serve_a_game
first=$(process)

say 'upgraded: what the administrator wrote stays, and the new daemon runs'
next_package
install_package "$root/srv/next.deb"
[[ $(version) == *+next ]]
grep -q 8099 "$root/etc/plyd.env"
fails grep -q 'next version' "$root/etc/plyd.env"
serve_a_game
[ "$(process)" != "$first" ]

say 'gone back: the version before serves on the schema of the next one'
next=$(process)
migrate_as_next
install_package "$package"
[[ $(version) != *+next ]]
wait_until is_ready
[[ $(ask 127.0.0.1:8099/readyz) =~ '"program":'([0-9]+),'"database":'([0-9]+) ]]
[ "${BASH_REMATCH[2]}" = $((BASH_REMATCH[1] + 1)) ]
inside journalctl -u plyd | grep -q newer-schema
serve_a_game
[ "$(process)" != "$next" ]

say 'removed: the settings and the games stay, and the daemon ended well'
quietly inside apt-get remove -y plyd
fails taken 8099
inside journalctl -u plyd | grep -q 'Deactivated successfully'
fails grep -q 'Failed with result' <(inside journalctl -u plyd)
[ ! -e "$root/usr/bin/plyd" ]
[ -e "$root/etc/plyd.env" ]

say 'purged: nothing of the package is left but its user'
quietly inside apt-get purge -y plyd
rm -r "$root/etc/systemd/system/plyd.service.d" # ours
files >"$root/srv/left"
fails grep plyd "$root/srv/left"
inside id plyd >/dev/null
rm -f "$log"
