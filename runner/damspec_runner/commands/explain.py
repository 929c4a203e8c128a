"""`damspec explain` and `damspec readings`: explain anything with an id, list readings."""

from __future__ import annotations

from collections.abc import Iterator

import click

from damspec import Alternative, Clause, Reading, Ruleset, load_readings
from damspec.vocabulary import Term

from ..document.explain import Explanation, Row, drawn, place
from ..document.explain import explain as explanation
from ..document.trace import value_text
from .options import optional_ruleset_argument
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
        print_json({"explanation": _explanation_entry(found)})
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
    what = row.says if kind in ("ruleset", "clause", "reading", "alternative") else f"{value_text(row.value)}."
    name = f"{row.rule} " if kind not in ("rule", "value") else ""
    return f"{rulesets}{name}{'- ' if name else ''}{what} [{', '.join(row.sources)}]"


def _read(reading: Reading) -> str:
    chosen = reading.alternatives[reading.chosen]
    return f"{reading.key}={reading.chosen} ({reading.confidence}): {reading.question} {chosen.says}"


def _words(term: Term) -> str:
    return "; ".join(f"{language} {', '.join(word.words)}" for language, word in term.languages.items())


def _explanation_entry(found: Explanation) -> dict[str, object]:
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


@click.command()
@optional_ruleset_argument
@json_option
def readings(ruleset: Ruleset | None, as_json: bool) -> None:
    """List what the documents leave unclear, and how it was read.

    Each reading is a question with its alternatives; the one chosen is marked with a star. With RULESET only its own.

    An alternative that rules can express is a ruleset of its own: damspec moves 'vl?priority=multiple-first' start
    """
    found = ruleset.readings if ruleset else load_readings()
    if as_json:
        print_json({"readings": [_reading_entry(reading) for reading in found]})
        return
    for reading in found:
        click.echo(f"{reading.id} {reading.key} (confidence {reading.confidence}): {reading.question}")
        for word, alternative in reading.alternatives.items():
            click.echo(f"  {'*' if word == reading.chosen else ' '} {word}: {alternative.says}")
            if alternative.inexpressible:
                click.echo(f"      not playable ({alternative.because}): {alternative.inexpressible}")
            if alternative.same:
                click.echo(f"      the same rules as the one chosen: {alternative.same}")
    if ruleset and not found:
        click.echo(f"{ruleset.id} has no readings")


def _reading_entry(reading: Reading) -> dict[str, object]:
    return {
        "id": reading.id,
        "key": reading.key,
        "rulesets": list(reading.rulesets),
        "clauses": list(reading.clauses),
        "question": reading.question,
        "alternatives": {word: _alternative(given) for word, given in reading.alternatives.items()},
        "chosen": reading.chosen,
        "why": reading.why,
        "confidence": reading.confidence,
    }


def _alternative(given: Alternative) -> dict[str, object]:
    entry: dict[str, object] = {"says": given.says}
    if given.set:
        entry["set"] = dict(given.set)
    if given.inexpressible:
        entry |= {"inexpressible": given.inexpressible, "because": given.because}
    if given.same:
        entry["same"] = given.same
    return entry
