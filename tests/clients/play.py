"""Two players at two machines, by types that were generated from openapi.yaml: one whole game of every variant.

    play.py http://127.0.0.1:8080
"""

import json
import random
import sys
from typing import Any, Optional
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from answers import CreatedGame, Game, GameStatus, JoinedGame, LegalMoves, MovePage, PlayedMove, Problem

PLIES_MAX = 3000
BASE = sys.argv[1]


def ask(method: str, path: str, body: Optional[object] = None, token: Optional[str] = None) -> Any:
    """The answer as JSON; a problem ends the program with its own words."""
    request = Request(BASE + path, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:
        problem = Problem.from_dict(json.load(error))
        sys.exit(f"{method} {path}: {problem.status} {problem.code.value}: {problem.detail}")


def choose_move(game: str, choose: random.Random) -> LegalMoves:
    legal = LegalMoves.from_dict(ask("GET", f"/v1/games/{game}/legal-moves?format=list"))
    assert legal.moves, "a game that goes on has moves"
    legal.moves = [choose.choice(legal.moves)]
    return legal


def count_history(game: str) -> int:
    after, count = 0, 0
    while True:
        page = MovePage.from_dict(ask("GET", f"/v1/games/{game}/moves?after={after}&limit=100"))
        count += len(page.items)
        after = page.items[-1].ply if page.items else after
        if page.next is None:
            return count


def play(variant: str) -> None:
    choose = random.Random(20260501)
    made = CreatedGame.from_dict(
        ask("POST", "/v1/games", {"variant": variant, "seats": [{"me": True, "name": "Ada"}, {"open": True}]})
    )
    joined = JoinedGame.from_dict(ask("POST", f"/v1/games/{made.game.id}/join", {"name": "Mia"}))
    assert made.game.status is GameStatus.OPEN and joined.game.status is GameStatus.ACTIVE
    tokens = {1: made.token, 2: joined.token}
    game: Game = joined.game
    while game.status is GameStatus.ACTIVE and game.ply < PLIES_MAX:
        legal = choose_move(game.id, choose)
        assert legal.moves is not None and legal.to_move is not None
        move, ply = legal.moves[0], legal.ply + 1
        played = PlayedMove.from_dict(
            ask("PUT", f"/v1/games/{game.id}/moves/{ply}", {"move": move}, tokens[legal.to_move])
        )
        assert played.move == move and played.game.ply == ply
        game = played.game
    assert count_history(game.id) == game.ply, "the history has every move"
    end = "goes on" if game.outcome is None else f"ends by {game.outcome.reason}"
    print(f"  {variant:18}{game.ply:4} plies, {end}")


for name in ["shogi", "tictactoe", "stackchess", "jungle", "turkish-draughts"]:
    play(name)
