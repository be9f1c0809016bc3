# shellcheck shell=bash
# shell.sh - what scripts of tests share. They source it.

fails() { ! "$@"; }

# Waits for a command to succeed. The limit is there for what never does: on a busy machine, making a server of PostgreSQL
# may take minutes.
wait_until() {
    local end=$((SECONDS + 300))
    until "$@" 2>/dev/null; do
        [ $SECONDS -lt $end ]
        sleep 0.05
    done
}

# Whether the file $1 has the pattern $2.
holds() { grep -q -- "$2" "$1"; }

taken() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A port of this machine that nobody uses, below those that the system gives to clients.
free_port() {
    local port
    while port=$((20000 + RANDOM % 12000)); taken $port; do :; done
    echo $port
}

# How many tests a log tells of, and how many of them failed: what suites in C end with, and the lines
# "N passed, N failed" of our scripts.
counts_of() {
    sed -e 's/\x1b\[[0-9;]*m//g' "$1" | awk '
        match($0, /Tested: [0-9]+ \| Passing: [0-9]+/) {
            split(substr($0, RSTART, RLENGTH), n, /[^0-9]+/)
            tests += n[2]; failed += n[2] - n[3]
        }
        match($0, /[0-9]+ passed, [0-9]+ failed/) {
            split(substr($0, RSTART, RLENGTH), n, /[^0-9]+/)
            tests += n[1] + n[2]; failed += n[2]
        }
        END { print tests + 0, failed + 0 }'
}
