# shellcheck shell=bash
# failures.sh - what failed, for run.sh, which sources it. `FOLDER` has the logs of its `CHECKS`, and taps/ there a file of
# TAP of each that has tests: as tests in C write it, or as the scripts do, which name the command that runs a test alone.
# (Tests that run alone write such files of their own.)

# When much is broken, not all of it runs again.
readonly ALONE_MOST=20 ALONE_SECONDS=600 LINES_MOST=40 LINES_LAST=4

# The failures in files of TAP, one a line, with tabs between: check, test, FILE:LINE or -, how, the command or -.
parse_tap() {
    awk -v OFS='\t' '
        function put() {
            if (name != "") print check, name, place, how, command
            name = ""
        }
        FNR == 1 { put(); check = FILENAME; sub(/.*\//, "check-", check); sub(/\.tap$/, "", check) }
        /^(not )?ok |^#/ { put() }
        /^not ok - / {
            name = substr($0, 10); place = command = "-"; how = "failed"
            sub(/ +\([0-9.]+s\)$/, "", name)
            if (sub(/ timed out$/, "", name)) how = "took too long"
            if (match(name, / unexpected signal after /)) {
                how = "crashed below this line"
                place = substr(name, RSTART + RLENGTH)
                name = substr(name, 1, RSTART - 1)
            }
        }
        /^  - .*:[0-9]+: \|/ && place == "-" { place = $2; sub(/:$/, "", place) }
        /^  # alone: / { command = substr($0, 12) }
        END { put() }' "$@"
}

# What a test said when it failed: the lines below its name, without the marks of TAP.
said() {
    awk -v name="$2" '
        /^(not )?ok |^#/ { mine = index($0, "not ok - " name) == 1 }
        mine && /^      / { print substr($0, 7) }' "$FOLDER/taps/${1#check-}.tap"
    grep -F "$2| " "$FOLDER/$1.log" || true # what daemons said when it took too long (hung.h)
}

# So many lines of what is known of a failure: a test's words, or the end of the log of a check that has none.
words_of() {
    if [ "$2" = "$1" ]; then tail -n "$3" "$FOLDER/$1.log"
    else said "$1" "$2" | head -n "$3"; fi
}

# Where a test in C begins, or -.
place_of() {
    { grep -rnE --include='*.c' "Test\(${1%::*}, ${1#*::}\>" tests || echo -; } | awk -F: 'NR == 1 { print $1 ($2 ? ":" $2 : "") }'
}

# All failures, with their places and commands. A check that broke without a failing test is one.
failures() {
    local check name place how command

    for check in "${CHECKS[@]}"; do
        grep -q '^0 ' "$FOLDER/$check.end" && continue
        { parse_tap "$FOLDER/taps/${check#check-}.tap" 2>/dev/null | grep . || printf '%s\t%s\t-\tfailed\tmake %s\n' "$check" "$check" "$check"; }
    done | while IFS=$'\t' read -r check name place how command; do
        [[ $name != *::* || $command != - ]] || command="make $check FILTER='${name/:://}'"
        [ "$place" != - ] || place=$(place_of "$name")
        printf '%s\t%s\t%s\t%s\t%s\n' "$check" "$name" "$place" "$how" "$command"
    done
}

# try_alone LOG COMMAND: what it shows.
try_alone() {
    if (eval "$2") >"$1" 2>&1 </dev/null; then echo 'only under load'; else echo 'fails alone'; fi
}

tell_failure() {
    local check=$1 name=$2 place=$3 how=$4 command=$5 verdict=$6 log=$7
    printf '\n%s %s: %s\n' "$name" "$how" "$verdict"
    [ "$place" = - ] || printf '    %s\n' "$place"
    if [ "$verdict" = 'fails alone' ]; then tail -n $LINES_MOST "$log"
    else words_of "$check" "$name" $LINES_MOST; fi | sed 's/^/    | /'
    printf '    log: %s\n    alone: %s\n' "$FOLDER/$check.log" "$command"
}

# Tells of all that failed, each of which runs once more, alone.
tell_failures() {
    local check name place how command verdict log list n=0 begin=$SECONDS

    failures >"$FOLDER/failures"
    mkdir "$FOLDER/alone"
    # Not by descriptor 3 or 4: what runs alone is a make, which takes these for its jobserver, and reads from them.
    exec {list}<"$FOLDER/failures"
    while IFS=$'\t' read -r check name place how command <&"$list"; do
        log=$FOLDER/alone/$((++n)).log verdict='not run again'
        if [ $n -le $ALONE_MOST ] && [ $((SECONDS - begin)) -lt $ALONE_SECONDS ]; then
            say "  ALONE   $name"
            verdict=$(try_alone "$log" "$command")
        fi
        tell_failure "$check" "$name" "$place" "$how" "$command" "$verdict" "$log"
        printf '%s\t%s\t%s\n' "$check" "$verdict" "$name: $(words_of "$check" "$name" $LINES_LAST | tr -s '\n\t ' ' ')" >>"$FOLDER/judged"
    done
    exec {list}<&-
}

# For the table: "2 fails alone, 1 only under load".
judged() {
    [ ! -e "$FOLDER/judged" ] || awk -F '\t' -v check="$1" '
        $1 == check { n[$2]++ }
        END { for (verdict in n) { printf "%s%d %s", comma, n[verdict], verdict; comma = ", " } }' "$FOLDER/judged"
}

# All failures again, each in a line: of a long log often only the end is kept.
failures_in_short() {
    [ ! -e "$FOLDER/judged" ] || awk -F '\t' '{ printf "failed: %.400s (%s)\n", $3, $2 }' "$FOLDER/judged"
}
