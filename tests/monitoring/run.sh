#!/bin/bash
# run.sh - a daemon with players, a Prometheus that reads its counters, and the question whether every query of
# the dashboard and of the alerts is understood there, and those of the dashboard have data. Grafana is not in
# Debian, so nothing here shows how the dashboard looks.
#
# The environment has PLYD_PROGRAM, PLYD_LOAD (tests/proxies/load.c) and PLYD_TEST_DATABASE_URL.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. tests/support/shell.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-monitoring.XXXXXX")

clean_up() {
    local pids
    exec 2>/dev/null # what is killed needs no line
    mapfile -t pids < <(jobs -p)
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" || true
    wait
    rm -rf -- "${work:?}"
}
trap clean_up EXIT
trap 'echo "  line $LINENO: $BASH_COMMAND" >&2' ERR

# The port in a line of a log that has the text $2.
logged_port() { sed -n "s/.*$2.*127.0.0.1:\([0-9]*\).*/\1/p" "$1" | head -n 1; }

start_daemon() {
    "$PLYD_PROGRAM" migrate --database "$PLYD_TEST_DATABASE_URL" >/dev/null
    "$PLYD_PROGRAM" serve --database "$PLYD_TEST_DATABASE_URL" --listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0 \
        --quota-address 0 --quota-token 0 2>"$work/log" &
    wait_until holds "$work/log" '"listening"'
    port=$(logged_port "$work/log" '"listening"')
    metrics=$(logged_port "$work/log" '"listening-for-metrics"')
}

# Games, a stream that hears of moves, refusals, and work for the workers, until the work is over.
play() {
    local id token
    curl -sf -H 'Accept: text/plain' -d 'variant=tictactoe&visibility=public' "127.0.0.1:$port/v1/games" >"$work/game"
    id=$(awk '/^id/ { print $2 }' "$work/game")
    token=$(awk '/^token/ { print $2 }' "$work/game")
    curl -sN -H 'Accept: text/event-stream' "127.0.0.1:$port/v1/games/$id/events" >/dev/null &
    while :; do
        curl -s -u "$token:" -d b2 "127.0.0.1:$port/v1/games/$id/moves"
        curl -s -u "$token:" -X POST "127.0.0.1:$port/v1/games/$id/undo"
        curl -s -u "$token:" -d z9 "127.0.0.1:$port/v1/games/$id/moves"
        curl -s "127.0.0.1:$port/v1/variants/shogi/board.svg"
        curl -s "127.0.0.1:$port/v1/games/$id/export?format=json"
    done >/dev/null
}

start_prometheus() {
    prometheus=$(free_port)
    cat >"$work/prometheus.yml" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$PWD/contrib/prometheus/alerts.yml]
scrape_configs:
  - job_name: plyd
    static_configs: [{targets: ["127.0.0.1:$metrics"]}]
END
    prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
        --web.listen-address="127.0.0.1:$prometheus" >"$work/prometheus.log" 2>&1 &
    wait_until holds "$work/prometheus.log" 'Server is ready'
}

# What Prometheus answers to a query.
query() { promtool query instant "http://127.0.0.1:$prometheus" "$1"; }

queries() { sed -n 's/^ *"expr": "\(.*\)",\?$/\1/p' contrib/grafana/plyd.json | sed 's/\\"/"/g; s/\$__rate_interval/20s/g'; }

has_data() { [ -n "$(query "$1" | grep -v '=> NaN')" ]; }

start_daemon
play &
"$PLYD_LOAD" "$port" 4 "$work/enough" >/dev/null &
start_prometheus
count=0
while IFS= read -r expression; do
    wait_until has_data "$expression" || { echo "no data: $expression" >&2; exit 1; }
    count=$((count + 1))
done < <(queries)
touch "$work/enough"
[ $count -ge 20 ]
rules=$(curl -sf "127.0.0.1:$prometheus/api/v1/rules" | grep -o '"health":"[a-z]*"' | sort | uniq -c)
[[ $rules == *' 12 "health":"ok"' ]] || { echo "alerts: $rules" >&2; exit 1; }
firing=$(query 'count(ALERTS{alertstate="firing"})')
[ -z "$firing" ] || { echo "alerts of a healthy daemon: $(query 'ALERTS')" >&2; exit 1; }
echo "$count queries of the dashboard have data; all alerts are understood, and none fires"
