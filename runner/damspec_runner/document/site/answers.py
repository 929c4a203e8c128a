"""What cases and rules say about a position, as pictures and words that pages show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import damspec
from damspec import Layout, Outcome, Position, Ruleset
from damspec.vocabulary import affects

from ...answers.player import Player
from ...cases.cases import Case, Expectation
from .library import Library
from .pictures import Gallery, Picture

_RESULTS = {
    "ongoing": "The game goes on",
    "white": "White has won",
    "black": "Black has won",
    "draw": "The game is drawn",
}
_REASONS = {
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
class Continuation:
    """Something that can be done or was done, and the position after it."""

    action: str
    fen: str = ""
    after: Picture | None = None


@dataclass(frozen=True)
class DrawnAnswer:
    """The answer to a question about a position: what can be done, or a game played through, or how it stands."""

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
        expected, player, position = case.expected, self.library.players[case.ruleset], self.position(case)
        layout, picture = self.library.layout(case.ruleset), self.picture(case)

        def step(before: Position, action: str, fen: str) -> Continuation:
            return Continuation(action, fen, self.gallery.after(player.read(fen), layout, before, action))

        if expected.outcome is not None:
            return DrawnAnswer(picture, ending=_ending(case, expected.outcome))
        if expected.end is not None:
            befores = [position, *(player.read(fen) for _, fen in expected.game)]
            steps = tuple(step(before, *turn) for before, turn in zip(befores, expected.game, strict=False))
            return DrawnAnswer(picture, game=steps, ending=ended(expected.end))
        return DrawnAnswer(
            picture,
            moves=tuple(step(position, *move) for move in (expected.moves or {}).items()),
            lapses=tuple(step(position, *lapse) for lapse in (expected.lapses or {}).items()),
        )

    def otherwise(self, case: Case, query: str) -> DrawnAnswer:
        """What a case expects under another reading, which may have another board."""
        expected, player = case.otherwise[query], self._player(case, query)
        picture = self._drawn(expected, player.read(case.position), self.library.layout(case.ruleset))
        if expected.outcome is not None:
            return DrawnAnswer(picture, ending=_ending(case, expected.outcome))
        if expected.end is not None:
            return DrawnAnswer(
                picture,
                game=tuple(Continuation(action, fen) for action, fen in expected.game),
                ending=ended(expected.end),
            )
        return DrawnAnswer(
            picture,
            moves=tuple(map(Continuation, expected.moves or ())),
            lapses=tuple(map(Continuation, expected.lapses or ())),
        )

    def of_rules(self, ruleset: Ruleset, position: Position, question: str, layout: Layout | None) -> DrawnAnswer:
        """What the reference answers: the `moves`, with lapses, or the `outcome`."""
        if question == "outcome":
            ending = ended(damspec.outcome(ruleset, position))
            return DrawnAnswer(self.gallery.answers(position, layout, (), ending=ending), ending=ending)
        legal = damspec.legal_moves(ruleset, position)
        moves, lapses = (
            tuple(Continuation(str(action), damspec.play(ruleset, position, action).fen()) for action in actions)
            for actions in (legal, legal.lapses)
        )
        listed, lapsing = ([step.action for step in steps] for steps in (moves, lapses))
        picture = self.gallery.answers(position, layout, listed, lapsing)
        return DrawnAnswer(picture, moves=moves, lapses=lapses)

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


def _ending(case: Case, outcome: Outcome) -> str:
    """How a game stands in the position of a case, or after its history."""
    return f"{ended(outcome)}, after {', '.join(case.history)}" if case.history else ended(outcome)


def ended(outcome: Outcome) -> str:
    """How a game stands, in words."""
    reason = _REASONS.get(outcome.reason or "", outcome.reason)
    return _RESULTS[outcome.result] + (f": {reason}" if reason else "")


@cache
def _player(ruleset: Ruleset) -> Player:
    return Player(ruleset)
