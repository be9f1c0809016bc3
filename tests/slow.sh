#!/bin/bash
# slow.sh [--share PERCENT] [--beside LOOPS] [--faults MICROSECONDS] [--minutes MINUTES] COMMAND... - runs a
# command, such as `make test`, as a slow and busy machine does.
#
#   --share 50    its processes get half of each processor, in turns of a few milliseconds
#   --beside 0    so many busy loops beside it, each in a session of its own: the kernel divides the
#                 processors among sessions, not processes
#   --faults 12   a page fault takes so many microseconds, and forks are dear with them
#   --minutes 90  after so long it is ended, and fails
#
# The share is bounded by a control group (of version 1 or 2), which root can make. Where that cannot be made, busy
# loops that are bound to a processor take the rest. Page faults are made dear by the kernel's counters
# (slow/faults.c); where those are forbidden they stay as they are, and a line says so. Disks, the network and timers
# are as quick as they were.
set -euo pipefail

share=50 beside=0 faults=12 minutes=90
while [[ ${1:-} == --* && $# -gt 1 ]]; do
    case $1 in
    --share) share=$2 ;;
    --beside) beside=$2 ;;
    --faults) faults=$2 ;;
    --minutes) minutes=$2 ;;
    *) break ;;
    esac
    shift 2
done
[[ $# -gt 0 && $1 != --* ]] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }

readonly period_us=20000
groups=/sys/fs/cgroup/plyd-slow.$$
[ -e /sys/fs/cgroup/cgroup.controllers ] || groups=/sys/fs/cgroup/cpu/plyd-slow.$$
bounded=
pids=()

# A control group that has so much of the processors. The groups in it divide that among themselves.
bound() {
    local quota_us=$((period_us * $(nproc) * share / 100))

    mkdir "$groups" || return
    if [ -e "$groups/cpu.max" ]; then
        echo "$quota_us $period_us" >"$groups/cpu.max" && echo +cpu >"$groups/cgroup.subtree_control"
    else
        echo $period_us >"$groups/cpu.cfs_period_us" && echo $quota_us >"$groups/cpu.cfs_quota_us"
    fi
}

enter() {
    [ -z "$bounded" ] || { mkdir "$groups/$1" && echo $BASHPID >"$groups/$1/cgroup.procs"; }
}

# A busy loop in a session of its own: loop NAME [COMMAND...]. It ends by itself, should this script be killed.
loop() {
    # shellcheck disable=SC2016 # The loop expands them.
    (enter "$1" && shift && exec setsid "$@" \
        bash -c 'while ((SECONDS < $1)); do for ((i = 0; i < 100000; i++)); do :; done; done' busy $((minutes * 60))) &
    pids+=($!)
}

take_the_rest() {
    local cpu i

    echo "plyd: no control group can be made, so busy loops take what is above $share %" >&2
    for ((cpu = 0; cpu < $(nproc); cpu++)); do
        for ((i = 1; i * share < 100; i++)); do loop "rest.$cpu.$i" taskset -c $cpu; done
    done
}

# Ends what was started. Processes that the command left behind go on, in the group of all.
clean_up() {
    local group pid

    trap '' INT TERM HUP
    [ ${#pids[@]} = 0 ] || { kill "${pids[@]}" && wait "${pids[@]}"; } 2>/dev/null || true
    for group in "$groups"/*/ "$groups"; do
        [ -d "$group" ] || continue
        while read -r pid; do echo "$pid" >"${groups%/*}/cgroup.procs" || true; done <"$group/cgroup.procs" 2>/dev/null
        rmdir "$group" || true
    done
}

trap clean_up EXIT
trap 'exit 130' INT TERM HUP
if bound 2>/dev/null; then bounded=1; else take_the_rest; fi
for ((i = 1; i <= beside; i++)); do loop "beside.$i"; done

mkdir -p build
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -o build/faults "$(dirname "$0")/slow/faults.c"
(enter work && exec timeout --kill-after=30 "${minutes}m" build/faults "$faults" "$@") &
pids=($! "${pids[@]}")
wait $!
