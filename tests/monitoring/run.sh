#!/bin/bash
# run.sh - two daemons with players, a Prometheus that reads their counters, and the question whether every query of
# the dashboard has data, and whether the alerts are understood. Grafana is not in Debian, so draw.mjs asks the
# queries and draws what they answer. It fails if a panel has no data.
#
#   run.sh                test that
#   run.sh picture FILE   play for three minutes, and draw the last two of them
#
# The environment has PLYD_PROGRAM and PLYD_TEST_DATABASE_URL.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
. tests/support/shell.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-monitoring.XXXXXX")
dashboard=contrib/grafana/plyd.json
alerts=contrib/prometheus/alerts.yml

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

# The address in a line of a log that has the text $2.
logged_address() { sed -n "s/.*$2.*\(127.0.0.1:[0-9]*\).*/\1/p" "$1" | head -n 1; }

# The daemon $1. An address may make five requests a second, which is more than those who play need.
start_daemon() {
    local log=$work/log.$1
    "$PLYD_PROGRAM" serve --database "$PLYD_TEST_DATABASE_URL" --listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0 \
        --loops 1 --trusted-proxies 1 --webhooks-private 1 --quota-address 100 --quota-window-s 20 --quota-token 0 \
        --quota-address-games 0 --quota-token-games 0 2>"$log" &
    wait_until holds "$log" '"listening"'
    daemons+=("http://$(logged_address "$log" '"listening"')")
    wait_until holds "$log" '"listening-for-metrics"'
    cat >>"$work/targets" <<END
      - targets: ["$(logged_address "$log" '"listening-for-metrics"')"]
        labels: {instance: "plyd-$1"}
END
}

start_prometheus() {
    local port
    port=$(free_port)
    prometheus=http://127.0.0.1:$port
    cat >"$work/prometheus.yml" - "$work/targets" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$PWD/$alerts]
scrape_configs:
  - job_name: plyd
    static_configs:
END
    prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
        --web.listen-address="127.0.0.1:$port" >"$work/prometheus.log" 2>&1 &
    wait_until holds "$work/prometheus.log" 'Server is ready'
}

# What Prometheus answers to a query.
query() { promtool query instant "$prometheus" "$1"; }

# Draws the last $2 seconds of the dashboard $1 to the file $3.
draw() {
    local now
    now=$(date +%s)
    node tests/monitoring/draw.mjs "$1" "$prometheus" $((now - $2)) "$now" "$3"
}

# Some panels have nothing to show until a job has run or a webhook was delivered.
wait_for_data() {
    local end=$((SECONDS + 180))
    until draw $dashboard 60 "$work/dashboard.svg" 2>"$work/missing"; do
        [ $SECONDS -lt $end ] || { cat "$work/missing" >&2; return 1; }
        sleep 1
    done
}

# A picture never hides that something is missing.
check_that_missing_data_is_told() {
    sed 's/plyd_streams_opened_total/plyd_nothing_total/' $dashboard >"$work/wrong.json"
    fails draw "$work/wrong.json" 60 "$work/wrong.svg" 2>"$work/missing"
    holds "$work/missing" 'no data: .*plyd_nothing_total'
    [ ! -e "$work/wrong.svg" ]
}

check_alerts() {
    local rules alert firing
    rules=$(curl -sf "$prometheus/api/v1/rules" | grep -o '"health":"[a-z]*"' | sort | uniq -c)
    [ "$(awk '{ print $1, $2 }' <<<"$rules")" = "$(grep -c 'alert:' $alerts) \"health\":\"ok\"" ] ||
        { echo "alerts: $rules" >&2; return 1; }
    while read -r alert; do
        holds docs/monitoring.md "^| \`$alert\`" || { echo "docs/monitoring.md does not know $alert" >&2; return 1; }
    done < <(sed -n 's/.*alert: //p' $alerts)
    firing=$(query 'count(ALERTS{alertstate="firing"})')
    [ -z "$firing" ] || { echo "alerts of healthy daemons: $(query 'ALERTS')" >&2; return 1; }
}

daemons=()
"$PLYD_PROGRAM" migrate --database "$PLYD_TEST_DATABASE_URL" >/dev/null
start_daemon 1
start_daemon 2
start_prometheus
node tests/monitoring/players.mjs "${daemons[@]}" &
case ${1:-} in
picture)
    sleep 180
    draw $dashboard 120 "$2"
    ;;
*)
    wait_for_data
    check_that_missing_data_is_told
    check_alerts
    echo "every panel of the dashboard has data; all alerts are understood, and none fires"
    ;;
esac
