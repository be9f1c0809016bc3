#!/bin/bash
# names.sh - whether names lead to one place. Prints static functions of api/ and db/ whose name stands in more than two
# files, which a backtrace or a breakpoint does not tell apart; and what comments name as function() or file.h and is
# not there any more.
set -euo pipefail

# Headers of libraries are named as <file.h>, and parts of names as FORM_file.h or %s_file.h.
find api contract db engine rules tests examples scripts -name '*.[ch]' -o -name '*.def' | sort | xargs awk '
function take_comment(text,    at, word) {
    while (match(text, /[a-z][a-z0-9_]*\(\)/)) {
        word = substr(text, RSTART, RLENGTH - 2)
        if (RSTART == 1 || substr(text, RSTART - 1, 1) !~ /[A-Za-z0-9_%]/)
            functions[FILENAME ":" FNR ": " word] = word
        text = substr(text, RSTART + RLENGTH)
    }
}
function take_files(text,    word) {
    while (match(text, /[a-z][a-z0-9_\/]*\.[ch]([^a-z]|$)/)) {
        word = substr(text, RSTART, RLENGTH)
        sub(/[^a-z]$/, "", word)
        if (RSTART == 1 || substr(text, RSTART - 1, 1) !~ /[A-Za-z0-9_%<]/)
            named[FILENAME ":" FNR ": " word] = word
        text = substr(text, RSTART + RLENGTH)
    }
}
function take_code(text) {
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        known[substr(text, RSTART, RLENGTH)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}
FNR == 1 {
    is_comment = 0
    path = FILENAME
    do {
        there[path] = 1
    } while (sub(/^[^\/]*\//, "", path))
}
/^static / && FILENAME ~ /^(api|db)\/.*\.c$/ && match($0, /[a-z][a-z0-9_]*\(/) {
    name = substr($0, RSTART, RLENGTH - 1)
    if (!((name, FILENAME) in places)) {
        places[name, FILENAME] = 1
        count[name]++
        list[name] = list[name] " " FILENAME
    }
}
{
    line = $0
    while (line != "") {
        if (is_comment) {
            end = index(line, "*/")
            comment = end ? substr(line, 1, end - 1) : line
            take_comment(comment)
            take_files(comment)
            line = end ? substr(line, end + 2) : ""
            is_comment = !end
        } else {
            begin = index(line, "/*")
            take_code(begin ? substr(line, 1, begin - 1) : line)
            line = begin ? substr(line, begin + 2) : ""
            is_comment = begin > 0
        }
    }
}
END {
    for (name in count)
        if (count[name] > 2) {
            print "a static function in " count[name] " files: " name ":" list[name]
            failed = 1
        }
    for (at in functions)
        if (!(functions[at] in known)) {
            print at "() is not there"
            failed = 1
        }
    for (at in named)
        if (!(named[at] in there)) {
            print at " is not there"
            failed = 1
        }
    exit failed
}' >&2
