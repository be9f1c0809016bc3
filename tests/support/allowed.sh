#!/bin/bash
# allowed.sh UNIT - the numbers of the system calls that a unit's SystemCallFilter lets through. systemd-analyze
# knows the groups, the compiler the numbers.
set -euo pipefail

expand() {
    local word
    for word; do
        if [[ $word == @* ]]; then
            # shellcheck disable=SC2046
            expand $(systemd-analyze syscall-filter "$word" | sed -n 's/^    \([^#]\)/\1/p')
        else
            echo "$word"
        fi
    done
}

# The lines of the unit, from the first to the last: some add calls, and some take calls away.
declare -A allowed
while read -ra words; do
    # shellcheck disable=SC2178
    for name in $(expand "${words[@]#\~}"); do
        if [[ ${words[0]} == ~* ]]; then unset "allowed[$name]"; else allowed[$name]=1; fi
    done
done < <(sed -n 's/^SystemCallFilter=//p' "$1")

echo '#include <sys/syscall.h>' | ${CC:-gcc} -E -dM - | sed -n 's/^#define __NR_//p' |
    while read -r name number; do
        [ -z "${allowed[$name]:-}" ] || echo "$number"
    done
