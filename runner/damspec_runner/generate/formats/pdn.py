"""Positions, and the games that lead to them, as games of PDN 3.0. What PDN has no notation for is a comment.

A game that begins as its type does has no tag FEN: some readers take a game with one for something else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import damspec
from damspec import Action, Move, Position, Ruleset, data
from damspec.board import Board

from ...variants.effects import begins, ends
from ..answered import Answered

#: The corner of square 1 as PDN counts it, seen by the side that begins.
_CORNERS = ("bottom-left", "bottom-right", "top-left", "top-right")
#: A space at which no line ends.
_JOINED = "\xa0"


@dataclass(frozen=True)
class GameForm:
    """How PDN writes the games of a ruleset: the tag GameType, if it has one, the squares, the results."""

    tag: str | None
    algebraic: bool
    results: Mapping[str, str]
    begins: str | None  # where its games begin if nothing is said

    def square(self, board: Board, number: int) -> str:
        """A square by its number, or its name."""
        return board.name(number) if self.algebraic else str(number)

    def fen(self, position: Position) -> str:
        """A position, its squares written as in moves."""
        if not self.algebraic:
            return position.fen()
        board = position.board
        sides = [
            [
                f"{'K' if piece.kind == 'king' else ''}{board.name(n)}"
                for n, piece in position.pieces()
                if piece.side == of
            ]
            for of in ("white", "black")
        ]
        return f"{position.turn[0].upper()}:W{','.join(sides[0])}:B{','.join(sides[1])}"


def pdn(answered: Iterable[Answered]) -> str:
    """Positions as a file of PDN."""
    return "\n".join(map(_game, answered))


def _game(answered: Answered) -> str:
    ruleset, game = answered.ruleset, written(answered.ruleset)
    start = answered.position if answered.game is None else Position.start(ruleset.rules)
    tags = {
        "Event": f"damspec {damspec.__version__} generate",
        "Site": "?",
        "Date": "????.??.??",
        "Round": answered.digest,
        "White": "?",
        "Black": "?",
        "Result": game.results.get(answered.outcome.result, "*"),
        "GameType": game.tag,
        "Ruleset": ruleset.id,
        "FEN": None if start.fen() == game.begins else game.fen(start),
    }
    words = " ".join([*_moves(game, ruleset, start, answered.game or ()), "*"])
    wrapped = textwrap.fill(words, 80, break_long_words=False, break_on_hyphens=False).replace(_JOINED, " ")
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value) + f"\n{wrapped}\n"


def _moves(game: GameForm, ruleset: Ruleset, position: Position, actions: Iterable[Action]) -> Iterator[str]:
    played = 0
    for action in actions:
        if isinstance(action, Move):
            number = "" if played % 2 else f"{played // 2 + 1}.{_JOINED}"
            played += 1
            yield number + notation(game, ruleset, position, action)
        else:
            yield f"{{{action}}}"
        position = ruleset.turns.after(position, action)


def notation(game: GameForm, ruleset: Ruleset, position: Position, move: Move) -> str:
    """From and to; for a capture that is not the only one between the two, every square on the way."""
    board = position.board
    if not move.captured:
        return "-".join(game.square(board, number) for number in move.path)
    alike = [
        other
        for other in ruleset.turns.actions(position)
        if isinstance(other, Move) and (other.start, other.end) == (move.start, move.end)
    ]
    squares = (move.start, move.end) if len(alike) < 2 else way(board, move)
    return "x".join(game.square(board, number) for number in squares)


def way(board: Board, move: Move) -> tuple[int, ...]:
    """The way of a capture as PDN has it: straight on, it comes down right behind the piece it has captured."""

    def comes_down_right(start: int, end: int, further: int) -> bool:
        straight = board.bit(end) in (board.between(start, further) or ())
        return not straight or board.number((board.between(start, end) or ())[-1]) in move.captured

    def is_right(path: tuple[int, ...]) -> bool:
        return all(comes_down_right(*leg, further) for leg, further in zip(pairwise(path), path[2:], strict=False))

    return next(filter(is_right, move.paths), move.path)


@cache
def written(ruleset: Ruleset) -> GameForm:
    """How PDN writes the games of a ruleset."""
    for entry in _games():
        other = damspec.load_ruleset(entry["ruleset"])
        if _movement(other.values) == _movement(ruleset.values):
            results = {result: entry[result] for result in ("white", "black", "draw")}
            algebraic = entry["notation"] == "algebraic"
            tag = _tag(ruleset, entry["type"], algebraic=algebraic)
            return GameForm(tag, algebraic, results, Position.start(other.rules).fen())
    return GameForm(None, False, {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}, None)


@cache
def _games() -> list[dict[str, Any]]:
    path = data.root() / "spec" / "pdn.yaml"
    content = data.load_yaml(path)
    data.check(content, "pdn", data.shown(path))
    games: list[dict[str, Any]] = content["games"]
    return games


def _tag(ruleset: Ruleset, number: int, *, algebraic: bool) -> str:
    """The tag GameType: the number of the game, who begins, the board, and how its squares are written."""
    board, first = ruleset.rules.board, ruleset.rules.start.first
    corner = _CORNERS.index(board.numbering)
    notation = "A0" if algebraic else f"N{corner if first == 'white' else 3 - corner}"
    inverted = int(board.dark_corner == "right")
    return f"{number},{first[0].upper()},{board.columns},{board.rows},{notation},{inverted}"


def _movement(values: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of movement alone, however squares are numbered."""
    gone = {"board.numbering", *(rule for rule in values if begins(rule) or ends(rule))}
    return {rule: value for rule, value in values.items() if rule not in gone}
