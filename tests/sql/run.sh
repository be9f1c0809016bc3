#!/bin/bash
# run.sh - prepares every statement of db/sql/ by psql, in both forms, and compares what PostgreSQL got with
# what the program has (scripts/sql.awk). PLYD_TEST_DATABASE_URL is a server, PLYD_PROGRAM makes the tables.
set -euo pipefail

database=$PLYD_TEST_DATABASE_URL
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0

"$PLYD_PROGRAM" migrate --database "$database" >"$log" 2>&1 || { cat "$log" && exit 1; }
psql -Xq "$database" -c "create extension pg_stat_statements"

# In place of what Citus has.
psql -Xq -v ON_ERROR_STOP=1 "$database" <<'END'
create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
create table pg_dist_shard_placement (shardid bigint, shardstate int, nodename text, nodeport int);
create function shard_name(regclass, bigint) returns text return null;
create function master_run_on_worker(text[], int[], text[], boolean)
    returns table (node_name text, node_port int, success boolean, result text)
    language sql as $$ select null, 0, true, null $$;
END

# Blanks that mean nothing are left out.
plain() { tr -s ' \n' '  ' | sed -e 's/ *\([(),]\) */\1/g' -e 's/ *$//'; }

# A statement as psql sent it, without its comments.
prepared() {
    psql -XAtq -v ON_ERROR_STOP=1 -v citus="$2" "$database" -f "$1" \
        -c "select statement from pg_prepared_statements" 2>"$log" |
        sed -E 's/--( .*)?$//' | plain | sed -e 's/^ *prepare "\?[a-z_0-9]*"\? as *//' -e 's/ *;$//'
}

cd db/sql
for file in *.sql scan/*.sql inspect/*.sql; do
    for form in plain citus; do
        citus=false
        [ $form = plain ] || citus=true
        if theirs=$(prepared "$file" $citus) &&
            [ "$theirs" = "$(awk -f ../../scripts/sql.awk -v show=$form "$file" | plain)" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "db/sql/$file, as $form: psql prepares something else than plyd does, or nothing:"
            cat "$log"
            echo "${theirs:0:300}"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
