"""What published engines have got wrong that an engine for a game can get wrong too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import damspec
from damspec import DamspecError, Position, Ruleset

from ...cases.case import Case
from ...cases.cases import cases_for
from ...engines import known
from ...engines.known import Known
from ..links import plainness
from .library import Library

#: How many moves, or positions, are shown of what was wrong.
_SHOWN = 6


@dataclass(frozen=True)
class Pitfall:
    """Something an engine does wrong: in words, and the plainest case that shows it, with what was wrong there.

    `played` is the game that the engine was asked. If that is not the game the pitfall is told for, this one has the
    same answer to the case. `number` is how many cases of the game played fail so.
    """

    engine: str
    version: str
    played: str
    cause: str
    about: str
    case: Case
    faults: Mapping[str, Any]
    number: int

    @property
    def shown(self) -> list[tuple[str, list[str]]]:
        """What was wrong in the case: in words, with moves, positions or outcomes."""
        listed = [
            (says, [*self.faults.get(key, ())])
            for key, says in (("missing", "not listed"), ("extra", "listed and not legal"), ("unparsable", "no moves"))
        ]
        compared = {f"after {move}": one for move, one in self.faults.get("after", {}).items()}
        compared |= {key: self.faults[key] for key in ("start", "outcome") if key in self.faults}
        listed += [(f"{what}, where {one['expected']} is right", [str(one["got"])]) for what, one in compared.items()]
        return [(says, found[:_SHOWN]) for says, found in listed if found][:_SHOWN]


class Pitfalls:
    """The known failures of all engines, asked for those that a game can share."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listed = [
            (listed, self._cases(listed.ruleset))
            for cell in library.matrix.cells
            if cell.wrong and known.path(cell.engine, cell.ruleset).is_file()
            for listed in [known.load(cell.engine, cell.ruleset)]
        ]

    def of(self, ruleset: Ruleset) -> list[Pitfall]:
        """Those of a game: of engines that play it first, then of others where its answer is the same.

        What an engine does wrong for one cause in several games is told once.
        """
        found: dict[tuple[str, str], Pitfall] = {}
        for listed, cases in sorted(self._listed, key=lambda one: one[0].ruleset != ruleset.id):
            for pitfall in self._told(ruleset, listed, cases):
                found.setdefault((pitfall.engine, pitfall.cause), pitfall)
        return [*found.values()]

    def _told(self, ruleset: Ruleset, listed: Known, cases: Mapping[str, Case]) -> Iterator[Pitfall]:
        for cause, about in listed.causes.items():
            failing = sorted((cases[id] for id in listed.failing(cause) if id in cases), key=plainness)
            case = next((case for case in failing if self._holds(ruleset, listed, case)), None)
            if case:
                faults = listed.failures[case.id]["faults"]
                told = (listed.engine, listed.version, listed.ruleset, cause, about)
                yield Pitfall(*told, case, faults, len(failing))

    def _cases(self, id: str) -> dict[str, Case]:
        """The cases of a ruleset that are shown on pages of their own: those of an overlay have other answers."""
        shown = self._library.cases
        return {case.id: case for case in cases_for(damspec.load_ruleset(id)) if case.id in shown}

    def _holds(self, ruleset: Ruleset, listed: Known, case: Case) -> bool:
        """Whether a case that an engine fails has the same answer in a game that the engine was not asked.

        That is as many moves, to the same pieces on the same squares. If the engine is wrong in nothing but the
        positions after moves, all of what a position has counts.
        """
        if ruleset.id == listed.ruleset:
            return True
        played = damspec.load_ruleset(listed.ruleset)
        if case.expected.moves is None or case.position == "start" or played.rules.board != ruleset.rules.board:
            return False
        try:
            position = ruleset.position(case.position)
        except DamspecError:
            return False
        legal = damspec.legal_moves(ruleset, position)
        if legal.lapses or len(legal) != len(case.expected.moves):
            return False
        parts = None if {*listed.failures[case.id]["faults"]} == {"after"} else 3
        after = {_parts(damspec.play(ruleset, position, move), parts) for move in legal}
        return after == {_parts(played.position(fen), parts) for fen in case.expected.moves.values()}


def _parts(position: Position, number: int | None) -> tuple[str, ...]:
    """The first parts of a position's FEN, or all: every game has the side to move and the pieces of the two sides."""
    return tuple(position.fen().split(":")[:number])
