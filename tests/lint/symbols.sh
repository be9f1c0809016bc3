#!/bin/bash
# symbols.sh LIBRARY... - what the compiler made of rules/, or of engine/ and rules/: no allocation, no
# I/O, nothing that can change. Prints every symbol of the libraries that says otherwise.
set -euo pipefail

# What code without a system may call: the functions of <string.h>, and what compilers add of their
# own (checked copies, stack protection, arithmetic, the choice by processor).
readonly string='mem(cpy|move|set|cmp|chr)|str(len|n?cmp|chr|rchr|c?spn|str)'
readonly compiler='__(mem|str)[a-z]+_chk|__stack_chk_fail|__[a-z]+[sdt]i[0-9]?|__cpu_(model|indicator_init)'

broken=0

report() {
    if [ -n "$1" ]; then
        printf '%s\n  symbols: %s\n' "$1" "$2"
        broken=1
    fi
}

symbols=$(objdump -t "$@")
defined=$(awk '$2 != "*UND*" { print $NF }' <<<"$symbols")

report "$(awk '$2 == "*UND*" { print $NF }' <<<"$symbols" | sort -u | grep -vxF "$defined" |
    grep -vxE "$string|$compiler|_GLOBAL_OFFSET_TABLE_")" "$* call nothing but each other and <string.h>"
# The list of games grows before anything else runs (rules/module.h).
report "$(grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' <<<"$symbols" | grep -v -e 'data\.rel\.ro' -e ' modules$')" \
    "$* have no variable but constants and the list of games"

exit $broken
