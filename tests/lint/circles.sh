#!/bin/bash
# circles.sh OBJECT... - which objects need each other in a circle, so that none of them can be
# linked, tested or understood without the others. Prints each circle with the symbols that make it,
# and fails if there is one that circles.txt does not allow.
set -euo pipefail

mapfile -t objects < <(printf '%s\n' "$@" | LC_ALL=C sort)
nm --print-file-name --extern-only --format=posix "${objects[@]}" |
    awk -v allowed_circles="$(dirname "$0")/circles.txt" '
BEGIN {
    while ((getline line < allowed_circles) > 0)
        allowed[line] = 1
}

{ # build/release/rules/tree.o: SYMBOL TYPE ..., where a type in {U, w} is a need, not a definition
    object = $1
    gsub(/^build\/[^\/]*\/|\.o:$/, "", object)
    if (!known[object]++)
        objects[++nobjects] = object
    if (tolower($3) == "u" || $3 == "w") {
        user[++nwants] = object
        wanted[nwants] = $2
    } else {
        home[$2] = object
    }
}

function add_need(object, owner, symbol) {
    if (!((object, owner) in symbols))
        needs[object, ++nneeds[object]] = owner
    symbols[object, owner] = symbols[object, owner] " " symbol
}

# Marks as reached from `start` what `object` needs, and what that needs in turn.
function walk(start, object,    i, owner) {
    for (i = 1; i <= nneeds[object]; i++) {
        owner = needs[object, i]
        if (!reached[start, owner]++)
            walk(start, owner)
    }
}

# Gathers the circle of an object in members[] and returns it as one line.
function circle_of(object,    i, line) {
    split("", members)
    for (i = 1; i <= nobjects; i++)
        if (reached[object, objects[i]] && reached[objects[i], object]) {
            members[objects[i]] = 1
            line = line (line == "" ? "" : " ") objects[i]
        }
    return line
}

function report(circle,    i, j, object, owner) {
    for (i = 1; i <= nobjects; i++) {
        object = objects[i]
        for (j = 1; object in members && j <= nneeds[object]; j++) {
            owner = needs[object, j]
            if (owner in members)
                print object " needs " owner " for" symbols[object, owner]
        }
    }
    print "  circles: none of these can stand alone: " circle
    broken = 1
}

END {
    for (i = 1; i <= nwants; i++)
        if (wanted[i] in home)
            add_need(user[i], home[wanted[i]], wanted[i])
    for (i = 1; i <= nobjects; i++)
        walk(objects[i], objects[i])
    for (i = 1; i <= nobjects; i++) {
        circle = circle_of(objects[i])
        if (circle != "" && !seen[circle]++ && !(circle in allowed))
            report(circle)
    }
    exit broken
}'
