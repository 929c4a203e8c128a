"""A random game with all that is asked about it and the right answers, written down before the engine is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from damspec import Position, Ruleset
from damspec.kernel.installed import installed
from damspec.pieces import seen_by_mover, with_pieces

from ..engines.protocol import BEGIN, Foreseeing, Foreseen, Hello, Written, lines_of
from ..positions.walks import CAPTURE, CROWNING, KING, Luck, Ply, played, walk

if TYPE_CHECKING:
    from damspec.kernel.games import RandomGames, Wording

#: After how many positions compiled code is worth the seconds that it may take to be compiled.
PATIENCE = 2_000


@dataclass
class Scene:
    """A ply, its position and the one after it in text, and what the engine has told of it ahead, by the question."""

    ply: Ply
    fen: str
    after: str | None
    told: dict[str, Any] = field(default_factory=dict)


class Beginning(NamedTuple):
    """Where a game begins, how long it may last, and what chance does in it."""

    position: Position
    plies: int
    luck: int


class Script(NamedTuple):
    """The lines of a game, how many positions it has, and if it was played ply by ply the game and what is asked."""

    lines: Written
    positions: int
    game: list[Scene] | None = None
    foreseen: Sequence[tuple[int, Foreseen]] = ()


class Scripts:
    """Writes scripts of a ruleset's games for an engine; `params` are those that all questions share.

    After so many positions (`patience`) they are written by compiled code, where it can be had; with None never.
    """

    def __init__(
        self, ruleset: Ruleset, hello: Hello, params: Mapping[str, Any], patience: int | None = PATIENCE
    ) -> None:
        self._ruleset, self._questions = ruleset, hello.questions
        self._making = Foreseeing(params)
        #: Those of the cases come again, where some captures have many ways.
        self._actions = lru_cache(maxsize=1024)(ruleset.turns.actions)
        self._left = patience
        #: Whether answers are written as foreseen, so that it is of use to write games down quickly.
        self.foreseen_lately = True

    def plies(self, beginning: Beginning) -> Iterator[Ply]:
        """The game, ply by ply."""
        return walk(self._ruleset, Luck(beginning.luck), beginning.position, beginning.plies)

    def played(self, beginning: Beginning) -> list[Scene]:
        """The game with its positions in text."""
        return [*_steps(self.plies(beginning))]

    def foreseen(self, game: Iterable[Scene]) -> Iterator[tuple[int, Foreseen]]:
        """The questions about each position of a game, by its place, with the right answers."""
        making, questions = self._making, self._questions
        for place, step in enumerate(game):
            making.about(step.fen)
            if "moves" in questions:
                yield place, making.moves([str(action) for action in step.ply.actions])
                if "play" in questions and step.after is not None:
                    yield place, making.play(str(step.ply.chosen), step.after)
            if "outcome" in questions:
                yield place, making.outcome(step.ply.result)

    def written(self, beginning: Beginning, first: int) -> Script:
        """The script of a game; `first` is the id of the first question."""
        ready = self.foreseen_lately and self._left is not None and self._left <= 0
        if ready and self._games is not None:
            return self._quickly(self._games, beginning, first)
        game = self.played(beginning)
        if self._left is not None:
            self._left -= len(game)
        foreseen = [*self.foreseen(game)]
        return Script(lines_of([question for _, question in foreseen], first), len(game), game, foreseen)

    def _quickly(self, games: RandomGames, beginning: Beginning, first: int) -> Script:
        """The same, by compiled code as far as it goes."""
        position, plies, luck = beginning
        asked: list[bytes] = []
        told: list[bytes] = []
        count = 0
        while plies:
            stopped = games.play(*seen_by_mover(position), plies, luck, first + len(asked))
            questions, answers = games.lines
            asked += questions.splitlines(keepends=True)
            told += answers.splitlines()
            count += games.played
            if stopped == "over":
                break
            pieces, side, plies, luck = games.left
            position = with_pieces(position, pieces, side)
            if stopped == "strange":
                chance = Luck(luck)
                ply = played(self._ruleset, chance, position, self._actions(position))
                lines_here = [question for _, question in self.foreseen(_steps([ply]))]
                by_reference = lines_of(lines_here, first + len(asked))
                asked += by_reference.asked
                told += by_reference.told
                count, plies, luck = count + 1, plies - 1, chance.state
                if ply.after is None:
                    break
                position = ply.after
        return Script(Written(asked, told), count)

    @cached_property
    def _games(self) -> RandomGames | None:
        """The games in compiled code, if there is one that plays them."""
        if not installed():
            return None
        from damspec.kernel.games import RandomGames, Weights, plays

        if not plays(self._ruleset.rules):
            return None
        weights = Weights(CAPTURE, CROWNING, KING)
        return RandomGames(self._ruleset.rules, _wording(self._making), [*self._questions], weights)


def _steps(plies: Iterable[Ply]) -> Iterator[Scene]:
    fen: str | None = None
    for ply in plies:
        after = ply.after.fen() if ply.after is not None else None
        yield Scene(ply, fen or ply.position.fen(), after)
        fen = after


def _wording(making: Foreseeing) -> Wording:
    """The lines about a position, but for what is in them."""
    from damspec.kernel.games import Wording

    making.about("<position>")
    moves, play, outcome = making.moves(["<right>"]), making.play("<move>", "<right>"), making.outcome("<right>")
    begin, middle, end = _between(play.asked, "<position>", "<move>")
    return Wording(
        BEGIN,
        (*_between(moves.asked, "<position>"), *_between(moves.answered, '"<right>"')),
        (begin, middle, end, *_between(play.answered, "<right>")),
        (*_between(outcome.asked, "<position>"), *_between(outcome.answered, "<right>")),
    )


def _between(text: str, *marks: str) -> list[str]:
    """What is before the marks, between them and behind them, as the end of a line."""
    parts = []
    for mark in marks:
        before, _, text = text.partition(mark)
        parts.append(before)
    return [*parts, f"{text}\n"]
