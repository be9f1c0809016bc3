#!/usr/bin/env python3
"""first_hour.py - the first hour of an application on plyd, in Python 3.8 and later without any package.

    first_hour.py http://127.0.0.1:8080 node examples/tokens.mjs token key.pem https://app.example plyd

Two users of an application sign in by its JWTs, one invites the other, they play a game to its end, and each is told of the
other's moves. The words behind the address are a command that makes a JWT: it gets a user's id and name (docs/identity.md). In your
application that is its own server.
"""

import json
import subprocess
import sys
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, Optional
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

AGAIN = {408, 425, 429, 500, 502, 503, 504}  # what is asked again: nobody knows whether it was done, or not now


class Refused(Exception):
    """An answer that says why not. `code` is for programs, the text for people."""

    def __init__(self, problem: Dict[str, Any]) -> None:
        super().__init__(problem.get("detail", problem["title"]))
        self.code = str(problem["code"])
        self.game = problem.get("game")


class Plyd:
    """A daemon, and who you are there: `sign_in` gives a JWT that is good now."""

    def __init__(self, server: str, sign_in: Callable[[], str]) -> None:
        self.server, self.sign_in = server, sign_in
        self.jwt = sign_in()

    def open(self, method: str, path: str, body: Any, headers: Dict[str, str], timeout: float) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self.jwt}", **headers}
        if data is not None:
            headers["Content-Type"] = "application/json"
        return urlopen(Request(self.server + path, data, headers, method=method), timeout=timeout)

    def ask(self, method: str, path: str, body: Any = None, wait_s: int = 0, deadline_s: float = 60) -> Any:
        """One request, repeated with its key until it is answered: so it is done once, whatever the network does."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method != "GET" else {}
        if wait_s > 0:
            headers["Prefer"] = f"wait={wait_s}"
        end, pause = time.monotonic() + deadline_s, 0.5
        while True:
            rest = 0.0
            try:
                with self.open(method, path, body, headers, 20 + wait_s) as answer:
                    text = answer.read()
                    return json.loads(text) if text else None
            except HTTPError as error:
                if error.code == 304:
                    return None
                problem = json.loads(error.read())
                if problem["code"] == "jwt-expired":
                    self.jwt = self.sign_in()
                elif error.code not in AGAIN:
                    raise Refused(problem) from None
                rest = float(error.headers.get("Retry-After") or 0)
            except (URLError, OSError):
                pass  # no answer: it may be done or not
            rest = rest or pause
            if time.monotonic() + rest > end:
                raise TimeoutError(f"{method} {path}: no answer")
            time.sleep(rest)
            pause = min(2 * pause, 8)

    def events(self, game: str, after: int) -> Iterator[Dict[str, Any]]:
        """What happens in a game behind a version, each once and in order. A stream that breaks goes on behind what has come."""
        while True:
            try:
                path = f"/v1/games/{game}/events?after={after}"
                with self.open("GET", path, None, {"Accept": "application/x-ndjson"}, 40) as lines:
                    for line in lines:
                        if not line.endswith(b"\n"):
                            break  # cut off
                        if line.strip():  # an empty line is a sign of life
                            event = json.loads(line)
                            after = event["version"]
                            yield event
            except HTTPError as error:
                if error.code == 401:
                    self.jwt = self.sign_in()
                elif error.code not in AGAIN:
                    raise Refused(json.loads(error.read())) from None
            except (URLError, OSError):
                pass
            time.sleep(0.5)


# ---- the application ----


def play(me: Plyd, game: str, seat: int, said: Callable[[str], None]) -> Dict[str, Any]:
    """Plays the first legal move whenever it is this seat's turn, until the game is over."""
    state = me.ask("GET", f"/v1/games/{game}?include=legal_moves")
    version = state["version"]
    told = me.events(game, version)
    while state["status"] == "active" or version < state["version"]:
        if state["to_move"] == seat and version == state["version"]:
            move = state["legal_moves"]["moves"][0]
            try:
                # The ply is in the address, so the same move again is the same move, and another one is refused.
                me.ask("PUT", f"/v1/games/{game}/moves/{state['ply'] + 1}", {"move": move})
            except Refused as refused:
                said(f"{move} was refused: {refused}")
        event = next(told)
        version = event["version"]
        if event["type"] == "move" and event["seat"] != seat:
            said(f"the other side has played {event['move']}")
        if version > state["version"]:
            state = me.ask("GET", f"/v1/games/{game}?include=legal_moves")
    return dict(state)


def main() -> None:
    server, command = sys.argv[1].rstrip("/"), sys.argv[2:]

    def signs_in(user: str, name: str) -> Plyd:
        return Plyd(server, lambda: subprocess.check_output([*command, user, name], text=True).strip())

    ada, bob = signs_in("user-1", "Ada"), signs_in("user-2", "Bob")
    print("signed in:", ada.ask("GET", "/v1/me")["name"], "and", bob.ask("GET", "/v1/me")["name"])

    game = ada.ask("POST", "/v1/games", {"variant": "tictactoe", "seats": [{"me": True}, {"open": True}]})["id"]
    invitation = ada.ask("POST", f"/v1/games/{game}/invitations", {"seat": 2, "expires": "2d"})
    print("invited: send", invitation["url"].split("#")[0] + "#...", "to a friend")
    bob.ask("POST", f"/v1/games/{game}/join", {"invitation": invitation["code"]})

    try:
        bob.ask("PUT", f"/v1/games/{game}/moves/1", {"move": "a1"})
    except Refused as refused:
        print("refused:", refused.code)

    heard: Dict[str, int] = {"Ada": 0, "Bob": 0}

    def listener(name: str) -> Callable[[str], None]:
        def said(text: str) -> None:
            heard[name] += 1
            print(f"{name} is told: {text}")
        return said

    other = threading.Thread(target=play, args=(bob, game, 2, listener("Bob")), daemon=True)
    other.start()
    state = play(ada, game, 1, listener("Ada"))
    other.join()
    outcome: Optional[Dict[str, Any]] = state["outcome"]
    print(f"over after {state['ply']} moves:", outcome, "told:", heard["Ada"] + heard["Bob"])


if __name__ == "__main__":
    main()
