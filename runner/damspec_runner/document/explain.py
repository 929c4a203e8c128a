"""Explanations of anything with an id: its meaning, its sources, its readings, and a board that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import damspec
from damspec import Clause, DamspecError, Reading, Ruleset, data
from damspec.board import DIRECTION_GROUPS
from damspec.data import freeze
from damspec.inheritance import RulesetName
from damspec.position import board_text
from damspec.rules import expand_directions
from damspec.safe_yaml import UnsafeTextError, read_yaml
from damspec.vocabulary import Rule, Term, glossary, groups, vocabulary, word_value

from ..cases.cases import Case, cases_for, cases_of, names
from .endings import reading_effect
from .examples import find_example
from .sources import Document, load_documents, named_document, place
from .trace import UnknownIdError, cases_on, ids_by_kind, links, plainness, value_text, values_on

#: The strongest link first.
_STRENGTH = ("clause", "reading", "notices")


@dataclass(frozen=True)
class Row:
    """A rule's value: what it says, the rulesets that have it, and what it rests on there."""

    rule: str
    value: Any
    says: str
    rulesets: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """An explanation of one thing. `case` is shown on a board, with its answer under the readings `under`."""

    kind: str
    id: str
    title: str
    says: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    clauses: tuple[Clause, ...] = ()
    readings: tuple[Reading, ...] = ()
    terms: tuple[Term, ...] = ()
    case: Case | None = None
    under: str = ""
    documents: tuple[Document, ...] = ()
    #: The ruleset that the case is shown by, where it is one of a file.
    by: Ruleset | None = None


def explain(id: str) -> Explanation:
    """Explain a rule, clause, reading, case, ruleset, word or document, RULE=VALUE or RULESET?key=alternative.

    A document with the id of something else is called `document:ID`.

    Raises UnknownIdError, or RulesetError for an unknown value or alternative.
    """
    if "?" in id:
        return _alternative(damspec.load_ruleset(id))
    if overlaid := next((case for name in names() if "+" in name for case in cases_of(name) if case.id == id), None):
        return _case(overlaid)
    if document := named_document(id):
        return _document(document)
    name = RulesetName.parse(id)
    if name.is_file or (name.base in damspec.ruleset_ids() and name.overlays):
        return _ruleset(damspec.load_ruleset(id))
    rule, equals, value = id.partition("=")
    if equals and rule in vocabulary():
        return _value(vocabulary()[rule], value)
    for kind, ids in ids_by_kind().items():
        if id in ids and kind != "document":
            return _OF[kind](ids[id])
    terms = _terms(id)
    if terms:
        return _of_terms(id, terms)
    if id in load_documents():
        return _document(load_documents()[id])
    words = [word for term in glossary().values() for word in term.words]
    raise UnknownIdError.of(id, [*(each for ids in ids_by_kind().values() for each in ids), *glossary(), *words])


def draw_case(case: Case, under: str = "", by: Ruleset | None = None) -> str:
    """Return a case's position as a board in text, by the rules of `by` if given, and the expected answer."""
    position = (by or damspec.load_ruleset(case.ruleset)).position(case.position)
    return "\n".join([board_text(position), *drawn_answer(case, under)])


def drawn_answer(case: Case, under: str = "") -> list[str]:
    """Return what is expected of a case, as lines of text."""
    expected = case.otherwise.get(under, case.expected)
    lines = [f"Played: {', '.join(case.history)}"] if case.history else []
    if expected.outcome is not None:
        lines.append(f"Outcome: {expected.outcome}")
    elif expected.end is not None:
        lines.append(f"Game: {' '.join(action for action, _ in expected.game)}")
        lines.append(f"Outcome: {expected.end.result}")
    else:
        lines.append(f"Moves: {', '.join(expected.moves or ()) or 'none'}")
        if expected.lapses:
            lines.append(f"Lapses: {', '.join(expected.lapses)}")
    return lines


def _rule(rule: Rule) -> Explanation:
    having = [ruleset for ruleset in links().rulesets.values() if rule.name in ruleset.values]
    present = (f"It is there exactly if {rule.present}.",) if rule.present else ()
    group = next(group for group in groups() if group.id == rule.group)
    if group.extension:
        present = ("It is part of an extension: an engine of plain draughts has no such rule.", *present)
    values = tuple(f"{value}: {says}" for value, says in (rule.values or rule.entries).items())
    return _about_rule(
        rule, "rule", rule.name, (rule.asks, rule.says, *present, *values, *filter(None, [group.says])), having
    )


def _value(rule: Rule, text: str) -> Explanation:
    try:
        value = read_yaml(text)
    except UnsafeTextError:
        value = text
    if rule.entries and isinstance(value, str) and (set(value.split(",")) <= {*rule.entries, *DIRECTION_GROUPS}):
        value = value.split(",")
    value = freeze(value)
    wrong = data.problem_of_values({rule.name: value})
    if wrong:
        raise DamspecError(wrong.replace(f"rules.{rule.name}.value", rule.name))
    value = expand_directions({rule.name: value})[rule.name]
    having = [ruleset for ruleset in links().rulesets.values() if ruleset.values.get(rule.name) == value]
    nowhere = () if having else ("No ruleset has it.",)
    says = (rule.asks, word_value(rule.name, value), rule.says, *nowhere)
    return _about_rule(rule, "value", f"{rule.name}={value_text(value)}", says, having)


def _about_rule(rule: Rule, kind: str, id: str, says: tuple[str, ...], having: list[Ruleset]) -> Explanation:
    """Explain a rule or one of its values by the rulesets that have it."""
    rows = _rows((ruleset, rule.name) for ruleset in having if rule.name in ruleset.values)
    sources = list(dict.fromkeys(source for row in rows for source in row.sources))
    setting = [r.id for r in links().readings.values() if any(rule.name in a.set for a in r.alternatives.values())]
    return Explanation(
        kind,
        id,
        rule.title,
        says,
        rows,
        *_sources([*sources, *(setting if kind == "rule" else ())]),
        tuple(glossary()[term] for term in rule.terms),
        _example(having, rule.name),
    )


def _example(having: list[Ruleset], rule: str) -> Case | None:
    """Return the case that shows a rule best, of all rulesets that have it."""
    found = [shown for ruleset in having if rule in ruleset.values and (shown := find_example(ruleset, rule))]
    best = min(found, key=lambda shown: (_STRENGTH.index(shown.by), plainness(shown.case)), default=None)
    return best.case if best else None


def _clause(clause: Clause) -> Explanation:
    carried = (f"It gives no rule: {clause.none}.",) if clause.none else ()
    conduct = ("It is about conduct: recorded, and not checked.",) if clause.conduct else ()
    note = (clause.note,) if clause.note else ()
    says = (clause.says, f"{place(clause)}; {clause.class_}", *carried, *conduct, *note)
    rows = _rows((links().rulesets[id], rule) for id, rule, _ in values_on(clause.id))
    readings = tuple(links().readings[id] for id in clause.readings)
    terms = tuple(t for t in glossary().values() if any(clause.id in word.clauses for word in t.languages.values()))
    return Explanation("clause", clause.id, clause.term, says, rows, (), readings, terms, _first(cases_on(clause.id)))


def _document(document: Document) -> Explanation:
    """Explain a document: what it is, all its clauses, and the rules that rest on them."""
    using = [ruleset.id for ruleset in links().rulesets.values() if document.id in ruleset.documents]
    says = (
        document.about,
        document.reference,
        *(f"Seen: {each['what']}" + (f", at {each['at']}" if "at" in each else "") for each in document.seen),
        *(f"Damaged or missing: {damage}" for damage in document.damage),
        *(f"Left open: {what}" for what in document.open),
        *([f"A document of {', '.join(using)}."] if using else []),
    )
    own = {clause.id for clause in document.clauses}
    resting = dict.fromkeys((id, rule) for clause in document.clauses for id, rule, _ in values_on(clause.id))
    rows = _rows((links().rulesets[id], rule) for id, rule in resting)
    readings = tuple(reading for reading in links().readings.values() if not own.isdisjoint(reading.clauses))
    title = document.title
    return Explanation("document", document.id, title, says, rows, document.clauses, readings, documents=(document,))


def _reading(reading: Reading) -> Explanation:
    alternatives = (
        f"{reading.key}={word}{' (chosen)' if word == reading.chosen else ''}: {alternative.says}"
        + "".join(f" {word_value(rule, value)}" for rule, value in alternative.set.items())
        + (f" Not playable ({alternative.because}): {alternative.inexpressible}" if alternative.inexpressible else "")
        + (f" The same rules as the one chosen: {alternative.same}" if alternative.same else "")
        + (f" Endings: {effect}" if (effect := reading_effect(reading.id, word)) else "")
        for word, alternative in reading.alternatives.items()
    )
    about = f"About {', '.join(reading.rulesets)}; confidence {reading.confidence}."
    says = (reading.question, *alternatives, f"Why: {reading.why}", about, *([reading.note] if reading.note else []))
    rows = _rows((links().rulesets[id], rule) for id, rule, _ in values_on(reading.id))
    clauses = tuple(links().clauses[id] for id in reading.clauses)
    return Explanation("reading", reading.id, reading.key, says, rows, clauses, case=_first(cases_on(reading.id)))


def _case(case: Case) -> Explanation:
    under = (f"Under {query} the answer is another." for query in case.otherwise)
    made = (f"Generated by {case.generated}.",) if case.generated else ()
    says = (case.why, f"Of {case.ruleset}, topic {case.topic}.", *under, *made)
    return Explanation("case", case.id, case.topic, says, (), *_sources([*case.clauses, *case.readings]), case=case)


def _ruleset(ruleset: Ruleset) -> Explanation:
    conduct = (f"Conduct, not checked: {entry['says']}" for entry in ruleset.conduct)
    rows = _rows((ruleset, rule) for rule in ruleset.values)
    start = next((case for case in cases_for(ruleset) if case.position == "start"), None)
    says = (ruleset.about, *_provenances(ruleset), *conduct)
    return Explanation(
        "ruleset", ruleset.id, ruleset.name, says, rows, readings=ruleset.readings, case=start, by=ruleset
    )


def rules_by_provenance(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the rules of a ruleset, and those it takes away, by `differs`, `confirmed` and `inherited`."""
    found: dict[str, list[str]] = {"differs": [], "confirmed": [], "inherited": []}
    for rule in vocabulary():
        if rule in ruleset.values or rule in ruleset.inherited:
            found[ruleset.provenance(rule)].append(rule)
    return found


def _provenances(ruleset: Ruleset) -> Iterator[str]:
    """Yield what a ruleset changes of what it extends, what it confirms, and what it only inherits."""
    if not ruleset.family:
        return
    differs, confirmed, inherited = rules_by_provenance(ruleset).values()
    changed = ", ".join(rule for rule in differs if rule in ruleset.values) or "no value"
    removed = ", ".join(rule for rule in differs if rule not in ruleset.values)
    yield f"Extends {', '.join(ruleset.family)}; changes {changed}{f'; is without {removed}' if removed else ''}."
    if not confirmed:
        yield "All others are only inherited."
    elif not inherited:
        yield "It confirms all others."
    elif len(confirmed) < len(inherited):
        yield f"It confirms {', '.join(confirmed)}; all others are only inherited."
    else:
        yield f"Only inherited are {', '.join(inherited)}; it confirms all others."


def _alternative(ruleset: Ruleset) -> Explanation:
    """Explain a ruleset under other readings: what they change."""
    query = ruleset.id.partition("?")[2]
    base, chosen = damspec.load_ruleset(ruleset.source), ruleset.readings_in(query)
    names = {*ruleset.values, *base.values}
    changed = [rule for rule in vocabulary() if rule in names and ruleset.values.get(rule) != base.values.get(rule)]
    words = {rule: [word_value(rule, each.values.get(rule)) for each in (ruleset, base)] for rule in changed}
    instead = (f"{rule}: {now} Instead of: {before}" for rule, (now, before) in words.items())
    says = (*(reading.alternatives[word].says for reading, word in chosen), *instead)
    rows = _rows((ruleset, rule) for rule in changed if rule in ruleset.values)
    cases = [case for case in cases_for(base) if query in case.otherwise]
    cases.sort(key=lambda case: (case.otherwise[query] == case.expected, plainness(case)))
    clauses = tuple(links().clauses[id] for reading, _ in chosen for id in reading.clauses)
    readings = tuple(reading for reading, _ in chosen)
    case = _first(cases)
    return Explanation(
        "alternative", ruleset.id, ruleset.name, says, rows, clauses, readings, case=case, under=query, by=base
    )


def _of_terms(word: str, terms: tuple[Term, ...]) -> Explanation:
    """Explain a word: one term of the glossary, or all terms that it stands for."""
    heads = {term.head for term in terms}
    rules = [rule for rule in vocabulary().values() if not heads.isdisjoint(rule.terms)]
    says = tuple(f"It is a word of {rule.name}: {rule.asks}" for rule in rules)
    clauses = (id for term in terms for each in term.languages.values() for id in each.clauses)
    name = word if len(terms) > 1 else terms[0].head
    return Explanation("term", name, name, says, (), *_sources(clauses), terms)


def _terms(text: str) -> tuple[Term, ...]:
    """Return the glossary's terms for a word: by their English names, or by words of documents or players."""
    wanted, every = text.casefold(), glossary().values()
    if text in glossary():
        return (glossary()[text],)
    named = [term for term in every if wanted in (name.removeprefix("to ") for name in term.head.split(", "))]
    words = {term.head: {word.casefold() for word in term.words} for term in every}
    return tuple(named or (term for term in every if wanted in words[term.head]))


def _rows(values: Iterable[tuple[Ruleset, str]]) -> tuple[Row, ...]:
    """Return values of rulesets as rows; equal values with the same sources share a row."""
    rows: dict[tuple[str, str, tuple[str, ...]], Row] = {}
    for ruleset, rule in values:
        value, sources = ruleset.values[rule], ruleset.rests_on[rule]
        key = rule, value_text(value), sources
        before = rows[key].rulesets if key in rows else ()
        rows[key] = Row(rule, value, word_value(rule, value), (*before, ruleset.id), sources)
    return tuple(rows.values())


def _sources(ids: Iterable[str]) -> tuple[tuple[Clause, ...], tuple[Reading, ...]]:
    """Return clauses and readings by their ids, each once."""
    ids = list(dict.fromkeys(ids))
    clauses, readings = links().clauses, links().readings
    return tuple(clauses[id] for id in ids if id in clauses), tuple(readings[id] for id in ids if id in readings)


def _first(cases: Iterable[Case]) -> Case | None:
    return next(iter(cases), None)


_OF: Mapping[str, Callable[[Any], Explanation]] = {
    "ruleset": _ruleset,
    "rule": _rule,
    "clause": _clause,
    "reading": _reading,
    "case": _case,
    "document": _document,
}
