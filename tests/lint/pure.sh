#!/bin/bash
# pure.sh LIBRULES LIBENGINE OBJECT... - whether these objects of api/ need nothing but each other, the rules,
# the engine, and functions of libraries that only compute: no socket, no loop, no database, no clock, no file.
# Prints every symbol that says otherwise.
set -euo pipefail

readonly libc='mem(chr|cpy|move|cmp|set|mem)|(__isoc23_)?str[a-z0-9_]+|__(mem|str|v?sn?print)[a-z]+_chk|v?snprintf'
readonly numbers='fabs|sqrtf?|fmin|fmax|hypot|sincos|sin|cos|acos|atan2|__ctype_[a-z]+_loc|gmtime_r|timegm|qsort|iconv(_open|_close)?'
readonly once='pthread_once'
readonly memory='malloc|calloc|realloc|free|abort|fwrite|stderr|__stack_chk_fail' # ends out of memory
readonly cjson='cJSON_[A-Za-z]+|cJSON_free' sodium='randombytes_buf|crypto_generichash(_[a-z]+)?|sodium_(base642bin|bin2hex)' zlib='(in|de)flate(End|Init2_|Bound)?|crc32'

libraries=("$1" "$2")
shift 2
needed=$(nm --undefined-only --format=posix "$@" | awk 'NF > 1 { print $1 }' | sort -u)
defined=$(nm --defined-only --extern-only --format=posix "$@" "${libraries[@]}" | awk 'NF > 1 { print $1 }')
foreign=$(grep -vxF "$defined" <<<"$needed" |
    grep -vxE "$libc|$numbers|$once|$memory|$cjson|$sodium|$zlib|_GLOBAL_OFFSET_TABLE_" || true)

if [ -n "$foreign" ]; then
    printf '%s\n  pure: what is pure calls none of these\n' "$foreign"
    exit 1
fi
