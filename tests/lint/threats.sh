#!/bin/bash
# threats.sh - whether docs/threats.md has a row for every header that is read in api/, and names only files and
# tests that there are. Prints what is missing.
set -euo pipefail

readonly page=docs/threats.md
missing=0

miss() {
    echo "$page: $*" >&2
    missing=1
}

headers=$(grep -rhoE 'request_header(_list)?\([a-z]+, "[A-Za-z-]+"' api --include='*.c' | grep -oE '"[^"]+"' | tr -d '"' | sort -u)
for header in $headers; do
    grep -qF "\`$header\`" "$page" || miss "no row for the header $header"
done

while read -r file name; do
    if [ ! -f "$file" ]; then
        miss "there is no $file"
    elif [ -n "$name" ] && ! grep -qE "\b$name\b" "$file"; then
        miss "$file has no test $name"
    fi
done < <(grep -oE '`tests/[A-Za-z0-9_/.]+`( `[a-z0-9_]+`)?' "$page" | tr -d '`')

exit "$missing"
