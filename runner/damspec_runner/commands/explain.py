"""Explaining a rule, a clause, a reading, a case, a ruleset or a word."""

from __future__ import annotations

from collections.abc import Iterator

import click

from damspec import Clause, Reading
from damspec.vocabulary import Term

from ..document.explain import Explanation, Row, drawn, place
from ..document.explain import explain as explanation
from ..document.links import written
from .output import json_option, print_json


@click.command()
@click.argument("id", metavar="ID")
@json_option
def explain(id: str, as_json: bool) -> None:
    """Say what ID means, who says so, and show it on a board.

    \b
    damspec explain capture.removal               a rule
    damspec explain capture.removal=at-end        one of its values
    damspec explain vl-027                        a clause of a document
    damspec explain VL-04                         a reading
    damspec explain 'vl?priority=multiple-first'  a ruleset under another reading
    damspec explain vl.start.seven-first-moves    a case
    damspec explain vl                            a ruleset
    damspec explain meerslag                      a word of a document, or the English one
    """
    found = explanation(id)
    if as_json:
        print_json({"explanation": _entry(found)})
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Explanation) -> Iterator[str]:
    yield f"{found.id}: {found.title}" if found.title != found.id else found.id
    yield from found.says
    if found.rows:
        yield from ("", "Values")
        yield from (f"  {_row(row, found.kind)}" for row in found.rows)
    if found.clauses:
        yield from ("", "Who says so")
        yield from (f"  {c.id} ({place(c)}) “{c.term}”: {c.says}" for c in found.clauses)
    if found.readings:
        yield from ("", "How it is read")
        yield from (f"  {reading.id} {_read(reading)}" for reading in found.readings)
    if found.terms:
        yield from ("", "Words")
        yield from (f"  {term.head}: {_words(term)}" for term in found.terms)
    if found.case:
        under = f" under {found.under}" if found.under else ""
        yield from ("", f"Shown by {found.case.id}{under}: {found.case.why}")
        yield from drawn(found.case, found.under, found.by).splitlines()


def _row(row: Row, kind: str) -> str:
    rulesets = "" if kind in ("ruleset", "alternative") else f"{', '.join(row.rulesets)}: "
    what = row.says if kind in ("ruleset", "clause", "reading", "alternative") else f"{written(row.value)}."
    name = f"{row.rule} " if kind not in ("rule", "value") else ""
    return f"{rulesets}{name}{'- ' if name else ''}{what} [{', '.join(row.sources)}]"


def _read(reading: Reading) -> str:
    chosen = reading.alternatives[reading.chosen]
    return f"{reading.key}={reading.chosen} ({reading.confidence}): {reading.question} {chosen.says}"


def _words(term: Term) -> str:
    return "; ".join(f"{language} {', '.join(word.words)}" for language, word in term.languages.items())


def _entry(found: Explanation) -> dict[str, object]:
    case = found.case
    return {
        "kind": found.kind,
        "id": found.id,
        "title": found.title,
        "says": list(found.says),
        "values": [
            {
                "rule": row.rule,
                "value": row.value,
                "says": row.says,
                "rulesets": list(row.rulesets),
                "from": list(row.sources),
            }
            for row in found.rows
        ],
        "clauses": [_clause(clause) for clause in found.clauses],
        "readings": [
            {"id": r.id, "key": r.key, "question": r.question, "chosen": r.chosen, "confidence": r.confidence}
            for r in found.readings
        ],
        "terms": {
            term.head: {language: list(word.words) for language, word in term.languages.items()} for term in found.terms
        },
        "case": case
        and {
            "id": case.id,
            "ruleset": case.ruleset,
            "why": case.why,
            "position": case.position,
            **({"history": list(case.history)} if case.history else {}),
            "board": drawn(case, found.under, found.by),
        },
    }


def _clause(clause: Clause) -> dict[str, object]:
    return {"id": clause.id, "place": place(clause), "term": clause.term, "says": clause.says}
