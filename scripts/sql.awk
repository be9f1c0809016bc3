# sql.awk - the statements of db/sql/ as C, or one of them as PostgreSQL gets it.
#
#     cd db/sql; awk -f sql.awk *.sql                         all kinds of requests, as kinds.c reads them
#     cd db/sql; awk -f sql.awk -v text=DB_SCAN scan/*.sql    DB_SCAN(NAME, "its text") for each
#     cd db/sql; awk -f sql.awk -v show=citus append.sql      the text of append on Citus (or: plain)
#
# db/sql/README.md says what a file is. What psql does with \ir, \set, \if and :names is done here too, as far
# as the files need it.

BEGIN {
    letter["uuid"] = "u"; letter["int4"] = "i"; letter["int2"] = "s"; letter["smallint"] = "s"
    letter["int8"] = "l"; letter["timestamptz"] = "t"; letter["text"] = "x"; letter["bytea"] = "b"
    for (i = 1; i < ARGC; i++)
        if (show != "")
            print statement(ARGV[i], show)
        else if (text != "")
            print text "(" toupper(name_of(ARGV[i])) ", " quoted(statement(ARGV[i], "plain")) ")"
        else
            tell_kind(ARGV[i])
    if (show text == "")
        tell_lists()
    exit failed
}

function fail(what) {
    print "sql.awk: " at ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

# ---- reading ----

function name_of(path) {
    sub(/.*\//, "", path)
    sub(/\.sql$/, "", path)
    return path
}

# The text of the statement in a file, in one line: its form `plain` or `citus`. The line for C is left in
# `header`.
function statement(path, form,    sql, begin) {
    split("", value)
    value["citus"] = form == "citus" ? "true" : "false"
    header = body = ""
    at = path
    read(path)
    sql = flat(body)
    begin = "^prepare \"?" name_of(path) "\"? as "
    if (sql !~ /;$/ || gsub(/ *;/, "", sql) != 1 || !sub(begin, "", sql))
        fail("expected one statement: prepare " name_of(path) " as ...;")
    return sql
}

# Adds the SQL of a file to `body`, and does what its lines with a backslash say. `skipped` counts the open
# \if that are not true.
function read(path,    line, word, skipped, depth, taken, folder) {
    folder = path
    if (!sub(/[^\/]*$/, "", folder))
        folder = ""
    while ((got = (getline line < path)) > 0) {
        split(line, word, " ")
        if (word[1] == "\\if") {
            depth++
            taken[depth] = !skipped && is_true(word[2])
            skipped += !taken[depth]
        } else if (word[1] == "\\else") {
            skipped += taken[depth] ? 1 : -1
            taken[depth] = !taken[depth]
        } else if (word[1] == "\\endif") {
            skipped -= !taken[depth--]
        } else if (!skipped && word[1] == "\\ir") {
            read(folder word[2])
        } else if (!skipped && word[1] == "\\set") {
            value[word[2]] = argument(line)
            if (path ~ /numbers\.psql$/)
                note("NUMBER", "DB_" toupper(word[2]) ", " word[3])
        } else if (line ~ /^\\/) {
            if (!skipped)
                fail(path ": unknown: " line)
        } else if (line ~ /^--: /) {
            header = substr(line, 5)
        } else if (!skipped) {
            body = body line "\n"
        }
    }
    if (got < 0)
        fail("cannot read " path)
    close(path)
    if (depth != 0)
        fail(path ": \\if without \\endif")
}

function is_true(word) {
    if (word ~ /^:\{\?[a-z_]+\}$/)
        return substr(word, 4, length(word) - 4) in value
    if (substr(word, 1, 1) != ":" || !(substr(word, 2) in value))
        fail("\\if takes a name that is set: " word)
    return value[substr(word, 2)] == "true"
}

# The value of \set NAME ...: one argument.
function argument(line,    text, path) {
    sub(/^\\set +[a-z_0-9]+ */, "", line)
    if (line ~ /^'.*'$/) {
        line = substr(line, 2, length(line) - 2)
        gsub(/''/, "'", line)
        return line
    }
    if (line ~ /^`cat [a-z_\/]+\.sql`$/) {
        path = substr(line, 6, length(line) - 6)
        while ((got = (getline line < path)) > 0)
            text = text line "\n"
        if (got < 0)
            fail("cannot read " path)
        close(path)
        return substr(text, 1, length(text) - 1)
    }
    if (line ~ /^:[a-z_]+$/ && substr(line, 2) in value)
        return value[substr(line, 2)]
    if (line !~ /^[$a-z_0-9.]*$/)
        fail("unknown value: " line)
    return line
}

# SQL without comments and with the names put in. All blanks but those in texts are one.
function flat(text,    result, mark, put, puts) {
    while (match(text, /'|--|::|:[a-z_0-9]+|:"[a-z_]+"/)) {
        mark = substr(text, RSTART, RLENGTH)
        result = result blanks(substr(text, 1, RSTART - 1))
        text = substr(text, RSTART + RLENGTH)
        if (mark == "'") {
            result = result substr("'" text, 1, index(text, "'") + 1)
            text = substr(text, index(text, "'") + 1)
        } else if (mark == "--") {
            sub(/^[^\n]*/, "", text)
        } else if (mark == "::") {
            result = result mark
        } else {
            put = mark
            gsub(/[:"]/, "", put)
            if (!(put in value))
                fail("unknown name " mark)
            if (puts++ > 1000)
                fail(mark " contains itself")
            text = (mark ~ /"/ ? "\"" value[put] "\"" : value[put]) text
        }
    }
    result = blanks(result blanks(text))
    gsub(/^ | $/, "", result)
    return result
}

function blanks(text) {
    gsub(/[ \t\n]+/, " ", text)
    return text
}

# ---- telling ----

function tell_kind(path,    plain, citus, item, pair, count, i) {
    plain = statement(path, "plain")
    citus = statement(path, "citus")
    split("", part)
    count = split(header, item, /; */)
    for (i = 1; i <= count; i++) {
        split(item[i], pair, " ")
        if (" read write absent bind decode piece alone single everywhere there " !~ " " pair[1] " ")
            fail("unknown in the line --: " pair[1])
        part[pair[1]] = pair[2]
    }
    if (!("bind" in part) || !("absent" in part) || ("read" in part) + ("write" in part) != 1)
        fail("expected a line --: read or write; absent ...; bind ...")
    if (types(plain) != types(citus))
        fail("has other parameters on Citus")
    note("BIND", part["bind"])
    note("DECODE", function_of("decode"))
    note("PIECE", function_of("piece"))
    printf "DB_SQL(%s, \"%s\",\n%s,\n%s,\n\"%s\", %s, DB_%s, %s, %s, %s, %s, %s, %s, %s)\n", toupper(name_of(path)),
        name_of(path), quoted(plain), quoted(citus), types(plain), truth_of("write"),
        toupper(part["absent"]), part["bind"], function_of("decode"), function_of("piece"),
        kind_of("alone"), truth_of("single"), truth_of("everywhere"), kind_of("there")
}

function truth_of(item) {
    return item in part ? "true" : "false"
}

function kind_of(item) {
    return item in part ? "KIND_" toupper(part[item]) : 0
}

function function_of(item) {
    return item in part ? part[item] : "NULL"
}

# The functions of which files tell and the numbers that have names stand behind the statements, each once.
function note(macro, what) {
    if (what != "NULL" && !((macro, what) in noted)) {
        noted[macro, what] = 1
        list[++nlist] = "DB_SQL_" macro "(" what ")"
    }
}

function tell_lists(    n) {
    for (n = 1; n <= nlist; n++)
        print list[n]
}

# A letter for each parameter, in their order; first `=`, if they are values and not arrays (wire.h).
function types(text,    all, cast, count, alone, n, list) {
    split("", type)
    while (match(text, /\$[0-9]+(::[a-z0-9]+(\[\])?)?/)) {
        split(substr(text, RSTART + 1, RLENGTH - 1), cast, "::")
        text = substr(text, RSTART + RLENGTH)
        n = cast[1] + 0
        count = n > count ? n : count
        if (cast[2] == "")
            continue
        alone += cast[2] !~ /\[\]$/
        all++
        sub(/\[\]$/, "", cast[2])
        if (!(cast[2] in letter) || ((n in type) && type[n] != letter[cast[2]]))
            fail("no such type for $" n ": " cast[2])
        type[n] = letter[cast[2]]
    }
    for (n = 1; n <= count; n++) {
        if (!(n in type))
            fail("no type is told for $" n)
        list = list type[n]
    }
    if (alone != 0 && alone != all)
        fail("some parameters are arrays and others are not")
    return (alone ? "=" : "") list
}

function quoted(text) {
    gsub(/[\\"?]/, "\\\\&", text)
    return "\"" text "\""
}
