"""Boards on pages: pictures, answers side by side, and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import damspec
from damspec import Action, Layout, Outcome, Position, Ruleset
from damspec.board import Board
from damspec.move import is_move_text, read_squares
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.cases.notation import move_effect
from damspec_runner.document.rulebook import Language, describe_setup, languages

from .diagrams import Picture
from .pages import SiteError


def picture_answers(
    position: Position, layout: Layout | None, moves: Iterable[str], lapses: Iterable[str] = (), outcome: str = ""
) -> Picture:
    """Return a position with its moves as arrows, lapses as dashed arrows and captures as crosses."""
    listed, lapsing = ({text: captured(position, text) for text in texts} for texts in (moves, lapses))
    says = [outcome] if outcome else [f"Moves: {_moves_in_words(listed)}."]
    if lapsing:
        says.append(f"Lapses: {_moves_in_words(lapsing)}.")
    return Picture(
        position,
        layout,
        tuple(path for text in listed if (path := squares(position, text))),
        tuple(path for text in lapsing if (path := squares(position, text))),
        tuple(sorted({square for taken in listed.values() for square in taken})),
        says=" ".join(says),
    )


def picture_after(position: Position, layout: Layout | None, before: Position, text: str) -> Picture:
    """Return the position after an action, marking where the piece came from and went to."""
    path = squares(before, text)
    return Picture(position, layout, marked=(path[0], path[-1]) if path else (), says=f"After {text}.")


def squares(position: Position, text: str) -> tuple[int, ...]:
    """Return the squares on the path of a move; none for an action that moves no piece."""
    return read_squares(text, position.board)[0] if is_move_text(text) else ()


def captured(position: Position, text: str) -> tuple[int, ...]:
    """Return the squares of the pieces an action removes, by capture or huff."""
    if text.startswith("huff "):
        return (int(text.removeprefix("huff ")),)
    found = move_effect(position, text)
    return tuple(sorted(found[2])) if isinstance(found, tuple) else ()


def _moves_in_words(moves: Mapping[str, Sequence[int]]) -> str:
    """Say which moves there are, and what each captures."""
    told = (
        f"{text} capturing {', '.join(map(str, taken))}" if taken and is_move_text(text) else text
        for text, taken in moves.items()
    )
    return "; ".join(told) or "none"


#: The most positions after actions that are drawn of an answer.
_DRAWN = 3


@dataclass(frozen=True)
class PlayedAction:
    """An action and the position after it."""

    action: str
    fen: str
    after: Position = field(compare=False)


@dataclass(frozen=True)
class ShownOutcome:
    """How a position stands, after the moves played before it if a case names any."""

    outcome: Outcome
    history: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """The answer to a question about a position: lists of actions, or the outcome.

    The lists are `Moves`, `Lapses` and the `Turns` of a game, as far as there are any. Equal replies read the same.
    """

    position: Position
    layout: Layout | None
    listed: tuple[tuple[str, tuple[PlayedAction, ...]], ...]
    outcome: ShownOutcome | None = None

    @property
    def lists(self) -> Mapping[str, tuple[PlayedAction, ...]]:
        """The lists by name."""
        return dict(self.listed)


def picture_case(case: Case, position: Position, layout: Layout | None) -> Picture:
    """Return the picture of a case: its position and the expected answer."""
    expected = case.expected
    if shown := shown_outcome(case, expected):
        game = f"A game of {len(expected.game)} turns. " if expected.game else ""
        says = f"{game}{outcome_in_words(shown.outcome, languages()[0])}."
        return picture_answers(position, layout, (), outcome=says)
    return picture_answers(position, layout, expected.moves or {}, expected.lapses or {})


def expected_answer(case: Case, query: str, player: RulePlayer, layout: Layout | None) -> Reply:
    """Return the answer of a case, with `query` under other readings; `player` reads its positions."""
    expected = case.otherwise[query] if query else case.expected

    def steps(found: Iterable[tuple[str, str]]) -> tuple[PlayedAction, ...]:
        return tuple(PlayedAction(action, fen, player.parse_position(fen)) for action, fen in found)

    position = player.parse_position(case.position)
    if shown := shown_outcome(case, expected):
        return Reply(position, layout, (("Turns", steps(expected.game)),) if expected.game else (), shown)
    return _listing(position, layout, *(steps((found or {}).items()) for found in (expected.moves, expected.lapses)))


def reference_answer(ruleset: Ruleset, position: Position, question: str) -> Reply:
    """Return the reference's answer: the `moves` with lapses, or the `outcome`."""
    if question == "outcome":
        return Reply(position, None, (), ShownOutcome(damspec.outcome(ruleset, position)))
    legal = damspec.legal_moves(ruleset, position)
    moves, lapses = (tuple(_step(ruleset, position, action) for action in found) for found in (legal, legal.lapses))
    return _listing(position, None, moves, lapses)


def _listing(
    position: Position, layout: Layout | None, moves: tuple[PlayedAction, ...], lapses: tuple[PlayedAction, ...]
) -> Reply:
    return Reply(position, layout, (("Moves", moves), *([("Lapses", lapses)] if lapses else [])))


def _step(ruleset: Ruleset, position: Position, action: Action) -> PlayedAction:
    after = damspec.play(ruleset, position, action)
    return PlayedAction(str(action), after.fen(), after)


def shown_outcome(case: Case, expected: Expectation) -> ShownOutcome | None:
    """Return the expected outcome of a case's position, after its history or of its game, if it has one."""
    if expected.outcome is not None:
        return ShownOutcome(expected.outcome, tuple(case.history))
    return ShownOutcome(expected.end) if expected.end is not None else None


def outcome_in_words(outcome: Outcome, language: Language) -> str:
    """Describe an outcome."""
    play = language.content["play"]
    reason = play["reasons"].get(outcome.reason or "", outcome.reason)
    return str(play["results"][outcome.result]) + (f"{play['colon']}{reason}" if reason else "")


def describe(picture: Picture, language: Language, ruleset: Ruleset) -> Picture:
    """Return a picture whose text alternative is in a language, in the game's own words."""
    words = describe_setup(language, picture.position, picture.layout)
    return replace(picture, words=language.in_own_words(words, ruleset))


@dataclass(frozen=True)
class Side:
    """An answer of several: the names of those who give it, and its actions and outcome.

    The actions are listed by kind, each with whether it is not the same in all answers. `afters` are the positions
    after those that all answers have and that lead elsewhere.
    """

    names: tuple[str, ...]
    board: Board
    picture: Picture
    lists: Mapping[str, tuple[tuple[PlayedAction, bool], ...]]
    outcome: ShownOutcome | None
    afters: tuple[tuple[str, Picture], ...]


def side_by_side(where: str, answers: Iterable[tuple[str, Reply]]) -> list[Side]:
    """Return named answers beside one another, equal ones as one.

    Raises SiteError, naming the place, if all are equal.
    """
    grouped: dict[Reply, list[str]] = {}
    for name, answer in answers:
        grouped.setdefault(answer, []).append(name)
    if len(grouped) == 1:
        (names,) = grouped.values()
        raise SiteError(f"{where}: {' and '.join(names)} have the same answer, expected different ones")
    everyone = [{(name, step) for name, steps in answer.listed for step in steps} for answer in grouped]
    shared = set.intersection(*everyone)
    actions = set.intersection(*({(name, step.action) for name, step in each} for each in everyone))

    def side(names: list[str], answer: Reply) -> Side:
        lists = {name: tuple((step, (name, step) not in shared) for step in steps) for name, steps in answer.listed}
        elsewhere = [s for name in lists for s, differs in lists[name] if differs and (name, s.action) in actions]
        shown = [] if answer.outcome else elsewhere[:_DRAWN]
        moves, lapses = ([step.action for step, _ in lists.get(name, ())] for name in ("Moves", "Lapses"))
        return Side(
            tuple(names),
            answer.position.board,
            picture_answers(answer.position, answer.layout, moves, lapses),
            lists,
            answer.outcome,
            tuple((s.action, picture_after(s.after, answer.layout, answer.position, s.action)) for s in shown),
        )

    return [side(names, answer) for answer, names in grouped.items()]
