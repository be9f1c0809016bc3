#!/bin/bash
# previous.sh - prints the program of the release before this one, which `make check-back` runs on this one's schema.
#
# The release before is the commit in migrations/PREVIOUS. It is built from git once, in build/previous/COMMIT. Where git
# does not have the commit, as in a shallow clone, it is fetched; where that fails, so does this. Then
# PLYD_TEST_PREVIOUS may name a program that was built elsewhere.
set -euo pipefail

commit=$(sed -n 's/^\([0-9a-f]\{40\}\)$/\1/p' migrations/PREVIOUS)
folder=build/previous/$commit
program=${PLYD_TEST_PREVIOUS:-$folder/build/release/plyd}

if [ ! -x "$program" ]; then
    git cat-file -e "$commit" 2>/dev/null || git fetch --quiet --depth 1 origin "$commit" || {
        echo "plyd: git has no commit $commit, the release before this one: name its program in PLYD_TEST_PREVIOUS" >&2
        exit 1
    }
    rm -rf "$folder"
    mkdir -p "$folder"
    git archive "$commit" | tar -x -C "$folder"
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$folder" all >"$folder.log" 2>&1 || {
        tail -20 "$folder.log" >&2
        exit 1
    }
fi
echo "$program"
