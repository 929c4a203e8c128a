"""A comparison of rulesets as a page to publish: a table of the values, then each rule with its sources and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import damspec
from damspec import Move, Reading, Ruleset
from damspec.vocabulary import vocabulary, word_value

from ..mutants.ruleset_diff import RuleDifference
from .compare import Comparison, Witness, WitnessOrReason
from .forms.content import (
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
    prose,
    quote_clause,
)
from .trace import value_text

#: The most moves that are listed.
_MOST_MOVES = 24


def headline(comparison: Comparison) -> str:
    """Return how many rules differ, in words."""
    names, number = comparison.names, len(comparison.differences)
    what = "no rule differs" if not number else "1 rule differs" if number == 1 else f"{number} rules differ"
    board = f", on {comparison.board}" if comparison.apart else ""
    return f"{', '.join(names[:-1])} and {names[-1]}: {what}{board}"


def names_of(comparison: Comparison, side: Sequence[int]) -> str:
    """Return the names of some of the rulesets compared."""
    return ", ".join(comparison.names[at] for at in side)


def reading_taken(id: str, ruleset: Ruleset) -> tuple[Reading, str]:
    """Return a reading, and in words which alternative a ruleset takes."""
    known = (*damspec.load_readings(), *ruleset.own_readings)
    reading = next(reading for reading in known if reading.id == id)
    taken = {other.id: word for other, word in ruleset.readings_in(ruleset.id.partition("?")[2])}
    if id in taken:
        return reading, f"reading {reading.key}={taken[id]}, not the one chosen"
    return reading, f"reading {reading.key}={reading.chosen}, confidence {reading.confidence}"


def answer_texts(rulesets: Iterable[Ruleset], found: Witness) -> list[str]:
    """Return what each ruleset answers in a position: the moves, or the outcome.

    Moves that are written alike are given with the positions that they lead to.
    """
    texts = [_answer_text(ruleset, found, leading=False) for ruleset in rulesets]
    return texts if len({*texts}) > 1 else [_answer_text(ruleset, found, leading=True) for ruleset in rulesets]


def _answer_text(ruleset: Ruleset, found: Witness, *, leading: bool) -> str:
    position = found.position_for(ruleset)
    if found.question == "outcome":
        return str(damspec.outcome(ruleset, position))
    legal = damspec.legal_moves(ruleset, position)
    moves = [f"{move}, to {damspec.play(ruleset, position, move).fen()}" if leading else str(move) for move in legal]
    moves += [f"{move} (lapse)" for move in legal.lapses]
    more = f" and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    return (("; " if leading else ", ").join(moves[:_MOST_MOVES]) or "no move") + more


def comparison_paper(comparison: Comparison, chosen: Sequence[RuleDifference], same: Sequence[str]) -> Paper:
    """Return the page of the chosen differences, and of the rules `same` that were chosen and are the same in all."""
    equal = [RuleDifference(rule, *_as_they_are(comparison, rule)) for rule in same]
    order = {rule: number for number, rule in enumerate(vocabulary())}
    listed = sorted((*comparison.apart, *chosen, *equal), key=lambda one: order[one.rule])
    blocks: list[Block] = [Heading(("The rulesets",)), Items(tuple(_rulesets(comparison)))]
    if listed:
        columns = ("rule", *comparison.names)
        rows = tuple(((Code(one.rule),), *map(_value, one.values)) for one in listed)
        blocks += [Heading(("The rules",)), Table(columns, rows)]
    if comparison.apart:
        rules = join_words((Code(one.rule),) for one in comparison.apart)
        blocks.append(Paragraph((f"All are compared on a board of {comparison.board}, apart from ", *rules, ".")))
    for one in listed:
        blocks += _rule(comparison, one, is_difference=one in chosen)
    return Paper(headline(comparison), tuple(blocks), _records(comparison, listed))


def _as_they_are(comparison: Comparison, rule: str) -> tuple[tuple[object, ...], tuple[tuple[str, ...], ...]]:
    rulesets = comparison.on_board
    return tuple(each.values.get(rule) for each in rulesets), tuple(each.rests_on.get(rule, ()) for each in rulesets)


def _rulesets(comparison: Comparison) -> Iterator[tuple[int, Words]]:
    for name, ruleset in zip(comparison.names, comparison.rulesets, strict=True):
        documents = (" (", *codes(ruleset.documents), ")") if ruleset.documents else ()
        yield 0, (Code(name), f": {ruleset.name}", *documents)


def _value(value: object) -> Words:
    return ("–",) if value is None else (Code(value_text(value)),)


def _rule(comparison: Comparison, one: RuleDifference, *, is_difference: bool) -> Iterator[Block]:
    yield Heading((Code(one.rule), f": {vocabulary()[one.rule].title}"))
    items: list[tuple[int, Words]] = []
    for side in one.sides:
        value = one.values[side[0]]
        says: Words = ("there is no such rule.",)
        if value is not None:
            says = (*_value(value), " – ", *prose(word_value(one.rule, value)))
        items.append((0, (*codes(comparison.names[at] for at in side), ": ", *says)))
        sources: dict[str, int] = {}
        for at in side:
            for source in one.rests_on[at]:
                sources.setdefault(source, at)
        items += [(1, _source(source, comparison.rulesets[at])) for source, at in sources.items()]
    yield Items(tuple(items))
    for pair, found in comparison.witness_of_each_pair(one) if is_difference else ():
        yield from _witness_blocks(comparison, pair, found)


def _source(id: str, ruleset: Ruleset) -> Words:
    clause = damspec.load_clauses().get(id)
    return quote_clause(clause) if clause else cite_reading(*reading_taken(id, ruleset))


def _witness_blocks(comparison: Comparison, pair: tuple[int, int], found: WitnessOrReason) -> Iterator[Block]:
    between: Words = (*codes(comparison.names[at] for at in pair), ": ")
    if not isinstance(found, Witness):
        leader: Words = (", see ", Code(found.leader)) if found.kind == "no-such-part" and found.leader else ()
        yield Paragraph((*between, *prose(found.says), *leader, "."))
        return
    yield Paragraph((*between, Code(found.position), f" ({found.says})"))
    rulesets = comparison.pair(*pair)
    captions = zip((comparison.names[at] for at in pair), answer_texts(rulesets, found), strict=True)
    yield Figures(
        tuple(
            _figure(each, found, (Code(name), f": {answer}"))
            for each, (name, answer) in zip(rulesets, captions, strict=True)
        )
    )


def _figure(ruleset: Ruleset, found: Witness, caption: Words) -> Figure:
    position, trapdoors = found.position_for(ruleset), ruleset.rules.trapdoors
    layout = trapdoors.layout if trapdoors else None
    if found.question == "outcome":
        return Figure(position, layout, caption)
    legal = damspec.legal_moves(ruleset, position)
    arrows, dashed = (tuple(m.path for m in moves if isinstance(m, Move)) for moves in (legal, legal.lapses))
    return Figure(position, layout, caption, arrows[:_MOST_MOVES], dashed[:_MOST_MOVES])


def _records(comparison: Comparison, listed: Sequence[RuleDifference]) -> Table:
    columns = [column for name in comparison.names for column in (name, f"{name}: rests on")]
    rows: list[tuple[Words, ...]] = []
    for one in listed:
        cells = [cell for at in range(len(columns) // 2) for cell in (_value(one.values[at]), cite(one.rests_on[at]))]
        rows.append(((Code(one.rule),), (vocabulary()[one.rule].asks,), *cells))
    return Table(("rule", "question", *columns), tuple(rows))
