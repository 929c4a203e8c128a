"""The options of `damspec generate` that say what to search for, and the goal made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import click

from damspec import Ruleset, data
from damspec.contradictions import find_contradictions
from damspec.data import freeze
from damspec.errors import quote_value
from damspec.mutations import changed_values, other_layouts
from damspec.rules import expand_directions, rule_names
from damspec.ruleset import load_source
from damspec.safe_yaml import UnsafeTextError, read_yaml
from damspec.validity import fewest_pieces, material, phases
from damspec.vocabulary import vocabulary

from ..generate.goal import ANY, BEST, Criteria, Goal, KingSides, NothingToFindError, SearchGoal
from ..generate.search import PositionSearch
from ..generate.solved import SolvedCriteria
from ..mutants.mutants import make_mutant, single_mutants
from ..mutants.ruleset_diff import begins, board_differences, counts_history, places_pieces
from ..options import option
from ..positions.random_games import PLIES
from ..solve.place import MOST, Value
from .arguments import Seconds
from .parameters import check_usage
from .solve import SOLVED_ON_DEMAND

#: The most pieces that are looked for where nothing is said.
_MANY = 12
#: The most plies that a game can be asked to last.
_LONGEST = 1_000
#: What is no bound at all.
_UNBOUNDED = 9999


@dataclass(frozen=True)
class SearchOptions:
    """The options that say what to search for, and how long, as they were given."""

    exercise: tuple[str, ...] = option(
        "Their answer changes if the rule has VALUE, any other if none is given; repeatable.",
        (),
        section="Which positions",
        metavar="RULE[=VALUE]",
    )
    distinguish: tuple[str, ...] = option(
        "These rulesets answer them differently; repeatable.", (), metavar="OTHER[,...]"
    )
    pieces: str | None = option("How many pieces.  [default: 1..12]", metavar="MIN..MAX")
    phase: str | None = option(
        "Only in this phase of a turn: plain, spin=green, huffable, compelled, ...", rare=True, metavar="PHASE"
    )
    moves: str | None = option("How many legal actions.", rare=True, metavar="MIN..MAX")
    captures: str | None = option("A legal capture takes so many pieces.", metavar="MIN..MAX")
    kings: str | None = option(
        f"Which sides have a king: {', '.join(side.value for side in KingSides)}.",
        type=click.Choice([side.value for side in KingSides]),
        metavar="SIDES",
    )
    balanced: bool = option("A search finds neither side ahead by half a man.", False)
    quiet: bool = option("The side to move has no capture.", False)
    best: str | None = option(
        f"The best action that a search finds is of this kind: {', '.join(BEST)}.",
        rare=True,
        type=click.Choice(BEST),
        metavar="KIND",
    )
    criterion: str | None = option(
        "This criterion of capture.choice rules out a capture.", rare=True, metavar="CRITERION"
    )
    result: Value | None = option("What it comes to for the side to move.")
    within: str | None = option(
        "With --result win or loss, or --study: in so many plies.", None, "--in", rare=True, metavar="MIN..MAX"
    )
    only_move: bool = option("With --result win or draw: one move of several keeps the result.", False, rare=True)
    zugzwang: bool = option("The side to move would do better if it could pass.", False, rare=True)
    study: bool = option("Won, by one move only at every turn up to the end.", False, rare=True)
    minimal: bool = option("With as few pieces as possible.", False)
    every: bool = option("Every position with up to that many --pieces, in order.", False, "--all", rare=True)
    reachable: bool = option("Only reached by legal play, with the game.", False)
    plies: str | None = option(
        f"With --reachable: after so many plies.  [default: 0..{PLIES}]", rare=True, metavar="MIN..MAX"
    )
    per_game: int | None = option(
        "With --reachable: at most K positions of a game.  [default: 1]", rare=True, least=1, metavar="K"
    )
    perft: int | None = option(
        "A perft suite instead: few positions whose perft to depth D tells games apart.",
        section="The search",
        least=1,
        most=20,
        metavar="D",
    )
    suite: int | None = option("N positions of every kind instead.", least=1)
    number: int | None = option("How many positions.  [default: 1]", None, "-n", least=1)
    seed: int = option("The same seed gives the same positions.", 0, rare=True)
    tries: int = option("Give up after N rejected positions in a row.", 30_000, rare=True, least=1)
    seconds: float | None = option("Give up after SECONDS.", None, "--time", rare=True, type=Seconds())

    def check(self) -> None:
        """Raise UsageError for options that exclude each other or need another."""
        alone = (("--minimal", self.minimal), ("--reachable", self.reachable), ("-n", self.number))
        check_usage(
            (
                not self.reachable and (self.plies or self.per_game),
                f"{'--plies' if self.plies else '--per-game'} goes with --reachable",
            ),
            (self.quiet and self.captures, "--captures does not go with --quiet, which is without captures"),
            (
                self.within and self.result not in ("win", "loss") and not self.study,
                "--in: plies to which end? expected --result win, --result loss or --study too",
            ),
            (
                self.only_move and self.result not in ("win", "draw"),
                "--only-move: keeps which result? expected --result win or --result draw too",
            ),
            (
                self.study and (self.result or self.zugzwang),
                f"{'--result' if self.result else '--zugzwang'} does not go with --study, a win",
            ),
            *((self.every and given, f"{option} does not go with --all") for option, given in alone),
            (
                self.every and self.pieces is None,
                "--all: of how many pieces? expected --pieces N too, for all with up to N",
            ),
        )
        _ = self.window

    @property
    def window(self) -> tuple[int, int]:
        """The numbers of plies after which positions are taken from a game. Raises UsageError."""
        return number_range("--plies", self.plies, 0, _LONGEST) if self.plies else (0, PLIES)

    def search(self, search: PositionSearch) -> None:
        """Search the way the options ask for."""
        if self.every:
            search.enumerate()
        elif self.minimal:
            search.fewest_reached(self.window) if self.reachable else search.fewest()
        elif self.reachable:
            search.search_games(self.window, self.per_game or 1)
        else:
            search.search()


def goal_from_options(ruleset: Ruleset, options: SearchOptions) -> SearchGoal:
    """Return what the options ask for; with `every` a single number of pieces is the greatest.

    Raises UsageError, and NothingToFindError where a rule can have no other value.
    """
    goals = (
        *(_exercise(ruleset, text) for text in options.exercise),
        *([_by_criterion(ruleset, options.criterion)] if options.criterion else []),
        *_distinguish(ruleset, options.distinguish),
    )
    asked = SearchGoal(
        ruleset,
        goals,
        moves=number_range("--moves", options.moves, 0, None) if options.moves else None,
        phase=_phase(ruleset, options.phase),
        criteria=_criteria(ruleset, options),
        solved=_solved_criteria(options),
    )
    return replace(asked, pieces=_pieces(asked, options))


def _pieces(asked: SearchGoal, options: SearchOptions) -> tuple[int, int]:
    """Return the fewest and the most pieces asked for; no fewer than the criteria need."""
    rules, needed = asked.ruleset.rules, asked.criteria.fewest
    fewest, most = fewest_pieces(rules), sum(material(rules))
    if asked.solved is not None:
        needed, most = max(needed, 2), min(most, MOST)
        if options.pieces is None:
            return needed, max(needed, SOLVED_ON_DEMAND)
    if options.pieces is None:
        many = most if options.reachable else min(max(_MANY, needed + 6), most)
        return max(needed, fewest) if needed > 1 else fewest if asked.wants_finished else 1, many
    first, last = number_range("--pieces", options.pieces, fewest, most)
    if options.every and ".." not in options.pieces:
        first = fewest
    if asked.criteria == ANY and asked.solved is None:
        return first, last
    if last < needed:
        raise click.UsageError(f"--pieces: found {options.pieces!r}, but what is asked for takes {needed} or more")
    return max(first, needed), last


def _criteria(ruleset: Ruleset, options: SearchOptions) -> Criteria:
    captures = (
        number_range("--captures", options.captures, 1, max(material(ruleset.rules))) if options.captures else None
    )
    kings = KingSides(options.kings) if options.kings else None
    return Criteria(captures, kings, options.balanced, options.quiet, options.best)


def _solved_criteria(options: SearchOptions) -> SolvedCriteria | None:
    plies = number_range("--in", options.within, 1, None) if options.within else None
    asked = SolvedCriteria(
        "win" if options.study else options.result, plies, options.only_move, options.zugzwang, options.study
    )
    return None if asked == SolvedCriteria() else asked


def number_range(option: str, text: str, fewest: int, most: int | None) -> tuple[int, int]:
    """Parse a range `MIN..MAX`, either of which may be left out, or one number. Raises UsageError."""
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
        changed = freeze(read_yaml(value))
    except UnsafeTextError:
        raise click.UsageError(
            f"--exercise: {quote_value(value)} is no value, expected a word, a number or [a, list]"
        ) from None
    wrong = data.problem_of_values({rule: changed})
    if wrong or changed is None:
        raise click.UsageError(f"--exercise: {rule}: {(wrong or 'found nothing after =').rpartition('value: ')[2]}")
    changed = expand_directions({rule: changed}, "--exercise: ")[rule]
    if changed == ruleset.values[rule]:
        raise click.UsageError(f"--exercise: {rule} is {value} in {ruleset.id} already")
    one = make_mutant(ruleset.base, ruleset.values, ((rule, changed),))
    if one is None:
        why = _forbidden(ruleset, rule, changed)
        raise click.UsageError(f"--exercise: {rule} cannot be {value} with the other rules of {ruleset.id}: {why}")
    return Goal(f"{rule} = {value}", (one.ruleset,), rule)


def _by_criterion(ruleset: Ruleset, criterion: str) -> Goal:
    """Return the goal that a criterion of the precedence of captures makes a difference. Raises UsageError."""
    criteria = ruleset.rules.capture.choice
    if criterion not in criteria:
        if not criteria:
            raise click.UsageError(f"--criterion: capture.choice of {ruleset.id} has none")
        raise click.UsageError(
            f"--criterion: found {quote_value(criterion)}, expected one of {', '.join(criteria)}, those of {ruleset.id}"
        )
    left = tuple(each for each in criteria if each != criterion)
    one = make_mutant(ruleset.base, ruleset.values, (("capture.choice", left),))
    if one is None:
        why = _forbidden(ruleset, "capture.choice", left)
        raise click.UsageError(f"--criterion: {ruleset.id} cannot do without {criterion}: {why}")
    return Goal(f"capture.choice without {criterion}", (one.ruleset,), "capture.choice")


def _others(ruleset: Ruleset, rule: str) -> list[Ruleset]:
    """Return the ruleset with every other value of a rule. Raises NothingToFindError if it can have none."""
    found = [one.ruleset for one in single_mutants(ruleset) if one.rules_changed == (rule,)]
    if not found and (layouts := other_layouts(ruleset) if rule == "trapdoors.layout" else []):
        changes = (make_mutant(ruleset.base, ruleset.values, ((rule, freeze(one.content())),)) for one in layouts)
        found = [one.ruleset for one in changes if one]
    if not found:
        why = dict.fromkeys(_forbidden(ruleset, rule, value) for value in changed_values(rule, ruleset.values[rule]))
        raise NothingToFindError(f"{ruleset.id} can have no other {rule}: {'; '.join(why)}")
    return found


def _forbidden(ruleset: Ruleset, rule: str, value: object) -> str:
    """Explain why a rule cannot have a value beside the others."""
    found = dict(find_contradictions({**ruleset.values, rule: value}))
    return found[rule] if rule in found else ": ".join(next(iter(found.items())))


def _distinguish(ruleset: Ruleset, texts: tuple[str, ...]) -> Iterator[Goal]:
    for id in (id for text in texts for id in text.split(",")):
        other = load_source(id.strip())
        if other.rules.board != ruleset.rules.board:
            values = "; ".join(
                f"{one.rule} is {' and '.join(map(str, one.values))}"
                for one in board_differences((ruleset, other))
                if vocabulary()[one.rule].group == "board"
            )
            raise click.UsageError(
                f"--distinguish: different boards of {ruleset.id} and {other.id}, {values}: no position is one of both"
            )
        yield Goal(other.id, (other,))


def _phase(ruleset: Ruleset, phase: str | None) -> str | None:
    known = list(phases(ruleset.rules))
    if phase is not None and phase not in known:
        raise click.UsageError(f"--phase: {ruleset.id} has no phase {phase!r}{data.nearest(phase, known)}")
    return phase
