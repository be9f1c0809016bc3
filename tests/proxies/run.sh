#!/bin/bash
# run.sh - nginx, Caddy and HAProxy with the files of contrib/ in front of two daemons.
#
#   run.sh          every test, and how many passed
#   run.sh TEST     one of them, by its name below; PROXY names the proxy
#
# The environment has PLYD_PROGRAM, PLYD_LOAD (load.c) and PLYD_TEST_DATABASE_URL. Each test is a function that
# ends at its first failing command; it runs once for each proxy that is installed. In the files only addresses
# and certificates are replaced.
set -Eeuo pipefail

self=$(realpath "$0")
contrib=$(dirname "$self")/../../contrib
readonly ROLLING_RESTARTS=${PLYD_TEST_ROLLING_RESTARTS:-10}

. "$(dirname "$self")/../support/shell.sh"

# ---- daemons -------------------------------------------------------------------------------------

# Starts daemon 1 or 2 at its port and waits until it serves.
start_daemon() {
    "$PLYD_PROGRAM" serve --database "$PLYD_TEST_DATABASE_URL" --listen "127.0.0.1:${port[$1]}" --loops 1 \
        --trusted-proxies 1 --leave-s 3 --log-level debug "${settings[@]}" 2>>"log.$1" &
    daemon[$1]=$!
    wait_until curl -sf "127.0.0.1:${port[$1]}/readyz" -o /dev/null
}

start_daemons() {
    settings=("$@")
    "$PLYD_PROGRAM" migrate --database "$PLYD_TEST_DATABASE_URL" >/dev/null
    port=([1]=$(free_port) [2]=$(free_port))
    start_daemon 1
    start_daemon 2
}

# ---- proxies -------------------------------------------------------------------------------------

make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem 2>/dev/null
    cat cert.pem key.pem >both.pem
}

# The file $1 of contrib/ with the addresses and certificates of this test.
adapted() {
    sed -e "s/:8080\b/:${port[1]}/g" -e "s/:8081\b/:${port[2]}/g" \
        -e "s|/etc/ssl/games.example.org.pem|$work/cert.pem|" -e "s|/etc/ssl/games.example.org.key|$work/key.pem|" \
        -e "s|/etc/haproxy/games.example.org.pem|$work/both.pem|" \
        -e "s/listen 443/listen 127.0.0.1:$front/" -e "s/bind :443/bind 127.0.0.1:$front/" \
        -e "s|^games.example.org {|https://localhost:$front {\n\tbind 127.0.0.1\n\ttls $work/cert.pem $work/key.pem|" \
        "$contrib/$1"
}

run_nginx() {
    adapted nginx.conf >site.conf
    {
        [ $EUID -ne 0 ] || echo 'user root;'
        echo 'master_process off;' # so that nothing is left when it is killed
        echo "pid $work/nginx.pid; error_log stderr; events {} http { access_log off; include $work/site.conf; }"
    } >nginx.main
    exec nginx -p "$work" -c "$work/nginx.main" -g 'daemon off;'
}

run_caddy() {
    { printf '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n' && adapted Caddyfile; } >Caddyfile
    HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work exec caddy run --config Caddyfile --adapter caddyfile
}

run_haproxy() {
    adapted haproxy.cfg >haproxy.cfg
    exec haproxy -db -f haproxy.cfg
}

start_proxy() {
    front=$(free_port)
    make_certificate
    "run_$PROXY" >proxy.log 2>&1 &
    proxy=$!
    wait_until ask /healthz -o /dev/null
}

# Both daemons and the proxy, with further settings of the daemons.
start_all() {
    start_daemons "$@"
    start_proxy
}

ask() { curl -sf --cacert cert.pem "https://localhost:$front$1" "${@:2}"; }

# Makes a game: $id and $token.
new_game() {
    ask /v1/games -H 'Accept: text/plain' -d variant=tictactoe >game
    id=$(awk '/^id/ { print $2 }' game)
    token=$(awk '/^token/ { print $2 }' game)
}

move() { ask "/v1/games/$id/moves/$1" -u "$token:" -X PUT -d "$2" -o answer; }

# ---- what must pass ------------------------------------------------------------------------------

a_game_is_played_over_tls_and_http_2() {
    start_all
    new_game
    move 1 b2
    [ "$(ask "/v1/games/$id" -o /dev/null -w '%{http_version} %{content_type}')" = '2 application/json' ]
}

a_refusal_arrives_as_plyd_wrote_it() {
    start_all
    new_game
    local status
    status=$(curl -s --cacert cert.pem "https://localhost:$front/v1/games/$id/moves" -u "$token:" -d z9 -o answer \
        -w '%{http_code} %{content_type}')
    [ "$status" = '422 application/problem+json' ]
    holds answer '"code"'
}

a_stream_tells_of_a_move_while_it_goes_on() {
    local form stream
    start_all
    for form in text/event-stream application/x-ndjson; do
        new_game
        curl -sfN --cacert cert.pem "https://localhost:$front/v1/games/$id/events?after=0" -H "Accept: $form" \
            >"heard.$id" &
        stream=$!
        wait_until test -s "heard.$id"
        move 1 b2
        wait_until holds "heard.$id" '"b2"'
        kill -0 $stream
        kill $stream
    done
}

a_wait_ends_with_the_move_that_it_waits_for() {
    start_all
    new_game
    local etag
    etag=$(ask "/v1/games/$id" -o /dev/null -D - | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
    ask "/v1/games/$id" -H "If-None-Match: $etag" -H 'Prefer: wait=20' -o news &
    local waiting=$!
    wait_until curl_metric plyd_waits 1
    move 1 b2
    wait $waiting
    holds news '"last_move":{'
}

# Whether the metric $1 of both daemons together is $2.
curl_metric() {
    [ "$(for n in 1 2; do curl -sf "127.0.0.1:${port[n]}/metrics"; done | awk -v name="$1" '$1 == name { sum += $2 }
        END { print sum }')" = "$2" ]
}

a_request_of_one_megabyte_arrives() {
    start_all
    head -c 1000000 /dev/zero | tr '\0' ' ' >large
    echo '{"variant":"tictactoe","moves":["b2"]}' >>large
    local status
    status=$(curl -s --cacert cert.pem "https://localhost:$front/v1/games/import?format=json" --data-binary @large \
        -H 'Content-Type: application/json' -o answer -w '%{content_type}')
    [[ $status == application/* ]]
}

each_client_has_its_own_quota_whatever_it_claims() {
    local status=200 n
    start_all --quota-address 30 --quota-window-s 3600
    for ((n = 0; n < 100 && status == 200; n++)); do
        status=$(ask_as 127.0.0.2 -H "X-Forwarded-For: 10.0.0.$n")
    done
    [ "$status" = 429 ]
    [ "$(ask_as 127.0.0.3)" = 200 ]
}

ask_as() {
    curl -s --interface "$1" --cacert cert.pem "https://localhost:$front/v1/variants" -o /dev/null -w '%{http_code}' \
        "${@:2}"
}

# ---- what must not pass --------------------------------------------------------------------------

the_counters_are_not_shown() {
    start_all
    local path
    for path in /metrics /metrics? /%6detrics //metrics /./metrics /x/../metrics; do
        curl -s --path-as-is --cacert cert.pem "https://localhost:$front$path" >answer || true
        fails holds answer plyd_uptime
    done
}

# Requests whose end two servers could find in two places. Each has a second request, for what the proxy's
# rules forbid, behind a place where one of them might see the end.
variants() {
    local second='GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
    local first='POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    local length=${#second} header
    length=$((length - 6)) # three ends of lines, each two characters for one

    # The second request might be the body: nobody may look at it.
    for header in "Content-Length: $length\r\nTransfer-Encoding : chunked" "Content-Length : $length" \
        "Content-Length: $length\r\nContent-Length: 0" "Content-Length: 0\r\nContent-Length: $length" \
        "Content-Length: +$length" "Content-Length: $length,0" "Content-Length: 0x$length" "Content-Length:\x0b$length" \
        "Content_Length: $length" "X: y\nContent-Length: $length" "X: y\rContent-Length: $length" \
        "\x00Content-Length: $length" " Content-Length: $length" "Content-Length: $length\r\nX\r\n"; do
        echo "$first$header\r\n\r\n$second"
    done
    # A chunked body of nothing, and the second request behind it.
    for header in "Content-Length: $((length + 5))\r\nTransfer-Encoding: chunked" \
        "Transfer-Encoding: chunked\r\nContent-Length: $((length + 5))" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding: xchunked" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding: chunked, identity" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding:\x0bchunked" \
        "Content-Length: $((length + 5))\r\nTransfer_Encoding: chunked" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding\x00: chunked" \
        "Content-Length: $((length + 5))\r\nX: y\nTransfer-Encoding: chunked" \
        "Content-Length: $((length + 5))\r\n Transfer-Encoding: chunked" \
        "Content-Length: $((length + 5))\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked"; do
        echo "$first$header\r\n\r\n0\r\n\r\n$second"
    done
    # Chunks that end in odd ways.
    for header in '0\n\n' '0\r\n\n' '0;\n\r\n\r\n' '0 \r\n\r\n' '00000000000000000000\r\n\r\n' '1\r\nxx0\r\n\r\n' '-0\r\n\r\n' \
        '0x0\r\n\r\n' '0\r\nX: y\n\r\n'; do
        echo "${first}Transfer-Encoding: chunked\r\n\r\n$header$second"
    done
    # Lines that might be two.
    echo "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\x00\r\n$second"
    echo "GET /healthz HTTP/1.1\nHost: localhost\n\n$second"
    echo "GET /healthz\r\n$second"
    echo "GET /healthz HTTP/0.9\r\n\r\n$second"
    echo "GET http://other/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n$second"
    echo "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: $length\r\n\r\n$second"
    echo "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: $length\r\n\r\n$second"
    echo "GET /healthz HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n$second"
}

# Sends a text, written as printf does, and prints what comes back within some seconds.
say() {
    # shellcheck disable=SC2059 # it is a format: \x00 cannot stand in an argument
    printf "$1" | timeout 4 openssl s_client -quiet -connect "127.0.0.1:$front" -alpn http/1.1 2>/dev/null || true
}

# The log of the daemons has every request, so it tells whether one came that the proxy has not seen.
no_request_gets_past_the_rules_of_the_proxy() {
    local variant count=0 answered
    start_all
    while IFS= read -r variant; do
        count=$((count + 1))
        say "$variant" >"answer.$count" &
        [ $((count % 4)) -gt 0 ] || wait $!
    done < <(variants)
    wait $!
    answered=$(grep -l HTTP/1.1 answer.* | wc -l)
    echo "$answered of $count variants were answered" >&3
    [ "$answered" -ge 25 ] # the others wait for the rest of a request, or are cut
    fails grep plyd_uptime answer.*
    ask /healthz -o /dev/null
    fails grep -h '"/metrics"' log.1 log.2
}

# ---- rolling restarts ----------------------------------------------------------------------------

restart() {
    kill -TERM "${daemon[$1]}"
    wait "${daemon[$1]}"
    start_daemon "$1"
    # Until the proxy sends it requests again, the other one must stay.
    wait_until is_used "$1"
}

is_used() {
    [ "$(curl -sf "127.0.0.1:${port[$1]}/metrics" | awk '/^plyd_requests_total.*games/ { sum += $2 } END { print sum + 0 }')" -gt 20 ]
}

# Beside the connections that stay, clients that come for one request each.
come_and_go() {
    local n
    for ((n = 1; ; n++)); do
        ask /v1/variants -o /dev/null || echo "request $n: $?" >>failed
        echo $n >"asked.$1"
    done
}

haproxy_loses_no_request_in_rolling_restarts() {
    local n guests=()
    start_all --quota-address 0 --quota-address-games 0 --quota-token 0
    touch failed
    sed -i "s/^frontend games/&\n    bind 127.0.0.1:$((plain = $(free_port)))/" haproxy.cfg
    kill $proxy && wait $proxy || true
    haproxy -db -f haproxy.cfg >proxy.log 2>&1 &
    proxy=$!
    wait_until ask /healthz -o /dev/null
    "$PLYD_LOAD" $plain 16 "$work/enough" >load &
    local load=$!
    come_and_go 1 &
    guests+=($!)
    come_and_go 2 &
    guests+=($!)
    for ((n = 0; n < ROLLING_RESTARTS; n++)); do
        restart $((n % 2 + 1))
    done
    kill "${guests[@]}"
    touch enough
    wait $load
    echo "$ROLLING_RESTARTS rolling restarts: $(cat load); $(cat asked.1) and $(cat asked.2) requests of their own" >&3
    [ ! -s failed ]
    "$PLYD_PROGRAM" verify --database "$PLYD_TEST_DATABASE_URL"
}

# ---- running -------------------------------------------------------------------------------------

clean_up() {
    local pids
    exec 2>/dev/null # what is killed needs no line
    mapfile -t pids < <(jobs -p)
    [ ${#pids[@]} -eq 0 ] || kill -9 "${pids[@]}" || true
    wait
    rm -rf -- "${work:?}"
}

run_one() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/plyd-proxies.XXXXXX")
    trap 'echo "  line $LINENO: $BASH_COMMAND" >&2; tail -n 5 "$work"/proxy.log "$work"/answer >&2 || true' ERR
    trap clean_up EXIT
    cd "$work"
    "$1"
}

tests() { sed -n 's/^\([a-z0-9_]*\)() {$/\1/p' "$self" | grep -E '^(a_|each_|no_|the_)'; }

run_quietly() {
    local output
    if output=$(PROXY=$1 "$self" "$2" 3>&2 2>&1 >/dev/null); then
        passed=$((passed + 1))
    else
        printf 'proxies: %s: failed: %s\n%s\n' "$1" "$2" "$output" >&2
        failed=$((failed + 1))
    fi
}

run_all() {
    local proxy test passed=0 failed=0
    for proxy in nginx caddy haproxy; do
        type -P "$proxy" >/dev/null || { echo "plyd: $proxy was left out: it is not installed"; continue; }
        for test in $(tests); do run_quietly "$proxy" "$test"; done
    done
    ! type -P haproxy >/dev/null || run_quietly haproxy haproxy_loses_no_request_in_rolling_restarts
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}

PATH=$PATH:/usr/sbin
case ${1:-} in
'') run_all ;;
*) run_one "$1" ;;
esac
