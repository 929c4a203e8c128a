"""Hub, the protocol of engines that play and list nothing: its lines, positions, moves and variants (docs/hub.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from damspec import Position, data
from damspec.board import Board, Side
from damspec.errors import quote_value

#: A move by value: from, to, what it captures.
Squares = tuple[int, int, frozenset[int]]
#: How many squares a board has that Hub knows.
SQUARES = 50
#: A name, and perhaps a value, which is quoted if it is empty or has spaces in it.
_PAIR = re.compile(r'\s*([^\s="\x00-\x1f\x7f]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="\x00-\x1f\x7f]+)))?')
_NAME = re.compile(r'[^\s="\x00-\x1f\x7f]+')
_MOVE = re.compile(r"([0-9]{1,3})([-x])([0-9]{1,3})((?:x[0-9]{1,3}){0,100})")
_LETTERS = "wWbBe"
#: How long an engine thinks about a move: until a depth, so many nodes, so many seconds.
_LEVEL = re.compile(r"(?:depth|nodes)=[1-9][0-9]{0,14}|move-time=([0-9]{1,5}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class Said:
    """A line: its command and what it says by names; a name without a value has an empty one."""

    command: str
    values: Mapping[str, str]


def read(line: str) -> Said:
    """A line as a value. Raises ValueError for one that is none."""
    words: list[tuple[str, str]] = []
    place, text = 0, line.strip()
    while place < len(text):
        found = _PAIR.match(text, place)
        if found is None:
            raise ValueError(
                f'found {quote_value(text[place : place + 40])}, expected a name, NAME=VALUE or NAME="VALUE"'
            )
        words.append((found[1], found[2] or found[3] or ""))
        place = found.end()
    if not words or words[0][1]:
        raise ValueError(f"found {quote_value(text[:40])}, expected a command")
    return Said(words[0][0], dict(words[1:]))


def written(command: str, *flags: str, **values: str) -> str:
    """A line; underscores in names stand for hyphens."""
    pairs = [f"{name.replace('_', '-')}={_value(value)}" for name, value in values.items()]
    return " ".join([command, *flags, *pairs])


def _value(value: str) -> str:
    """A value as a line has it; what no line can have is left out."""
    plain = "".join(letter for letter in value if letter.isprintable() and letter != '"')
    return plain if _NAME.fullmatch(plain) else f'"{plain}"'


def position_text(position: Position, letters: str = _LETTERS) -> str:
    """A position: the side to move, and a letter for each square in order.

    `letters` are those of White's men and kings, Black's men and kings, and empty squares.
    """
    text = [letters[4]] * len(position.board)
    for number, piece in position.pieces():
        text[number - 1] = letters[2 * (piece.side == "black") + (piece.kind == "king")]
    return ("W" if position.turn == "white" else letters[3]) + "".join(text)


def read_position(text: str, board: Board, letters: str = _LETTERS) -> Position:
    """The position of such a text. Raises ValueError."""
    turn: Side = "white" if text[:1] == "W" else "black"
    if text[:1] not in ("W", letters[3]) or len(text) != len(board) + 1 or not set(text[1:]) <= set(letters):
        raise ValueError(
            f"position {quote_value(text[:60])}: expected W or {letters[3]} and {len(board)} letters, each of {letters}"
        )
    on = {letter: board.mask(number for number, each in enumerate(text[1:], 1) if each == letter) for letter in letters}
    men, kings, black_men, black_kings = (on[letter] for letter in letters[:4])
    return Position(board, men, kings, black_men, black_kings, turn)


def move_text(start: int, end: int, captured: Iterable[int]) -> str:
    """A move: from, to, and all that it captures."""
    taken = "".join(f"x{square}" for square in sorted(captured))
    return f"{start}{'x' if taken else '-'}{end}{taken}"


def read_move(text: str) -> Squares:
    """The move of such a text, whether or not any board has it. Raises ValueError."""
    found = _MOVE.fullmatch(text)
    if found is None or (found[2] == "-" and found[4]):
        raise ValueError(f"{quote_value(text[:60])} is no move: expected one like 32-28 or 28x19x23")
    return int(found[1]), int(found[3]), frozenset(map(int, found[4].split("x")[1:]))


def level_seconds(text: str) -> float:
    """The seconds that a level gives an engine for a move, as far as it says. Raises ValueError if it is none."""
    found = _LEVEL.fullmatch(text)
    if found is None or (found[1] and not float(found[1])):
        raise ValueError(f"found {quote_value(text[:40])}, expected move-time=SECONDS, depth=N or nodes=N")
    return float(found[1] or 0)


@dataclass(frozen=True)
class Variants:
    """What games engines play: the parameter that says which, its value where there is none, each ruleset's value."""

    parameter: str
    default: str
    values: tuple[str, ...]
    of: Mapping[str, str]


@cache
def variants() -> Variants:
    """The games that `spec/hub.yaml` has."""
    path = data.root() / "spec" / "hub.yaml"
    content = data.load_yaml(path)
    data.check(content, "hub", data.path_text(path))
    of = {ruleset: entry["value"] for entry in content["variants"] for ruleset in entry["rulesets"]}
    values = tuple(entry["value"] for entry in content["variants"])
    return Variants(content["parameter"], content["default"], values, of)
