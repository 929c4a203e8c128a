"""Positions as cases, with the reference's answers: files to review and keep, or a bundle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import damspec
from damspec import Outcome, Ruleset, load_readings
from damspec.vocabulary import vocabulary

from ...answers.player import Player
from ...cases.case import Case, Expectation
from ...cases.cases import TOPICS
from ...cases.made import MADE_BY, answer
from ...cases.writing import bundled, case_file
from ...variants.effects import ends
from ..answered import Answered

#: How many of the rules behind an answer a case names.
_NAMED = 3
#: How many lines a file of a folder has at most; more than a few times this nobody can read again.
_LINES = 15_000


def one_file(answered: Sequence[Answered]) -> str:
    """All positions as one file of cases."""
    return _text([*_by_topic(answered)])


def files(answered: Iterable[Answered]) -> dict[str, str]:
    """The positions as files of cases by their names, one for each topic, or several if it has very many."""
    topics: dict[str, list[tuple[Case, Answered]]] = defaultdict(list)
    for case, one in _by_topic(answered):
        topics[case.topic].append((case, one))
    return {
        f"{topic}{'' if part == 1 else f'-{part}'}.yaml": text
        for topic, cases in topics.items()
        for part, text in enumerate(_parts(cases), 1)
    }


def bundle(ruleset: Ruleset, answered: Iterable[Answered]) -> dict[str, Any]:
    """The positions as a bundle; they are for this ruleset, and what extends it is not asked."""
    return bundled([ruleset], ((as_case(one), [ruleset.base]) for one in answered))


def too_long(text: str) -> bool:
    """Whether a file of cases is too long to be read again."""
    return text.count("\n") > 3 * _LINES


def as_case(answered: Answered) -> Case:
    """A position as a case, expecting what the reference answers, under other readings too."""
    ruleset, position, rules = answered.ruleset, answered.position, answered.rules
    topic = vocabulary()[rules[0]].topic
    asked = Expectation(outcome=Outcome("ongoing")) if all(map(ends, rules)) else Expectation(moves={})
    under = [*answered.by.under_readings(position, only_outcome=asked.outcome is not None)]
    named = [*rules[: _NAMED - 1], f"{len(rules) - _NAMED + 1} more rules"] if len(rules) > _NAMED else rules
    return Case(
        id=f"{ruleset.base}.{topic}.generated-{answered.digest}",
        ruleset=ruleset.base,
        topic=topic,
        why=f"The answer {'depends on' if answered.by.wanted.goals else 'shows'} {', '.join(named)}.",
        clauses=tuple(_clauses(ruleset, rules)),
        position=answered.fen,
        expected=answered.expected if asked.outcome is None else Expectation(outcome=answered.outcome),
        readings=tuple(dict.fromkeys(id for id, _, _ in under)),
        otherwise={query: answer(other, Player(other).fitted(position), asked) for _, query, other in under},
        tags=("generated",),
        generated=MADE_BY,
        reached=tuple(map(str, answered.game or ())),
    )


def _by_topic(answered: Iterable[Answered]) -> Iterator[tuple[Case, Answered]]:
    return iter(sorted(((as_case(one), one) for one in answered), key=lambda pair: TOPICS.index(pair[0].topic)))


def _parts(cases: Sequence[tuple[Case, Answered]]) -> Iterator[str]:
    """The texts of one or several files."""
    text = _text(cases)
    if text.count("\n") <= _LINES or len(cases) < 2:
        yield text
    else:
        half = len(cases) // 2
        yield from _parts(cases[:half])
        yield from _parts(cases[half:])


def _text(cases: Sequence[tuple[Case, Answered]]) -> str:
    notes = {
        case.id: [f"with {', or with '.join(other.names)}: {other.told()}" for other in answered.others]
        for case, answered in cases
    }
    return case_file([case for case, _ in cases], notes)


def _clauses(ruleset: Ruleset, shown: list[str]) -> list[str]:
    """The clauses that rules rest on: their own, else those that the readings behind them are about.

    Where these rest on none, one of its documents; none for a file of your own.
    """
    about = {reading.id: reading.clauses for reading in (*load_readings(), *ruleset.own_readings)}
    found: list[str] = []
    for rule in shown[:_NAMED]:
        sources = ruleset.rests_on.get(rule, ())
        own = [source for source in sources if source not in about]
        found += own or [clause for source in sources for clause in about[source]]
    known = damspec.load_clauses()
    mine = [clause for clause in found if known[clause].document in ruleset.documents]
    if mine or not ruleset.shipped:
        return list(dict.fromkeys(mine or found))
    return [next(id for id in known if known[id].document in ruleset.documents)]
