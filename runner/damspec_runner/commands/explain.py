"""`damspec explain` and `damspec readings`: explain anything with an id, list readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from damspec import Alternative, Clause, Reading, Ruleset, load_clauses, load_readings, load_ruleset
from damspec.vocabulary import Term

from ..cases.cases import Case
from ..document.explain import Explanation, Row, draw_case, drawn_answer
from ..document.explain import explain as explanation
from ..document.forms.content import (
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
from ..document.sources import Document, citations, load_documents, place
from ..document.trace import value_text
from .arguments import optional_ruleset_argument
from .publication import Publication, publication_options


@click.command()
@click.argument("id", metavar="ID")
@publication_options
def explain(id: str, form: str, output: Path | None, as_json: bool) -> None:
    """Say what ID means, who says so, and show it on a board.

    \b
    damspec explain capture.removal               a rule
    damspec explain capture.removal=at-end        one of its values
    damspec explain vl-027                        a clause of a document
    damspec explain VL-04                         a reading
    damspec explain 'vl?priority=multiple-first'  a ruleset under another reading
    damspec explain vl.start.seven-first-moves    a case
    damspec explain vl                            a ruleset
    damspec explain fmjd                          a document, its clauses and the rules resting on them
    damspec explain document:vl                   the same, where a ruleset has the id
    damspec explain meerslag                      a word of a document, or the English one

    \b
    damspec explain fmjd --format bibtex          how to cite it
    damspec explain capture.choice --format html -o choice.html
    """
    publication = Publication.of(form, output, as_json=as_json)
    found = explanation(id)
    publication.write(
        lambda: _lines(found), lambda: {"explanation": _explanation_entry(found)}, lambda: _explanation_paper(found)
    )


def _lines(found: Explanation) -> Iterator[str]:
    yield f"{found.id}: {found.title}" if found.title != found.id else found.id
    yield from found.says
    if found.rows:
        yield from ("", "Values")
        yield from (f"  {_row(row, found.kind)}" for row in found.rows)
    if found.clauses:
        yield from ("", _clauses_title(found))
        yield from (f"  {c.id} ({place(c)}) “{c.term}”: {c.says}" for c in found.clauses)
    if found.readings:
        yield from ("", "How it is read")
        yield from (f"  {reading.id} {_reading_text(reading)}" for reading in found.readings)
    if found.terms:
        yield from ("", "Words")
        yield from (f"  {term.head}: {_words(term)}" for term in found.terms)
    if found.case:
        yield from ("", f"{_shown_by(found, found.case)}: {found.case.why}")
        yield from draw_case(found.case, found.under, found.by).splitlines()
    if (documents := _documents(found)) and found.kind != "document":
        yield from ("", "Documents")
        yield from (f"  {document.id}: {document.reference}" for document in documents)


def _clauses_title(found: Explanation) -> str:
    return "Clauses" if found.kind == "document" else "Who says so"


def _shown_by(found: Explanation, case: Case) -> str:
    return f"Shown by {case.id}{f' under {found.under}' if found.under else ''}"


def _documents(found: Explanation) -> list[Document]:
    """Return the documents that an explanation is about or cites."""
    ids = (*(document.id for document in found.documents), *(clause.document for clause in _cited_clauses(found)))
    return [load_documents()[id] for id in dict.fromkeys(ids)]


def _cited_clauses(found: Explanation) -> list[Clause]:
    """Return the clauses that an explanation names: itself, those it rests on, and those of its values."""
    clauses = load_clauses()
    own = (found.id, *(clause.id for clause in found.clauses))
    ids = (*own, *(source for row in found.rows for source in row.sources))
    return [clauses[id] for id in dict.fromkeys(ids) if id in clauses]


def _row(row: Row, kind: str) -> str:
    rulesets = "" if kind in ("ruleset", "alternative") else f"{', '.join(row.rulesets)}: "
    what = row.says if kind in ("ruleset", "clause", "reading", "alternative") else f"{value_text(row.value)}."
    name = f"{row.rule} " if kind not in ("rule", "value") else ""
    return f"{rulesets}{name}{'- ' if name else ''}{what} [{', '.join(row.sources)}]"


def _reading_text(reading: Reading) -> str:
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
        "citations": citations(_cited_clauses(found)),
        "case": case
        and {
            "id": case.id,
            "ruleset": case.ruleset,
            "why": case.why,
            "position": case.position,
            **({"history": list(case.history)} if case.history else {}),
            "board": draw_case(case, found.under, found.by),
        },
    }


def _clause(clause: Clause) -> dict[str, object]:
    return {"id": clause.id, "place": place(clause), "term": clause.term, "says": clause.says}


# --- as a page to publish ---------------------------------------------------------------------


def _explanation_paper(found: Explanation) -> Paper:
    title = f"{found.id}: {found.title}" if found.title != found.id else found.id
    return Paper(title, tuple(_explanation_blocks(found)), _explanation_records(found), found.documents)


def _explanation_blocks(found: Explanation) -> Iterator[Block]:
    if found.kind == "clause":
        yield Paragraph((Cite(load_clauses()[found.id]),))
    yield from (Paragraph(prose(text)) for text in found.says)
    if found.rows:
        yield Heading(("Values",))
        yield Table(("rule", "value", "meaning", "rulesets", "rests on"), tuple(map(_value_cells, found.rows)))
    if found.clauses:
        yield Heading((_clauses_title(found),))
        yield Items(tuple((0, (*quote_clause(clause), *_rules_of(found, clause))) for clause in found.clauses))
    if found.readings:
        yield Heading(("How it is read",))
        yield Items(tuple((0, (Code(reading.id), " ", *prose(_reading_text(reading)))) for reading in found.readings))
    if found.terms:
        yield Heading(("Words",))
        yield Items(tuple((0, (f"{term.head}: {_words(term)}",)) for term in found.terms))
    if found.case:
        yield Heading(("On a board",))
        yield Figures((_case_figure(found, found.case),))


def _value_cells(row: Row) -> tuple[Words, ...]:
    return (Code(row.rule),), (Code(value_text(row.value)),), prose(row.says), codes(row.rulesets), cite(row.sources)


def _rules_of(found: Explanation, clause: Clause) -> Words:
    """Return the rules that a clause gives, where a document is listed clause by clause."""
    return (" Gives ", *codes(clause.rules), ".") if found.kind == "document" and clause.rules else ()


def _case_figure(found: Explanation, case: Case) -> Figure:
    ruleset = found.by or load_ruleset(case.ruleset)
    expected = case.otherwise.get(found.under, case.expected)
    position, answer = ruleset.position(case.position), drawn_answer(case, found.under)
    arrows = paths_of(position, expected.moves or ())
    caption = (f"{_shown_by(found, case)}: ", *prose(case.why), " ", " ".join(answer))
    trapdoors = ruleset.rules.trapdoors
    return Figure(position, trapdoors.layout if trapdoors else None, caption, arrows)


def _explanation_records(found: Explanation) -> Table:
    itself = cite((found.id,)) if found.kind == "clause" else ()
    rows: list[tuple[Words, ...]] = [((found.kind,), (Code(found.id),), prose(" ".join(found.says)), (), itself)]
    for row in found.rows:
        value = (Code(f"{row.rule}={value_text(row.value)}"),)
        rows.append((("value",), value, prose(row.says), codes(row.rulesets), cite(row.sources)))
    rows += [(("clause",), (Code(c.id),), prose(f"“{c.term}”: {c.says}"), (), (Cite(c),)) for c in found.clauses]
    rows += [
        (("reading",), (Code(r.id),), prose(_reading_text(r)), codes(r.rulesets), cite(r.clauses))
        for r in found.readings
    ]
    rows += [(("word",), (term.head,), (_words(term),), (), ()) for term in found.terms]
    return Table(("kind", "id", "says", "rulesets", "rests on"), tuple(rows))


# --- readings ---------------------------------------------------------------------------------


@click.command()
@optional_ruleset_argument
@publication_options
def readings(ruleset: Ruleset | None, form: str, output: Path | None, as_json: bool) -> None:
    """List what the documents leave unclear, and how it was read.

    Each reading is a question with its alternatives; the one chosen is marked with a star. With RULESET only its own.

    An alternative that rules can express is a ruleset of its own: damspec moves 'vl?priority=multiple-first' start
    """
    publication = Publication.of(form, output, as_json=as_json)
    found = ruleset.readings if ruleset else load_readings()
    publication.write(
        lambda: _reading_lines(ruleset, found),
        lambda: {"readings": [_reading_entry(reading) for reading in found]},
        lambda: _readings_paper(ruleset, found),
    )


def _reading_lines(ruleset: Ruleset | None, found: Sequence[Reading]) -> Iterator[str]:
    for reading in found:
        yield f"{reading.id} {reading.key} (confidence {reading.confidence}): {reading.question}"
        for word, alternative in reading.alternatives.items():
            yield f"  {'*' if word == reading.chosen else ' '} {word}: {alternative.says}"
            yield from (f"      {line}" for line in _remarks(alternative))
    if ruleset and not found:
        yield f"{ruleset.id} has no readings"


def _remarks(alternative: Alternative) -> Iterator[str]:
    if alternative.inexpressible:
        yield f"not playable ({alternative.because}): {alternative.inexpressible}"
    if alternative.same:
        yield f"the same rules as the one chosen: {alternative.same}"


def _readings_paper(ruleset: Ruleset | None, found: Sequence[Reading]) -> Paper:
    title = f"{ruleset.name}: what is unclear, and how it was read" if ruleset else "What the documents leave unclear"
    blocks: list[Block] = [] if found else [Paragraph(("There are no readings.",))]
    rows: list[tuple[Words, ...]] = []
    for reading in found:
        blocks.append(Heading((Code(reading.id), " ", *prose(reading.question))))
        sources = cite(reading.clauses)
        items: list[tuple[int, Words]] = []
        for word, alternative in reading.alternatives.items():
            chosen = word == reading.chosen
            says = (*prose(alternative.says), *(part for line in _remarks(alternative) for part in (" ", *prose(line))))
            items.append((0, (Code(f"{reading.key}={word}"), " (chosen): " if chosen else ": ", *says)))
            about: tuple[Words, ...] = ((Code(reading.id),), prose(reading.question), codes(reading.rulesets))
            how: Words = (reading.confidence if chosen else "",)
            rows.append((*about, (Code(f"{reading.key}={word}"),), ("yes" if chosen else "no",), says, how, sources))
        blocks.append(Items(tuple(items)))
        blocks.append(Paragraph((f"Why (confidence {reading.confidence}): ", *prose(reading.why))))
        blocks.append(Paragraph(("About ", *codes(reading.rulesets), *((", on ", *sources) if sources else ()), ".")))
    columns = ("reading", "question", "rulesets", "alternative", "chosen", "says", "confidence", "clauses")
    return Paper(title, tuple(blocks), Table(columns, tuple(rows)))


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
