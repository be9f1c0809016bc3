#!/bin/bash
# lists.sh [--check] - writes the lists of files in the READMEs, from what the first line of each file says.
#
# A README.md with a section "Files" has a table there: a row for each .c, .h and .def of its folder that stands for
# itself. A .c and the .h of its name are one row, and the header tells what it is. With --check nothing is written, and
# the exit code says whether something would be.
set -euo pipefail
shopt -s nullglob

# What a file is, as its first sentence says behind its name.
sentence() {
    awk '
        NR == 1 && !/^\/\*/ { exit }
        { sub(/^\/\*[ ]?|^ \*[ ]?/, ""); ends = sub(/ *\*\/$/, "") }
        NR > 1 && $0 == "" && text != "" { exit }
        { text = text (text == "" || $0 == "" ? "" : " ") $0 }
        ends { exit }
        END {
            if (!sub(/^[^ ]+ - /, "", text))
                exit
            sub(/[.] .*|: *[A-Z]+\(.*/, "", text)
            sub(/[.:]$/, "", text)
            print text
        }' "$1"
}

# The rows of a folder: "| `file.c` | what it is |", by their names.
rows() {
    local folder=$1 file stem told text

    for file in "$folder"/*.{c,h,def}; do
        stem=${file%.*}
        [[ $file != *.h || ! -e $stem.c ]] || continue
        told=$file
        [[ $file != *.c || ! -e $stem.h ]] || told=$stem.h
        text=$(sentence "$told")
        [ -n "$text" ] || text=$(sentence "$file")
        [ -n "$text" ] || [[ $file != *.def ]] || continue # numbers that a program has written
        [ -n "$text" ] || { echo "$told: its first line does not say what it is" >&2; return 1; }
        echo "| \`${file##*/}\` | ${text//|/\\|} |"
    done | LC_ALL=C sort
}

# A README with the rows of its folder in place of those that it has.
with_rows() {
    awk -v rows="$2" '
        /^## / { files = ($0 == "## Files"); print; next }
        files && /^\| `[a-z_0-9]+\.(c|h|def)` \|/ { if (!written++) print rows; next }
        { print }' "$1"
}

stale=0
for page in $(git ls-files 'api/*README.md' db/README.md engine/README.md); do
    grep -q '^## Files' "$page" || continue
    list=$(rows "$(dirname "$page")")
    text=$(with_rows "$page" "$list")
    [ "$text" != "$(<"$page")" ] || continue
    if [ "${1:-}" = --check ]; then
        diff <(echo "$text") "$page" | sed -n "s|^[<>] |$page: |p" >&2
        stale=1
    else
        echo "$text" >"$page"
    fi
done
exit $stale
