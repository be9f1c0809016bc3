#!/bin/bash
# bytes.sh - builds the commit twice, in folders with unlike names, one after the other, with another
# language and another time zone, and says whether both programs have the same bytes. No cache of objects is asked.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

build() { # NAME [SETTING=VALUE...]
    local name=$1

    shift
    git clone -q --no-hardlinks . "$folder/$name"
    (cd "$folder/$name" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL CCACHE_DISABLE=1 "$@" make all >"$folder/$name.log" 2>&1) ||
        { tail -n 40 "$folder/$name.log" >&2; exit 1; }
}

build one LC_ALL=C TZ=UTC
build 'another-folder-with-a-longer-name' LC_ALL=C.UTF-8 TZ=Asia/Tokyo
cmp "$folder"/{one,another-folder-with-a-longer-name}/build/release/plyd ||
    { echo "plyd: two builds of one commit differ" >&2; exit 1; }
sha256sum "$folder/one/build/release/plyd" | sed 's/ .*/  plyd/'
