#!/bin/bash
# debian.sh RELEASE - builds plyd and runs the whole suite in an empty Debian of that release, as
# somebody would who has just cloned it there: with what the README says, and with warnings as
# errors. Needs root and debootstrap. `make check-debian` calls it.
#
# The empty Debian is made once, in build/debian-RELEASE.tar; MIRROR names where from, if debootstrap
# should not take what it usually does. All else happens in a folder that is deleted at the end.
set -euo pipefail

release=$1
cd "$(dirname "$0")/../.."
empty=$PWD/build/debian-$release.tar

say() { printf '  %-7s %s\n' DEBIAN "$*"; }

[ $EUID -eq 0 ] || { echo "plyd: check-debian has to be root" >&2; exit 1; }
root=$(mktemp -d "${TMPDIR:-/tmp}/plyd-debian.XXXXXX")
trap 'rm -rf --one-file-system -- "${root:?}" "$root.log"' EXIT

make_empty() {
    say "making an empty $release"
    debootstrap --variant=minbase --include=ca-certificates "$release" "$root" ${MIRROR:+"$MIRROR"} \
        >"$root.log" 2>&1 || { tail -n 30 "$root.log" >&2; return 1; }
    tar -C "$root" -cf "$empty.new" . && mv "$empty.new" "$empty"
}

# Only the network is this machine's, and whom it trusts there. What runs in the background ends with the command, as do its mounts.
# shellcheck disable=SC2016 # the shell inside expands it
inside() {
    unshare --mount --pid --ipc --fork --kill-child bash -e -c '
        mount --make-rprivate /
        mount -t proc proc "$1/proc"
        mount --rbind /sys "$1/sys"
        mount --rbind /dev "$1/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
        mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C.UTF-8 CI=1 \
            NODE_EXTRA_CA_CERTS=/srv/trusted.crt npm_config_cafile=/srv/trusted.crt \
            DEBIAN_FRONTEND=noninteractive sh -e -c "cd /srv; $2"' bash "$root" "$1" </dev/null
}

mkdir -p build
if [ -e "$empty" ]; then tar -C "$root" -xf "$empty"; else make_empty; fi
chmod 755 "$root"
cp /etc/resolv.conf "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/srv/trusted.crt"
mkdir "$root/srv/plyd"
git ls-files -z | xargs -0 cp -a --parents -t "$root/srv/plyd"

say "testing plyd in $release"
inside 'apt-get -qq update && apt-get -qq install -y --no-install-recommends git make >/dev/null
    cd plyd && git init -q && git add -A && make test'
say "making a package in $release"
inside 'cd plyd && make deb'
mkdir -p "build/deb-$release"
cp "$root"/srv/plyd/build/deb/plyd_*.deb "build/deb-$release/"
SUITE=$release tests/package/run.sh build/deb-"$release"/plyd_*.deb
