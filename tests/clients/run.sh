#!/bin/bash
# run.sh - a client beside a daemon of its own, on the database of `scripts/postgres.sh with`.
#
#   run.sh PROGRAM CLIENT WORD...    where CLIENT is a command, which gets the address as its last word
set -euo pipefail

log=$(mktemp)
"$1" migrate --database "$PLYD_TEST_DATABASE_URL" >"$log" 2>&1 || { cat "$log" && exit 1; }
: >"$log"
"$1" serve --database "$PLYD_TEST_DATABASE_URL" --listen 127.0.0.1:0 2>"$log" &
daemon=$!
trap 'kill $daemon; wait $daemon || true; rm "$log"' EXIT

address() { sed -n 's/.*"listening","address":"\([^"]*\)".*/\1/p' "$log"; }

until [ -n "$(address)" ]; do
    kill -0 $daemon || { cat "$log" && exit 1; }
    sleep 0.05
done
PLYD="http://$(address)" "${@:2}" "http://$(address)"
