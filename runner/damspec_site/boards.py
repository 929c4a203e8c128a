"""Boards on pages: pictures, answers side by side, and the legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, pairwise

from markupsafe import Markup

import damspec
from damspec import Action, Layout, Outcome, Position, Ruleset
from damspec.board import Board
from damspec.drawing import Sign, door_sign, situation
from damspec.move import is_move_text, read_squares
from damspec.vocabulary import affects
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.cases.notation import move_effect
from damspec_runner.document.rulebook import Language, languages

from .diagrams import Picture
from .library import SiteData
from .pages import SiteError


def picture_answers(
    position: Position, layout: Layout | None, moves: Iterable[str], lapses: Iterable[str] = (), ending: str = ""
) -> Picture:
    """Return a position with its moves as arrows, lapses as dashed arrows and captures as crosses."""
    listed, lapsing = ({text: captured(position, text) for text in texts} for texts in (moves, lapses))
    says = [ending] if ending else [f"Moves: {_moves_in_words(listed)}."]
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


def run_over(position: Position, text: str) -> tuple[int, ...]:
    """Return the squares under the arrow of a move; none for an action that moves no piece."""
    path, board = squares(position, text), position.board
    over = [board.number(bit) for here, there in pairwise(path) for bit in board.between(here, there) or ()]
    return (*path, *over)


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


@dataclass(frozen=True)
class PlayedAction:
    """An action and the position after it."""

    action: str
    fen: str
    after: Position = field(compare=False)


@dataclass(frozen=True)
class Ending:
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
    ending: Ending | None = None

    @property
    def lists(self) -> Mapping[str, tuple[PlayedAction, ...]]:
        """The lists by name."""
        return dict(self.listed)

    def before(self, name: str, step: PlayedAction) -> Position:
        """Return the position before a step of a list."""
        turns = self.lists[name] if name == "Turns" else ()
        earlier = [*turns[: turns.index(step)]] if turns else []
        return earlier[-1].after if earlier else self.position


class Answers:
    """Answers from cases and from the reference, with their pictures."""

    def __init__(self, library: SiteData) -> None:
        self.library = library
        self._pictures: dict[str, Picture] = {}
        self._positions: dict[str, Position] = {}
        self._captured: dict[tuple[str, str], tuple[int, ...]] = {}

    def position(self, case: Case) -> Position:
        """Return the position of a case."""
        if case.id not in self._positions:
            self._positions[case.id] = self.library.players[case.ruleset].parse_position(case.position)
        return self._positions[case.id]

    def captured(self, case: Case, text: str) -> tuple[int, ...]:
        """Return the squares of the pieces that an action in the position of a case removes."""
        if (case.id, text) not in self._captured:
            self._captured[case.id, text] = captured(self.position(case), text)
        return self._captured[case.id, text]

    def picture(self, case: Case) -> Picture:
        """Return the picture of a case: its position and the expected answer."""
        if case.id not in self._pictures:
            layout = self.library.layout(case.ruleset)
            self._pictures[case.id] = self._picture(case.expected, self.position(case), layout)
        return self._pictures[case.id]

    def expected(self, case: Case, query: str = "") -> Reply:
        """Return the answer of a case; with `query` under other readings, which may change the board."""
        expected = case.otherwise[query] if query else case.expected
        player = self._player(case, query) if query else self.library.players[case.ruleset]

        def steps(found: Iterable[tuple[str, str]]) -> tuple[PlayedAction, ...]:
            return tuple(PlayedAction(action, fen, player.parse_position(fen)) for action, fen in found)

        position, layout = player.parse_position(case.position), self.library.layout(case.ruleset)
        if ending := ending_of(case, expected):
            turns = (("Turns", steps(expected.game)),) if expected.game else ()
            return Reply(position, layout, turns, ending)
        moves, lapses = (steps((found or {}).items()) for found in (expected.moves, expected.lapses))
        return Reply(position, layout, (("Moves", moves), *([("Lapses", lapses)] if lapses else [])))

    def by_rules(self, ruleset: Ruleset, position: Position, question: str, layout: Layout | None) -> Reply:
        """Return the reference's answer: the `moves` with lapses, or the `outcome`."""
        if question == "outcome":
            return Reply(position, layout, (), Ending(damspec.outcome(ruleset, position)))
        legal = damspec.legal_moves(ruleset, position)
        moves, lapses = (tuple(_step(ruleset, position, action) for action in found) for found in (legal, legal.lapses))
        return Reply(position, layout, (("Moves", moves), *([("Lapses", lapses)] if lapses else [])))

    def start(self, ruleset: Ruleset) -> Picture:
        """Return the picture of the start position."""
        return Picture(Position.start(ruleset.rules), self.library.layout(ruleset.base))

    def _player(self, case: Case, query: str) -> RulePlayer:
        """Return the player that reads positions under another reading: the usual one unless the board changes."""
        ruleset = self.library.rulesets[case.ruleset]
        overlays = [reading.alternatives[word].set for reading, word in ruleset.readings_in(query)]
        if any("board" in affects(rule) for overlay in overlays for rule in overlay):
            return _player(ruleset.under(query))
        return self.library.players[case.ruleset]

    def _picture(self, expected: Expectation, position: Position, layout: Layout | None) -> Picture:
        if expected.outcome is not None:
            return picture_answers(position, layout, (), ending=f"{outcome_in_words(expected.outcome)}.")
        if expected.end is not None:
            says = f"A game of {len(expected.game)} turns. {outcome_in_words(expected.end)}."
            return picture_answers(position, layout, (), ending=says)
        return picture_answers(position, layout, expected.moves or {}, expected.lapses or {})


def _step(ruleset: Ruleset, position: Position, action: Action) -> PlayedAction:
    after = damspec.play(ruleset, position, action)
    return PlayedAction(str(action), after.fen(), after)


def ending_of(case: Case, expected: Expectation) -> Ending | None:
    """Return the expected outcome of a case's position, after its history or of its game, if it has one."""
    if expected.outcome is not None:
        return Ending(expected.outcome, tuple(case.history))
    return Ending(expected.end) if expected.end is not None else None


def outcome_in_words(outcome: Outcome) -> str:
    """Describe an outcome."""
    words = languages()[0].content["play"]
    reason = words["reasons"].get(outcome.reason or "", outcome.reason)
    return str(words["results"][outcome.result]) + (f": {reason}" if reason else "")


@cache
def _player(ruleset: Ruleset) -> RulePlayer:
    return RulePlayer(ruleset)


#: The most positions after actions drawn in a column; the others are given as FEN.
_DRAWN = 3


@dataclass(frozen=True)
class Act:
    """An action that not every column has, or that leads elsewhere in another.

    `after` is the board after it, if that differs and there is room, or else its `fen`; `then` says who is to move and
    what is due, if that differs.
    """

    action: str
    fen: str = ""
    after: Picture | None = None
    then: str = ""


@dataclass(frozen=True)
class OneSide:
    """What only one side has: its names, its actions by list, and the outcome if it differs.

    The picture shows the actions that another column lacks; without any it is there if the columns' positions differ.
    """

    names: tuple[str, ...]
    board: Board
    picture: Picture | None
    lists: Mapping[str, tuple[Act, ...]]
    ending: Ending | None

    @property
    def afters(self) -> list[tuple[str, Picture]]:
        """The pictures of positions after actions, each with its action."""
        return [(act.action, act.after) for act in self.acts if act.after]

    @property
    def acts(self) -> list[Act]:
        """All actions of the side."""
        return [act for acts in self.lists.values() for act in acts]

    @property
    def look(self) -> tuple[object, ...]:
        """What a reader sees: the boards as drawn, and the text."""
        said = {name: [(act.action, act.then) for act in acts] for name, acts in self.lists.items()}
        return [board.look for board in self.boards], said, self.ending

    @property
    def boards(self) -> list[Picture]:
        """All pictures of the side."""
        return [board for board in (self.picture, *(after for _, after in self.afters)) if board]

    def beside(self, shown: Collection[Picture]) -> OneSide:
        """Return the side without pictures already shown."""

        def without_shown(act: Act) -> Act:
            return replace(act, after=None) if act.after and act.after in shown else act

        lists = {name: tuple(map(without_shown, acts)) for name, acts in self.lists.items()}
        again = self.picture is not None and self.picture in shown
        return replace(self, picture=None if again else self.picture, lists=lists)


@dataclass(frozen=True)
class Sides:
    """Answers side by side. `start` is the position if all have the same, `shared` what all have of each list.

    `again` is whether the position is already shown on the page.
    """

    start: Picture | None
    shared: Mapping[str, tuple[str, ...]]
    ending: Ending | None
    columns: tuple[OneSide, ...]
    again: bool = False

    @property
    def board(self) -> Board:
        """The board that all columns have in common."""
        return self.columns[0].board

    @property
    def boards(self) -> list[Picture]:
        """All pictures."""
        return [*([self.start] if self.start else []), *(board for column in self.columns for board in column.boards)]

    def beside(self, shown: Collection[Picture]) -> Sides:
        """Return the answers for a page that already shows some pictures."""
        again = self.start is not None and self.start in shown
        columns = tuple(column.beside(shown) for column in self.columns)
        return replace(self, start=None if again else self.start, again=again, columns=columns)


@dataclass(frozen=True)
class Once:
    """Answers one below the other on a page, each without the pictures shown above it."""

    shown: set[Picture] = field(default_factory=set)

    def __call__(self, sides: Sides) -> Sides:
        left = sides.beside(self.shown)
        self.shown.update(sides.boards)
        return left


def side_by_side(where: str, answers: Iterable[tuple[str, Reply]], *, start: bool = True) -> Sides:
    """Arrange named answers in columns, equal ones in one. Without `start` the page has the position already.

    Raises SiteError, naming the place and two sides, if a reader could not tell them apart, or all are equal.
    """
    grouped: dict[Reply, list[str]] = {}
    for name, answer in answers:
        grouped.setdefault(answer, []).append(name)
    sides = _Drawing([*grouped]).sides([tuple(names) for names in grouped.values()], start)
    if len(sides.columns) == 1:
        raise _alike(where, *sides.columns[0].names[:2])
    for one, other in combinations(sides.columns, 2):
        if one.look == other.look:
            raise _alike(where, one.names[0], other.names[0])
    return sides


def _alike(where: str, one: str, other: str) -> SiteError:
    return SiteError(f"{where}: {one!r} and {other!r} look alike, expected boards or words that differ")


class _Drawing:
    """The drawing of different answers as columns."""

    def __init__(self, answers: Sequence[Reply]) -> None:
        self.answers = answers
        starts = {(answer.position.fen(), answer.layout and answer.layout.id) for answer in answers}
        self.same_start = len(starts) == 1
        names = dict.fromkeys(name for answer in answers for name in answer.lists)
        self.steps = {name: [answer.lists.get(name, ()) for answer in answers] for name in names}
        self.results = {name: [{*map(self._result, each)} for each in columns] for name, columns in self.steps.items()}
        self.alone = [self._alone(place) for place in range(len(answers))]
        self.trails = [self._trail(place) for place in range(len(answers))]

    def sides(self, names: Sequence[tuple[str, ...]], start: bool) -> Sides:
        """Return the answers under their names."""
        first = self.answers[0]
        ending = first.ending if all(answer.ending == first.ending for answer in self.answers) else None
        shared = {name: self._words_of(name) for name in self.steps}
        return Sides(
            Picture(first.position, first.layout) if start and self.same_start else None,
            {name: actions for name, actions in shared.items() if actions},
            ending,
            tuple(self._column(place, each, not ending) for place, each in enumerate(names)),
        )

    def _words_of(self, name: str) -> tuple[str, ...]:
        first, results = self.steps[name][0], self.results[name]
        return tuple(step.action for step in first if all(self._result(step) in each for each in results))

    def _result(self, step: PlayedAction) -> tuple[str, str]:
        """Return a step's action and result; with and without doors only the pieces are compared."""
        return step.action, step.fen if self.same_start else ":".join(step.fen.split(":")[:3])

    def _column(self, place: int, names: tuple[str, ...], ends: bool) -> OneSide:
        answer, room = self.answers[place], _DRAWN
        arrows = self.trails.count(self.trails[place]) == 1
        lists = {}
        for name in self.steps:
            others, acts = self._others(name, place), []
            for step in self._own(name, place):
                hidden = not arrows and name != "Turns" and step.action in self.alone[place][name]
                namesakes = [_namesake(step, steps) for steps in others]
                acts.append(self._act(answer, name, step, namesakes, hidden, room > 0))
                room -= acts[-1].after is not None
            lists[name] = tuple(acts)
        ending = answer.ending if ends else None
        return OneSide(names, answer.position.board, self._picture(place, arrows), lists, ending)

    def _others(self, name: str, place: int) -> list[Sequence[PlayedAction]]:
        return [steps for other, steps in enumerate(self.steps[name]) if other != place]

    def _own(self, name: str, place: int) -> list[PlayedAction]:
        """Return the steps of a column that another one lacks, or in which they lead elsewhere."""
        others = [results for other, results in enumerate(self.results[name]) if other != place]
        return [step for step in self.steps[name][place] if not all(self._result(step) in each for each in others)]

    def _alone(self, place: int) -> Mapping[str, list[str]]:
        """Return the actions of a column that another one lacks, by list."""
        alone = {}
        for name in self.steps:
            others = self._others(name, place)
            lacking = [s for s in self._own(name, place) if not all(_namesake(s, steps) for steps in others)]
            alone[name] = [step.action for step in lacking]
        return alone

    def _trail(self, place: int) -> list[set[int]]:
        """Return the squares under a column's arrows, and those under its dashed arrows."""
        position, alone = self.answers[place].position, self.alone[place]
        return [{n for text in alone.get(name, ()) for n in run_over(position, text)} for name in ("Moves", "Lapses")]

    def _act(
        self,
        answer: Reply,
        name: str,
        step: PlayedAction,
        others: Iterable[PlayedAction | None],
        hidden: bool,
        room: bool,
    ) -> Act:
        """Return an action with what differs after it from another column; `hidden` if no arrow shows it."""
        elsewhere = [other for other in others if other and self._result(other) != self._result(step)]
        then = situation(step.after)
        said = then if any(situation(other.after) != then for other in elsewhere) else ""
        if not hidden and all(_pieces(other.after) == _pieces(step.after) for other in elsewhere):
            return Act(step.action, then=said)
        if not room:
            return Act(step.action, step.fen, then=said)
        before = answer.before(name, step)
        after = picture_after(step.after, answer.layout, before, step.action)
        return Act(step.action, step.fen, after, said)

    def _picture(self, place: int, arrows: bool) -> Picture | None:
        """Draw the position with the moves and lapses that only one column has."""
        answer, alone = self.answers[place], self.alone[place]
        moves, lapses = alone.get("Moves", []), alone.get("Lapses", [])
        if arrows and (moves or lapses):
            return picture_answers(answer.position, answer.layout, moves, lapses)
        return None if self.same_start else Picture(answer.position, answer.layout)


def _namesake(step: PlayedAction, steps: Iterable[PlayedAction]) -> PlayedAction | None:
    """Return the step of another answer with the same action, if any."""
    return next((other for other in steps if other.action == step.action), None)


def _pieces(position: Position) -> tuple[object, ...]:
    """Return what the board shows of a position: the pieces and the doors."""
    pieces = position.white_men, position.white_kings, position.black_men, position.black_kings
    return *pieces, position.sliders


@dataclass(frozen=True)
class Entry:
    """A sign, as a picture, and its meaning."""

    picture: Markup
    says: str


def legend(ruleset: Ruleset, language: Language) -> tuple[Entry, ...]:
    """Return the signs of a game; none without trapdoors."""
    return tuple(Entry(Markup(door_sign(kind)), says) for kind, says in _signs(ruleset, language))


def _signs(ruleset: Ruleset, language: Language) -> Iterator[tuple[Sign, str]]:
    phrases = language.content["phrases"]
    if ruleset.rules.trapdoors:
        yield "slider", language.word("sign-slider")
        yield "shut", language.word("sign-shut")
        if ruleset.rules.trapdoors.closing != "at-once":
            yield "open", language.word("sign-open")
    for shown, allowed in ruleset.values.get("spin.outcomes", {}).items():
        what = f"{language.word('sign-spinner')}, {phrases['spin'][shown]}"
        yield shown, phrases["join"]["moves"].format(what=what, does=phrases["spin"][allowed])
