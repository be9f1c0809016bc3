#!/bin/bash
# migrations.sh FILE... - a migration that lets older programs run (`-- plyd: oldest N`) only adds: what takes something
# away from them is refused (migrations/README.md).
set -euo pipefail

failed=0

report() {
    echo "$1: $2" >&2
    failed=1
}

# The statements of a file, one a line, without comments.
statements() {
    sed 's/--.*//' "$1" | tr '[:upper:]\n\t' '[:lower:]  ' | tr ';' '\n' | sed 's/  */ /g; s/^ //; s/ $//' | grep . || true
}

# Refuses what matches a pattern, and not another one.
refuse() {
    local file=$1 pattern=$2 why=$3 unless=${4:-^$} found
    found=$(statements "$file" | grep -E "$pattern" | grep -Ev "$unless" | head -n 1) || true
    [ -z "$found" ] || report "$file" "$why: $found"
}

for file in "$@"; do
    name=$(basename "$file")
    number=$((10#${name%%_*}))
    oldest=$(sed -n '/^-- plyd: /!q; s/^-- plyd: oldest \([0-9]*\)$/\1/p' "$file")
    [ -n "$oldest" ] || continue
    [ "$oldest" -ge 10 ] && [ "$oldest" -lt "$number" ] ||
        report "$file" "no program before 10 runs on a newer schema, and each runs on its own: oldest $oldest"
    refuse "$file" '\bdrop (table|column|constraint|default|view|type)\b' 'an older program may need it'
    refuse "$file" '\bdrop index\b' 'an older program may need it' '^drop index concurrently if exists'
    refuse "$file" '\brename\b' 'an older program knows the old name'
    refuse "$file" '\balter column [a-z0-9_"]+ (set data )?type\b' 'an older program reads the old type'
    refuse "$file" '\bset not null\b' 'an older program may write a null'
    refuse "$file" '\badd (constraint|check|unique|primary|foreign|exclude)\b|\bcreate unique index\b' 'an older program may write what that refuses'
    # Column by column: each begins with "add column", or is alone in its statement.
    while read -r column; do
        case $column in
        *'not null'*default* | *default*'not null'*) ;;
        *'not null'*) report "$file" "an older program writes no value there: $column" ;;
        esac
    done < <(statements "$file" | grep -E '^alter table' | sed 's/\badd column\b/\nadd column/g' | grep '^add column' || true)
    refuse "$file" '^truncate\b|^delete from\b' 'an older program may need the rows'
done
exit $failed
