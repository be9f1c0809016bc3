# join.awk - makes one file of a module of api/pages/ and of those that it imports, so that a page loads few.
#
#     awk -v root=api/pages -v entry=plyd.js -f join.awk
#     awk -v root=... -v entry=play.js -v apart=page.js -f join.awk
#     awk -v root=... -v entry=page.js -v whole=1 -f join.awk
#
# What `apart` names is a file by itself, with all that it imports: this file imports it. It has been made with `whole`
# if others need more of it than itself exports; then it exports what all of its modules do.
#
# Each module becomes a function that gives what it exports, so no names meet, and all are called in the order in which
# they would run by themselves. What a module imports are constants there: so an export must not change. A statement of
# import or export begins its line. A module that is imported when it is needed (`import("...")`) is a file beside this one.

BEGIN {
    if (apart != "") {
        visit(apart)
        for (i = 1; i <= count; i++)
            outside[order[i]] = 1
        count = 0
        split("", seen)
    }
    visit(entry)
    if (needs_apart)
        print "import * as $apart from \"./" apart "\";"
    for (i = 1; i <= count; i++)
        print_module(order[i])
    for (i = 1; i <= count; i++)
        if (order[i] == entry || whole)
            print_exports(order[i])
}

function fail(what) {
    print "join.awk: " at ": " what > "/dev/stderr"
    exit 1
}

# ---- reading ----

# Reads a module after those that it imports.
function visit(path,    list, n, i) {
    if (seen[path] == "open")
        fail("modules import each other: " path)
    if (seen[path])
        return
    seen[path] = "open"
    if (!(path in text))
        read(path)
    n = split(imports[path], list, " ")
    for (i = 1; i <= n; i++)
        if (list[i] in outside)
            needs_apart = 1
        else
            visit(list[i])
    at = path
    order[++count] = path
    seen[path] = "done"
}

function read(path,    line, statement, got, name, file) {
    at = path
    file = root "/" path
    while ((got = (getline line < file)) > 0) {
        if (line ~ /^import [^(]|^export \{/) {
            statement = line
            while (statement !~ /;$/ && (getline line < file) > 0)
                statement = statement " " line
            line = line_of(path, statement)
            if (line == "")
                continue
        } else if (line ~ /^export /) {
            sub(/^export /, "", line)
            name = line
            if (!sub(/^(async )?(function\*?|class|const) /, "", name))
                fail("not understood: export " line)
            sub(/[^A-Za-z0-9_$].*/, "", name)
            add_export(path, name, name)
            defined[path, name] = 1
        }
        if (line ~ /^[^ *\/].* await |^[^ *\/].*\(await /)
            waits[path] = 1
        while (match(line, /import\(["`]\.\.?\/([a-z]+\/)+/) || match(line, /import\(["`]\.\.\//))
            line = substr(line, 1, RSTART + 7) "./" substr(line, RSTART + RLENGTH)
        text[path] = text[path] line "\n"
    }
    if (got < 0)
        fail("cannot be read")
    close(file)
}

# What becomes of a statement of import or export.
function line_of(path, statement,    from, names) {
    names = statement
    if (!sub(/^[^{]*\{/, "", names))
        names = ""
    sub(/\}.*/, "", names)
    if (names ~ / as /)
        fail("another name is not understood: " statement)
    from = statement
    if (sub(/^.*(from|import) "\.\//, "./", from) || sub(/^.*(from|import) "\.\.\//, "../", from)) {
        sub(/";$/, "", from)
        from = resolve(path, from)
        imports[path] = imports[path] " " from
    } else if (statement !~ /^export/)
        fail("not understood: " statement)
    else
        from = ""
    if (statement ~ /^export/)
        return exports_of(path, names, from)
    return names == "" ? "" : "\002" from "\003" names "\004"
}

function exports_of(path, names, from,    list, n, i) {
    gsub(/ /, "", names)
    n = split(names, list, ",")
    for (i = 1; i <= n; i++)
        add_export(path, list[i], from == "" ? list[i] : "\002" from "\003." list[i] "\004")
    return ""
}

function add_export(path, name, value) {
    exported[path, name] = 1
    exports[path] = exports[path] (exports[path] == "" ? "" : ", ") (name == value ? name : name ": " value)
    names_of[path] = names_of[path] " " name
}

# The path that a module's import means.
function resolve(path, from,    folder) {
    folder = path
    if (!sub(/[^\/]*$/, "", folder))
        folder = ""
    sub(/^\.\//, "", from)
    while (sub(/^\.\.\//, "", from))
        if (!sub(/[^\/]*\/$/, "", folder))
            fail("leads out of the folder: " from)
    return folder from
}

# ---- writing ----

function variable(path) {
    if (path in outside)
        return "$apart"
    sub(/\.js$/, "", path)
    gsub(/[^A-Za-z0-9]/, "_", path)
    return "$" path
}

# Puts constants in the places of what a module imports.
function with_imports(path, code,    from, names, cut, rest, out) {
    out = ""
    while (match(code, /\002[^\002]*\004/)) {
        rest = substr(code, RSTART + 1, RLENGTH - 2)
        out = out substr(code, 1, RSTART - 1)
        code = substr(code, RSTART + RLENGTH)
        cut = index(rest, "\003")
        from = substr(rest, 1, cut - 1)
        names = substr(rest, cut + 1)
        check_names(path, from, names)
        out = out (names ~ /^\./ ? variable(from) names : "const {" names "} = " variable(from) ";")
    }
    return out code
}

function check_names(path, from, names,    list, n, i) {
    gsub(/[ .]/, "", names)
    n = split(names, list, ",")
    at = path
    for (i = 1; i <= n; i++)
        if (!exported[from, list[i]])
            fail(from " exports no " list[i])
}

function print_module(path) {
    printf "%s", (exports[path] == "" ? "" : "const " variable(path) " = ")
    print (waits[path] ? "await (async () => {" : "(() => {")
    printf "%s", with_imports(path, text[path])
    if (exports[path] != "")
        print "return { " with_imports(path, exports[path]) " };"
    print "})();"
}

function print_exports(path,    list, n, i, told) {
    n = split(names_of[path], list, " ")
    told = ""
    for (i = 1; i <= n; i++) {
        if ((list[i] in given) && defined[path, list[i]])
            fail("two modules export " list[i])
        if (!(list[i] in given))
            told = told (told == "" ? "" : ", ") list[i]
        given[list[i]] = 1
    }
    if (told != "")
        print "export const { " told " } = " variable(path) ";"
}
