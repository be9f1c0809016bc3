#!/bin/bash
# fills.sh - what a caller can fill has a row in docs/threats.md: each file of the daemon that keeps memory beyond a
# request, and each table of the database. Memory that lasts is what is not a request's arena, so it is known by who asks for it.
set -euo pipefail

document=docs/threats.md
folders=(api/http api/loop api/net api/identity api/live api/stream api/duty api/hooks api/endpoints db)
failed=0

report() {
    echo "$document: $1" >&2
    failed=1
}

# The names between backticks in the tables.
# shellcheck disable=SC2016
named() {
    sed -n '/^## What a caller can fill/,/^## /{ /^## What a caller/d; s/^| \(`[^|]*\) |.*/\1/p; }' "$document" | grep -o '`[^`]*`' | tr -d '`'
}

keepers() {
    grep -rlE --include='*.c' '\b(must_(alloc|zero|realloc|copy)|malloc|calloc|realloc|strdup)\(' "${folders[@]}" |
        sed 's/^api\///; s/^endpoints\///'
}

tables() {
    grep -hoE '^create table (if not exists )?[a-z_]+' migrations/*.sql | sed 's/.* //'
}

missing=$(comm -23 <({ keepers; tables; } | sort -u) <(named | sort -u))
for name in $missing; do
    report "$name can be filled, and has no row"
done
vain=$(comm -13 <({ keepers; tables; } | sort -u) <(named | grep -E '\.c$|^[a-z_]+$' | sort -u))
for name in $vain; do
    report "$name has a row, and keeps nothing"
done
exit "$failed"
