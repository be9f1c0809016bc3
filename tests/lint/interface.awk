# interface.awk - prints what modules are compiled with: each type of the headers and each shared list, a line for each
# member, without comments. "struct rules_board | uint8_t width, height;"

FNR == 1 { block = ""; in_comment = 0 }

FILENAME ~ /\.def$/ {
    if (match($0, /^RULES_[A-Z]+\([A-Z0-9_]+/)) {
        split(substr($0, 1, RLENGTH), part, "(")
        print "list " FILENAME " | " part[2]
    }
    next
}

{
    line = $0
    if (in_comment && !sub(/^.*\*\//, "", line))
        next
    in_comment = 0
    while (match(line, /\/\*/)) {
        rest = substr(line, RSTART + 2)
        line = substr(line, 1, RSTART - 1)
        if (sub(/^.*\*\//, "", rest)) {
            line = line rest
        } else {
            in_comment = 1
            break
        }
    }
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    gsub(/[ \t]+/, " ", line)
}

block == "" && line ~ /^(typedef )?(struct|enum)( [a-z_]+)? \{/ {
    block = line
    sub(/^typedef /, "", block)
    sub(/ \{.*/, "", block)
    if (block == "enum")
        block = "constants " FILENAME
    if (line !~ /\};$/) {
        sub(/^[^{]*\{ ?/, "", line)
    } else { # all on one line
        sub(/^[^{]*\{ ?/, "", line)
        sub(/ ?\};$/, "", line)
        n = split(line, part, ", ")
        for (i = 1; i <= n; i++)
            print block " | " part[i]
        block = ""
        next
    }
}

block != "" && line ~ /^\}/ { block = "" }

block != "" && line != "" && line !~ /^(RULES_INTERFACE =|#)/ {
    member = member (member == "" ? "" : " ") line
    if (block ~ /^struct/ && line !~ /;$/)
        next # it goes on
    sub(/,$/, "", member)
    print block " | " member
    member = ""
}
