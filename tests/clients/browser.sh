#!/bin/bash
# browser.sh PROGRAM - EventSource of a real browser, beside a daemon that is killed and started again:
# by itself, and with tickets as FRONTENDS.md shows it. A page resigns the game once it has heard
# everything once and in order.
set -euo pipefail

work=$(mktemp -d)
log=$work/log port=0 daemon='' browser=''
trap 'kill $browser $daemon 2>/dev/null || true; wait; rm -rf "$work"' EXIT

serve() {
    : >"$log"
    "$1" serve --database "$PLYD_TEST_DATABASE_URL" --listen "127.0.0.1:$port" 2>"$log" &
    daemon=$!
    until port=$(sed -n 's/.*"listening","address":"[^"]*:\([0-9]*\)".*/\1/p' "$log"); [ -n "$port" ]; do
        kill -0 $daemon || { cat "$log" && exit 1; }
        sleep 0.05
    done
}

member() { grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4; }

move() { curl -sf -u "$token:" -d "$1" "http://127.0.0.1:$port/v1/games/$id/moves" >"$work/answer"; }

"$1" migrate --database "$PLYD_TEST_DATABASE_URL" >"$log" 2>&1 || { cat "$log" && exit 1; }
serve "$1"
curl -sf -H 'Content-Type: application/json' -d '{"variant":"jungle"}' "http://127.0.0.1:$port/v1/games" >"$work/game"
id=$(member id <"$work/game") token=$(member token <"$work/game")
{
    echo "<script type=module>const server = 'http://127.0.0.1:$port', id = '$id', token = '$token';"
    awk '/^async function call/ { on = 1 } /^const seats/ { exit } on' FRONTENDS.md
    awk '/^function listen/ { on = 1 } /^```/ { on = 0 } on' FRONTENDS.md
    cat <<'END'
const heard = { alone: [], ticket: [] }, all = "2,3,4";
function hear(list, version) {
  list.push(version);
  if (heard.alone.join() === all && heard.ticket.join() === "1," + all)
    call("POST", `/v1/games/${id}/resign`, {}, token);
}
const source = new EventSource(`${server}/v1/games/${id}/events`);
source.addEventListener("move", (message) => hear(heard.alone, JSON.parse(message.data).version));
listen(id, (event) => hear(heard.ticket, event.version), token);
</script>
END
} >"$work/page.html"
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --remote-debugging-port=0 "file://$work/page.html" >"$work/browser" 2>&1 &
browser=$!

streams() { curl -sf "http://127.0.0.1:$port/metrics" | awk '$1 == "plyd_streams" { print $2 }'; }

await() {
    for ((i = 0; i < 600; i++)); do
        [ "$("$1")" != "$2" ] || return 0
        sleep 0.05
    done
    echo "browser: $1 is $("$1"), not $2" >&2
    exit 1
}

state() { curl -sf "http://127.0.0.1:$port/v1/games/$id" | member status; }

await streams 2
move g3g4
kill -9 $daemon
wait $daemon 2>/dev/null || true
serve "$1"
move a7a6 # nobody listens yet
await streams 2
move g4g3
await state finished
echo "browser: every event was heard once and in order"
