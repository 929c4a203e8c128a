"""What is wrong with an answer, in general and in particular, from its differences to the expected one."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from damspec import Move, Piece, Position
from damspec.errors import list_some
from damspec.turn import ActionGenerator

from ...cases.answer import After, Answer
from ...cases.notation import Key, read_path
from ..result import LAPSE, Result

_ORDER = ("outcome", "missing", "extra", "unparsable", "after")
#: The most squares with other pieces after a move that are named.
_NAMED = 4


class Symptom(NamedTuple):
    """What is wrong in general: moves missing or extra, of which piece, taking how many (2 for more).

    Of an outcome, `piece` is the right one and `got` the engine's.
    """

    what: str
    piece: str = ""
    size: int = 0
    got: str = ""


class Occurrence(NamedTuple):
    """A symptom in a position: the move it is about, if it is about one, its path and captures; what is wrong there."""

    move: str = ""
    path: tuple[int, ...] = ()
    jumps: int = 0
    note: str = ""


#: The symptoms of an answer.
Symptoms = dict[Symptom, list[Occurrence]]


def symptoms(result: Result) -> Symptoms:
    """Return what is wrong with an answer to a question about a position."""
    found: Symptoms = defaultdict(list)
    if result.status in ("error", "timeout"):
        found[Symptom("error", result.kind or "error")].append(Occurrence(note=result.message or ""))
    position, expected, answer = result.question.position, result.question.expected, result.answer or Answer()
    named = {each: "unparsable" if each.key in answer.unparsable else each.what for each in result.differences}
    for each, what in sorted(named.items(), key=lambda entry: _ORDER.index(entry[1])):
        if each.key is None:
            right, got = str(expected.outcome), str(answer.outcome)
            note = f"the engine says {got} where {right} is right"
            found[Symptom("outcome", right, got=got)].append(Occurrence(note=note))
            continue
        right_ones = {**(expected.moves or {}), **(expected.lapses or {})}
        text = str((getattr(answer, each.among) if each.what == "extra" else right_ones)[each.key])
        move = f"{LAPSE}{text}" if each.among == "lapses" else text
        path, jumps = read_path(text.partition(" (")[0], position.board)  # captured squares may follow
        jumps = len(each.key[2]) if isinstance(each.key, tuple) else jumps
        note = ""
        if what == "after":
            how, note = _after(each.key, move, expected.after[each.key], answer.after[each.key])
            what = f"after: {how}"
        found[Symptom(what, _mover(position, path), min(jumps, 2))].append(Occurrence(move, path, jumps, note))
    return found


def _mover(position: Position, path: tuple[int, ...]) -> str:
    """Return which piece makes a move with this path."""
    if not path:
        return "action"
    piece = position[path[0]]
    if piece is None:
        return "empty square"
    return piece.kind if piece.side == position.turn else "piece of the other side"


def _after(key: Key, move: str, right: After, got: After) -> tuple[str, str]:
    """Return how the position after a move is wrong, in general and in words."""
    if isinstance(right, str) or isinstance(got, str):
        return "no position", f"after {move} the engine answers {got}"
    kinds, notes = set(), []
    whose = {key[0]: "start", key[1]: "moved piece"} if isinstance(key, tuple) else {}
    for square in sorted({*right, *got}):
        here, wanted = got[square], right[square]
        if here != wanted:
            what = "gone" if here is None else "stays" if wanted is None else "changed"
            kinds.add(f"{whose.get(square, 'other')} {what}")
            notes.append(f"{_name(here)} on {square} (right: {_name(wanted)})")
    if right.turn != got.turn:
        kinds.add("turn")
        notes.append(f"{got.turn.capitalize()} is to move (right: {right.turn.capitalize()})")
    fields, given = (":".join(one.fen().split(":")[3:]) for one in (right, got))
    if fields != given:
        kinds.add("fields")
        notes.append(f"{given or 'no field after the pieces'} (right: {fields or 'none'})")
    return " and ".join(sorted(kinds)), f"after {move} the engine has {list_some(notes, _NAMED)}"


def _name(piece: Piece | None) -> str:
    return " ".join(piece) if piece else "nothing"


def capture_size(move: Move) -> int:
    """Return how many pieces a move takes: 0, 1, or 2 for more."""
    return min(len(move.captured), 2)


def legal_moves(turns: ActionGenerator, position: Position) -> list[Move]:
    """Return the legal moves, without other actions."""
    return [action for action in turns.actions(position) if isinstance(action, Move)]
