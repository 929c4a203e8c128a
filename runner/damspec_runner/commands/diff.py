"""`damspec diff`: show the rules in which rulesets differ and the smallest positions that show it."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Sequence

import click

from damspec import Ruleset, data
from damspec.rules import rule_names
from damspec.ruleset import load_source

from ..document.compare import Comparison, nearest_games
from ..document.comparison import view_comparison
from ..options import option
from . import diff_endgames, interruption
from .arguments import RenamedOptionsCommand
from .output import status_line
from .parameters import with_options
from .publication import Publication

#: How many games `--nearest` names.
_NEAREST = 3


@click.command(cls=RenamedOptionsCommand)
@click.argument("names", nargs=-1, metavar="RULESET RULESET [RULESET]...")
@with_options
def diff(
    names: tuple[str, ...],
    *,
    patterns: tuple[str, ...] = option(
        "Only these rules, equal ones too: names or patterns such as 'capture.*,promotion.*'; repeatable.",
        (),
        "--rules",
        metavar="RULES",
    ),
    no_boards: bool = option("Show each position as one line instead of a board (text).", False),
    no_search: bool = option("Show only positions on record, and search none.", False),
    endgames: bool = option(
        "Also how many endgames of up to three pieces, and of three kings against one, change their value.", False
    ),
    nearest: bool = option(
        f"The {_NEAREST} games that come with damspec nearest to one ruleset, and the rules in which each differs.",
        False,
    ),
    publication: Publication,
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
      damspec diff vl brazilian --endgames
      damspec diff my-rules.yaml --nearest

    A position shows a rule if the rulesets answer differently in it, and one of them, with just that rule changed,
    answers like the other. For a game without a spinner, spin=disc in a position is left out. Rulesets on different
    boards are compared on the board of the first, or of the first that suits all, and where no board does as they are.
    Positions that are not on record are searched if the boards are the same, which can take a minute; Ctrl-C ends the
    search and shows what was found until then. --format csv and bibtex show no positions and search none. --endgames
    takes two rulesets, which it compares on the board of the first, and the compiled kernel.
    """
    if nearest:
        others = patterns or no_boards or no_search or endgames or publication != Publication("text", None)
        if len(names) != 1 or others:
            raise click.UsageError("--nearest: expected one ruleset and no other option")
        _show_nearest(load_source(names[0]))
        return
    rulesets = _rulesets(names)
    if endgames and publication.form in ("csv", "bibtex"):
        raise click.UsageError(f"--endgames: not in --format {publication.form}")
    only = _matching_rules(patterns, names, rulesets)
    comparison = Comparison(names, rulesets)
    chosen = [one for one in comparison.differences if only is None or one.rule in only]
    if not no_search and publication.form not in ("csv", "bibtex"):
        with status_line("") as tell:
            comparison.look(chosen, tell)
    changes = diff_endgames.compare_rulesets(names, rulesets) if endgames else None
    same = [rule for rule in only or () if rule not in [one.rule for one in comparison.differences]]
    publication.write(view_comparison(comparison, chosen, same, changes), boards=not no_boards)
    if not comparison.complete:
        sys.exit(interruption.report_interruption(": not all positions were tried"))


def _show_nearest(ruleset: Ruleset) -> None:
    for id, rules in nearest_games(ruleset)[:_NEAREST]:
        number = f"{len(rules)} rules differ: " if rules[1:] else "1 rule differs: " if rules else "no rule differs"
        click.echo(f"{id}: {number}{', '.join(rules)}")


def _rulesets(names: Sequence[str]) -> list[Ruleset]:
    if len(names) < 2:
        raise click.UsageError(
            f"found {len(names) or 'no'} ruleset{'s' * (not names)}, expected two or more to compare"
        )
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise click.UsageError(f"found {twice!r} twice, expected different rulesets")
    return [load_source(name) for name in names]


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
