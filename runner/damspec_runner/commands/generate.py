"""Generating positions: what is wanted, the search with its progress, and the writing."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click

import damspec
from damspec import Ruleset, data
from damspec.errors import quoted
from damspec.frozen import frozen
from damspec.rules import rule_names
from damspec.shorthand import written_out
from damspec.strict import Unreadable, read_yaml

from ..generate.goal import Found, Goal, Wanted
from ..generate.search import Hunt
from ..positions import sampling
from ..variants.effects import begins, ends, places_pieces
from ..variants.mutants import mutant_of, single
from .arguments import ruleset_argument
from .output import console
from .writing import Writing, writing_options


@click.command()
@ruleset_argument
@click.option(
    "--exercise",
    "exercised",
    multiple=True,
    metavar="RULE[=VALUE]",
    help="Positions whose answer would change if the rule had VALUE, or any other value; repeatable.",
)
@click.option(
    "--distinguish",
    "distinguished",
    multiple=True,
    metavar="OTHER[,OTHER...]",
    help="Positions with another answer in these rulesets; repeatable.",
)
@click.option("--pieces", metavar="MIN..MAX", help="How many pieces.  [default: 1..12]")
@click.option(
    "--phase", metavar="PHASE", help="Only in this phase of a turn: plain, spin=green, huffable, compelled, ..."
)
@click.option("--moves", metavar="MIN..MAX", help="How many legal actions.")
@click.option("--minimal", is_flag=True, help="With as few pieces as possible; says whether fewer were tried.")
@click.option("--reachable", is_flag=True, help="Only positions reached by legal play from the start, with the game.")
@click.option("-n", "number", type=click.IntRange(1), default=1, show_default=True, help="How many positions.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same positions.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=200_000,
    show_default=True,
    help="Give up after this many unwanted positions in a row.",
)
@writing_options
def generate(
    ruleset: Ruleset,
    exercised: tuple[str, ...],
    distinguished: tuple[str, ...],
    pieces: str | None,
    phase: str | None,
    moves: str | None,
    minimal: bool,
    reachable: bool,
    number: int,
    seed: int,
    tries: int,
    writing: Writing,
) -> None:
    """Find positions that depend on a rule or tell rulesets apart.

    \b
      damspec generate vl --exercise capture.choice -n 5
      damspec generate vl --distinguish brazilian,russian --minimal --format fen

    With `--format cases` the positions are written as cases with the reference's answers, for review. Exit status:
    0 found, 1 nothing found, 2 usage, 130 interrupted. What was found before an interruption is still written.
    """
    goals = (*(_exercise(ruleset, text) for text in exercised), *_distinguish(ruleset, distinguished))
    wanted = Wanted(
        ruleset,
        goals,
        _pieces(ruleset, pieces, goals, reachable=reachable),
        _range("--moves", moves, 0, None) if moves else None,
        _phase(ruleset, phase),
    )
    writing.check(ruleset, number)
    if hopeless := wanted.hopeless:
        click.echo(f"damspec: nothing found: {hopeless.says} has the same rules in all that a position shows", err=True)
        sys.exit(1)
    hunt, found, interrupted = _hunt(wanted, seed, tries, number, minimal=minimal, reachable=reachable)
    if found or writing.form == "json":
        writing.write(wanted, found, _about(hunt, found, minimal=minimal))
    if interrupted:
        click.echo(f"damspec: interrupted: {len(found)} of {number} found, {_tried(hunt)}", err=True)
        sys.exit(130)
    if not found:
        click.echo(f"damspec: nothing found: {_tried(hunt)}", err=True)
        sys.exit(1)
    if len(found) < number:
        click.echo(f"{len(found)} of {number} found: {_tried(hunt)}", err=True)
    if minimal:
        click.echo(_how_known(hunt, found), err=True)


# --- what is asked for ------------------------------------------------------------------------


def _exercise(ruleset: Ruleset, text: str) -> Goal:
    rule, sign, value = text.partition("=")
    if rule not in rule_names():
        raise click.UsageError(f"--exercise: no rule {rule!r}{data.nearest(rule, rule_names())}")
    if rule not in ruleset.values:
        raise click.UsageError(f"--exercise: {ruleset.id} has no {rule}")
    if places_pieces(rule) or begins(rule):
        raise click.UsageError(f"--exercise: no position depends on {rule}, only what it is a position of")
    if not sign:
        mutants = [one for one in single(ruleset) if one.rules_changed == (rule,)]
        if not mutants:
            raise click.UsageError(f"--exercise: {rule} can have any value: say which, {rule}=VALUE")
        return Goal(f"every other {rule}", tuple(one.ruleset for one in mutants), rule)
    try:
        changed = frozen(read_yaml(value))
    except Unreadable:
        raise click.UsageError(
            f"--exercise: {quoted(value)} is no value, expected a word, a number or [a, list]"
        ) from None
    wrong = data.problem_of_values({rule: changed})
    if wrong or changed is None:
        raise click.UsageError(f"--exercise: {rule}: {(wrong or 'found nothing after =').rpartition('value: ')[2]}")
    changed = written_out({rule: changed}, "--exercise: ")[rule]
    if changed == ruleset.values[rule]:
        raise click.UsageError(f"--exercise: {rule} is {value} in {ruleset.id} already")
    one = mutant_of(ruleset.base, ruleset.values, ((rule, changed),))
    if one is None:
        raise click.UsageError(f"--exercise: {rule} cannot be {value} with the other rules of {ruleset.id}")
    return Goal(f"{rule} = {value}", (one.ruleset,), rule)


def _distinguish(ruleset: Ruleset, texts: tuple[str, ...]) -> Iterator[Goal]:
    for id in (id for text in texts for id in text.split(",")):
        other = damspec.load_ruleset(id.strip())
        if other.rules.board != ruleset.rules.board:
            sizes = " and ".join(f"{r.id} on {r.values['board.size']}" for r in (ruleset, other))
            raise click.UsageError(f"--distinguish: different boards, {sizes}: no position is one of both")
        yield Goal(other.id, (other,))


def _phase(ruleset: Ruleset, phase: str | None) -> str | None:
    known = list(sampling.phases(ruleset))
    if phase is not None and phase not in known:
        raise click.UsageError(f"--phase: {ruleset.id} has no phase {phase!r}{data.nearest(phase, known)}")
    return phase


def _pieces(ruleset: Ruleset, text: str | None, goals: tuple[Goal, ...], *, reachable: bool) -> tuple[int, int]:
    """How many pieces: as asked, else up to a dozen, and none only where the answer hangs on how the game ends."""
    squares, fewest = len(ruleset.rules.board), sampling.fewest_pieces(ruleset)
    if text is not None:
        return _range("--pieces", text, fewest, squares)
    over = any(goal.rule is not None and ends(goal.rule) for goal in goals)
    return fewest if over else 1, squares if reachable else min(12, squares)


def _range(option: str, text: str, fewest: int, most: int | None) -> tuple[int, int]:
    form = re.fullmatch(r"([0-9]{1,4})?(\.\.)?([0-9]{1,4})?", text)
    if not form or not (form[1] or form[3]):
        raise click.UsageError(f"{option}: found {text!r}, expected MIN..MAX, such as 3..8, or one number")
    first = int(form[1] or fewest)
    last = int(form[3] or (9999 if most is None else most)) if form[2] else first
    if first > last:
        raise click.UsageError(f"{option}: found {text!r}, expected the smaller number first")
    if first < fewest or (most is not None and last > most):
        raise click.UsageError(f"{option}: found {text!r}, expected numbers from {fewest} to {most}")
    return first, last


# --- the search -------------------------------------------------------------------------------


def _hunt(
    wanted: Wanted, seed: int, tries: int, number: int, *, minimal: bool, reachable: bool
) -> tuple[Hunt, list[Found], bool]:
    """The search, what it found, and whether it was interrupted."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    found: list[Found] = []
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(wanted.ruleset.id)

        def tell(tried: int, hits: int) -> None:
            progress.update(task, description=f"{wanted.ruleset.id}: {tried:,} tried, {hits} of {number} found")

        hunt = Hunt(wanted, seed, tries, tell)
        search = {
            (False, False): hunt.anywhere,
            (False, True): hunt.reached,
            (True, False): hunt.fewest,
            (True, True): hunt.fewest_reached,
        }[minimal, reachable]
        try:
            for one in islice(search(), number):
                found.append(one)
        except KeyboardInterrupt:
            return hunt, found or list(hunt.few.values())[:number], True
    return hunt, found, False


def _tried(hunt: Hunt) -> str:
    fewest, most = hunt.wanted.pieces
    said = f"{hunt.tried:,} positions with {fewest} to {most} pieces tried"
    whole = [one for one in hunt.exhausted if one.doors is None]
    return said + (f", among them all with up to {whole[-1].pieces}" if whole else "")


def _how_known(hunt: Hunt, found: list[Found]) -> str:
    """Whether fewer pieces would do, in a line."""
    least = len(found[0].position)
    if least <= hunt.proved_below:
        below = sum(one.positions for one in hunt.exhausted if one.pieces < least)
        tried = f"all {below:,} positions with fewer were tried" if below else "fewer were not asked for"
        return f"minimal: {least} pieces, {tried}"
    partly = [one for one in hunt.exhausted if one.doors is not None]
    doors = "".join(
        f"; with {one.pieces} pieces and {'at most one door open' if one.doors else 'all doors shut'} none either"
        for one in partly
    )
    none = f"none with fewer than {hunt.proved_below}, all tried" if hunt.exhausted else "nothing exhausted"
    return f"fewest found: {least} pieces, {hunt.tried:,} positions tried; {none}{doors}"


def _about(hunt: Hunt, found: list[Found], *, minimal: bool) -> dict[str, Any]:
    """What is known of a search, as JSON has it."""
    wanted = hunt.wanted
    about: dict[str, Any] = {
        "damspec": damspec.__version__,
        "ruleset": wanted.ruleset.id,
        "seed": hunt.seed,
        "goals": [goal.says for goal in wanted.goals],
        "tried": hunt.tried,
    }
    if minimal and found:
        least = len(found[0].position)
        about["minimal"] = {
            "pieces": least,
            "proved": least <= hunt.proved_below,
            "says": _how_known(hunt, found),
        }
    return about
