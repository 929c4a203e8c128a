"""Comparisons to show: the rules in which rulesets differ, who says so, and the positions that show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import damspec
from damspec import Clause, Outcome, Position, Reading, Ruleset
from damspec.vocabulary import vocabulary, word_value

from ..mutants.ruleset_diff import RuleDifference
from .compare import Comparison, ReasonKind, Witness, WitnessOrReason
from .endgame_changes import EndgameChanges
from .links import value_text
from .smallest import QuestionName
from .sources import Citation, citations
from .view import (
    Block,
    Code,
    Figure,
    Figures,
    Heading,
    Items,
    Paper,
    Paragraph,
    Table,
    Words,
    cite,
    cite_reading,
    codes,
    join_words,
    paths_of,
    prose,
    quote_clause,
)
from .view_json import HIDDEN

#: The most moves that are listed.
_MOST_MOVES = 24


@dataclass(frozen=True)
class ComparedGame:
    """A ruleset compared, under the name it was asked for, and its documents."""

    id: str
    name: str
    documents: tuple[str, ...]


@dataclass(frozen=True)
class SideValue:
    """The value of a rule in some of the rulesets, null where there is no such rule; `from` is by ruleset."""

    value: Any
    says: str
    rulesets: tuple[str, ...]
    from_: Mapping[str, tuple[str, ...]]
    #: Clauses, and readings with what is said of them.
    sources: tuple[Clause | tuple[Reading, str], ...] = field(metadata=HIDDEN)


@dataclass(frozen=True)
class ShownAnswer:
    """What a ruleset answers in a position: the moves and, where there is huffing, the lapses; or the outcome."""

    position: str
    moves: tuple[str, ...] | None = None
    lapses: tuple[str, ...] | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True)
class ShownWitness:
    """A position that shows a rule, for two values of it.

    `beside` are other rules that it takes to show it; `both_ways` is whether either ruleset with the rule changed
    answers as the other does; with `minimal` every position with fewer pieces was tried.
    """

    between: tuple[str, str]
    position: str
    board: str
    pieces: int
    question: QuestionName
    beside: tuple[str, ...]
    both_ways: bool
    minimal: bool
    proved_below: int
    tried: int
    says: str
    answers: Mapping[str, ShownAnswer]
    figures: tuple[Figure, ...] = field(metadata=HIDDEN)


@dataclass(frozen=True)
class NotShown:
    """Why no position shows a rule; that of the rule `leader` shows this one too."""

    between: tuple[str, str]
    reason: ReasonKind
    leader: str | None
    says: str


@dataclass(frozen=True)
class ComparedRule:
    """A rule, its values, and for each two of them what shows the difference."""

    rule: str
    values: tuple[SideValue, ...]
    shown: tuple[ShownWitness | NotShown, ...]


@dataclass(frozen=True)
class ComparisonView:
    """What `damspec diff --json` prints: the rules in which rulesets differ, and the smallest positions that show it.

    `board` is the one on which all are compared, null if no board suits all; `apart` is what was changed for it. `same`
    are the chosen rules that are the same in all. `citations` are the clauses named, each with its document.
    """

    damspec: str
    rulesets: tuple[str, ...]
    games: tuple[ComparedGame, ...]
    headline: str
    board: str | None
    apart: tuple[ComparedRule, ...]
    differences: tuple[ComparedRule, ...]
    same: tuple[ComparedRule, ...]
    citations: tuple[Citation, ...]
    endgames: EndgameChanges | None = None

    def paper(self, most: int | None = None) -> Paper:
        """Return the page that shows it, with at most so many clauses of a reading."""
        return Paper(self.headline, tuple(_blocks(self, most)), _records(self))


def view_comparison(
    comparison: Comparison,
    chosen: Sequence[RuleDifference],
    same: Sequence[str],
    endgames: EndgameChanges | None = None,
) -> ComparisonView:
    """Return what is to be shown of the chosen differences, and of the rules `same` that are the same in all."""
    equal = [RuleDifference(rule, *_as_they_are(comparison, rule)) for rule in same]
    games = zip(comparison.names, comparison.rulesets, strict=True)
    return ComparisonView(
        damspec.__version__,
        tuple(comparison.names),
        tuple(ComparedGame(name, ruleset.name, ruleset.documents) for name, ruleset in games),
        _headline(comparison),
        comparison.board,
        tuple(_compared(comparison, one) for one in comparison.apart),
        tuple(_compared(comparison, one, shown=True) for one in chosen),
        tuple(_compared(comparison, one) for one in equal),
        citations(_cited_clauses(comparison, [*comparison.apart, *chosen])),
        endgames,
    )


def _headline(comparison: Comparison) -> str:
    """Return how many rules differ, in words."""
    names, number = comparison.names, len(comparison.differences)
    what = "no rule differs" if not number else "1 rule differs" if number == 1 else f"{number} rules differ"
    board = f", on {comparison.board}" if comparison.apart else ""
    return f"{', '.join(names[:-1])} and {names[-1]}: {what}{board}"


def _as_they_are(comparison: Comparison, rule: str) -> tuple[tuple[object, ...], tuple[tuple[str, ...], ...]]:
    rulesets = comparison.on_board
    return tuple(each.values.get(rule) for each in rulesets), tuple(each.rests_on.get(rule, ()) for each in rulesets)


def _compared(comparison: Comparison, one: RuleDifference, *, shown: bool = False) -> ComparedRule:
    values = tuple(_side_value(comparison, one, side) for side in one.sides)
    pairs = comparison.witness_of_each_pair(one) if shown else ()
    return ComparedRule(one.rule, values, tuple(_shown(comparison, pair, found) for pair, found in pairs))


def _side_value(comparison: Comparison, one: RuleDifference, side: Sequence[int]) -> SideValue:
    value = one.values[side[0]]
    sources: dict[str, int] = {}
    for at in side:
        for source in one.rests_on[at]:
            sources.setdefault(source, at)
    return SideValue(
        value,
        word_value(one.rule, value),
        tuple(comparison.names[at] for at in side),
        {comparison.names[at]: one.rests_on[at] for at in side},
        tuple(_source(source, comparison.rulesets[at]) for source, at in sources.items()),
    )


def _source(id: str, ruleset: Ruleset) -> Clause | tuple[Reading, str]:
    """Return a clause, or a reading with the alternative that a ruleset takes, in words."""
    clause = damspec.load_clauses().get(id)
    if clause:
        return clause
    reading = _reading(id, ruleset)
    taken = {other.id: word for other, word in ruleset.readings_in(ruleset.id.partition("?")[2])}
    if id in taken:
        return reading, f"reading {reading.key}={taken[id]}, not the one chosen"
    return reading, f"reading {reading.key}={reading.chosen}, confidence {reading.confidence}"


def _reading(id: str, ruleset: Ruleset) -> Reading:
    known = (*damspec.load_readings(), *ruleset.own_readings)
    return next(reading for reading in known if reading.id == id)


def _cited_clauses(comparison: Comparison, shown: Iterable[RuleDifference]) -> list[Clause]:
    """Return the clauses behind the values of rules, and those that their readings are about."""
    clauses = damspec.load_clauses()
    found: dict[str, None] = {}
    for one in shown:
        for ruleset, sources in zip(comparison.rulesets, one.rests_on, strict=True):
            for source in sources:
                found |= dict.fromkeys((source,) if source in clauses else _reading(source, ruleset).clauses)
    return [clauses[id] for id in found]


def _shown(comparison: Comparison, pair: tuple[int, int], found: WitnessOrReason) -> ShownWitness | NotShown:
    one, other = (comparison.names[at] for at in pair)
    if not isinstance(found, Witness):
        return NotShown((one, other), found.kind, found.leader, found.says)
    rulesets = comparison.pair(*pair)
    answers = [_answer(ruleset, found) for ruleset in rulesets]
    texts = [*map(_answer_text, answers)]
    if len({*texts}) == 1:  # moves that are written alike lead to different positions
        texts = [_successor_text(ruleset, found) for ruleset in rulesets]
    captions = [(Code(name), f": {text}") for name, text in zip((one, other), texts, strict=True)]
    return ShownWitness(
        (one, other),
        found.position,
        found.board,
        found.pieces,
        found.question,
        found.beside,
        found.both_ways,
        found.minimal,
        found.proved_below,
        found.tried,
        found.says,
        dict(zip((one, other), answers, strict=True)),
        tuple(_figure(*each) for each in zip(rulesets, answers, captions, strict=True)),
    )


def _answer(ruleset: Ruleset, found: Witness) -> ShownAnswer:
    position = found.position_for(ruleset)
    if found.question == "outcome":
        return ShownAnswer(position.fen(), outcome=damspec.outcome(ruleset, position))
    legal = damspec.legal_moves(ruleset, position)
    lapses = tuple(map(str, legal.lapses)) if ruleset.rules.huff else None
    return ShownAnswer(position.fen(), tuple(map(str, legal)), lapses)


def _answer_text(answer: ShownAnswer) -> str:
    """Return what a ruleset answers in a position: the moves, or the outcome."""
    if answer.outcome is not None:
        return str(answer.outcome)
    return _some([*(answer.moves or ()), *(f"{text} (lapse)" for text in answer.lapses or ())], ", ")


def _successor_text(ruleset: Ruleset, found: Witness) -> str:
    """Return the moves in a position with the positions that they lead to."""
    position = found.position_for(ruleset)
    legal = damspec.legal_moves(ruleset, position)
    moves = [f"{move}, to {damspec.play(ruleset, position, move).fen()}" for move in legal]
    return _some([*moves, *(f"{move} (lapse)" for move in legal.lapses)], "; ")


def _some(moves: Sequence[str], between: str) -> str:
    more = f" and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    return (between.join(moves[:_MOST_MOVES]) or "no move") + more


def _figure(ruleset: Ruleset, answer: ShownAnswer, caption: Words) -> Figure:
    position, trapdoors = Position.from_fen(answer.position, ruleset.rules.board), ruleset.rules.trapdoors
    arrows, dashed = (paths_of(position, moves or ())[:_MOST_MOVES] for moves in (answer.moves, answer.lapses))
    return Figure(position, trapdoors.layout if trapdoors else None, caption, arrows, dashed)


# --- as a page --------------------------------------------------------------------------------


def _listed(view: ComparisonView) -> list[ComparedRule]:
    """Return all rules that are shown, in the order of the rules."""
    order = {rule: number for number, rule in enumerate(vocabulary())}
    return sorted((*view.apart, *view.differences, *view.same), key=lambda one: order[one.rule])


def _blocks(view: ComparisonView, most: int | None) -> Iterator[Block]:
    if listed := _listed(view):
        yield Heading(("The rulesets",))
        yield Items(tuple((0, _game(game)) for game in view.games))
        yield Heading(("The rules",))
        yield Table(("rule", *view.rulesets), tuple(_row(view, one) for one in listed))
    if view.apart:
        rules = join_words((Code(one.rule),) for one in view.apart)
        yield Paragraph((f"All are compared on a board of {view.board}, apart from ", *rules, "."))
    for one in listed:
        yield Heading((Code(one.rule), f": {vocabulary()[one.rule].title}"))
        yield Items(tuple(_value_items(one, most)))
        for shown in one.shown:
            yield from _shown_blocks(shown)
    if view.endgames:
        yield from view.endgames.blocks()


def _game(game: ComparedGame) -> Words:
    documents: Words = (" (", *codes(game.documents), ")") if game.documents else ()
    return (Code(game.id), f": {game.name}", *documents)


def _row(view: ComparisonView, one: ComparedRule) -> tuple[Words, ...]:
    return ((Code(one.rule),), *(_value(_side(one, name)) for name in view.rulesets))


def _side(one: ComparedRule, ruleset: str) -> SideValue:
    return next(side for side in one.values if ruleset in side.rulesets)


def _value(side: SideValue) -> Words:
    return ("–",) if side.value is None else (Code(value_text(side.value)),)


def _value_items(one: ComparedRule, most: int | None) -> Iterator[tuple[int, Words]]:
    for side in one.values:
        says: Words = ("there is no such rule.",)
        if side.value is not None:
            says = (*_value(side), " – ", *prose(side.says))
        yield 0, (*codes(side.rulesets), ": ", *says)
        for source in side.sources:
            yield 1, quote_clause(source) if isinstance(source, Clause) else cite_reading(*source, most)


def _shown_blocks(shown: ShownWitness | NotShown) -> Iterator[Block]:
    between: Words = (*codes(shown.between), ": ")
    if isinstance(shown, NotShown):
        leader: Words = (", see ", Code(shown.leader)) if shown.reason == "no-such-part" and shown.leader else ()
        yield Paragraph((*between, *prose(shown.says.rstrip(".")), *leader, "."))
    else:
        yield Paragraph((*between, Code(shown.position), f" ({shown.says})"))
        yield Figures(shown.figures)


def _records(view: ComparisonView) -> Table:
    columns = [column for name in view.rulesets for column in (name, f"{name}: rests on")]
    rows: list[tuple[Words, ...]] = []
    for one in _listed(view):
        sides = [(name, _side(one, name)) for name in view.rulesets]
        cells = [cell for name, side in sides for cell in (_value(side), cite(side.from_[name]))]
        rows.append(((Code(one.rule),), (vocabulary()[one.rule].asks,), *cells))
    return Table(("rule", "question", *columns), tuple(rows))
