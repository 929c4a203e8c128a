"""Engines that only know whether a move is legal: whatever may be one is offered, and what is accepted is listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from damspec import Action, Move, Position, Ruleset
from damspec.move import read_squares

from ...answers.candidates import candidates
from ...answers.player import keys
from .direct import Direct, Situation

#: What a move is asked about by: its squares, or its text if it has none.
_Squares = tuple[int, ...] | str


class Offering:
    """Lists what an engine accepts. Of a move that it knows by its ends alone it is asked once."""

    def __init__(self, engine: Direct, ruleset: Ruleset, *, ends: bool, steps: bool) -> None:
        self._engine, self._ruleset = engine, ruleset
        self._ends, self._steps = ends, steps

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """The candidates that are accepted."""
        position = Position.from_fen(about.position, self._ruleset.rules.board)
        said: dict[_Squares, bool | str] = {}
        lists: dict[str, list[str]] = {"moves": [], "lapses": []}
        for texts, is_right in self._offered(position, about.turn):
            for squares, text in texts:
                new = squares not in said
                if new:
                    said[squares] = self._engine.legal(about, text)
                # Of others by the same squares nothing is known, unless they are right too.
                if said[squares] and (new or (self._ends and is_right)):
                    lists["lapses" if said[squares] == "lapse" else "moves"].append(text)
                    break
        if not self._ruleset.rules.huff:
            return {"moves": lists["moves"] + lists["lapses"]}
        return lists

    def play(self, about: Situation, given: Any) -> str:
        """Where the engine says that a move leads."""
        return self._engine.play(about, given)

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """A move is a word."""
        return (given,)

    def _offered(self, position: Position, turn: Sequence[str]) -> Iterator[tuple[list[tuple[_Squares, str]], bool]]:
        """Each candidate as the texts that it may have, and whether it is legal; or just its next hop after others."""
        right = self._ruleset.turns
        number = len(keys([*right.actions(position), *right.lapses(position)]))
        gone = _gone(turn, position)
        for place, action in enumerate(candidates(self._ruleset, position)):
            if self._steps:
                yield [(hop, text) for hop, text in _hops(action, gone)], place < number
            else:
                yield [self._asked(squares, text) for squares, text in _texts(action)], place < number

    def _asked(self, squares: _Squares, text: str) -> tuple[_Squares, str]:
        if self._ends and not isinstance(squares, str):
            return (squares[0], squares[-1]), text
        return squares, text


def _texts(action: Action) -> list[tuple[_Squares, str]]:
    """Each path of an action, with its notation."""
    if not isinstance(action, Move):
        return [(str(action), str(action))]
    return [(path, "".join(_joined(action, path))) for path in action.paths]


def _joined(move: Move, path: Sequence[int]) -> Iterator[str]:
    """A path's notation: the squares, and between them what kind of leg leads from one to the next."""
    slides = len(path) - 1 - len(move.captured) if move.captured else len(path)
    for place, square in enumerate(path):
        yield f"{'' if place == 0 else '-' if place <= slides else 'x'}{square}"


def _gone(turn: Sequence[str], position: Position) -> tuple[int, ...]:
    """The squares of the hops so far."""
    found = [read_squares(text, position.board)[0] for text in turn]
    return (found[0][0], *(squares[-1] for squares in found)) if found else ()


def _hops(action: Action, gone: tuple[int, ...]) -> Iterator[tuple[_Squares, str]]:
    """The next hop of an action on each of its paths that begins with the squares gone."""
    if not isinstance(action, Move):
        if not gone:
            yield str(action), str(action)
        return
    after = max(len(gone) - 1, 0)
    for path in action.paths:
        if path[: len(gone)] == gone and len(path) > after + 1:
            slides = len(path) - 1 - len(action.captured) if action.captured else len(path)
            (start, end) = list(pairwise(path))[after]
            yield (start, end), f"{start}{'-' if after < slides else 'x'}{end}"
