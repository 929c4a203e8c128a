"""Engines that list single steps and jumps: joined into turns by asking on until the other side moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from damspec import Board, MoveError, Position, PositionError, Ruleset
from damspec.action import is_move_text

from ...cases.notation import Key
from ...engines.protocol import EngineError, shown
from ..moves import move_key, move_text
from .direct import Askable, Situation, words_of

#: How many hops a turn may have, and how many turns are joined.
_HOPS, _TURNS = 64, 1000
#: How many situations are kept: a move is played, or led on from, soon after it was listed.
_KEPT = 64


@dataclass(frozen=True)
class _Turn:
    """A turn that is complete: its hops, and the position that the engine says it leads to."""

    hops: tuple[Any, ...]
    after: str


class Steps:
    """Lists turns. `mover` says whose turn it is in a position as the engine writes it."""

    def __init__(self, engine: Askable, ruleset: Ruleset, mover: Callable[[str], str]) -> None:
        self._engine, self._board, self._mover = engine, ruleset.rules.board, mover
        self._turns: dict[object, dict[tuple[Any, ...], _Turn]] = {}

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """All turns. Raises EngineError for hops that cannot be completed, or are not the same piece's."""
        position = Position.from_fen(about.position, self._board)
        found: dict[tuple[Any, ...], _Turn] = {}
        answer = self._engine.moves(about)
        lists: dict[str, list[Any]] = {}
        for name in ("moves", "lapses"):
            if name in answer:
                known: dict[Key | str | None, None] = {}
                lists[name] = []
                for turn in self._complete(about, answer[name]):
                    text = _joined(turn.hops, self._board)
                    if (key := _key(position, text)) in known and len(turn.hops) > 1:
                        continue  # the same capture by another path
                    known[key] = None
                    found.setdefault(words_of(text), turn)
                    lists[name].append(text)
                    if len(lists[name]) > _TURNS:
                        raise EngineError("steps", f"lists hops that make more than {_TURNS} turns")
        if len(self._turns) >= _KEPT:
            self._turns.clear()
        self._turns[_about(about)] = found
        return lists

    def play(self, about: Situation, given: Any) -> str:
        """The position after the last hop of a turn."""
        if turn := self._turn(about, given):
            return turn.after
        return self._engine.play(about, given)

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """The hops of a turn."""
        turn = self._turn(about, given)
        return turn.hops if turn else (given,)

    def _turn(self, about: Situation, given: Any) -> _Turn | None:
        if _about(about) not in self._turns:
            self.moves(about)
        return self._turns[_about(about)].get(words_of(given))

    def _complete(self, about: Situation, listed: list[Any]) -> Iterator[_Turn]:
        """The turns that begin with the hops so far and one of those listed."""
        for hop in listed:
            gone = about.gone_on(hop)
            _joined(gone.turn, self._board)
            after = self._engine.play(about, hop)
            if self._mover(after) != about.position[0] or _is_no_hop(hop):
                yield _Turn(gone.turn, after)
                continue
            hops = ", ".join(map(move_text, gone.turn))
            if len(gone.turn) == _HOPS:
                raise EngineError("steps", f"goes on after {_HOPS} hops: {shown(hops)}")
            further = self._engine.moves(gone)["moves"]
            if not further:
                side = "White" if about.position[0] == "W" else "Black"
                raise EngineError(
                    "steps",
                    f"cannot complete a sequence of hops: after {shown(hops)} it is still {side}'s turn and nothing is"
                    " listed",
                )
            yield from self._complete(gone, further)


def _is_no_hop(hop: Any) -> bool:
    """Whether something is an action that is no move of a piece, and so is a turn or a part of one by itself."""
    return isinstance(hop, str) and not is_move_text(hop)


def _about(about: Situation) -> object:
    return about.origin, tuple(map(words_of, about.moves))


def _joined(hops: tuple[Any, ...], board: Board) -> Any:
    """The notation of a turn. Raises EngineError for hops that do not follow one another."""
    first, *rest = hops
    text = str(first["move"] if isinstance(first, Mapping) else first)
    captured = list(first["captured"]) if isinstance(first, Mapping) else []
    for hop in rest:
        onward = str(hop["move"] if isinstance(hop, Mapping) else hop)
        captured += hop["captured"] if isinstance(hop, Mapping) else []
        if _is_no_hop(onward):
            continue
        start = onward.replace("x", "-").replace(":", "-").partition("-")[0]
        end = text.replace("x", "-").replace(":", "-").rpartition("-")[2]
        if _square(start, board) != _square(end, board):
            raise EngineError("steps", f"goes on with {move_text(hop)} after {shown(text)}: not the same piece")
        text += onward[len(start) :]
    return {"move": text, "captured": captured} if any(isinstance(hop, Mapping) for hop in hops) else text


def _square(name: str, board: Board) -> int | str:
    try:
        return board.square(name)
    except PositionError:
        return name


def _key(position: Position, text: Any) -> Key | str | None:
    """What makes a turn the same as another."""
    try:
        return move_key(position, text)
    except (MoveError, PositionError):
        return str(text)
