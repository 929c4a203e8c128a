"""An engine against a perft suite: it is asked for the counts, or its moves are listed and played to count them.

What explains wrong numbers is something else that the engine may play, and that gives all of its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from damspec import Ruleset

from ..answers.mutant_perft import mutant_nodes
from ..cases.answer import move_text, read_key, said_position
from ..cases.notation import Key
from ..cases.perft_tables import CountedPosition, PerftSuite
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from .ask import check_plays
from .exchange import ask_params
from .explain.hypotheses import Hypothesis, plain_hypotheses, seen_faults, several_changes

#: The most nodes counted by listing and playing moves.
WALKED = 2_000
#: The multiple of the right count at which counting is given up.
_TOO_MANY = 20
#: The most explanations given, of those that fit.
_EXPLANATIONS = 5


@dataclass(frozen=True)
class Number:
    """A count of sequences of `depth` actions from a position: the right one, and the engine's."""

    position: str
    depth: int
    expected: int
    found: int

    @property
    def wrong(self) -> bool:
        """Whether the engine's count is wrong."""
        return self.found != self.expected


@dataclass(frozen=True)
class Counts:
    """The engine's counts for a suite. `way` is the question that was asked, `perft` or `moves`."""

    ruleset: str
    engine: str
    way: str
    numbers: tuple[Number, ...]
    #: Positions without a complete answer, each with the reason in one line.
    unanswered: tuple[tuple[str, str], ...] = ()
    #: What would give all the counts, wrong and right ones, in words.
    explained: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def wrong(self) -> list[Number]:
        """The wrong numbers."""
        return [number for number in self.numbers if number.wrong]

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain data (schemas/counts.schema.json)."""
        return {
            "ruleset": self.ruleset,
            "engine": self.engine,
            "asked": self.way,
            "positions": len({number.position for number in self.numbers}),
            "numbers": len(self.numbers),
            "wrong": [
                {"position": one.position, "depth": one.depth, "expected": one.expected, "found": one.found}
                for one in self.wrong
            ],
            "unanswered": [{"position": position, "message": message} for position, message in self.unanswered],
            "explained": list(self.explained),
            "interrupted": self.interrupted,
        }


def counts(
    ruleset: Ruleset, suite: PerftSuite, engine: Engine, report_progress: Callable[[int], None] = lambda done: None
) -> Counts:
    """Ask an engine about every position of a suite; `report_progress` gets the number done. Raises EngineError."""
    hello = engine.hello()
    check_plays(hello, ruleset)
    if not hello.questions & {"perft", "moves"}:
        raise EngineError("questions", f"{hello.name} answers neither perft nor moves")
    asking = _Counting(ruleset, engine, hello)
    found: list[Number] = []
    unanswered: list[tuple[str, str]] = []
    interrupted = False
    try:
        for done, one in enumerate(suite.positions, 1):
            try:
                for number in asking.numbers(one):  # those before an error count
                    found.append(number)
            except UnsupportedError as reason:
                unanswered.append((one.position, f"does not answer that: {reason}"))
            except EngineError as error:
                unanswered.append((one.position, str(error)))
            report_progress(done)
    except KeyboardInterrupt:
        interrupted = True
    name = f"{hello.name} {hello.version}"
    return Counts(ruleset.id, name, asking.way, tuple(found), tuple(unanswered), interrupted=interrupted)


class _Counting:
    def __init__(self, ruleset: Ruleset, engine: Engine, hello: Hello) -> None:
        self._ruleset, self._engine, self._hello = ruleset, engine, hello
        self._params = ask_params(ruleset, hello)
        self._left = 0
        self.way = "perft" if "perft" in hello.questions else "moves"

    def numbers(self, one: CountedPosition) -> Iterator[Number]:
        """Yield the numbers of a position as they come. Raises UnsupportedError, EngineError."""
        if self.way == "perft":
            for depth, right in enumerate(one.nodes, 1):
                answer = self._engine.ask("perft", {**self._params, "position": one.position, "depth": depth})
                yield Number(one.position, depth, right, answer["nodes"])
            return
        few = sum(right <= WALKED for right in one.nodes)
        levels = max(1, few) if "play" in self._hello.questions else 1
        self._left = _TOO_MANY * (sum(one.nodes[:levels]) + 10)
        for depth, found in enumerate(self._count_by_moves(one.position, levels), 1):
            yield Number(one.position, depth, one.nodes[depth - 1], found)

    def _count_by_moves(self, position: str, levels: int) -> list[int]:
        """Return the counts of each depth by the engine's lists and its positions after moves."""
        params = {**self._params, "position": position}
        moves = self._drop_duplicates(position, self._engine.ask("moves", params)["moves"])
        self._left -= len(moves)
        if self._left < 0:
            raise EngineError("size", "lists far more moves than there are")
        found = [len(moves)] + [0] * (levels - 1)
        if levels == 1:
            return found
        # All are played before another position is asked about: engines may cache the last one.
        played = [self._engine.ask("play", {**params, "move": move})["position"] for move in moves]
        for after in played:
            for level, number in enumerate(self._count_by_moves(after, levels - 1), 1):
                found[level] += number
        return found

    def _drop_duplicates(self, position: str, moves: Iterable[Any]) -> list[Any]:
        read = said_position(self._ruleset, position)
        found: dict[Key, Any] = {}
        for move in moves:
            found.setdefault(move_text(move) if isinstance(read, str) else read_key(read, move), move)
        return list(found.values())


def explain_counts(ruleset: Ruleset, done: Counts) -> tuple[str, ...]:
    """Return what would give all the counts: one change, reading or game; else a known mistake; else two changes.

    Nothing if no number is wrong, or none of that would.
    """
    numbers = sorted(done.numbers, key=lambda one: (not one.wrong, one.found))
    if not done.wrong:
        return ()
    groups: tuple[Callable[[Ruleset], Iterable[Hypothesis]], ...] = (plain_hypotheses, seen_faults, several_changes)
    for group in groups:
        fitting = [one for one in group(ruleset) if _gives(one, numbers)]
        if fitting:
            return tuple(one.describe(ruleset) for one in fitting[:_EXPLANATIONS])
    return ()


def _gives(hypothesis: Hypothesis, numbers: Iterable[Number]) -> bool:
    return all(mutant_nodes(hypothesis.player, one.position, one.depth) == one.found for one in numbers)
