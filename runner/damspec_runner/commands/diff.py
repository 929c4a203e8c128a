"""`damspec diff`: show the rules in which rulesets differ and the smallest positions that show it."""

from __future__ import annotations

import fnmatch
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import damspec
from damspec import Clause, Ruleset, data
from damspec.position import board_text
from damspec.rules import rule_names
from damspec.vocabulary import word_value

from ..document.compare import Comparison, Witness, WitnessOrReason
from ..document.comparison_paper import answer_texts, comparison_paper, headline, names_of, reading_taken
from ..document.sources import citations, load_documents, place
from ..document.trace import value_text
from ..mutants.ruleset_diff import RuleDifference
from . import diff_endings, interruption
from .arguments import RenamedOptionsCommand
from .output import console
from .publication import Publication, publication_options

if TYPE_CHECKING:
    from ..solve.compare import SectionChange

#: The width at which lists of moves wrap, and the least width of a column with a board.
_WIDTH = 34


@click.command(cls=RenamedOptionsCommand)
@click.argument("names", nargs=-1, metavar="RULESET RULESET [RULESET]...")
@click.option(
    "--rules",
    "patterns",
    multiple=True,
    metavar="RULES",
    help="Only these rules, equal ones too: names or patterns such as 'capture.*,promotion.*'; repeatable.",
)
@click.option("--no-boards", is_flag=True, help="Show each position as one line instead of a board (text).")
@click.option("--no-search", is_flag=True, help="Show only positions on record, and search none.")
@click.option(
    "--endings",
    is_flag=True,
    help="Also how many endings of up to three pieces, and of three kings against one, change their value.",
)
@publication_options
def diff(
    names: tuple[str, ...],
    patterns: tuple[str, ...],
    no_boards: bool,
    no_search: bool,
    endings: bool,
    form: str,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show the rules in which RULESETs differ, each on a board.

    For each rule: its values, who says so, and the smallest position in which the difference shows.

    \b
      damspec diff nl-trapdoor fr-trapdoor
      damspec diff vl brazilian russian --rules capture.choice
      damspec diff vl 'vl?removal=at-once' --json
      damspec diff lb my-rules.yaml
      damspec diff english russian turkish --rules 'capture.*,promotion.*' --format html -o table.html
      damspec diff nl-trapdoor fr-trapdoor --format bibtex
      damspec diff vl brazilian --endings

    A position shows a rule if the rulesets answer differently in it, and one of them, with just that rule changed,
    answers like the other. For a game without a spinner, spin=disc in a position is left out. Rulesets on different
    boards are compared on the board of the first, or of the first that suits all, and where no board does as they are.
    Positions that are not on record are searched if the boards are the same, which can take a minute; Ctrl-C ends the
    search and shows what was found until then. --format csv and bibtex show no positions and search none. --endings
    takes two rulesets, which it compares on the board of the first, and the compiled kernel; it is printed as text or
    JSON.
    """
    publication = Publication.of(form, output, as_json=as_json)
    rulesets = _rulesets(names)
    if endings and publication.form not in ("text", "json"):
        raise click.UsageError(f"--endings: not in --format {publication.form}, expected text or json")
    only = _matching_rules(patterns, names, rulesets)
    comparison = Comparison(names, rulesets)
    chosen = [one for one in comparison.differences if only is None or one.rule in only]
    if not no_search and publication.form not in ("csv", "bibtex"):
        _search_witnesses(comparison, chosen)
    changes = diff_endings.compare_rulesets(names, rulesets) if endings else None
    same = [rule for rule in only or () if rule not in [one.rule for one in comparison.differences]]
    publication.write(
        lambda: _lines(comparison, chosen, same, changes, boards=not no_boards),
        lambda: (
            _comparison_json(comparison, chosen, same)
            | ({} if changes is None else {"endings": diff_endings.as_json(names, changes)})
        ),
        lambda: comparison_paper(comparison, chosen, same),
    )
    if not comparison.complete:
        sys.exit(interruption.report_interruption(": not all positions were tried"))


def _rulesets(names: Sequence[str]) -> list[Ruleset]:
    if len(names) < 2:
        raise click.UsageError(
            f"found {len(names) or 'no'} ruleset{'s' * (not names)}, expected two or more to compare"
        )
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise click.UsageError(f"found {twice!r} twice, expected different rulesets")
    return [damspec.load_ruleset(name) for name in names]


def _matching_rules(patterns: Sequence[str], names: Sequence[str], rulesets: Sequence[Ruleset]) -> list[str] | None:
    """Return the rules that patterns name, in the order of the rules; None without patterns. Raises UsageError."""
    if not patterns:
        return None
    found: set[str] = set()
    for pattern in (part.strip() for text in patterns for part in text.split(",")):
        matching = fnmatch.filter(rule_names(), pattern)
        if not matching:
            raise click.UsageError(f"--rules: no rule {pattern!r}{data.nearest(pattern, rule_names())}")
        present = {rule for rule in matching if any(rule in ruleset.values for ruleset in rulesets)}
        if not present:
            raise click.UsageError(f"--rules: none of {', '.join(names)} has {pattern}")
        found |= present
    return [rule for rule in rule_names() if rule in found]


def _search_witnesses(comparison: Comparison, chosen: Sequence[RuleDifference]) -> None:
    """Search for the positions that are not on record, with progress on a terminal."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("")
        comparison.look(chosen, lambda line: progress.update(task, description=line))


# --- as text ----------------------------------------------------------------------------------


def _lines(
    comparison: Comparison,
    chosen: Sequence[RuleDifference],
    same: Sequence[str],
    changes: Sequence[SectionChange] | None,
    *,
    boards: bool,
) -> Iterator[str]:
    yield headline(comparison)
    for one in comparison.apart:
        yield f"  apart from {one.rule}: " + ", ".join(
            f"{value_text(one.values[side[0]])} in {names_of(comparison, side)}" for side in one.sides
        )
    for rule in same:
        yield f"  {rule}: the same in all, {value_text(comparison.on_board[0].values[rule])}"
    for one in chosen:
        yield ""
        yield one.rule
        for side in one.sides:
            yield from _value(comparison, one, side)
        for pair, found in comparison.witness_of_each_pair(one):
            yield from _witness_lines(comparison, pair, found, boards=boards)
    if changes is not None:
        yield ""
        yield from diff_endings.text(comparison.names, comparison.rulesets, changes)
    if chosen:
        yield ""
        yield "Documents"
        documents = dict.fromkeys(clause.document for clause in _cited_clauses(comparison, chosen))
        yield from (f"  {id}: {load_documents()[id].reference}" for id in documents)


def _cited_clauses(comparison: Comparison, chosen: Sequence[RuleDifference]) -> list[Clause]:
    """Return the clauses behind the values of rules, and those that their readings are about."""
    clauses = damspec.load_clauses()
    readings = {reading.id: reading for reading in damspec.load_readings()}
    readings |= {reading.id: reading for ruleset in comparison.rulesets for reading in ruleset.own_readings}
    sources = [source for one in (*comparison.apart, *chosen) for ids in one.rests_on for source in ids]
    named = [id for source in sources for id in (readings[source].clauses if source in readings else (source,))]
    return [clauses[id] for id in dict.fromkeys(named)]


def _value(comparison: Comparison, one: RuleDifference, side: Sequence[int]) -> Iterator[str]:
    value = one.values[side[0]]
    said = "-" if value is None else value_text(value)
    yield f"  {names_of(comparison, side)}: {said}" + ("" if value is None else f" - {word_value(one.rule, value)}")
    told = set()
    for at in side:
        for source in one.rests_on[at]:
            if source not in told:
                told.add(source)
                yield f"      {_source(source, comparison.rulesets[at])}"


def _source(id: str, ruleset: Ruleset) -> str:
    """Describe a clause with its place and term, or a reading with the alternative that a ruleset takes."""
    clause = damspec.load_clauses().get(id)
    return f"{id} ({place(clause)}) “{clause.term}”" if clause else f"{id} ({reading_taken(id, ruleset)[1]})"


def _witness_lines(
    comparison: Comparison, pair: tuple[int, int], found: WitnessOrReason, *, boards: bool
) -> Iterator[str]:
    between = "" if len(comparison.names) == 2 else f"{comparison.names[pair[0]]} / {comparison.names[pair[1]]}: "
    if not isinstance(found, Witness):
        yield f"  {between}{found.says}" + (f", see {found.leader}" if found.kind == "no-such-part" else "")
        return
    yield f"  {between}{found.position} ({found.says})"
    columns = []
    rulesets = comparison.pair(*pair)
    for at, ruleset, answer in zip(pair, rulesets, answer_texts(rulesets, found), strict=True):
        position = found.position_for(ruleset)
        drawn = [*board_text(position).splitlines(), ""] if boards else []
        listed = textwrap.wrap(answer, _WIDTH if boards else 100)
        columns.append([comparison.names[at], *drawn, *listed])
    if boards and console().width >= 2 * _WIDTH + 8:
        for left, right in zip_longest(*columns, fillvalue=""):
            yield f"    {left:<{_WIDTH + 4}}{right}".rstrip()
        return
    for column in columns:
        yield from (f"    {line}".rstrip() for line in ([f"{column[0]}: {' '.join(column[1:])}"], column)[boards])


# --- as JSON ----------------------------------------------------------------------------------


def _comparison_json(comparison: Comparison, chosen: Sequence[RuleDifference], same: Sequence[str]) -> dict[str, Any]:
    return {
        "damspec": damspec.__version__,
        "rulesets": list(comparison.names),
        "board": comparison.board,
        "apart": [{"rule": one.rule, "values": _values(comparison, one)} for one in comparison.apart],
        "differences": [
            {
                "rule": one.rule,
                "values": _values(comparison, one),
                "shown": [_entry(comparison, pair, found) for pair, found in comparison.witness_of_each_pair(one)],
            }
            for one in chosen
        ],
        "same": list(same),
        "citations": citations(_cited_clauses(comparison, chosen)),
    }


def _values(comparison: Comparison, one: RuleDifference) -> list[dict[str, Any]]:
    return [
        {
            "value": one.values[side[0]],
            "rulesets": [comparison.names[at] for at in side],
            "from": {comparison.names[at]: list(one.rests_on[at]) for at in side},
        }
        for side in one.sides
    ]


def _entry(comparison: Comparison, pair: tuple[int, int], found: WitnessOrReason) -> dict[str, Any]:
    names = [comparison.names[at] for at in pair]
    if not isinstance(found, Witness):
        return {"between": names, "reason": found.kind, "leader": found.leader, "says": found.says}
    return {
        "between": names,
        "position": found.position,
        "board": found.board,
        "pieces": found.pieces,
        "question": found.question,
        "beside": list(found.beside),
        "both_ways": found.both_ways,
        "minimal": found.minimal,
        "proved_below": found.proved_below,
        "tried": found.tried,
        "says": found.says,
        "answers": {
            name: _answers(ruleset, found) for name, ruleset in zip(names, comparison.pair(*pair), strict=True)
        },
    }


def _answers(ruleset: Ruleset, found: Witness) -> dict[str, Any]:
    position = found.position_for(ruleset)
    if found.question == "outcome":
        return {"position": position.fen(), "outcome": damspec.outcome(ruleset, position).as_json()}
    legal = damspec.legal_moves(ruleset, position)
    lapses = {"lapses": [str(move) for move in legal.lapses]} if ruleset.rules.huff else {}
    return {"position": position.fen(), "moves": [str(action) for action in legal], **lapses}
