"""Explanations of anything with an id: its meaning, its sources, its readings, and a board that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import damspec
from damspec import Clause, DamspecError, Reading, Ruleset, data
from damspec.board import DIRECTION_GROUPS
from damspec.data import freeze
from damspec.inheritance import RulesetName, parents_of
from damspec.rules import expand_directions
from damspec.ruleset import load_source
from damspec.safe_yaml import UnsafeTextError, read_yaml
from damspec.vocabulary import Rule, Term, glossary, groups, vocabulary, word_value

from ..cases.cases import Case, cases_for, cases_of, names
from .endgames import reading_effect
from .examples import find_example
from .links import LinkKind, UnknownIdError, cases_on, ids_by_kind, links, plainness, value_text, values_on
from .rulebook import languages
from .sources import Citation, Document, citations, load_documents, named_document
from .view import (
    Block,
    Cite,
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
    codes,
    paths_of,
    prose,
    quote_clause,
)
from .view_json import HIDDEN

#: The strongest link first.
_STRENGTH = ("clause", "reading", "notices")
#: The number of cases listed for a clause or a reading, and of clauses for a reading, unless all are.
MOST = 8
#: The word by which all readings are explained.
READINGS = "readings"

Kind = Literal["rule", "value", "clause", "reading", "case", "ruleset", "alternative", "term", "document", "readings"]


@dataclass(frozen=True)
class ListedCase:
    """A case and why its answer is what it is.

    `by` is how it shows a value: by a clause or a reading that the value rests on, or only because it notices another.
    """

    id: str
    why: str
    by: LinkKind | None = None


@dataclass(frozen=True)
class Value:
    """A rule's value: what it says, the rulesets that have it, what it rests on there, and a case that shows it."""

    rule: str
    value: Any
    says: str
    rulesets: tuple[str, ...]
    from_: tuple[str, ...]
    case: ListedCase | None = None


@dataclass(frozen=True)
class ShownCase:
    """The case on the board: its position, what is expected of it, if need be under another reading, and why."""

    id: str
    ruleset: str
    why: str
    position: str
    history: tuple[str, ...]
    under: str
    answer: str
    figure: Figure = field(metadata=HIDDEN)


@dataclass(frozen=True)
class Explanation:
    """What `damspec explain --json` prints: what an id means, who says so, and a case that shows it."""

    kind: Kind
    id: str
    title: str
    says: tuple[str, ...]
    values: tuple[Value, ...] = ()
    clauses: tuple[Clause, ...] = ()
    readings: tuple[Reading, ...] = ()
    terms: tuple[Term, ...] = ()
    case: ShownCase | None = field(default=None, kw_only=True)
    #: The plainest cases that name a clause or depend on a reading, and how many more there are.
    cases: tuple[ListedCase, ...] = field(default=(), kw_only=True)
    more_cases: int = field(default=0, kw_only=True)
    citations: tuple[Citation, ...] = field(default=(), kw_only=True)

    def paper(self, most: int | None = None) -> Paper:
        """Return the page that shows it, with at most so many clauses of a reading."""
        title = f"{self.id}: {self.title}" if self.title != self.id else self.id
        about = (load_documents()[self.id],) if self.kind == "document" else ()
        return Paper(title, tuple(_blocks(self, most)), _records(self), about)


def explain(id: str, most_cases: int | None = MOST) -> Explanation:
    """Explain a rule, clause, reading, case, ruleset, word or document, RULE=VALUE or RULESET?key=alternative.

    A document with the id of something else is called `document:ID`; `readings` explains all readings. At most so many
    cases are listed of a clause or a reading, all with None.

    Raises UnknownIdError, or RulesetError for an unknown value or alternative.
    """
    found = _find(id)
    listed = found.cases[:most_cases]
    cited = citations(_cited_clauses(found))
    return replace(found, cases=listed, more_cases=len(found.cases) - len(listed), citations=cited)


def _find(id: str) -> Explanation:
    if "?" in id:
        return _alternative(load_source(id))
    if overlaid := next((case for name in names() if "+" in name for case in cases_of(name) if case.id == id), None):
        return _case(overlaid)
    if document := named_document(id):
        return _document(document)
    if id == READINGS:
        every = damspec.load_readings()
        return Explanation("readings", id, "what the documents leave unclear, and how it was read", (), readings=every)
    name = RulesetName.parse(id)
    if name.is_file or (name.base in damspec.ruleset_ids() and name.overlays):
        return _ruleset(load_source(id))
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
    known = [*(each for ids in ids_by_kind().values() for each in ids), *glossary(), *words]
    raise UnknownIdError.of(id, known, _rules_called(id))


def _rules_called(word: str) -> list[str]:
    """Return the rules that players mean by a word, in any language: those that the site's search finds by it."""
    topics = (topic for language in languages() for topic in language.content["find"]["topics"].items())
    wanted = word.casefold()
    return [*dict.fromkeys(id for id, said in topics if id in vocabulary() and wanted in said.casefold().split(", "))]


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


def _about_rule(
    rule: Rule, kind: Literal["rule", "value"], id: str, says: tuple[str, ...], having: list[Ruleset]
) -> Explanation:
    """Explain a rule or one of its values by the rulesets that have it."""
    values = _values(((ruleset, rule.name) for ruleset in having if rule.name in ruleset.values), shown=True)
    order = [*dict.fromkeys(value_text(value.value) for value in values)]
    values = tuple(sorted(values, key=lambda value: order.index(value_text(value.value))))
    sources = list(dict.fromkeys(source for value in values for source in value.from_))
    setting = [r.id for r in links().readings.values() if any(rule.name in a.set for a in r.alternatives.values())]
    return Explanation(
        kind,
        id,
        rule.title,
        says,
        values,
        *clauses_and_readings([*sources, *(setting if kind == "rule" else ())]),
        tuple(glossary()[term] for term in rule.terms),
        case=_show(_example(having, rule.name)),
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
    values = _values((links().rulesets[id], rule) for id, rule, _ in values_on(clause.id))
    readings = tuple(links().readings[id] for id in clause.readings)
    terms = tuple(t for t in glossary().values() if any(clause.id in word.clauses for word in t.languages.values()))
    return Explanation(
        "clause",
        clause.id,
        clause.term,
        (clause.says, *carried, *conduct, *note),
        values,
        (clause,),
        readings,
        terms,
        **_cases(clause.id),
    )


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
    values = _values((links().rulesets[id], rule) for id, rule in resting)
    readings = tuple(reading for reading in links().readings.values() if not own.isdisjoint(reading.clauses))
    return Explanation("document", document.id, document.title, says, values, document.clauses, readings)


def _reading(reading: Reading) -> Explanation:
    about = f"About {', '.join(reading.rulesets)}; confidence {reading.confidence}."
    says = (reading.question, about, *([reading.note] if reading.note else []))
    values = _values((links().rulesets[id], rule) for id, rule, _ in values_on(reading.id))
    clauses = tuple(links().clauses[id] for id in reading.clauses)
    return Explanation("reading", reading.id, reading.key, says, values, clauses, (reading,), **_cases(reading.id))


def _case(case: Case) -> Explanation:
    under = (f"Under {query} the answer is another." for query in case.otherwise)
    made = (f"Generated by {case.generated}.",) if case.generated else ()
    says = (case.why, f"Of {case.ruleset}, topic {case.topic}.", *under, *made)
    ruleset, named = damspec.load_ruleset(case.ruleset), {*case.clauses, *case.readings}
    resting = [rule for rule, sources in ruleset.rests_on.items() if not named.isdisjoint(sources)]
    values = _values((ruleset, rule) for rule in resting)
    return Explanation(
        "case",
        case.id,
        case.topic,
        says,
        values,
        *clauses_and_readings([*case.clauses, *case.readings]),
        case=_show(case),
    )


def _ruleset(ruleset: Ruleset) -> Explanation:
    conduct = (f"Conduct, not checked: {entry['says']}" for entry in ruleset.conduct)
    values = _values(((ruleset, rule) for rule in ruleset.values), shown=True)
    start = next((case for case in cases_for(ruleset) if case.position == "start"), None)
    says = (ruleset.about, *describe_provenance(ruleset), *conduct)
    case = _show(start, by=ruleset)
    return Explanation("ruleset", ruleset.id, ruleset.name, says, values, readings=ruleset.readings, case=case)


def rules_by_provenance(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the rules of a ruleset, and those it takes away, by `differs`, `confirmed` and `inherited`."""
    found: dict[str, list[str]] = {"differs": [], "confirmed": [], "inherited": []}
    for rule in vocabulary():
        if rule in ruleset.values or rule in ruleset.inherited:
            found[ruleset.provenance(rule)].append(rule)
    return found


def describe_provenance(ruleset: Ruleset) -> Iterator[str]:
    """Yield what a ruleset changes of what it extends, what it confirms, and what it only inherits."""
    if not ruleset.family:
        return
    differs, confirmed, inherited = rules_by_provenance(ruleset).values()
    changed = ", ".join(rule for rule in differs if rule in ruleset.values) or "no value"
    removed = ", ".join(rule for rule in differs if rule not in ruleset.values)
    parents = parents_of(ruleset.source)
    extended = _describe_parents(parents[ruleset.base], parents)
    yield f"Extends {extended}; changes {changed}{f'; is without {removed}' if removed else ''}."
    if not confirmed:
        yield "All others are only inherited."
    elif not inherited:
        yield "It confirms all others."
    elif len(confirmed) < len(inherited):
        yield f"It confirms {', '.join(confirmed)}; all others are only inherited."
    else:
        yield f"Only inherited are {', '.join(inherited)}; it confirms all others."


def _describe_parents(ids: Sequence[str], parents: Mapping[str, Sequence[str]]) -> str:
    """Name rulesets with what they extend: `pool, which extends russian`, or `my (which extends vl) and pool`."""
    further = {id: f"which extends {_describe_parents(parents[id], parents)}" for id in ids if parents[id]}
    if len(ids) == 1:
        return ", ".join((*ids, *further.values()))
    return " and ".join(f"{id} ({further[id]})" if id in further else id for id in ids)


def _alternative(ruleset: Ruleset) -> Explanation:
    """Explain a ruleset under other readings: what they change."""
    query = ruleset.id.partition("?")[2]
    base, chosen = load_source(ruleset.source), ruleset.readings_in(query)
    names = {*ruleset.values, *base.values}
    changed = [rule for rule in vocabulary() if rule in names and ruleset.values.get(rule) != base.values.get(rule)]
    words = {rule: [word_value(rule, each.values.get(rule)) for each in (ruleset, base)] for rule in changed}
    instead = (f"{rule}: {now} Instead of: {before}" for rule, (now, before) in words.items())
    says = (*(reading.alternatives[word].says for reading, word in chosen), *instead)
    values = _values((ruleset, rule) for rule in changed if rule in ruleset.values)
    cases = [case for case in cases_for(base) if query in case.otherwise]
    cases.sort(key=lambda case: (case.otherwise[query] == case.expected, plainness(case)))
    clauses = tuple(links().clauses[id] for reading, _ in chosen for id in reading.clauses)
    readings = tuple(reading for reading, _ in chosen)
    case = _show(next(iter(cases), None), query, base)
    return Explanation("alternative", ruleset.id, ruleset.name, says, values, clauses, readings, case=case)


def _of_terms(word: str, terms: tuple[Term, ...]) -> Explanation:
    """Explain a word: one term of the glossary, or all terms that it stands for."""
    heads = {term.head for term in terms}
    rules = [rule for rule in vocabulary().values() if not heads.isdisjoint(rule.terms)]
    says = tuple(f"It is a word of {rule.name}: {rule.asks}" for rule in rules)
    clauses = (id for term in terms for each in term.languages.values() for id in each.clauses)
    name = word if len(terms) > 1 else terms[0].head
    return Explanation("term", name, name, says, (), *clauses_and_readings(clauses), terms)


def _terms(text: str) -> tuple[Term, ...]:
    """Return the glossary's terms for a word: by their English names, or by words of documents or players."""
    wanted, every = text.casefold(), glossary().values()
    if text in glossary():
        return (glossary()[text],)
    named = [term for term in every if wanted in (name.removeprefix("to ") for name in term.head.split(", "))]
    words = {term.head: {word.casefold() for word in term.words} for term in every}
    return tuple(named or (term for term in every if wanted in words[term.head]))


def _values(values: Iterable[tuple[Ruleset, str]], *, shown: bool = False) -> tuple[Value, ...]:
    """Return values of rulesets; equal ones with the same sources are one, `shown` by the case of the first."""
    found: dict[tuple[str, str, tuple[str, ...]], Value] = {}
    for ruleset, rule in values:
        value, sources = ruleset.values[rule], ruleset.rests_on[rule]
        key = rule, value_text(value), sources
        if key in found:
            found[key] = replace(found[key], rulesets=(*found[key].rulesets, ruleset.id))
        else:
            example = find_example(ruleset, rule) if shown else None
            case = ListedCase(example.case.id, example.case.why, example.by) if example else None
            found[key] = Value(rule, value, word_value(rule, value), (ruleset.id,), sources, case)
    return tuple(found.values())


def clauses_and_readings(ids: Iterable[str]) -> tuple[tuple[Clause, ...], tuple[Reading, ...]]:
    """Return clauses and readings by their ids, each once."""
    ids = list(dict.fromkeys(ids))
    clauses, readings = links().clauses, links().readings
    return tuple(clauses[id] for id in ids if id in clauses), tuple(readings[id] for id in ids if id in readings)


def _cases(id: str) -> dict[str, Any]:
    """Return the cases on a clause or a reading as fields of its explanation; the plainest is shown."""
    found = cases_on(id)
    return {"case": _show(next(iter(found), None)), "cases": tuple(ListedCase(case.id, case.why) for case in found)}


def _show(case: Case | None, under: str = "", by: Ruleset | None = None) -> ShownCase | None:
    """Return a case as it is shown, with its answer under other readings, on the board of `by` if given."""
    if case is None:
        return None
    ruleset = by or damspec.load_ruleset(case.ruleset)
    position, answer = ruleset.position(case.position), case_answer(case, under)
    moves = case.otherwise.get(under, case.expected).moves or ()
    trapdoors = ruleset.rules.trapdoors
    caption = f"Shown by {case.id}{f' under {under}' if under else ''}: "
    figure = Figure(
        position,
        trapdoors.layout if trapdoors else None,
        (caption, *prose(case.why), " ", answer),
        paths_of(position, moves),
    )
    return ShownCase(case.id, case.ruleset, case.why, case.position, case.history, under, answer, figure)


def case_answer(case: Case, under: str = "") -> str:
    """Return what is expected of a case, under other readings if given."""
    expected = case.otherwise.get(under, case.expected)
    said = [f"Played: {', '.join(case.history)}"] if case.history else []
    if expected.outcome is not None:
        said.append(f"Outcome: {expected.outcome}")
    elif expected.end is not None:
        said += [f"Game: {' '.join(action for action, _ in expected.game)}", f"Outcome: {expected.end.result}"]
    else:
        said.append(f"Moves: {', '.join(expected.moves or ()) or 'none'}")
        if expected.lapses:
            said.append(f"Lapses: {', '.join(expected.lapses)}")
    return "; ".join(said) + "."


_OF: Mapping[str, Callable[[Any], Explanation]] = {
    "ruleset": _ruleset,
    "rule": _rule,
    "clause": _clause,
    "reading": _reading,
    "case": _case,
    "document": _document,
}


# --- as a page --------------------------------------------------------------------------------

#: How the values of an explanation are headed, and what a table says of them, by its kind.
_VALUES: Mapping[Kind, tuple[str, tuple[str, ...]]] = {
    "ruleset": ("Rules", ("rule", "value", "meaning", "rests on", "shown by")),
    "alternative": ("What it changes", ("rule", "value", "meaning", "rests on")),
    "rule": ("Values in the rulesets", ("value", "rulesets", "rests on", "shown by")),
    "value": ("Rulesets that have it", ("rulesets", "rests on", "shown by")),
}
_RESTING = ("Rules that rest on it", ("rule", "value", "meaning", "rulesets", "rests on"))
#: The kinds that show all alternatives of readings.
_WITH_ALTERNATIVES = ("ruleset", "alternative", "readings")
#: The kinds whose clauses are those of readings.
_OF_READINGS = ("reading", "alternative")


def _blocks(found: Explanation, most: int | None) -> Iterator[Block]:
    if found.kind == "clause":
        yield Paragraph((Cite(found.clauses[0]), f"; {found.clauses[0].class_}"))
    yield from (Paragraph(prose(text)) for text in found.says)
    if found.kind == "reading":
        yield Items(tuple((0, words) for words in _alternatives(found.readings[0])))
    if found.case:
        yield Heading(("On a board",))
        yield Figures((found.case.figure,))
    if found.values:
        title, columns = _VALUES.get(found.kind, _RESTING)
        yield Heading((title,))
        rows = ({**_value_cells(value)} for value in found.values)
        yield Table(columns, tuple(tuple(row[column] for column in columns) for row in rows))
    if found.clauses and found.kind != "clause":
        yield Heading(("Clauses" if found.kind == "document" else "Who says so",))
        clauses = found.clauses[:most] if found.kind in _OF_READINGS else found.clauses
        quoted = ((*quote_clause(clause), *_rules_of(found, clause)) for clause in clauses)
        yield _first(quoted, len(found.clauses) - len(clauses), "clauses")
    if found.readings and found.kind != "reading":
        yield Heading(("What is unclear, and how it was read",))
        yield Items(tuple(_reading_items(found)))
    if found.terms:
        yield Heading(("Words",))
        yield Items(tuple((0, (f"{term.head}: {_words(term)}",)) for term in found.terms))
    if found.cases:
        yield Heading(("Cases",))
        yield _first(((Code(case.id), ": ", *prose(case.why)) for case in found.cases), found.more_cases, "cases")


def _first(items: Iterable[Words], more: int, what: str) -> Items:
    """Return a list, and how many more there are."""
    rest: tuple[Words, ...] = ((f"and {more} more {what}, which --all lists",),) if more else ()
    return Items(tuple((0, words) for words in (*items, *rest)))


def _value_cells(value: Value) -> Mapping[str, Words]:
    return {
        "rule": (Code(value.rule),),
        "value": (Code(value_text(value.value)),),
        "meaning": prose(value.says),
        "rulesets": codes(value.rulesets),
        "rests on": cite(value.from_),
        "shown by": (Code(value.case.id),) if value.case else (),
    }


def _rules_of(found: Explanation, clause: Clause) -> Words:
    """Return the rules that a clause gives, where a document is listed clause by clause."""
    return (" Gives ", *codes(clause.rules), ".") if found.kind == "document" and clause.rules else ()


def _reading_items(found: Explanation) -> Iterator[tuple[int, Words]]:
    """Yield readings, each with the alternative chosen or, where all of them are listed, with every one."""
    for reading in found.readings:
        every = found.kind in _WITH_ALTERNATIVES
        name = reading.key if every else f"{reading.key}={reading.chosen}"
        asks: Words = (Code(reading.id), f" {name} ({reading.confidence}): ", *prose(reading.question))
        if every:
            yield 0, asks
            yield from ((1, words) for words in _alternatives(reading))
        else:
            yield 0, (*asks, " ", *prose(reading.alternatives[reading.chosen].says))


def _alternatives(reading: Reading) -> Iterator[Words]:
    """Yield the alternatives of a reading, and why one was chosen."""
    for word in reading.alternatives:
        chosen = " (chosen): " if word == reading.chosen else ": "
        yield (Code(f"{reading.key}={word}"), chosen, *prose(_alternative_text(reading, word)))
    yield ("Why: ", *prose(reading.why))


def _alternative_text(reading: Reading, word: str) -> str:
    alternative = reading.alternatives[word]
    said = [alternative.says]
    for rule, value in alternative.set.items():
        said.append(f"There is no rule `{rule}`." if value is None else word_value(rule, value))
    if alternative.inexpressible:
        said.append(f"Not playable ({alternative.because}): {alternative.inexpressible}")
    if alternative.same:
        said.append(f"The same rules as the one chosen: {alternative.same}")
    if effect := reading_effect(reading.id, word):
        said.append(f"Endgames: {effect}")
    return " ".join(said)


def _words(term: Term) -> str:
    return "; ".join(f"{language} {', '.join(word.words)}" for language, word in term.languages.items())


def _cited_clauses(found: Explanation) -> list[Clause]:
    """Return the clauses that an explanation names: those it rests on, and those of its values."""
    clauses = links().clauses
    ids = (*(clause.id for clause in found.clauses), *(source for value in found.values for source in value.from_))
    return [clauses[id] for id in dict.fromkeys(ids) if id in clauses]


def _records(found: Explanation) -> Table:
    rows: list[tuple[Words, ...]] = [((found.kind,), (Code(found.id),), prose(" ".join(found.says)), (), ())]
    for value in found.values:
        name = (Code(f"{value.rule}={value_text(value.value)}"),)
        rows.append((("value",), name, prose(value.says), codes(value.rulesets), cite(value.from_)))
    rows += [(("clause",), (Code(c.id),), prose(f"“{c.term}”: {c.says}"), (), (Cite(c),)) for c in found.clauses]
    for reading in found.readings:
        about = codes(reading.rulesets), cite(reading.clauses)
        rows.append((("reading",), (Code(reading.id),), prose(f"{reading.question} {reading.why}"), *about))
        for word in reading.alternatives:
            kind = "chosen" if word == reading.chosen else "alternative"
            name = (Code(f"{reading.key}={word}"),)
            rows.append(((kind,), name, prose(_alternative_text(reading, word)), *about))
    rows += [(("word",), (term.head,), (_words(term),), (), ()) for term in found.terms]
    rows += [(("case",), (Code(case.id),), prose(case.why), (), ()) for case in found.cases]
    return Table(("kind", "id", "says", "rulesets", "rests on"), tuple(rows))
