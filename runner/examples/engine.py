"""An example engine in one screen, written from docs/protocol.md: American checkers (`lb`, `english`)."""

import json
import sys
from typing import Any

HELLO: dict[str, Any] = {"protocol": 1, "name": "example", "version": "1", "rulesets": ["english", "lb"]}
ROWS = {"W": (-1,), "B": (1,), "WK": (-1, 1), "BK": (-1, 1)}  # where a piece may go: -1 is up the board
CROWN = {"W": (1, 2, 3, 4), "B": (29, 30, 31, 32), "WK": (), "BK": ()}


def steps(square: int, piece: str, size: int) -> list[int]:
    """The squares so many steps away in each direction the piece may go; 0 for one off the board."""
    row, place = divmod(square - 1, 4)
    column = 2 * place + (row + 1) % 2
    ends = [(row + size * down, column + size * right) for down in ROWS[piece] for right in (-1, 1)]
    return [4 * r + c // 2 + 1 if 0 <= r < 8 and 0 <= c < 8 else 0 for r, c in ends]


def captures(board: dict[int, str], piece: str, path: list[int], taken: list[int]) -> list[tuple[Any, ...]]:
    """Every complete capture beginning with `path`, as the piece, its squares and the squares it takes."""
    found = []
    for over, to in zip(steps(path[-1], piece, 1), steps(path[-1], piece, 2), strict=True):
        enemy = board.get(over, piece)[0] != piece[0] and over not in taken
        if enemy and to and to not in board and path[-1] not in CROWN[piece]:
            found += captures(board, piece, [*path, to], [*taken, over])
    return found or ([(piece, path, taken)] if taken else [])


def turns(position: str) -> dict[str, str]:
    """Every legal move and the position after it; of two ways round to the same one is listed: it is one move."""
    side, *lists = position.split(":")
    board = {int(p.strip("K")): x[0] + "K" * (p[0] == "K") for x in lists for p in x[1:].split(",") if p}
    jumps, quiet, after = list[tuple[Any, ...]](), list[tuple[Any, ...]](), dict[str, str]()
    for start, piece in [(square, piece) for square, piece in board.items() if piece[0] == side]:
        jumps += captures({n: board[n] for n in board if n != start}, piece, [start], [])
        quiet += [(piece, [start, to], []) for to in steps(start, piece, 1) if to and to not in board]
    for piece, path, taken in jumps or quiet:
        left = {n: board[n] for n in board if n not in (path[0], *taken)}
        left[path[-1]] = piece + "K" * (path[-1] in CROWN[piece])
        men = [c + ",".join(left[n][1:] + str(n) for n in sorted(left) if left[n][0] == c) for c in "WB"]
        after.setdefault(":".join(["WB"[side == "W"], *men]), ("x" if taken else "-").join(map(str, path)))
    return {move: position for position, move in after.items()}


for asked in map(json.loads, sys.stdin):
    given = {"ruleset": "lb", "position": "W:W:B", "move": "", **asked.get("params", {})}
    legal = turns(given["position"])
    known = {
        "hello": HELLO | {"questions": ["start", "moves", "play", "outcome"]},
        "start": {"position": "B:W21-32:B1-12"},
        "moves": {"moves": list(legal)},
        "play": {"position": legal.get(given["move"])},
        "outcome": {"outcome": "ongoing" if legal else "black" if given["position"][0] == "W" else "white"},
    }
    fault = {"error": {"code": -32001, "message": "plays American checkers only"}}
    reply = {"result": known.get(asked["method"])} if given["ruleset"] in HELLO["rulesets"] else fault
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)
    if asked["method"] == "quit":
        break
