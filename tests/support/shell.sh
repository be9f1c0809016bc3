# shellcheck shell=bash
# shell.sh - what scripts of tests share. They source it.

fails() { ! "$@"; }

# Waits for a command to succeed, half a minute at most.
wait_until() {
    local end=$((SECONDS + 30))
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
