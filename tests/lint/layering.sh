#!/bin/bash
# layering.sh - who may include whom: api knows db and rules, db and rules know neither each other
# nor api, rules has no game that knows another, and each foreign library is known in one place.
# Prints every include that breaks this.
set -euo pipefail
cd "$(dirname "$0")/../.."
shopt -s nullglob extglob

broken=0

includes() { grep -HnE '^ *# *include' "$@" /dev/null; }

report() {
    if [ -n "$1" ]; then
        printf '%s\n  layering: %s\n' "$1" "$2"
        broken=1
    fi
}

# What the files $3... include must match the pattern $1; $2 says so in words.
only() { report "$(includes "${@:3}" | grep -vE "$1")" "$2"; }

# Nothing that the files $3... include may match the pattern $1.
never() { report "$(includes "${@:3}" | grep -E "$1")" "$2"; }

# In rules/ a folder includes itself and the top. Of draw/ a game includes only the art of pictures.
readonly c='<(stddef|stdint|stdbool|string)\.h>' top='"rules/[^/]+"'
only "$c|$top" 'rules/*.[ch] include only each other, and C headers that need no system' rules/*.@(c|h|def)
for folder in rules/*/; do
    only "$c|$top|\"$folder|\"rules/draw/art.h\"" \
        "$folder includes only itself, rules/*.h, rules/draw/art.h and C headers that need no system" \
        "$folder"*.@(c|h|def)
done
never '"(api|rules|tests)/' 'db/ includes neither api/ nor rules/' db/*.[ch]
never 'libpq' 'libpq-fe.h is for db/*.c alone' db/*.h api/*.[ch]
never 'cJSON' 'cJSON is for api/ alone' db/*.[ch]
never 'microhttpd' 'microhttpd.h is for api/http.c alone' db/*.[ch] api/!(http.c|pages)

exit $broken
