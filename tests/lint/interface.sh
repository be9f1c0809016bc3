#!/bin/sh
# interface.sh [write] - modules that were compiled before are not misunderstood: what they are compiled with is as
# interface.txt has it, or RULES_INTERFACE is another number than there. Lists and enumerations may become longer, at
# their ends. `write` writes interface.txt anew, where that is so.
set -eu
cd "$(dirname "$0")/../.."

kept=tests/lint/interface.txt
number=$(sed -n 's/^ *RULES_INTERFACE = \([0-9]*\),$/\1/p' rules/module.h)
now=$(echo "interface | $number"
    awk -f tests/lint/interface.awk rules/rules.h rules/module.h rules/words.h rules/draw/art.h engine/engine.h engine/game.h \
        rules/codes.def rules/reasons.def rules/roles.def)

# Each line of the first that is not at its place in the second, by the rules of its kind.
changed=$(echo "$now" | awk -F ' [|] ' '
    NR == FNR { if ($1 in kept) ++kept[$1]; else { kept[$1] = 1; order[++blocks] = $1 } was[$1, kept[$1]] = $2; next }
    { is[$1, ++count[$1]] = $2; has[$1, $2] = 1 }
    END {
        for (b = 1; b <= blocks; b++) {
            name = order[b]
            for (i = 1; i <= kept[name]; i++)
                if (name ~ /^constants/ ? !((name, was[name, i]) in has) : is[name, i] != was[name, i])
                    print name " | " was[name, i]
            if (name ~ /^struct/ && count[name] > kept[name])
                print name " | " is[name, kept[name] + 1] " (new)"
        }
    }' "$kept" -)

case $(sed -n '1s/.* | //p' "$kept") in
"$number")
    if [ -n "$changed" ]; then
        echo "$changed" | sed 's/^/rules: /'
        echo "  interface: modules that were compiled before would be misunderstood. Leave this as it was, or raise RULES_INTERFACE"
        exit 1
    fi
    ;;
esac
if [ "${1:-}" = write ]; then
    echo "$now" > "$kept"
elif [ "$now" != "$(cat "$kept")" ]; then
    echo "$kept: it is not what is there now"
    echo "  interface: \`make interface\` writes it anew; then read the difference"
    exit 1
fi
