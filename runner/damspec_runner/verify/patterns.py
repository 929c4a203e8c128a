"""Patterns: what wrong answers have in common that right ones lack."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, reduce
from itertools import permutations
from operator import and_
from typing import Any

from damspec import DamspecError, Position
from damspec.move import is_move_text, is_other_text

from ..answers.player import CaseQuestion
from .observation import Observation
from .shapes import after_shape, is_entire, list_shape, outcome_shape
from .traits import (
    END,
    KIND,
    LIKE,
    NO_PIECE,
    ORDER,
    PLACE,
    SIDE,
    SQUARE,
    WAY,
    Feature,
    Measure,
    Traits,
    doors,
    layout,
    of_action,
    of_answer,
    of_illegal_move,
    of_move,
)

#: The least share of wrong items that a pattern covers, and of covered items that are wrong.
COVERED, WRONG = 0.8, 0.85
#: The fewest wrong items that can have something in common.
FEWEST = 2
#: How much better a pattern with one condition more has to score.
_WORTH = 0.02
#: The fewest wrong items from which a pattern gets further shared features.
_SURE = 5
#: The largest share of right items that have such a feature, but for sides and kinds of pieces.
_RARE = 0.1
#: The width of the beam search for conditions.
_TRIED = 12
#: The most moves too many among which a pattern is looked for; each has some 10 kB of traits.
_MOST_EXTRA = 4_000
#: The cache size for the traits of moves and of questions.
_CACHED = 3_000


@dataclass(frozen=True)
class Item:
    """An answer, a move or a position after a move."""

    case: str
    traits: Traits
    wrong: bool


@dataclass(frozen=True)
class Condition:
    """A test for a feature: it is there, a measure is at least so great, or one of two features is there."""

    feature: Feature
    measure: Measure | None = None
    either: tuple[Feature, ...] = ()

    def holds(self, traits: Traits) -> bool:
        """Return whether the traits pass the test."""
        if self.measure is not None:
            return self.measure in traits and traits[self.measure] >= self.feature.size
        return any(feature in traits for feature in self.either or (self.feature,))

    def narrowly(self, traits: Traits) -> bool:
        """Return whether the traits barely pass or barely fail, if it is a test of a measure."""
        return self.measure is None or abs(2 * (self._size(traits) - self.feature.size) + 1) <= 3

    def _size(self, traits: Traits) -> int:
        return traits.get(self.measure, 0) if self.measure is not None else 0


@dataclass(frozen=True)
class Pattern:
    """What wrong items have in common: how many have it, of how many, and how many right ones have it too.

    `cases` are those with a wrong one that has it, `tried` in how many further positions it was tried and held. A
    `symptom` says what wrong answers look like, and not which are wrong: it explains nothing.
    """

    about: str
    words: str
    wrong: int
    of: int
    right: int
    cases: tuple[str, ...]
    tried: int = 0
    symptom: bool = False
    group: str = field(default="", compare=False, repr=False)
    conditions: tuple[Condition, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be a coincidence: right items have it too, or it ties an outcome to which pieces there are.

        Positions that come to an end with other pieces are too rare to be tried.
        """
        return self.right > 0 or (self.group == "outcome" and len(self.conditions) > 1)

    def line(self) -> str:
        """Return the pattern as a sentence."""
        every = f"all {self.of}" if self.wrong == self.of else f"{self.wrong} of {self.of}"
        also = f", and {self.right} right ones too" if self.right else ", and no right one" if self.group else ""
        tried = f"; tried in {self.tried} further positions" if self.tried else ""
        hedge = "unexplained: " if self.symptom else "perhaps " if self.is_doubtful else ""
        return f"{hedge}{self.about} {self.words} ({every}{also}{tried})"

    def as_json(self) -> dict[str, Any]:
        """Return the pattern as plain data."""
        return {
            "about": self.about,
            "words": self.words,
            "wrong": self.wrong,
            "of": self.of,
            "right": self.right,
            "cases": list(self.cases),
            **({"tried": self.tried} if self.tried else {}),
            **({"symptom": True} if self.symptom else {}),
        }

    def holds(self, traits: Traits) -> bool:
        """Return whether the traits meet all conditions."""
        return all(condition.holds(traits) for condition in self.conditions)

    def missed_by(self, traits: Traits) -> Condition | None:
        """Return the condition that the traits miss, if they miss just one."""
        missed = [condition for condition in self.conditions if not condition.holds(traits)]
        return missed[0] if len(missed) == 1 else None


@dataclass
class KnownAnswers:
    """An engine's answers as far as known, and the questions that it refused and that broke it."""

    observations: list[Observation] = field(default_factory=list)
    unanswered: list[CaseQuestion] = field(default_factory=list)
    broken: list[CaseQuestion] = field(default_factory=list)

    def add(self, other: KnownAnswers) -> None:
        """Add more answers."""
        self.observations += other.observations
        self.unanswered += other.unanswered
        self.broken += other.broken

    def without(self, cases: Collection[str]) -> KnownAnswers:
        """Return a copy without the answers to some cases."""
        seen = [one for one in self.observations if one.question.case.id not in cases]
        return KnownAnswers(seen, [*self.unanswered], [*self.broken])

    @property
    def wrong(self) -> Iterator[CaseQuestion]:
        """The questions with a wrong answer, or none."""
        yield from (one.question for one in self.observations if not one.passed)
        yield from self.unanswered
        yield from self.broken


# --- items: what can be wrong or right

#: What can be wrong, and how a sentence about it begins.
GROUPS: Mapping[str, str] = {
    "refused": "answered with an error: questions",
    "broken": "breaks the engine: questions",
    "whole": "wrong: answers",
    "missing": "missing: moves",
    "extra": "too many: moves",
    "lapses": "missing: lapses",
    "after": "wrong in the position after moves{}: those",
    "outcome": "wrong outcomes{}: answers",
}


def about(group: str, known: KnownAnswers) -> str:
    """Return the beginning of a sentence about a group, with the shape of wrong positions or outcomes."""
    shape = _shape(group, known)
    return GROUPS[group].format(f": {shape[0]}" if shape else "")


def _shape(group: str, known: KnownAnswers) -> tuple[str, int, int] | None:
    return (
        after_shape(known.observations)
        if group == "after"
        else outcome_shape(known.observations)
        if group == "outcome"
        else None
    )


def items(group: str, known: KnownAnswers) -> list[Item]:
    """Return all items of a group, wrong and right: answers, moves, or positions after moves."""
    if group in ("refused", "broken"):
        silent = known.unanswered if group == "refused" else known.broken
        wrong = [Item(question.case.id, _of_answer(question), wrong=True) for question in silent]
        return [*wrong, *(Item("", _of_answer(one.question), wrong=False) for one in known.observations)]
    of_one: Callable[[Observation], Iterator[Item]]
    match group:
        case "missing" | "lapses" | "after":
            of_one = partial(_moves, fault=group)
        case "extra" if sum(len(one.faults.get("extra", ())) for one in known.observations) > _MOST_EXTRA:
            return []
        case "extra":
            of_one = _too_many
        case _:
            of_one = _whole
    return [item for one in _about(group, known.observations) for item in of_one(one)]


def expected_items(group: str, question: CaseQuestion) -> Iterator[Traits]:
    """Yield the traits of the items that a question will have in a group, but for extra moves."""
    if group in ("missing", "lapses", "after"):
        texts = question.expected.lapses if group == "lapses" else question.expected.moves
        yield from (_of_text(question, text) for text in texts or ())
    elif group != "extra" and (group != "outcome" or question.expected.outcome is not None):
        yield _of_answer(question)


def _about(group: str, seen: Sequence[Observation]) -> Iterable[Observation]:
    """Yield the observations that have items of a group."""
    led = any(one.faults.get("after") for one in seen)
    for one in seen:
        understood = one.passed or one.faults
        is_outcome = one.question.expected.outcome is not None
        full = one.leading or not one.passed
        if understood and {"outcome": is_outcome, "after": full, "whole": full or not led}.get(group, True):
            yield one


def _whole(observation: Observation) -> Iterator[Item]:
    question = observation.question
    yield Item(question.case.id, _of_answer(question), not observation.passed)


def _moves(observation: Observation, fault: str) -> Iterator[Item]:
    """Yield the expected moves; those with the fault, missing or a wrong position after it, are wrong."""
    question = observation.question
    missing = observation.faults.get("missing", ())
    if fault == "lapses":
        for text in question.expected.lapses or ():
            yield Item(question.case.id, _of_text(question, text), f"lapse {text}" in missing)
        return
    wrong: Collection[str] = observation.faults.get(fault, ())
    for place, ((text, _), (before, _, _)) in enumerate(zip(question.expected.game, question.game, strict=True), 1):
        name = f"{place}. {text}"
        if fault == "missing" or name not in missing:
            yield Item(question.case.id, _of_played(question, before, text), name in wrong)
    unclear = _written_otherwise(observation)
    for text in question.expected.moves or ():
        if text in missing and _move_ends(text) in unclear:
            continue
        if fault == "missing" or text not in missing:
            yield Item(question.case.id, _of_text(question, text), text in wrong)


@lru_cache(maxsize=_CACHED)
def _of_text(question: CaseQuestion, text: str) -> Traits:
    return _of_played(question, question.position, text)


def _of_played(question: CaseQuestion, position: Position, text: str) -> Traits:
    if is_other_text(text):
        return of_action(position, text, layout(question))
    return of_move(position, text, doors(question, position))


def _move_ends(text: str) -> tuple[str, str]:
    """Return the first and the last square of a move by its notation."""
    squares = re.split("[-x:]", text.partition(" (")[0])
    return squares[0], squares[-1]


def _written_otherwise(observation: Observation) -> set[tuple[str, str]]:
    """Return the first and last squares of missing captures between which there are extra moves.

    Whether those are other moves, or the captures in another notation, does not show.
    """
    faults = observation.faults
    missing, extra = (
        [text for text in faults.get(word, ()) if not is_other_text(text)] for word in ("missing", "extra")
    )
    return {_move_ends(text) for text in missing if "x" in text} & {_move_ends(text) for text in extra}


def _finds_no_capture(observation: Observation) -> bool:
    """Return whether all captures are missing: then an engine has to list the moves without capture."""
    captures = [text for text in observation.question.expected.moves or () if "x" in text]
    return bool(captures) and {*captures} <= {*observation.faults.get("missing", ())}


def _too_many(observation: Observation) -> Iterator[Item]:
    """Yield the listed moves; extra ones are wrong, unless they follow from missing captures."""
    question, unclear = observation.question, _written_otherwise(observation)
    blind = _finds_no_capture(observation)
    for text in observation.faults.get("extra", ()):
        text = text.partition(" (")[0]
        if _move_ends(text) in unclear or (blind and "x" not in text and is_move_text(text)):
            continue
        try:
            if is_other_text(text):
                yield Item(question.case.id, of_action(question.position, text, layout(question)), True)
            elif is_move_text(text):
                yield Item(question.case.id, _of_illegal_move(question, text), True)
        except (DamspecError, ValueError):
            continue
    yield from (item for item in _moves(observation, "missing") if not item.wrong)


_of_answer = lru_cache(maxsize=_CACHED)(of_answer)
_of_illegal_move = lru_cache(maxsize=_CACHED)(of_illegal_move)


# --- finding patterns


def pattern(group: str, known: KnownAnswers) -> Pattern | None:
    """Return the pattern of the wrong items of a group; None if there is none."""
    found = items(group, known)
    conditions = _conditions(found) if sum(item.wrong for item in found) >= FEWEST else None
    return None if conditions is None else _measure(about(group, known), group, conditions, found)


def recount_pattern(found: Pattern, known: KnownAnswers, tried: int) -> Pattern:
    """Return a pattern counted anew in all known answers."""
    if not found.group:
        return replace(found, tried=tried)
    counted = _measure(about(found.group, known), found.group, found.conditions, items(found.group, known))
    return replace(counted, tried=tried)


def list_pattern(known: KnownAnswers) -> Pattern | None:
    """Return the shape of nearly all wrong lists of moves as a pattern; None if they have none."""
    shape = list_shape(known.observations)
    if shape is None:
        return None
    cases = tuple(dict.fromkeys(one.question.case.id for one in shape.those))
    those, of, right = len(shape.those), shape.of, shape.right
    symptom = shape.symptom and not is_entire(shape.words)
    return Pattern("wrong lists of moves", shape.words, those, of, right, cases, symptom=symptom)


def shape_pattern(group: str, known: KnownAnswers) -> Pattern | None:
    """Return the shape of nearly all wrong positions after moves, or wrong outcomes, as a pattern."""
    if (shape := _shape(group, known)) is None:
        return None
    words, number, of = shape
    faults = (one.question.case.id for one in known.observations if one.faults.get(group))
    cases = tuple(dict.fromkeys(faults))
    symptom = not (is_entire(words) and number == of)
    return Pattern(GROUPS[group].partition("{")[0] + ":", words, number, of, 0, cases, symptom=symptom)


def _measure(about: str, group: str, conditions: Sequence[Condition], found: Sequence[Item]) -> Pattern:
    ordered = tuple(sorted(conditions, key=lambda condition: condition.feature))
    words = " ".join(condition.feature.text for condition in ordered) or "of any kind"
    having = [item for item in found if all(condition.holds(item.traits) for condition in ordered)]
    cases = dict.fromkeys(item.case for item in having if item.wrong)
    wrong = sum(item.wrong for item in having)
    number = sum(item.wrong for item in found)
    symptom = any(condition.feature.text == NO_PIECE for condition in ordered)
    right = len(having) - wrong
    return Pattern(about, words, wrong, number, right, tuple(cases), symptom=symptom, group=group, conditions=ordered)


class _Having:
    """Which items have a feature, or a measure of some size: a bit for each item."""

    def __init__(self, items: Sequence[Item], wanted: Collection[Feature | Measure] | None = None) -> None:
        """Index the items by all traits, or by those `wanted`."""
        self.features: dict[Feature, int] = {}
        self.sizes: dict[Measure, list[tuple[int, int]]] = {}
        for place, item in enumerate(items):
            for trait in item.traits if wanted is None else item.traits.keys() & wanted:
                if isinstance(trait, Measure):
                    self.sizes.setdefault(trait, []).append((item.traits[trait], 1 << place))
                else:
                    self.features[trait] = self.features.get(trait, 0) | 1 << place

    def at(self, measure: Measure, least: int) -> int:
        """Return the items that have at least so much of a measure."""
        return sum(bit for size, bit in self.sizes.get(measure, ()) if size >= least)


def _common(wrong: Sequence[Item], right: Sequence[Item]) -> dict[Condition, tuple[int, int]]:
    """Return the conditions that enough wrong items meet, with the wrong and the right items that do."""
    enough = COVERED * len(wrong)
    having = _Having(wrong)
    plain = {feature for feature, those in having.features.items() if those.bit_count() >= enough}
    either = [*_either(having.features, len(wrong))]
    least = {
        measure: sorted({size for size, _ in sizes if sum(other >= size for other, _ in sizes) >= enough})
        for measure, sizes in having.sizes.items()
    }
    others = _Having(right, {*plain, *least, *(square for pair in either for square in pair)})
    found = {Condition(feature): (having.features[feature], others.features.get(feature, 0)) for feature in plain}
    for one, other in either:
        those = having.features[one] | having.features[other]
        also = others.features.get(one, 0) | others.features.get(other, 0)
        both = Feature(SQUARE, f"{one.text} or {other.text.rpartition(' ')[2]}")
        found[Condition(both, either=(one, other))] = those, also
    for measure, sizes in least.items():
        for size in sizes:
            found[Condition(measure.at(size), measure)] = having.at(measure, size), others.at(measure, size)
    return found


def _conditions(found: Sequence[Item]) -> tuple[Condition, ...] | None:
    """Return the fewest conditions that separate wrong items from right ones; () if none is right, None if none do."""
    wrong, right = ([item for item in found if item.wrong is which] for which in (True, False))
    if not right:
        return ()
    common = _common(wrong, right)

    def those(chosen: Iterable[Condition], which: int) -> int:
        """Return the wrong (0) or right (1) items that meet all conditions."""
        return reduce(and_, (common[condition][which] for condition in chosen))

    def score(chosen: tuple[Condition, ...]) -> tuple[float, int, int]:
        of_wrong, of_right = those(chosen, 0).bit_count(), those(chosen, 1).bit_count()
        return 2 * of_wrong / (len(wrong) + of_wrong + of_right), of_wrong, of_right

    best: tuple[float, tuple[Condition, ...], int, int] | None = None
    beam: list[tuple[Condition, ...]] = [()]
    for _ in range(3):
        tried = {
            tuple(sorted((*chosen, condition), key=lambda one: one.feature)): None
            for chosen in beam
            for condition in common
            if all(condition.feature.family != other.feature.family for other in chosen)
        }
        ranked = sorted(((score(chosen), chosen) for chosen in tried), key=lambda one: (-one[0][0], _rank(one[1])))
        beam = [chosen for _, chosen in ranked[:_TRIED]]
        if ranked and (best is None or ranked[0][0][0] > best[0] + _WORTH):
            (value, of_wrong, of_right), chosen = ranked[0]
            best = value, chosen, of_wrong, of_right
    if best is None or best[2] < COVERED * len(wrong) or best[2] < WRONG * (best[2] + best[3]):
        return None
    shared = _common_conditions(common, best[1], those(best[1], 0), len(right)) if best[2] >= _SURE else ()
    return (*best[1], *shared)


def _common_conditions(
    common: Mapping[Condition, tuple[int, int]], chosen: Sequence[Condition], which: int, right: int
) -> Iterator[Condition]:
    """What those of a pattern share besides: their side and kind of piece, if not all right ones have that too, and
    what few right ones have.
    """
    for family in (SIDE, KIND, ORDER, WAY, PLACE, END, LIKE):
        most = right - 1 if family in (SIDE, KIND) else _RARE * right
        fitting = [
            (others.bit_count(), condition.feature, condition)
            for condition, (those, others) in common.items()
            if condition.feature.family == family and those & which == which and others.bit_count() <= most
        ]
        if fitting and all(family != other.feature.family for other in chosen):
            yield min(fitting, key=lambda one: one[:2])[2]


def _rank(chosen: tuple[Condition, ...]) -> tuple[object, ...]:
    """Return the order of patterns with equal scores: fewer conditions, then tighter thresholds."""
    features = [condition.feature for condition in chosen]
    return (len(features), *((feature.family, -feature.size, feature.text) for feature in features))


def _either(among: Mapping[Feature, int], number: int) -> Iterator[tuple[Feature, Feature]]:
    """Yield pairs of square features that together, but not alone, are in enough wrong items."""
    counted = {feature: having.bit_count() for feature, having in among.items() if feature.family == SQUARE}
    squares = sorted(counted, key=lambda feature: (-counted[feature], feature))
    for one, other in permutations(squares[:_TRIED], 2):
        alike = one.text.rpartition(" ")[0] == other.text.rpartition(" ")[0] and one.size < other.size
        too_few = max(counted[one], counted[other]) < number
        if alike and too_few and counted[one] + counted[other] >= COVERED * number:
            yield one, other
