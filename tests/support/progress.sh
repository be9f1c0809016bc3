# shellcheck shell=bash
# progress.sh - the line that says how far run.sh is, which sources it: `CHECKS` run, `JOBS` at a time, each with a log in
# `FOLDER`; `LAST` has what they took when they last passed.

# On a terminal the line is written over and over; in a log there is one now and then.
if [ -t 1 ]; then line_s=2; else line_s=60; fi

clear_line() { [ ! -t 1 ] || printf '\r\033[K'; }

# Prints a line that stays, where the other one was.
say() { clear_line && echo "$1"; }

# How many tests of a check have ended, and failed.
ended_of() {
    if [ -e "$FOLDER/$1.end" ]; then
        counts_of "$FOLDER/$1.log"
    else
        awk '/^(\[PASS\]|✔ )/ { n++ } /^(\[FAIL\]|✖ |not ok)/ { n++; bad++ } END { print n + 0, bad + 0 }' "$FOLDER/$1.log"
    fi
}

# 130 s are "3 min", 40 s are "40 s".
about() { if [ "$1" -gt 90 ]; then echo "$((($1 + 59) / 60)) min"; else echo "$1 s"; fi; }

progress() {
    local check tests failed known seconds begun all=0 done=0 bad=0 rest=0 longest=0 names='' sure=1

    for check in "${CHECKS[@]}"; do
        known=0 seconds=0 tests=0 begun=0
        read -r known seconds 2>/dev/null <"$LAST/$check" || sure=
        if [ -e "$FOLDER/$check.log" ]; then
            read -r tests failed < <(ended_of "$check")
            done=$((done + tests)) bad=$((bad + failed))
            begun=$(($(date +%s) - $(stat -c %W "$FOLDER/$check.log")))
        fi
        [ ! -e "$FOLDER/$check.end" ] || { all=$((all + tests)) && continue; }
        [ ! -e "$FOLDER/$check.log" ] || names+=", $check"
        all=$((all + (known > tests ? known : tests)))
        seconds=$((seconds > begun ? seconds - begun : 0))
        rest=$((rest + seconds)) longest=$((seconds > longest ? seconds : longest))
    done
    rest=$((rest / JOBS > longest ? rest / JOBS : longest))
    echo "  $done${sure:+ of $all} tests, $bad failed: ${names#, }${sure:+, about $(about $rest) more}"
}

# Until it is killed. It leaves nothing behind: make ends only when nobody has its tokens any more.
watch() {
    local line columns
    columns=$(tput cols 2>/dev/null || echo 80)
    trap 'kill $! 2>/dev/null; wait; exit' TERM
    while sleep $line_s >/dev/null 2>&1 & wait $!; do
        line=$(progress)
        if [ -t 1 ]; then printf '\r\033[K%s' "${line:0:columns-1}"; else echo "$line"; fi
    done
}
