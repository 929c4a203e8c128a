"""The catalogue of faults (`spec/faults.yaml`): each with every value that can show by the rules of a game.

A fault is to an engine's answers what a mutant is: it has a name in words and makes turns that answer wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from damspec import Board, Position, Ruleset, data
from damspec.board import DIRECTIONS, opponent
from damspec.turn import Turns

from .legs import Leg, possible_legs
from .lists import Capped, Merged, Unrestored, Wrapped, captures_up_to, without_legs, without_piece
from .memory import OneLate, Recalling, Silent, Untidy
from .positions import Few, Swapped
from .successors import Unturned, left_standing, lost_at_home, uncrowned

#: What makes turns with a fault of the right ones, of the fault's values.
Make = Callable[[Turns, Mapping[str, Any]], Turns]

_PLACES = {"first": 0, "last": -1}
_EDGES: dict[str, Callable[[Board, int, int], bool]] = {
    "left": lambda board, column, row: column == 0,
    "right": lambda board, column, row: column == board.columns - 1,
    "top": lambda board, column, row: row == board.rows - 1,
    "bottom": lambda board, column, row: row == 0,
}


@dataclass(frozen=True)
class Fault:
    """A fault of an engine with its values, such as "lists at most 10 moves"."""

    id: str
    title: str
    values: Mapping[str, Any] = field(hash=False)
    name: str

    def turns(self, right: Turns) -> Turns:
        """The right turns with this fault. Those of an engine that remembers begin with nothing to remember."""
        lost = _lost(self.id, self.values, right.rules.board)
        return without_legs(right, lost) if lost else _MAKERS[self.id](right, self.values)


@dataclass(frozen=True)
class Greatest:
    """The greatest numbers that were found by search, each with a position that has it."""

    moves: int
    moves_position: str
    captured: int
    captured_position: str


@cache
def faults(ruleset: Ruleset) -> tuple[Fault, ...]:
    """Every fault with every value that can show by these rules, in the order of the catalogue."""
    return tuple(_faults(ruleset))


def greatest(ruleset: Ruleset) -> Greatest:
    """The greatest numbers found by search: for a ruleset of your own those of the one it extends, or the greatest."""
    found = {id: _greatest(entry) for entry in _catalogue()["greatest"] for id in entry["rulesets"]}
    for id in (ruleset.base, *reversed(ruleset.family)):
        if id in found:
            return found[id]
    moves = max(found.values(), key=lambda each: each.moves)
    captured = max(found.values(), key=lambda each: each.captured)
    return Greatest(moves.moves, moves.moves_position, captured.captured, captured.captured_position)


def _greatest(entry: Mapping[str, Any]) -> Greatest:
    moves, captured = entry["moves"], entry["captured"]
    return Greatest(moves["number"], moves["position"], captured["number"], captured["position"])


def _faults(ruleset: Ruleset) -> Iterator[Fault]:
    possible = tuple(possible_legs(ruleset))
    for entry in _catalogue()["faults"]:
        ranges = [_range(words, ruleset, possible) for words in entry["parameters"].values()]
        for chosen in product(*ranges):
            values = dict(zip(entry["parameters"], chosen, strict=True))
            if _can_show(entry["id"], values, ruleset, possible):
                shown = {**values, "next": values["square"] + 1} if "square" in values else values
                yield Fault(entry["id"], entry["title"], values, entry["says"].format(**shown))


@cache
def _catalogue() -> Mapping[str, Any]:
    path = data.root() / "spec" / "faults.yaml"
    content: Mapping[str, Any] = data.load_yaml(path)
    data.check(content, "faults", data.shown(path))
    return content


def _range(words: str | tuple[str | int, ...], ruleset: Ruleset, possible: tuple[Leg, ...]) -> Sequence[Any]:
    """The values that a parameter runs over: a list as it is, or what a word stands for."""
    board, most = ruleset.rules.board, greatest(ruleset)
    match words:
        case "side":
            return ("white", "black")
        case "direction":
            return tuple(DIRECTIONS)
        case "edge":
            return tuple(_EDGES)
        case "square":
            return range(1, len(board) + 1)
        case "next":
            return range(1, len(board))
        case "moves":
            return range(1, most.moves)
        case "captured":
            return range(1, most.captured)
        case "nth":
            return range(1, most.captured + 1)
        case "pieces":
            start = Position.start(ruleset.rules)
            return range(1, max(start.occupied("white").bit_count(), start.occupied("black").bit_count()))
        case "steps":
            return range(1, max(leg.length for leg in possible))
        case _:
            assert not isinstance(words, str)
            return words


def _can_show(id: str, values: Mapping[str, Any], ruleset: Ruleset, possible: tuple[Leg, ...]) -> bool:
    """Whether there is a step, a jump, a crown or an action of a game by these rules that a fault is about."""
    rules = ruleset.rules
    lost = _lost(id, values, rules.board)
    if lost:
        return any(map(lost, possible))
    match id:
        case "edge-open":
            return rules.board.squares == "all" or rules.board.columns % 2 == 0
        case "lost-at-home":
            return rules.capture.origin == "empty"
        case "not-crowned":
            crownhead = rules.board.nearest_rows(rules.promotion.rows, opponent(values["side"]))
            ends = {
                leg.end for leg in possible if (leg.side, leg.piece, leg.way) == (values["side"], "men", values["way"])
            }
            return values["square"] in ends and bool(rules.board.bit(values["square"]) & crownhead)
        case "turn-wrong":
            return values["action"] in _actions(ruleset)
        case "recalls":
            return values["what"] != "what is pending" or bool(rules.huff or rules.spin)
        case _:
            return True


def _actions(ruleset: Ruleset) -> set[str]:
    """What a turn can be by some rules, in the words of the catalogue."""
    spin, huff = ruleset.rules.spin, ruleset.rules.huff
    found = {"a move", "a capture", "a promotion"}
    if spin:
        found |= {"a spin", "a push of a slider", *(["a pass"] if spin.slide == "may-decline" else [])}
    if huff:
        remedies = {"huff": "a huff", "retract": "a move taken back"}
        found |= {"a lapse", *(remedies[remedy] for remedy in huff.remedies)}
    return found


# --- what each fault of the catalogue does


def _lost(id: str, v: Mapping[str, Any], board: Board) -> Callable[[Leg], bool] | None:
    """The steps and jumps that a fault does not find; None for one that is about something else."""
    lost = _LOST.get(id)
    return (lambda leg: lost(leg, v, board)) if lost else None


def _is_of(leg: Leg, v: Mapping[str, Any]) -> bool:
    """Whether a step or jump is of the side, the pieces, the way and the direction that are named."""
    return all(getattr(leg, name) == v[name] for name in ("side", "piece", "way", "direction") if name in v)


_LOST: dict[str, Callable[[Leg, Mapping[str, Any], Board], bool]] = {
    "direction-missing": lambda leg, v, board: _is_of(leg, v),
    "edge-missing": lambda leg, v, board: _is_of(leg, v) and _EDGES[v["edge"]](board, *board.places[leg.end - 1]),
    "line-short": lambda leg, v, board: (
        leg.piece == "kings" and _is_of(leg, v) and not board.step(board.bit(leg.end), leg.direction, leg.side)
    ),
    "reach-short": lambda leg, v, board: leg.piece == "kings" and not leg.over and leg.length > v["n"],
    "sight-short": lambda leg, v, board: leg.piece == "kings" and leg.reach > v["n"],
    "landing-short": lambda leg, v, board: leg.piece == "kings" and leg.over > 0 and leg.length - leg.reach > v["n"],
    "never-leaves": lambda leg, v, board: leg.start == v["square"],
    "never-enters": lambda leg, v, board: leg.end == v["square"],
    "never-takes": lambda leg, v, board: leg.over == v["square"],
}

_MAKERS: dict[str, Make] = {
    "list-full": lambda right, v: Capped(right, v["n"]),
    "capture-too-long": lambda right, v: captures_up_to(right, v["n"]),
    "captured-full": lambda right, v: left_standing(right, lambda jumped: jumped[v["n"] :]),
    "pieces-full": lambda right, v: Few(right, v["n"]),
    "piece-forgotten": lambda right, v: without_piece(right, _PLACES[v["which"]]),
    "edge-open": lambda right, v: Wrapped(right, v["way"], v["edge"]),
    "moves-merged": lambda right, v: Merged(right, starts_count=v["ends"] == "start and end"),
    "capture-not-undone": lambda right, v: Unrestored(right, any_piece=v["scope"] == "any piece"),
    "left-standing": lambda right, v: left_standing(right, lambda jumped: jumped[v["n"] - 1 : v["n"]]),
    "lost-at-home": lambda right, v: lost_at_home(right),
    "not-crowned": lambda right, v: uncrowned(right, v["side"], v["way"], v["square"]),
    "turn-wrong": lambda right, v: Unturned(right, v["action"]),
    "squares-swapped": lambda right, v: Swapped(right, v["square"], v["square"] + 1),
    "one-late": lambda right, v: OneLate(right),
    "not-tidied": lambda right, v: Untidy(right, _PLACES[v["which"]]),
    "goes-silent": lambda right, v: Silent(right, v["n"]),
    "recalls": lambda right, v: Recalling(right, v["what"]),
}
