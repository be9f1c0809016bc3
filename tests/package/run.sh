#!/bin/bash
# run.sh PACKAGE - installs a package of plyd in an empty Debian, serves games there with it, upgrades,
# removes and purges it. Needs root and debootstrap. `make check-deb` calls it.
#
# The empty Debian is made once, in build/deb-root.tar; MIRROR names where from, if debootstrap should not take
# what it usually does. All else happens in a folder that is deleted at the end.
set -Eeuo pipefail

SUITE=${SUITE:-bookworm}
[ -e "$1" ] || { echo "plyd: there is no package: make deb" >&2; exit 1; }
package=$(realpath "$1")
cd "$(dirname "$0")/../.."
. tests/support/shell.sh
empty=$PWD/build/deb-root.tar
root=$(mktemp -d "${TMPDIR:-/tmp}/plyd-deb.XXXXXX")
log=$root.log

[ $EUID -eq 0 ] || { echo "plyd: check-deb has to be root" >&2; exit 1; }

say() { printf '  %-7s %s\n' DEB "$*"; }

clean_up() {
    [ ! -e "$root/tmp/plyd.pid" ] || kill -9 "$(cat "$root/tmp/plyd.pid")" 2>/dev/null || true
    inside pg_ctlcluster -m immediate "${postgres:-0}" main stop >/dev/null 2>&1 || true
    umount "$root/proc" 2>/dev/null || true
    rm -rf -- "${root:?}"
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}
quietly() { "$@" >>"$log" 2>&1 || { tail -n 30 "$log" >&2; return 1; }; }

# ---- an empty Debian -----------------------------------------------------------------------------

# With PostgreSQL, so that a test needs nothing from the mirror but the libraries of the package.
make_empty() {
    say "making an empty $SUITE"
    quietly debootstrap --variant=minbase --include=ca-certificates,curl,postgresql "$SUITE" "$root" ${MIRROR:+"$MIRROR"}
    tar -C "$root" -cf "$empty.new" . && mv "$empty.new" "$empty"
}

open_root() {
    if [ -e "$empty" ]; then tar -C "$root" -xf "$empty"; else make_empty; fi
    chmod 755 "$root"
    mount -t proc proc "$root/proc"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    quietly inside apt-get update
    postgres=$(ls "$root/usr/lib/postgresql")
}

# Every file that is there, but for what changes by itself. dpkg keeps the lists of packages in var/.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/cache -o \
        -path ./var/log -o -path ./run \) -prune -o -print | LC_ALL=C sort)
}

# ---- the package ---------------------------------------------------------------------------------

install_package() {
    cp "$1" "$root/tmp/plyd.deb"
    quietly inside apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold /tmp/plyd.deb
}

# The same package with a higher version and another line in its conffile.
next_package() {
    rm -rf "$root/tmp/next"
    dpkg-deb -R "$package" "$root/tmp/next"
    sed -i 's/^Version: .*/&+next/' "$root/tmp/next/DEBIAN/control"
    echo '# A line of the next version.' >>"$root/tmp/next/etc/plyd.env"
    dpkg-deb --root-owner-group -b "$root/tmp/next" "$root/tmp/next.deb" >/dev/null
}

version() { inside dpkg-query -W -f '${Version}' plyd; }

# As README.Debian says it. The cluster of PostgreSQL's package is made here: debootstrap has no /proc,
# without which the package cannot. It leaves the ports of this machine alone.
make_database() {
    quietly inside pg_createcluster --port 5432 "$postgres" main -o listen_addresses=''
    quietly inside pg_ctlcluster "$postgres" main start
    quietly inside runuser -u postgres -- createuser plyd
    quietly inside runuser -u postgres -- createdb --owner=plyd --encoding=UTF8 --locale=C --template=template0 plyd
}

# Runs what the unit runs, in its order, as its user and with its settings.
as_the_unit() {
    local command
    command=$(sed -n "s/^$1=//p" "$root/lib/systemd/system/plyd.service")
    [ -n "$command" ]
    # shellcheck disable=SC2016
    inside runuser -u plyd -- sh -c 'echo $$ >/tmp/plyd.pid; set -a; . /tmp/plyd.env; exec $0' "$command"
}

serve_a_game() {
    install -m 644 "$root/etc/plyd.env" "$root/tmp/plyd.env"
    quietly as_the_unit ExecStartPre
    as_the_unit ExecStart 2>>"$log" &
    local daemon=$! id
    timeout 30 bash -c 'until curl -sf 127.0.0.1:8099/readyz >/dev/null; do sleep 0.1; done'
    id=$(curl -sf -H 'Accept: text/plain' -d variant=tictactoe 127.0.0.1:8099/v1/games | awk '/^id/ { print $2 }')
    curl -sf "127.0.0.1:8099/v1/games/$id" >/dev/null
    quietly inside runuser -u plyd -- plyd verify --database "$(sed -n 's/^DATABASE_URL=//p' "$root/etc/plyd.env")"
    kill "$(cat "$root/tmp/plyd.pid")"
    wait "$daemon"
    rm "$root/tmp/plyd.pid"
}

# ---- the test ------------------------------------------------------------------------------------

trap 'echo "plyd: check-deb failed at line $LINENO: $BASH_COMMAND; see $log" >&2' ERR
trap clean_up EXIT
open_root

say 'installed: it has a user, a unit, a manual and a conffile that only root reads'
install_package "$package"
inside id plyd >/dev/null
[ "$(inside stat -c '%a %U' /etc/plyd.env)" = '640 root' ]
[ "$(inside plyd version)" = "plyd $(version)" ]
[ -s "$root/usr/share/man/man1/plyd.1.gz" ]
[ "$(inside dpkg -V plyd)" = '' ]

say 'serving: a game is kept, by the commands of the unit and of README.Debian'
make_database
echo 'PLYD_LISTEN=127.0.0.1:8099' >>"$root/etc/plyd.env"
serve_a_game

say 'upgraded: what the administrator wrote stays'
next_package
install_package "$root/tmp/next.deb"
[[ $(version) == *+next ]]
grep -q 8099 "$root/etc/plyd.env"
fails grep -q 'next version' "$root/etc/plyd.env"
serve_a_game

say 'removed: the settings and the games stay'
quietly inside apt-get remove -y plyd
[ ! -e "$root/usr/bin/plyd" ]
[ -e "$root/etc/plyd.env" ]

say 'purged: nothing of the package is left but its user'
quietly inside apt-get purge -y plyd
files >"$root/tmp/left"
fails grep plyd "$root/tmp/left"
inside id plyd >/dev/null
rm -f "$log"
