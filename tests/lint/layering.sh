#!/bin/bash
# layering.sh FOLDER... - who may include whom: api knows db and rules, db and rules know neither each
# other nor api, rules has no game that knows another, engine knows rules, each of its games the
# folder of that game alone, and each foreign library is known in one place. The folders of api are named in their order: each includes itself and those before it.
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
only "$c|$top|\"rules/draw/art.h\"" 'rules/*.[ch] include only each other, art.h, and C headers that need no system' rules/*.@(c|h|def)
for folder in rules/*/; do
    only "$c|$top|\"$folder|\"rules/draw/art.h\"|\"embed/${folder}[^/]*.md.inc\"" \
        "$folder includes only itself, its rulebook, rules/*.h, rules/draw/art.h and C headers that need no system" \
        "$folder"*.@(c|h|def)
done

# In engine/ the files of a game (GAME.c, GAME_worth.c) include the folder of that game, too.
for file in engine/*.@(c|h); do
    game=$(basename "$file")
    game=${game%%[._]*}
    only "<(stddef|stdint|stdbool|stdatomic|string)\.h>|\"engine/|\"rules/((module|rules|mix)\.h|games\.def)\"|\"rules/$game/" \
        "$file includes engine/, module.h, rules.h, mix.h, the folder of its own game and C headers that need no system" \
        "$file"
done

only '<|"(contract|rules)/' 'contract/ includes only itself, rules/ and C headers' contract/*.@(c|h)

never '"(api|contract|rules|engine|tests)/' 'db/ includes neither api/ nor rules/ nor engine/' db/*.@(c|h|def)

# What each folder of api/ knows of db/, rules/ and engine/, beside the folders before it.
readonly rules='rules/((rules|module|words)\.h|codes\.def|draw/[a-z]+\.h)' db='db/((db|due|hooks|library|tasks)\.h|replies\.def)' engine='engine/engine\.h'
declare -A also=(
    [text]="$rules" [record]="$rules|rules/shogi/[a-z]+\.h" [game]="$rules|$db|$engine" [view]="$rules|$db|$engine"
    [http]="" [loop]="$db|$engine" [net]="" [identity]="$db" [live]="$rules|$db" [stream]="$rules|$db" [duty]="$rules|$db" [hooks]="$rules|$db"
    [endpoints]="$rules|$db|$engine" [tool]="$rules|contract/[a-z]+\.h|db/(db|due|hooks|library|tasks|inspect|migrate|scan)\.h|$engine"
    [terminal]="$rules|$db|$engine"
)
may=''
for folder; do
    may+="api/$folder/|"
    only "<|\"(${may%|}|${also[$folder]}|embed/)" \
        "api/$folder/ includes itself, the folders before it ($*), and of db/ and rules/ what it may" \
        api/"$folder"/{,*/}*.@(c|h|def)
done
only '<|"(api/(text|record|game|view|terminal)/|embed/version\.h|rules/|db/db\.h|engine/engine\.h)' \
    'api/terminal/ needs no daemon: of api/ it includes the pure folders alone' api/terminal/*.@(c|h|def)
folders=(api/*/)
[ "${#folders[@]}" -eq $(($# + 1)) ] ||
    report "${folders[*]}" 'every folder of api/ is in the list, but for api/pages/'

# Each foreign library has one place that knows it.
outside() { printf '%s\n' {api,api/*,api/*/*,db,rules,rules/*}/*.[ch] | grep -vE "^($1)$"; }
mapfile -t files < <(outside 'api/net/mhd\.c')
never 'microhttpd' 'microhttpd.h is for api/net/mhd.c alone' "${files[@]}"
mapfile -t files < <(outside 'api/net/[a-z]+\.[ch]')
never '"api/net/parts\.h"' 'parts.h is for the files of api/net/ alone' "${files[@]}"
mapfile -t files < <(outside 'api/(http/reply|record/archive|view/png)\.c')
never 'zlib' 'zlib.h is for api/http/reply.c, api/record/archive.c and api/view/png.c' "${files[@]}"
mapfile -t files < <(outside 'db/[a-z]+\.c')
never 'libpq' 'libpq-fe.h is for db/*.c alone' "${files[@]}"
mapfile -t files < <(outside 'api/text/json_(read|fields)\.c')
report "$(grep -Hn 'cJSON_[A-Z]\|struct cJSON\|cJSON\.h' "${files[@]}")" \
    'cJSON is for json_read.c and json_fields.c in api/text/ alone'

mapfile -t files < <(outside 'api/hooks/http_client\.c|api/identity/key_source\.c|api/terminal/fetch\.c')
never 'curl/' 'curl.h is for api/hooks/http_client.c, api/identity/key_source.c and api/terminal/fetch.c' "${files[@]}"

mapfile -t files < <(outside 'api/identity/key_set\.c')
never 'gnutls/' 'GnuTLS is for api/identity/key_set.c alone' "${files[@]}"

mapfile -t files < <(outside 'api/tool/games\.c')
never 'dlfcn' 'dlfcn.h is for api/tool/games.c alone' "${files[@]}"

mapfile -t files < <(outside 'api/hooks/web_push\.c')
never 'nettle/' 'nettle is for api/hooks/web_push.c alone' "${files[@]}"

# What endpoints/ asks of the database, a request asks, and pays for what is done with the answer; so it is in live/
# and stream/, but for what a loop asks for itself. An export of many games has a stream, and no request. The functions that
# ask are those that take a callback.
asking=$(grep -Pzoh 'void \w+\([^)]*_callback \*done' db/*.h api/{*,*/*}/*.h | tr '\0\n' '\n ' |
    grep -oP '(?<=void )\w+(?=\()' | sort -u | paste -sd'|')
[[ $asking == *db_get_game* ]] || report "$asking" 'no function of db.h takes a callback by the name of done'
for file in api/endpoints/{*,*/!(exports)}.c api/live/!(op|other_writers|token_use).c api/stream/!(token_holders|channels|game_stream|player_stream).c; do
    report "$(grep -Pzo "\b($asking)(\((?:[^()]++|(?2))*+\))" "$file" | grep -zvP '\bASK(_STEP)?(_ALSO)?\(' | tr '\0' '\n')" \
        "$file: what a request asks of the database goes by ASK() and its like (live/ask.h)"
done

# The page of a folder has a list of its files.
scripts/lists.sh --check || { echo "  layering: make lists writes the lists of files in the READMEs" && broken=1; }

exit $broken
