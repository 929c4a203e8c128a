"""What cases and rules say about a position, as pictures and words that pages show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import damspec
from damspec import Action, Layout, Outcome, Position, Ruleset
from damspec.vocabulary import affects

from ...answers.player import Player
from ...cases.cases import Case, Expectation
from .library import Library
from .pictures import Gallery, Picture

#: How a game stands, and by what, in words.
RESULTS = {
    "ongoing": "The game goes on",
    "white": "White has won",
    "black": "Black has won",
    "draw": "The game is drawn",
}
REASONS = {
    "no-pieces": "a side has no pieces left",
    "no-moves": "the side to move cannot move",
    "first-king": "a side has a king",
    "both-empty": "the last pieces of both sides have gone at once",
    "one-piece-each": "each side has one piece",
    "one-piece-each-no-capture": "each side has one piece, and there is no capture",
    "one-piece-each-same-kind": "each side has one piece of the same kind",
    "repetition": "the position has been there before",
    "king-moves": "nothing but kings has moved for long",
    "ending": "an ending like this has lasted long enough",
    "balance": "the pieces have been the same for long",
    "main-road": "the main road has been held for long",
}


@dataclass(frozen=True)
class StepTaken:
    """Something that can be done or was done, and the position after it."""

    action: str
    fen: str
    after: Position = field(compare=False)


@dataclass(frozen=True)
class Reply:
    """The answer to a question about a position: the lists of what can be done, or was done, or how it stands.

    The lists are `Moves`, `Lapses` and the `Turns` of a game, as far as it has them. Equal answers say the same.
    """

    position: Position
    layout: Layout | None
    listed: tuple[tuple[str, tuple[StepTaken, ...]], ...]
    ending: str = ""

    @property
    def lists(self) -> Mapping[str, tuple[StepTaken, ...]]:
        """The lists by their names."""
        return dict(self.listed)

    def before(self, name: str, step: StepTaken) -> Position:
        """The position before a step of a list."""
        turns = self.lists[name] if name == "Turns" else ()
        earlier = [*turns[: turns.index(step)]] if turns else []
        return earlier[-1].after if earlier else self.position


@dataclass(frozen=True)
class Continuation:
    """Something that can be done or was done, with the position after it drawn."""

    action: str
    fen: str
    after: Picture


@dataclass(frozen=True)
class DrawnAnswer:
    """An answer with its pictures: what can be done, or a game played through, or how it stands."""

    picture: Picture
    moves: tuple[Continuation, ...] | None = None
    lapses: tuple[Continuation, ...] = ()
    game: tuple[Continuation, ...] = ()
    ending: str = ""


class Answers:
    """Answers made from cases and from the reference, with their pictures."""

    def __init__(self, library: Library, gallery: Gallery) -> None:
        self.library, self.gallery = library, gallery
        self._pictures: dict[str, Picture] = {}

    def position(self, case: Case) -> Position:
        """The position of a case."""
        return self.library.players[case.ruleset].read(case.position)

    def picture(self, case: Case) -> Picture:
        """The picture of a case: its position and what is expected there."""
        if case.id not in self._pictures:
            layout = self.library.layout(case.ruleset)
            self._pictures[case.id] = self._drawn(case.expected, self.position(case), layout)
        return self._pictures[case.id]

    def of_case(self, case: Case) -> DrawnAnswer:
        """What a case expects, each action with the position after it."""
        answer = self.expected(case)
        drawn = {
            name: tuple(self._continued(answer, answer.before(name, step), step) for step in steps)
            for name, steps in answer.listed
        }
        return DrawnAnswer(
            self.picture(case), drawn.get("Moves"), drawn.get("Lapses", ()), drawn.get("Turns", ()), answer.ending
        )

    def _continued(self, answer: Reply, before: Position, step: StepTaken) -> Continuation:
        return Continuation(step.action, step.fen, self.gallery.after(step.after, answer.layout, before, step.action))

    def expected(self, case: Case, query: str = "") -> Reply:
        """What a case expects; under other readings, which may have another board, if there is a query."""
        expected = case.otherwise[query] if query else case.expected
        player = self._player(case, query) if query else self.library.players[case.ruleset]

        def steps(found: Iterable[tuple[str, str]]) -> tuple[StepTaken, ...]:
            return tuple(StepTaken(action, fen, player.read(fen)) for action, fen in found)

        position, layout = player.read(case.position), self.library.layout(case.ruleset)
        if expected.outcome is not None:
            return Reply(position, layout, (), _ending(case, expected.outcome))
        if expected.end is not None:
            return Reply(position, layout, (("Turns", steps(expected.game)),), ended(expected.end))
        moves, lapses = (steps((found or {}).items()) for found in (expected.moves, expected.lapses))
        return Reply(position, layout, (("Moves", moves), *([("Lapses", lapses)] if lapses else [])))

    def by_rules(self, ruleset: Ruleset, position: Position, question: str, layout: Layout | None) -> Reply:
        """What the reference answers: the `moves`, with lapses, or the `outcome`."""
        if question == "outcome":
            return Reply(position, layout, (), ended(damspec.outcome(ruleset, position)))
        legal = damspec.legal_moves(ruleset, position)
        moves, lapses = (tuple(_step(ruleset, position, action) for action in found) for found in (legal, legal.lapses))
        return Reply(position, layout, (("Moves", moves), *([("Lapses", lapses)] if lapses else [])))

    def start(self, ruleset: Ruleset) -> Picture:
        """The position in which a game begins."""
        return self.gallery.board(Position.start(ruleset.rules), self.library.layout(ruleset.base))

    def _player(self, case: Case, query: str) -> Player:
        """The player that reads positions under another reading; the usual one unless the board changes."""
        ruleset = self.library.rulesets[case.ruleset]
        overlays = [reading.alternatives[word].set for reading, word in ruleset.readings_in(query)]
        if any("board" in affects(rule) for overlay in overlays for rule in overlay):
            return _player(ruleset.under(query))
        return self.library.players[case.ruleset]

    def _drawn(self, expected: Expectation, position: Position, layout: Layout | None) -> Picture:
        if expected.outcome is not None:
            return self.gallery.answers(position, layout, (), ending=f"{ended(expected.outcome)}.")
        if expected.end is not None:
            says = f"A game of {len(expected.game)} turns. {ended(expected.end)}."
            return self.gallery.answers(position, layout, (), ending=says)
        return self.gallery.answers(position, layout, expected.moves or {}, expected.lapses or {})


def _step(ruleset: Ruleset, position: Position, action: Action) -> StepTaken:
    after = damspec.play(ruleset, position, action)
    return StepTaken(str(action), after.fen(), after)


def _ending(case: Case, outcome: Outcome) -> str:
    """How a game stands in the position of a case, or after its history."""
    return f"{ended(outcome)}, after {', '.join(case.history)}" if case.history else ended(outcome)


def ended(outcome: Outcome) -> str:
    """How a game stands, in words."""
    reason = REASONS.get(outcome.reason or "", outcome.reason)
    return RESULTS[outcome.result] + (f": {reason}" if reason else "")


@cache
def _player(ruleset: Ruleset) -> Player:
    return Player(ruleset)
