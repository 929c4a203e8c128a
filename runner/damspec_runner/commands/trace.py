"""`damspec trace`: follow the links between clauses, rule values and cases, and list what lacks one."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

import damspec
from damspec import Clause, Reading, Ruleset, load_clauses
from damspec.inheritance import RulesetName
from damspec.vocabulary import vocabulary

from ..cases.cases import Case
from ..document.examples import find_example
from ..document.forms.content import Cite, Code, Items, Paper, Paragraph, Table, Words, cite, prose, quote_clause
from ..document.sources import load_documents, named_document
from ..document.trace import CARRIERS, Ledger, RulesetValue, cases_on, kind_of, links, value_text, values_on
from .publication import Publication, publication_options

#: The number of cases listed for a clause or a reading without --all.
SOME = 8
#: The kinds of nodes whose id is no name but words.
_PLAIN = ("more", "reason")
_BY = {
    "clause": "shows it",
    "reading": "shows it by a reading",
    "notices": "notices it",
}


@dataclass(frozen=True)
class Node:
    """A node of the tree: its kind, id and text, and its children."""

    kind: str
    id: str
    says: str
    children: tuple[Node, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the tree as lines of text, indented by depth."""
        yield f"{'  ' * depth}{self.id}{': ' if self.says else ''}{self.says}"
        for child in self.children:
            yield from child.lines(depth + 1)

    def items(self, depth: int = 0) -> Iterator[tuple[int, Words]]:
        """Yield the tree as items of a list, each with its depth."""
        clause = load_clauses().get(self.id) if self.kind == "clause" else None
        head: Words = (Cite(clause),) if clause else (Code(self.id),) if self.kind not in _PLAIN else (self.id,)
        yield depth, (*head, ": ", *prose(self.says)) if self.says else head
        for child in self.children:
            yield from child.items(depth + 1)

    def rows(self, depth: int = 0) -> Iterator[tuple[Words, ...]]:
        """Yield the tree as rows of a table: depth, kind, id and text, and for a clause where it stands."""
        citation = cite((self.id,)) if self.kind == "clause" else ()
        yield (str(depth),), (self.kind,), (self.id,), (self.says,), citation
        for child in self.children:
            yield from child.rows(depth + 1)


@click.command()
@click.argument("id", required=False, metavar="[RULESET|RULE|CLAUSE|READING|CASE|DOCUMENT]")
@click.option("--summary", is_flag=True, help="Count all links and list what lacks one; the default without arguments.")
@click.option(
    "--all", "whole", is_flag=True, help=f"List all cases of a clause or a reading, not only the {SOME} plainest."
)
@publication_options
def trace(id: str | None, summary: bool, whole: bool, form: str, output: Path | None, as_json: bool) -> None:
    """Follow the links between clauses, rule values and cases.

    A rule value is shown with the clauses and readings it rests on and the case that shows it best: the plainest one
    whose answer changes under other values, with less happening under one of them.

    \b
    damspec trace vl                   each rule of a ruleset
    damspec trace vl-027               the values that rest on a clause, and its cases
    damspec trace capture.choice       a rule in each ruleset
    damspec trace VL-04                a reading; a case likewise
    damspec trace fmjd                 a document, clause by clause; document:vl where a ruleset has the id
    damspec trace --summary            counts, and what is linked to nothing (exit status 1 if anything is)
    """
    publication = Publication.of(form, output, as_json=as_json)
    if id is None or summary:
        if id is not None:
            raise click.UsageError(f"found {id!r} with --summary, which is about everything")
        _summary(publication)
        return
    node = _node(id, None if whole else SOME)
    publication.write(node.lines, lambda: {"trace": asdict(node)}, lambda: _tree_paper(node))


def _node(id: str, most: int | None) -> Node:
    name = RulesetName.parse(id)
    if document := named_document(id):
        return _document(document.id)
    if "?" in id or name.is_file or (name.is_shipped and name.overlays):
        return _ruleset(damspec.load_ruleset(id))
    return _TREES[kind_of(id)](id, most)


def _tree_paper(node: Node) -> Paper:
    about = (load_documents()[node.id],) if node.kind == "document" else ()
    items = tuple((depth - 1, words) for depth, words in node.items() if depth)
    own: Words = quote_clause(load_clauses()[node.id]) if node.kind == "clause" else prose(node.says)
    table = Table(("depth", "kind", "id", "says", "citation"), tuple(node.rows()))
    return Paper(node.id, (Paragraph(own), *([Items(items)] if items else [])), table, about)


def _ruleset(ruleset: Ruleset) -> Node:
    return Node("ruleset", ruleset.id, ruleset.name, tuple(_value(ruleset, rule, rule) for rule in ruleset.values))


def _rule(name: str) -> Node:
    having = [ruleset for ruleset in links().rulesets.values() if name in ruleset.values]
    return Node("rule", name, vocabulary()[name].asks, tuple(_value(ruleset, name, ruleset.id) for ruleset in having))


def _value(ruleset: Ruleset, rule: str, called: str) -> Node:
    """Return a value with its sources and the case that shows it."""
    shown = find_example(ruleset, rule)
    case = (Node("case", shown.case.id, f"{_BY[shown.by]}. {shown.case.why}"),) if shown else ()
    own = {reading.id: reading for reading in ruleset.own_readings}
    sources = tuple(
        _reading_line(own[source]) if source in own else _source(source) for source in ruleset.rests_on[rule]
    )
    return Node("value", called, value_text(ruleset.values[rule]), (*sources, *case))


def _document(id: str) -> Node:
    document = load_documents()[id]
    return Node("document", id, document.title, tuple(map(_clause_of_document, document.clauses)))


def _clause_of_document(clause: Clause) -> Node:
    about = (_reading_line(links().readings[reading]) for reading in clause.readings)
    line = _clause_line(clause)
    return Node(line.kind, line.id, line.says, (*_values(values_on(clause.id)), *about))


def _clause(id: str, most: int | None) -> Node:
    clause = links().clauses[id]
    about = [links().readings[reading] for reading in clause.readings]
    children = (*_values(values_on(id)), *map(_reading_line, about), *_cases(cases_on(id), most))
    why_not = (Node("reason", "gives no rule", clause.none),) if clause.none else ()
    conduct = (Node("reason", "conduct", "recorded, not checked"),) if clause.conduct else ()
    return Node("clause", id, clause.says, (*why_not, *conduct, *children))


def _reading(id: str, most: int | None) -> Node:
    reading = links().readings[id]
    alternatives = tuple(
        Node(
            "alternative",
            f"{reading.key}={word}",
            alternative.says + (" (chosen)" if word == reading.chosen else ""),
            tuple(Node("value", rule, value_text(value)) for rule, value in alternative.set.items()),
        )
        for word, alternative in reading.alternatives.items()
    )
    clauses = tuple(_source(clause) for clause in reading.clauses)
    children = (*alternatives, *clauses, *_values(values_on(id)), *_cases(cases_on(id), most))
    return Node("reading", id, reading.question, children)


def _case(id: str) -> Node:
    case = links().every_case[id]
    children = []
    for source in (*case.clauses, *case.readings):
        node = _source(source)
        values = [value for value in values_on(source) if value[0] == case.ruleset]
        children.append(Node(node.kind, node.id, node.says, _values(values)))
    return Node("case", id, case.why, tuple(children))


def _source(id: str) -> Node:
    """Return a clause or a reading as a node without children."""
    clause = links().clauses.get(id)
    return _clause_line(clause) if clause else _reading_line(links().readings[id])


def _clause_line(clause: Clause) -> Node:
    return Node("clause", clause.id, f"“{clause.term}”: {clause.says}")


def _reading_line(reading: Reading) -> Node:
    return Node("reading", reading.id, f"{reading.question} {reading.alternatives[reading.chosen].says}")


def _values(values: Iterable[RulesetValue]) -> tuple[Node, ...]:
    """Return values as nodes, equal ones of several rulesets together."""
    having: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for id, rule, value in values:
        having[rule, value_text(value)].append(id)
    return tuple(Node("value", rule, f"{value} in {', '.join(ids)}") for (rule, value), ids in having.items())


def _cases(cases: tuple[Case, ...], most: int | None) -> tuple[Node, ...]:
    listed = tuple(Node("case", case.id, case.why) for case in cases[:most])
    left = len(cases) - len(listed)
    return (*listed, Node("more", f"and {left} more cases", "")) if left else listed


_TREES: Mapping[str, Callable[[str, int | None], Node]] = {
    "ruleset": lambda id, _: _ruleset(links().rulesets[id]),
    "rule": lambda id, _: _rule(id),
    "clause": _clause,
    "reading": _reading,
    "case": lambda id, _: _case(id),
    "document": lambda id, _: _document(id),
}


def _summary(publication: Publication) -> None:
    ledger = Ledger(links())
    counts, orphans = ledger.counts(), ledger.orphans

    def lines() -> Iterator[str]:
        yield from _lines(counts)
        yield from (f"orphan: {orphan}" for orphan in orphans)
        yield f"{len(orphans)} orphans"

    def paper() -> Paper:
        table = Table(("kind", "id", "lacks"), tuple(((o.kind,), (o.id,), (o.says,)) for o in orphans))
        return Paper("Links between clauses, rules and cases", tuple(Paragraph((line,)) for line in lines()), table)

    publication.write(lines, lambda: {"summary": counts, "orphans": [vars(orphan) for orphan in orphans]}, paper)
    sys.exit(1 if orphans else 0)


def _lines(counts: Mapping[str, Any]) -> Iterator[str]:
    for name, document in counts["documents"].items():
        classes = ", ".join(f"{number} {class_}" for class_, number in document["classes"].items())
        carried = document["carried"]
        by = ", ".join(f"{carried[how]} {_CARRIED[how]}" for how in CARRIERS if carried[how])
        yield f"{name}: {document['clauses']} clauses ({classes})"
        yield f"  {sum(carried.values())} of {document['normative']} normative clauses are carried: {by}"
    values, cases, readings = counts["values"], counts["cases"], counts["readings"]
    shown, grounds, expected = values["shown"], cases["clauses give"], readings["shown"]
    showable = values["all"] - shown["cannot"]
    seen = showable - shown["nothing"]
    yield f"{values['resting']} of {values['all']} rule values rest on clauses or readings"
    yield (
        f"{seen} of {showable} rule values that a case can show are shown: {shown['clause']} by a case of the clause,"
        f" {shown['reading']} by one of the reading, {shown['notices']} only by one that notices the change"
    )
    yield f"{shown['cannot']} of {values['all']} no case can show: no change of them goes with the rest, or is seen"
    clauses = counts["clauses"]
    yield f"{clauses['named by a case']} of {clauses['giving rules']} clauses that give rules are named by a case"
    yield (
        f"{cases['all'] - grounds['nothing']} of {cases['all']} cases name what gives something:"
        f" {grounds['rules']} only clauses of rules or readings, {grounds['beside']} others beside them,"
        f" {grounds['words']} the game's words or conduct"
    )
    provable = readings["alternatives"] - expected["cannot"]
    yield (
        f"{readings['whole']} of {readings['all']} readings have each alternative shown that rules can express, in each"
        f" ruleset: {provable - expected['nothing']} of {provable} alternatives, {expected['expects']} by a case that"
        f" says what to expect under it; {expected['cannot']} more proved to change nothing"
    )


_CARRIED = {"rule": "by a rule", "reading": "by a reading", "conduct": "as conduct", "exempt": "with a reason why not"}
