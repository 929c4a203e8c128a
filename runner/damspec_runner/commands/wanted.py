"""What `damspec generate` is asked for: its options as a goal of the search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import click

import damspec
from damspec import Ruleset, data
from damspec.contradictions import contradictions
from damspec.errors import quoted
from damspec.frozen import frozen
from damspec.neighbours import changed_values, other_layouts
from damspec.rules import rule_names
from damspec.scope import fewest_pieces, material, phases
from damspec.shorthand import written_out
from damspec.strict import Unreadable, read_yaml

from ..generate.goal import Goal, Wanted
from ..generate.possible import NothingToFind
from ..variants.effects import begins, counts_history, places_pieces
from ..variants.mutants import mutant_of, single

#: The most pieces that are looked for where nothing is said.
_MANY = 12
#: What is no bound at all.
_UNBOUNDED = 9999


def wanted(
    ruleset: Ruleset,
    exercised: tuple[str, ...],
    distinguished: tuple[str, ...],
    pieces: str | None,
    phase: str | None,
    moves: str | None,
    *,
    reachable: bool,
    up_to: bool,
) -> Wanted:
    """What is asked for; with `up_to` one number of pieces is the most.

    Raises UsageError, and NothingToFind where a rule can have no other value.
    """
    goals = (*(_exercise(ruleset, text) for text in exercised), *_distinguish(ruleset, distinguished))
    asked = Wanted(
        ruleset,
        goals,
        moves=number_range("--moves", moves, 0, None) if moves else None,
        phase=_phase(ruleset, phase),
    )
    fewest, most = fewest_pieces(ruleset), sum(material(ruleset))
    if pieces is not None:
        found = number_range("--pieces", pieces, fewest, most)
        return replace(asked, pieces=(fewest, found[1]) if up_to and ".." not in pieces else found)
    return replace(asked, pieces=(fewest if asked.finished else 1, most if reachable else min(_MANY, most)))


def number_range(option: str, text: str, fewest: int, most: int | None) -> tuple[int, int]:
    """A range `MIN..MAX`, either of which may be left out, or one number. Raises UsageError."""
    form = re.fullmatch(r"([0-9]{1,4})?(\.\.)?([0-9]{1,4})?", text)
    if not form or not (form[1] or form[3]):
        raise click.UsageError(f"{option}: found {text!r}, expected MIN..MAX, such as 3..8, or one number")
    first = int(form[1] or fewest)
    last = int(form[3] or (_UNBOUNDED if most is None else most)) if form[2] else first
    if first > last:
        raise click.UsageError(f"{option}: found {text!r}, expected the smaller number first")
    if first < fewest or (most is not None and last > most):
        raise click.UsageError(f"{option}: found {text!r}, expected numbers from {fewest} to {most}")
    return first, last


def _exercise(ruleset: Ruleset, text: str) -> Goal:
    rule, sign, value = text.partition("=")
    if rule not in rule_names():
        raise click.UsageError(f"--exercise: no rule {rule!r}{data.nearest(rule, rule_names())}")
    if rule not in ruleset.values:
        raise click.UsageError(f"--exercise: {ruleset.id} has no {rule}")
    if places_pieces(rule) or begins(rule):
        raise click.UsageError(f"--exercise: no position depends on {rule}, only what it is a position of")
    if counts_history(rule):
        raise click.UsageError(f"--exercise: {rule} shows only in games, not in a position")
    if not sign:
        return Goal(f"any other {rule}", tuple(_others(ruleset, rule)), rule)
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
        why = _forbidden(ruleset, rule, changed)
        raise click.UsageError(f"--exercise: {rule} cannot be {value} with the other rules of {ruleset.id}: {why}")
    return Goal(f"{rule} = {value}", (one.ruleset,), rule)


def _others(ruleset: Ruleset, rule: str) -> list[Ruleset]:
    """The ruleset with every other value of a rule; where it can have any at all, with some. Raises NothingToFind."""
    found = [one.ruleset for one in single(ruleset) if one.rules_changed == (rule,)]
    if not found and (layouts := other_layouts(ruleset) if rule == "trapdoors.layout" else []):
        changes = (mutant_of(ruleset.base, ruleset.values, ((rule, frozen(one.content())),)) for one in layouts)
        found = [one.ruleset for one in changes if one]
    if not found:
        why = dict.fromkeys(_forbidden(ruleset, rule, value) for value in changed_values(rule, ruleset.values[rule]))
        raise NothingToFind(f"{ruleset.id} can have no other {rule}: {'; '.join(why)}")
    return found


def _forbidden(ruleset: Ruleset, rule: str, value: object) -> str:
    """Why a rule cannot have a value beside the others, in words."""
    found = dict(contradictions({**ruleset.values, rule: value}))
    return found[rule] if rule in found else ": ".join(next(iter(found.items())))


def _distinguish(ruleset: Ruleset, texts: tuple[str, ...]) -> Iterator[Goal]:
    for id in (id for text in texts for id in text.split(",")):
        other = damspec.load_ruleset(id.strip())
        if other.rules.board != ruleset.rules.board:
            sizes = " and ".join(f"{r.id} on {r.values['board.size']}" for r in (ruleset, other))
            raise click.UsageError(f"--distinguish: different boards, {sizes}: no position is one of both")
        yield Goal(other.id, (other,))


def _phase(ruleset: Ruleset, phase: str | None) -> str | None:
    known = list(phases(ruleset))
    if phase is not None and phase not in known:
        raise click.UsageError(f"--phase: {ruleset.id} has no phase {phase!r}{data.nearest(phase, known)}")
    return phase
