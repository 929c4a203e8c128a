"""`damspec diff`: show the rules in which rulesets differ and the smallest positions that show it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import click

import damspec
from damspec import Ruleset, data
from damspec.position import board_text
from damspec.rules import rule_names
from damspec.vocabulary import word_value

from ..document.compare import Comparison, Witness, WitnessOrReason
from ..document.explain import place
from ..document.trace import value_text
from ..mutants.ruleset_diff import RuleDifference
from . import interruption
from .output import console, json_option, print_json

#: The width at which lists of moves wrap, and the least width of a column with a board.
_WIDTH = 34
#: The most moves that are listed.
_MOST_MOVES = 24


@click.command()
@click.argument("names", nargs=-1, metavar="RULESET RULESET [RULESET]...")
@click.option("--rule", "only", multiple=True, metavar="RULE", help="Only this rule; repeatable.")
@click.option("--no-boards", is_flag=True, help="Show each position as one line instead of a board.")
@json_option
def diff(
    names: tuple[str, ...],
    only: tuple[str, ...],
    no_boards: bool,
    as_json: bool,
) -> None:
    """Show the rules in which RULESETs differ, each on a board.

    For each rule: its values, who says so, and the smallest position in which the difference shows.

    \b
      damspec diff nl-trapdoor fr-trapdoor
      damspec diff vl brazilian russian --rule capture.choice
      damspec diff vl 'vl?removal=at-once' --json
      damspec diff lb my-rules.yaml

    A position shows a rule if the rulesets answer differently in it, and one of them, with just that rule changed,
    answers like the other. For a game without a spinner, spin=disc in a position is left out. Rulesets on different
    boards are compared on the board of the first. Positions that are not on record are searched, which can take a
    minute; Ctrl-C ends the search and shows what was found until then.
    """
    rulesets = _rulesets(names)
    for rule in only:
        _check_rule(rule, names, rulesets)
    comparison = Comparison(names, rulesets)
    chosen = [one for one in comparison.differences if not only or one.rule in only]
    _search_witnesses(comparison, chosen)
    if as_json:
        print_json(_comparison_json(comparison, chosen))
    else:
        for line in _lines(comparison, chosen, only, boards=not no_boards):
            click.echo(line)
    if not comparison.complete:
        click.echo("damspec: interrupted: not all positions were tried", err=True)
        sys.exit(interruption.exit_status())


def _rulesets(names: Sequence[str]) -> list[Ruleset]:
    if len(names) < 2:
        raise click.UsageError(
            f"found {len(names) or 'no'} ruleset{'s' * (not names)}, expected two or more to compare"
        )
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise click.UsageError(f"found {twice!r} twice, expected different rulesets")
    return [damspec.load_ruleset(name) for name in names]


def _check_rule(rule: str, names: Sequence[str], rulesets: Sequence[Ruleset]) -> None:
    if rule not in rule_names():
        raise click.UsageError(f"--rule: no rule {rule!r}{data.nearest(rule, rule_names())}")
    if not any(rule in ruleset.values for ruleset in rulesets):
        raise click.UsageError(f"--rule: none of {', '.join(names)} has {rule}")


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
    comparison: Comparison, chosen: Sequence[RuleDifference], only: Sequence[str], *, boards: bool
) -> Iterator[str]:
    names, size = comparison.names, comparison.on_board[0].values["board.size"]
    number = len(comparison.differences)
    what = "no rule differs" if not number else "1 rule differs" if number == 1 else f"{number} rules differ"
    yield f"{', '.join(names[:-1])} and {names[-1]}: {what}" + (f", on {size}" if comparison.apart else "")
    for one in comparison.apart:
        yield f"  apart from {one.rule}: " + ", ".join(
            f"{value_text(one.values[side[0]])} in {_names_of(comparison, side)}" for side in one.sides
        )
    for rule in only:
        if rule not in [one.rule for one in chosen]:
            yield f"  {rule}: the same in all, {value_text(comparison.on_board[0].values[rule])}"
    for one in chosen:
        yield ""
        yield one.rule
        for side in one.sides:
            yield from _value(comparison, one, side)
        for pair, found in comparison.shown(one):
            yield from _witness_lines(comparison, pair, found, boards=boards)


def _value(comparison: Comparison, one: RuleDifference, side: Sequence[int]) -> Iterator[str]:
    value = one.values[side[0]]
    said = "-" if value is None else value_text(value)
    yield f"  {_names_of(comparison, side)}: {said}" + ("" if value is None else f" - {word_value(one.rule, value)}")
    told = set()
    for at in side:
        for source in one.rests_on[at]:
            if source not in told:
                told.add(source)
                yield f"      {_source(source, comparison.rulesets[at])}"


def _source(id: str, ruleset: Ruleset) -> str:
    """Describe a clause with its place and term, or a reading with the alternative that a ruleset takes."""
    clause = damspec.load_clauses().get(id)
    if clause:
        return f"{id} ({place(clause)}) “{clause.term}”"
    known = (*damspec.load_readings(), *ruleset.own_readings)
    reading = next(reading for reading in known if reading.id == id)
    taken = {other.id: word for other, word in ruleset.readings_in(ruleset.id.partition("?")[2])}
    if id in taken:
        return f"{id} (reading {reading.key}={taken[id]}, not the one chosen)"
    return f"{id} (reading {reading.key}={reading.chosen}, confidence {reading.confidence})"


def _witness_lines(
    comparison: Comparison, pair: tuple[int, int], found: WitnessOrReason, *, boards: bool
) -> Iterator[str]:
    between = "" if len(comparison.names) == 2 else f"{comparison.names[pair[0]]} / {comparison.names[pair[1]]}: "
    if not isinstance(found, Witness):
        yield f"  {between}{found.says}" + (f", see {found.leader}" if found.kind == "no-such-part" else "")
        return
    yield f"  {between}{found.position} ({found.says})"
    columns = []
    for at, ruleset in zip(pair, comparison.pair(*pair), strict=True):
        position = found.position_for(ruleset)
        drawn = [*board_text(position).splitlines(), ""] if boards else []
        listed = textwrap.wrap(_answer_text(ruleset, found), _WIDTH if boards else 100)
        columns.append([comparison.names[at], *drawn, *listed])
    if boards and console().width >= 2 * _WIDTH + 8:
        for left, right in zip_longest(*columns, fillvalue=""):
            yield f"    {left:<{_WIDTH + 4}}{right}".rstrip()
        return
    for column in columns:
        yield from (f"    {line}".rstrip() for line in ([f"{column[0]}: {' '.join(column[1:])}"], column)[boards])


def _answer_text(ruleset: Ruleset, found: Witness) -> str:
    position = found.position_for(ruleset)
    if found.question == "outcome":
        return str(damspec.outcome(ruleset, position))
    legal = damspec.legal_moves(ruleset, position)
    moves = [*map(str, legal), *(f"{move} (lapse)" for move in legal.lapses)]
    more = f" and {len(moves) - _MOST_MOVES} more" if len(moves) > _MOST_MOVES else ""
    return (", ".join(moves[:_MOST_MOVES]) or "no move") + more


def _names_of(comparison: Comparison, side: Sequence[int]) -> str:
    return ", ".join(comparison.names[at] for at in side)


# --- as JSON ----------------------------------------------------------------------------------


def _comparison_json(comparison: Comparison, chosen: Sequence[RuleDifference]) -> dict[str, Any]:
    return {
        "damspec": damspec.__version__,
        "rulesets": list(comparison.names),
        "board": comparison.on_board[0].values["board.size"],
        "apart": [{"rule": one.rule, "values": _values(comparison, one)} for one in comparison.apart],
        "differences": [
            {
                "rule": one.rule,
                "values": _values(comparison, one),
                "shown": [_entry(comparison, pair, found) for pair, found in comparison.shown(one)],
            }
            for one in chosen
        ],
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
