"""What wrong answers have in common, as a developer would say it: moves of kings to the lower right, say.

Every answer, move and position after a move has features, such as how many pieces it captures. What is looked for is
one feature, or two or three together, that what is wrong has and what is right has not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import permutations
from operator import and_

from damspec import MoveError
from damspec.action import is_move_text

from ..answers.question import Question
from .observation import Observation
from .shapes import after_shape, list_shape, outcome_shape
from .traits import (
    END,
    KIND,
    LIKE,
    ORDER,
    PLACE,
    SIDE,
    SQUARE,
    WAY,
    Feature,
    Measure,
    Traits,
    of_answer,
    of_illegal_move,
    of_move,
)

#: The least share of what is wrong that a pattern covers, and of what it covers that is wrong.
COVERED, WRONG = 0.8, 0.85
#: Fewer wrong ones have nothing in common.
FEWEST = 2
#: How much better a pattern with one feature more has to be.
_WORTH = 0.02
#: Of how many wrong ones what they share beside is said.
_SURE = 5
#: The most right ones that have what is said beside, but for sides and kinds of pieces.
_RARE = 0.1
#: How many features are tried together with all others.
_TRIED = 12


@dataclass(frozen=True)
class Item:
    """An answer, a move or a position after a move."""

    case: str
    traits: Traits
    wrong: bool


@dataclass(frozen=True)
class Pattern:
    """What wrong ones have in common; how many have it, of how many, and how many right ones have it too.

    `cases` are those with a wrong one that has it.
    """

    about: str
    words: str
    wrong: int
    of: int
    right: int
    cases: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether all wrong ones have it, and no right one."""
        return self.wrong == self.of and not self.right

    def line(self) -> str:
        """In a sentence."""
        every = f"all {self.of}" if self.wrong == self.of else f"{self.wrong} of {self.of}"
        also = f", and {self.right} right ones too" if self.right else ", and no right one"
        return f"{self.about} {self.words} ({every}{also})"


def patterns(seen: Iterable[Observation], listed: Sequence[Observation] = ()) -> list[Pattern]:
    """What the wrong ones have in common, among the answers seen: of the moves that are missing or too many, of the
    positions after moves, of the outcomes, and of the answers as a whole where these say nothing.

    `listed` are more answers of which just the list of moves is known to be right.
    """
    seen = [observation for observation in seen if observation.passed or observation.faults]
    lists = [*seen, *listed]
    ends = [observation for observation in seen if observation.question.expected.outcome is not None]
    after, said = after_shape(seen), outcome_shape(ends)
    groups: list[tuple[str, str, Sequence[Observation], Callable[[Observation], Iterator[Item]]]] = [
        ("missing", "missing: moves", lists, partial(_moves, fault="missing")),
        ("extra", "too many: moves", lists, _too_many),
        ("after", f"wrong in the position after moves{_shown(after)}: those", seen, partial(_moves, fault="after")),
        ("outcome", f"wrong outcomes{_shown(said)}: answers", ends, _whole),
    ]
    found = []
    for fault, about, those, items in groups:
        if any(observation.faults.get(fault) for observation in those):
            pattern = _pattern(about, [item for observation in those for item in items(observation)])
            found += [pattern] if pattern else []
    wrong = (observation for observation in seen if not observation.passed)
    if not all(observation.faults.get("outcome") for observation in wrong):
        whole = _pattern("wrong: answers", [item for one in (seen if after else lists) for item in _whole(one)])
        found = [whole, *found] if whole and not (found and whole.right) else found
    shape = list_shape(lists)
    if shape:
        cases = tuple(dict.fromkeys(one.question.case.id for one in shape.those))
        number = len(shape.those)
        found.insert(0, Pattern("wrong lists of moves", shape.words, number, shape.of, shape.right, cases))
    return found


def in_unanswered(about: str, seen: Iterable[Observation], unanswered: Iterable[Question]) -> Pattern | None:
    """What the questions that had no answer have in common, beside those that the engine answered."""
    items = [Item(question.case.id, of_answer(question), wrong=True) for question in unanswered]
    return _pattern(about, [*items, *(Item("", of_answer(one.question), wrong=False) for one in seen)])


def _shown(shape: str | None) -> str:
    return f": {shape}" if shape else ""


# --- what is looked at


def _whole(observation: Observation) -> Iterator[Item]:
    """An answer as a whole."""
    question = observation.question
    yield Item(question.case.id, of_answer(question), not observation.passed)


def _moves(observation: Observation, fault: str) -> Iterator[Item]:
    """The moves expected, those missing or followed by a wrong position as wrong."""
    question = observation.question
    missing = observation.faults.get("missing", ())
    wrong: Collection[str] = observation.faults.get(fault, ())
    for text in question.expected.moves or ():
        if is_move_text(text) and (fault == "missing" or text not in missing):
            yield Item(question.case.id, of_move(question.position, text), text in wrong)


def _too_many(observation: Observation) -> Iterator[Item]:
    """The moves listed: those that are not legal as wrong."""
    question = observation.question
    for text in observation.faults.get("extra", ()):
        text = text.partition(" (")[0]
        if is_move_text(text):
            try:
                yield Item(question.case.id, of_illegal_move(question, text), True)
            except (MoveError, ValueError):
                continue
    yield from (item for item in _moves(observation, "missing") if not item.wrong)


# --- finding what is common


class _Having:
    """Which of some items have a feature, or a measure of some size: a bit for each item."""

    def __init__(self, items: Sequence[Item], wanted: Collection[Feature | Measure] | None = None) -> None:
        """`wanted` are the traits that matter, if not all do."""
        self.features: dict[Feature, int] = {}
        self.sizes: dict[Measure, list[tuple[int, int]]] = {}
        for place, item in enumerate(items):
            for trait in item.traits if wanted is None else item.traits.keys() & wanted:
                if isinstance(trait, Measure):
                    self.sizes.setdefault(trait, []).append((item.traits[trait], 1 << place))
                else:
                    self.features[trait] = self.features.get(trait, 0) | 1 << place

    def at(self, measure: Measure, least: int) -> int:
        """Those that have so much of it or more."""
        return sum(bit for size, bit in self.sizes.get(measure, ()) if size >= least)


def _common(wrong: Sequence[Item], right: Sequence[Item]) -> dict[Feature, tuple[int, int]]:
    """The features that enough of the wrong ones have: which of these, and which of the right ones, do."""
    enough = COVERED * len(wrong)
    having = _Having(wrong)
    plain = {feature for feature, those in having.features.items() if those.bit_count() >= enough}
    either = [*_either(having.features, len(wrong))]
    least = {
        measure: sorted({size for size, _ in sizes if sum(other >= size for other, _ in sizes) >= enough})
        for measure, sizes in having.sizes.items()
    }
    others = _Having(right, {*plain, *least, *(square for pair in either for square in pair)})
    found = {feature: (having.features[feature], others.features.get(feature, 0)) for feature in plain}
    for one, other in either:
        those = having.features[one] | having.features[other]
        also = others.features.get(one, 0) | others.features.get(other, 0)
        found[Feature(SQUARE, f"{one.text} or {other.text.rpartition(' ')[2]}")] = those, also
    for measure, sizes in least.items():
        found |= {measure.at(size): (having.at(measure, size), others.at(measure, size)) for size in sizes}
    return found


def _pattern(about: str, items: Iterable[Item]) -> Pattern | None:
    """The fewest features that set the wrong ones apart; None if none do."""
    items = list(items)
    wrong, right = ([item for item in items if item.wrong is which] for which in (True, False))
    if len(wrong) < FEWEST:
        return None
    if not right:
        every = tuple(dict.fromkeys(item.case for item in wrong))
        return Pattern(about, "of any kind", len(wrong), len(wrong), 0, every)
    common = _common(wrong, right)

    def those(chosen: Iterable[Feature], which: int) -> int:
        """The wrong ones (0), or right ones (1), that have all of them."""
        return reduce(and_, (common[feature][which] for feature in chosen))

    def measured(chosen: tuple[Feature, ...]) -> tuple[float, int, int]:
        of_wrong, of_right = those(chosen, 0).bit_count(), those(chosen, 1).bit_count()
        return 2 * of_wrong / (len(wrong) + of_wrong + of_right), of_wrong, of_right

    best: tuple[float, tuple[Feature, ...], int, int] | None = None
    beam: list[tuple[Feature, ...]] = [()]
    for _ in range(3):
        tried = {
            tuple(sorted((*chosen, feature))): None
            for chosen in beam
            for feature in common
            if all(feature.family != other.family for other in chosen)
        }
        ranked = sorted(((measured(chosen), chosen) for chosen in tried), key=lambda one: (-one[0][0], _rank(one[1])))
        beam = [chosen for _, chosen in ranked[:_TRIED]]
        if ranked and (best is None or ranked[0][0][0] > best[0] + _WORTH):
            (score, of_wrong, of_right), chosen = ranked[0]
            best = score, chosen, of_wrong, of_right
    if best is None or best[2] < COVERED * len(wrong) or best[2] < WRONG * (best[2] + best[3]):
        return None
    which = those(best[1], 0)
    shared = _shared(common, best[1], which, len(right)) if best[2] >= _SURE else []
    chosen = tuple(sorted((*best[1], *shared)))
    cases = dict.fromkeys(item.case for place, item in enumerate(wrong) if which >> place & 1)
    words = " ".join(feature.text for feature in chosen)
    return Pattern(about, words, best[2], len(wrong), measured(chosen)[2], tuple(cases))


def _shared(
    common: Mapping[Feature, tuple[int, int]], chosen: Sequence[Feature], which: int, right: int
) -> Iterator[Feature]:
    """What those of a pattern share besides: their side and kind of piece, if not all right ones have that too, and
    what few right ones have.
    """
    for family in (SIDE, KIND, ORDER, WAY, PLACE, END, LIKE):
        most = right - 1 if family in (SIDE, KIND) else _RARE * right
        fitting = [
            (others.bit_count(), feature)
            for feature, (those, others) in common.items()
            if feature.family == family and those & which == which and others.bit_count() <= most
        ]
        if fitting and all(family != other.family for other in chosen):
            yield min(fitting)[1]


def _rank(chosen: tuple[Feature, ...]) -> tuple[object, ...]:
    """What goes first of patterns that are as good: the tightest threshold."""
    return (len(chosen), *((feature.family, -feature.size, feature.text) for feature in chosen))


def _either(among: Mapping[Feature, int], number: int) -> Iterator[tuple[Feature, Feature]]:
    """Two squares that make up a feature together, where one alone is in too few of the wrong ones."""
    counted = {feature: having.bit_count() for feature, having in among.items() if feature.family == SQUARE}
    squares = sorted(counted, key=lambda feature: (-counted[feature], feature))
    for one, other in permutations(squares[:_TRIED], 2):
        alike = one.text.rpartition(" ")[0] == other.text.rpartition(" ")[0] and one.size < other.size
        too_few = max(counted[one], counted[other]) < number
        if alike and too_few and counted[one] + counted[other] >= COVERED * number:
            yield one, other
