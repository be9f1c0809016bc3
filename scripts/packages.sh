#!/bin/bash
# packages.sh - the packages that plyd is built, run and tested with.
#
#   packages.sh check GROUP...     name what is missing, and how to install it, in one line; exit 1
#   packages.sh install GROUP...   install what is missing, with apt-get; silent if nothing is
#
# The groups are those of the list below. A check takes a few milliseconds and asks no package manager,
# so it can run before every build, on any system.
set -euo pipefail

self=$(realpath "$0")

# Group, Debian's name of the package, and a command that succeeds if it is installed.
list() {
    cat <<END
build  gcc                type -P gcc
build  libc6-dev          test -e /usr/include/stdio.h
build  pkg-config         type -P pkg-config
build  libmicrohttpd-dev  pkg-config --exists libmicrohttpd
build  libgnutls28-dev    pkg-config --exists gnutls
build  nettle-dev         pkg-config --exists hogweed nettle gmp
build  libcjson-dev       pkg-config --exists libcjson
build  libpq-dev          pkg-config --exists libpq
build  libsodium-dev      pkg-config --exists libsodium
build  libcurl4-openssl-dev  pkg-config --exists libcurl
build  libyaml-dev        pkg-config --exists yaml-0.1
build  zlib1g-dev         pkg-config --exists zlib
server postgresql         postgres_programs
run    curl               type -P curl
test   libcriterion-dev   pkg-config --exists criterion
test   curl               type -P curl
browser  chromium-headless-shell  type -P ${CHROMIUM:-chromium-headless-shell}
browser  npm               type -P npm
browsers  firefox-esr      type -P ${FIREFOX:-firefox-esr}
clients  npm               type -P npm
clients  python3           type -P python3
clients  mypy              type -P mypy
clients  default-jdk-headless  type -P javac
clients  libjackson2-databind-java  test -e /usr/share/java/jackson-databind.jar
kotlin  kotlin             type -P kotlinc
kotlin  libjackson2-databind-java  test -e /usr/share/java/jackson-databind.jar
kotlin  nodejs             type -P node
confine  systemd          type -P systemd-analyze
lint   clang              type -P clang
lint   clang-format       type -P clang-format
lint   clang-tidy         type -P clang-tidy
lint   shellcheck         type -P shellcheck
cover  gcovr              type -P gcovr
fuzz   clang              type -P clang
fuzz   libclang-rt-dev    clang_has_fuzzer
bench  postgresql         has_pgbench
bench  fairy-stockfish    test -x /usr/games/fairy-stockfish
patroni  patroni          type -P patroni
patroni  python3-etcd     test -e /usr/lib/python3/dist-packages/etcd/client.py
patroni  etcd-server      type -P etcd
patroni  haproxy          test -x /usr/sbin/haproxy
proxies  nginx            test -x /usr/sbin/nginx
proxies  caddy            type -P caddy
proxies  haproxy          test -x /usr/sbin/haproxy
proxies  openssl          type -P openssl
proxies  curl             type -P curl
monitoring  prometheus    type -P prometheus
monitoring  nodejs        type -P node
deb    build-essential    test -e /usr/share/build-essential/list
deb    dpkg-dev           type -P dpkg-buildpackage
deb    debhelper          type -P dh
deb    fakeroot           type -P fakeroot
deb    lintian            type -P lintian
deb    debootstrap        type -P debootstrap
END
}

postgres_programs() { "$(dirname "$self")/postgres.sh" programs; }

has_pgbench() { test -x "$(postgres_programs)/pgbench"; }

clang_has_fuzzer() {
    type -P clang && test -e "$(clang --print-file-name=libclang_rt.fuzzer-x86_64.a)"
}

find_missing() {
    local group package probe
    missing=()
    while read -r group package probe; do
        [[ " $* " == *" $group "* ]] || continue
        $probe >/dev/null 2>&1 || missing+=("$package")
    done < <(list)
}

say_missing() {
    if type -P apt-get >/dev/null; then
        local sudo=''
        [ $EUID -eq 0 ] || sudo='sudo '
        echo "plyd: packages are missing: ${sudo}apt-get install ${missing[*]}" >&2
    else
        echo "plyd: libraries or programs are missing, by Debian's names: ${missing[*]}" >&2
    fi
    return 1
}

# Debian's package of the server makes and starts a cluster for the whole system, unless this setting
# forbids it during the installation. The private server needs no such cluster.
readonly cluster_settings=/etc/postgresql-common/createcluster.d

forbid_system_cluster() {
    trap allow_system_cluster EXIT
    mkdir -p $cluster_settings
    echo 'create_main_cluster = false' >$cluster_settings/plyd.conf
}

allow_system_cluster() {
    rm -f $cluster_settings/plyd.conf
    rmdir --ignore-fail-on-non-empty $cluster_settings
}

apt() { apt-get -qq -y -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

install_missing() {
    local output
    export DEBIAN_FRONTEND=noninteractive
    echo "plyd: installing ${missing[*]}" >&2
    [[ " ${missing[*]} " != *' postgresql '* ]] || forbid_system_cluster
    output=$({ apt update && apt install --no-install-recommends "${missing[@]}"; } 2>&1) || {
        echo "$output" >&2
        return 1
    }
}

command=${1:-}
shift || true
find_missing "$@"
[ ${#missing[@]} -gt 0 ] || exit 0
case $command in
check) say_missing ;;
install)
    if ! type -P apt-get >/dev/null; then
        say_missing
    elif [ $EUID -eq 0 ]; then
        install_missing
    elif type -P sudo >/dev/null; then
        echo "plyd: using sudo to install ${missing[*]}" >&2
        exec sudo "$self" install "$@"
    else
        say_missing
    fi
    ;;
*) sed -n 's/^#   //p' "$self" >&2 && exit 2 ;;
esac
