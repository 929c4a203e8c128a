"""Several answers to one position side by side: the position and what all have once, then what each has alone.

A column draws the actions that another column lacks, as arrows; where the arrows of two columns would run over the same
squares it draws the positions after them, as it does for actions that lead elsewhere in another column. So no two
columns look alike; where they would all the same, the site is not built.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from damspec.board import Board
from damspec.drawing import situation

from .answers import Reply, StepTaken
from .errors import SiteError
from .pictures import Gallery, Picture, run_over

#: How many positions after actions a column draws; the others it tells by their FEN.
_DRAWN = 3


@dataclass(frozen=True)
class Act:
    """An action that not every column has. Where it leads elsewhere in another, it is told whereto.

    `after` is the board after it, if that is not the same and there is room, or else its `fen`; `then` says who is to
    move and what is due, if that is not the same.
    """

    action: str
    fen: str = ""
    after: Picture | None = None
    then: str = ""


@dataclass(frozen=True)
class OneSide:
    """What one side has alone: its names, its acts list by list, and how the game stands if that is not the same.

    The picture has the acts that another column lacks; without such it is there if the columns' positions differ.
    """

    names: tuple[str, ...]
    board: Board
    picture: Picture | None
    lists: Mapping[str, tuple[Act, ...]]
    ending: str

    @property
    def afters(self) -> list[tuple[str, Picture]]:
        """The positions that are drawn, each with the action that leads there."""
        return [(act.action, act.after) for act in self.acts if act.after]

    @property
    def acts(self) -> list[Act]:
        """All that it has alone."""
        return [act for acts in self.lists.values() for act in acts]

    @property
    def look(self) -> tuple[object, ...]:
        """What a reader sees of it: its boards as they are drawn, and its words."""
        said = {name: [(act.action, act.then) for act in acts] for name, acts in self.lists.items()}
        return [board.look for board in self.boards], said, self.ending

    @property
    def boards(self) -> list[Picture]:
        """All that it draws."""
        return [board for board in (self.picture, *(after for _, after in self.afters)) if board]

    def beside(self, shown: Collection[str]) -> OneSide:
        """The same without pictures that are shown already."""

        def left(act: Act) -> Act:
            return replace(act, after=None) if act.after and act.after.src in shown else act

        lists = {name: tuple(map(left, acts)) for name, acts in self.lists.items()}
        again = self.picture is not None and self.picture.src in shown
        return replace(self, picture=None if again else self.picture, lists=lists)


@dataclass(frozen=True)
class Sides:
    """Answers side by side. `start` is the position if they have the same, `shared` what every one has of each list.

    `again` is whether the position is shown on the page already.
    """

    start: Picture | None
    shared: Mapping[str, tuple[str, ...]]
    ending: str
    columns: tuple[OneSide, ...]
    again: bool = False

    @property
    def board(self) -> Board:
        """The board of what all have."""
        return self.columns[0].board

    @property
    def boards(self) -> list[Picture]:
        """All that is drawn."""
        return [*([self.start] if self.start else []), *(board for column in self.columns for board in column.boards)]

    def beside(self, shown: Collection[str]) -> Sides:
        """The same on a page that shows some pictures already."""
        again = self.start is not None and self.start.src in shown
        columns = tuple(column.beside(shown) for column in self.columns)
        return replace(self, start=None if again else self.start, again=again, columns=columns)


@dataclass(frozen=True)
class Once:
    """Answers one below the other on a page: each comes without the pictures that were above."""

    shown: set[str] = field(default_factory=set)

    def __call__(self, sides: Sides) -> Sides:
        left = sides.beside(self.shown)
        self.shown.update(board.src for board in sides.boards)
        return left


def side_by_side(gallery: Gallery, where: str, answers: Iterable[tuple[str, Reply]], *, start: bool = True) -> Sides:
    """Answers under their names. Equal ones come in one column. Without `start` the page has the position already.

    Raises SiteError, naming the place and two sides, if a reader could not tell them apart, or all are equal.
    """
    grouped: dict[Reply, list[str]] = {}
    for name, answer in answers:
        grouped.setdefault(answer, []).append(name)
    sides = _Drawing(gallery, [*grouped]).sides([tuple(names) for names in grouped.values()], start)
    if len(sides.columns) == 1:
        raise _alike(where, *sides.columns[0].names[:2])
    for one, other in combinations(sides.columns, 2):
        if one.look == other.look:
            raise _alike(where, one.names[0], other.names[0])
    return sides


def _alike(where: str, one: str, other: str) -> SiteError:
    return SiteError(f"{where}: {one!r} and {other!r} look alike, expected boards or words that differ")


class _Drawing:
    """Different answers about to be drawn."""

    def __init__(self, gallery: Gallery, answers: Sequence[Reply]) -> None:
        self.gallery, self.answers = gallery, answers
        starts = {(answer.position.fen(), answer.layout and answer.layout.id) for answer in answers}
        self.same_start = len(starts) == 1
        names = dict.fromkeys(name for answer in answers for name in answer.lists)
        self.steps = {name: [answer.lists.get(name, ()) for answer in answers] for name in names}
        self.alone = [self._alone(place) for place in range(len(answers))]
        self.trails = [self._trail(place) for place in range(len(answers))]

    def sides(self, names: Sequence[tuple[str, ...]], start: bool) -> Sides:
        """The answers under the names of each."""
        first = self.answers[0]
        ending = first.ending if all(answer.ending == first.ending for answer in self.answers) else ""
        shared = {name: self._shared(columns) for name, columns in self.steps.items()}
        return Sides(
            self.gallery.board(first.position, first.layout) if start and self.same_start else None,
            {name: actions for name, actions in shared.items() if actions},
            ending,
            tuple(self._column(place, each, not ending) for place, each in enumerate(names)),
        )

    def _shared(self, columns: Sequence[Sequence[StepTaken]]) -> tuple[str, ...]:
        return tuple(step.action for step in columns[0] if all(self._has(steps, step) for steps in columns))

    def _result(self, step: StepTaken) -> tuple[str, str]:
        """What a step is and leads to: of positions with doors and without only the pieces can be compared."""
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
        return OneSide(names, answer.position.board, self._picture(place, arrows), lists, answer.ending if ends else "")

    def _others(self, name: str, place: int) -> list[Sequence[StepTaken]]:
        return [steps for other, steps in enumerate(self.steps[name]) if other != place]

    def _own(self, name: str, place: int) -> list[StepTaken]:
        """The steps of a column that another one lacks, or in which they lead elsewhere."""
        others = self._others(name, place)
        return [step for step in self.steps[name][place] if not all(self._has(steps, step) for steps in others)]

    def _alone(self, place: int) -> Mapping[str, list[str]]:
        """The actions of a column that another one lacks, list by list."""
        alone = {}
        for name in self.steps:
            others = self._others(name, place)
            lacking = [s for s in self._own(name, place) if not all(_namesake(s, steps) for steps in others)]
            alone[name] = [step.action for step in lacking]
        return alone

    def _trail(self, place: int) -> list[set[int]]:
        """The squares that the arrows of a column run over, and its broken arrows."""
        position, alone = self.answers[place].position, self.alone[place]
        return [{n for text in alone.get(name, ()) for n in run_over(position, text)} for name in ("Moves", "Lapses")]

    def _has(self, steps: Iterable[StepTaken], step: StepTaken) -> bool:
        return any(self._result(step) == self._result(other) for other in steps)

    def _act(
        self, answer: Reply, name: str, step: StepTaken, others: Iterable[StepTaken | None], hidden: bool, room: bool
    ) -> Act:
        """An action, with what is not the same after it as in another column; `hidden` if no arrow shows it."""
        elsewhere = [other for other in others if other and self._result(other) != self._result(step)]
        then = situation(step.after)
        said = then if any(situation(other.after) != then for other in elsewhere) else ""
        if not hidden and all(_board(other) == _board(step) for other in elsewhere):
            return Act(step.action, then=said)
        if not room:
            return Act(step.action, step.fen, then=said)
        before = answer.before(name, step)
        after = self.gallery.after(step.after, answer.layout, before, step.action)
        return Act(step.action, step.fen, after, said)

    def _picture(self, place: int, arrows: bool) -> Picture | None:
        """The position with the moves and lapses that a column has alone."""
        answer, alone = self.answers[place], self.alone[place]
        moves, lapses = alone.get("Moves", []), alone.get("Lapses", [])
        if arrows and (moves or lapses):
            return self.gallery.answers(answer.position, answer.layout, moves, lapses)
        return None if self.same_start else self.gallery.board(answer.position, answer.layout)


def _namesake(step: StepTaken, steps: Iterable[StepTaken]) -> StepTaken | None:
    """The step of another answer with the same action."""
    return next((other for other in steps if other.action == step.action), None)


def _board(step: StepTaken) -> tuple[object, ...]:
    """What the board shows after a step: the pieces and the doors."""
    position = step.after
    pieces = position.white_men, position.white_kings, position.black_men, position.black_kings
    return *pieces, position.sliders
