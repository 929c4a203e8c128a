"""Consistency of rule values: rules that are missing, and rules that contradict each other.

A schema checks the form of each value by itself; these checks look at several rules at once. What goes with what stands
in spec/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from .board import BOARD_RULES, board_of
from .data import quote
from .errors import PositionError
from .rules import Force, endgames_named, rule_names, totals_named
from .vocabulary import Condition, Contradiction, Requirement, vocabulary

#: The rules needed to tell where men begin.
_PLACING = frozenset((*BOARD_RULES, "start.men", "promotion.rows"))


def find_contradictions(values: Mapping[str, Any], changed: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a complete set of rule values: the rule, and what was found and expected.

    `changed` are the only rules that differ from values with nothing wrong; what they cannot affect is not looked at.
    """
    yield from _check_presence(values, changed)
    if any(rule not in values for rule in _PLACING):
        return
    yield from _check_clashes(values)
    if changed is None or any(rule.startswith(("draws.", "board.")) for rule in changed):
        yield from _check_draws(values)
    if changed is None or not _PLACING.isdisjoint(changed):
        yield from _check_start(values)


def fill_dependent_rules(values: Mapping[str, Any], stated: Collection[str]) -> dict[str, Any]:
    """Return rule values with the rules that depend on others filled in, except those in `stated`.

    Rules that no longer apply are dropped; missing ones get the default that changes nothing, if there is one.
    """
    found = dict(values)
    for presence, rules, wanted in _requirements(values):
        for rule in rules:
            if rule in stated:
                continue
            if not wanted:
                found.pop(rule, None)
            elif presence.default is not None:
                found.setdefault(rule, presence.default)
    return found


def _check_presence(values: Mapping[str, Any], changed: Collection[str] | None) -> Iterator[tuple[str, str]]:
    for presence, rules, wanted in _requirements(values, changed):
        if wanted and presence.free:
            continue
        for rule in rules:
            if wanted != (rule in values):
                only = "only" if presence.free else "exactly"
                because = f"{only} if {presence.words}" if presence.when else "always"
                problem = "missing" if wanted else f"found {quote(values[rule])}"
                yield rule, f"{problem}, expected {because}"


_ALWAYS = Requirement({}, "")


def _requirements(
    values: Mapping[str, Any], changed: Collection[str] | None = None
) -> Iterator[tuple[Requirement, list[str], bool]]:
    """Yield each requirement with its rules and whether the condition holds, or those that changed rules can affect.

    A rule with a default is skipped where a rule that its condition names is missing.
    """
    every = _rules_by_requirement()
    places = range(len(every)) if changed is None else sorted(set().union(*map(_requirements_affected, changed)))
    for presence, rules in (every[place] for place in places):
        if presence.default is None or presence.when.keys() <= values.keys():
            yield presence, rules, holds(presence.when, values)


@cache
def _rules_by_requirement() -> tuple[tuple[Requirement, list[str]], ...]:
    """Return each requirement with its rules in order: those that have it of their own, or by their group."""
    found: dict[int, tuple[Requirement, list[str]]] = {}
    for rule in rule_names():
        requirement = vocabulary()[rule].requirement or _ALWAYS
        found.setdefault(id(requirement), (requirement, []))[1].append(rule)
    return tuple(found.values())


@cache
def _requirements_affected(rule: str) -> frozenset[int]:
    """Return the indexes of the requirements of a rule, and of those whose conditions name it or its groups."""
    names = {*_rule_and_groups(rule)}
    return frozenset(
        place
        for place, (presence, rules) in enumerate(_rules_by_requirement())
        if rule in rules or not names.isdisjoint(one for key in presence.when for one in _alternatives(key))
    )


def holds(condition: Condition, values: Mapping[str, Any]) -> bool:
    """Return whether rule values meet a condition."""
    for rule, wanted in condition.items():  # loops, which are twice as fast here: mutants ask it thousands of times
        for one in _alternatives(rule):
            if _meets(values, one, wanted):
                break
        else:
            return False
    return True


@cache
def _rule_and_groups(name: str) -> tuple[str, ...]:
    return (name, *(name[:at] for at, letter in enumerate(name) if letter == "."))


@cache
def _rules_of(name: str) -> tuple[str, ...]:
    """Return a rule, or the rules of a group."""
    return tuple(rule for rule in rule_names() if name in _rule_and_groups(rule))


@cache
def _alternatives(rules: str) -> list[str]:
    return rules.split("|")


def _meets(values: Mapping[str, Any], rule: str, wanted: str | tuple[Any, ...]) -> bool:
    if isinstance(wanted, tuple):
        value = values.get(rule)
        return not {*wanted}.isdisjoint(value) if isinstance(value, tuple | list) else value in wanted
    if wanted == "filled":
        return bool(values.get(rule))
    return (wanted == "there") == any(one in values for one in _rules_of(rule))


@cache
def _clashes() -> tuple[Contradiction, ...]:
    return tuple(clash for rule in vocabulary().values() for clash in rule.clashes)


def _check_clashes(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for clash in _clashes():
        value = values.get(clash.rule)
        if isinstance(value, tuple | list):
            earlier = value[: value.index(clash.value)] if clash.value in value else ()
            is_found = clash.value in value and (clash.after is None or clash.after in earlier)
        else:
            is_found = value == clash.value
        if is_found and holds(clash.beside, values):
            yield clash.rule, f"found {clash.value!r} {clash.words}"


def _check_draws(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield endgames and totals named twice, totals in the wrong order, and a main road on a board without one."""
    for rule in ("draws.endings", "draws.balance", "draws.main-road", "draws.river"):
        named = totals_named if rule == "draws.balance" else _endgames
        seen: dict[Any, str] = {}
        for key in values.get(rule, ()):
            if not (found := named(key)):
                yield rule, f"found {key!r}, expected the smaller number first"
            for entry in found:
                other = seen.setdefault(entry, key)
                if other is not key:
                    yield rule, f"found {key!r} beside {other!r}, which names the same position"
            if len(found) > len(set(found)):
                yield rule, f"found {key!r}, which names the same position twice"
    for rule in ("draws.main-road", "draws.river"):
        if rule in values and not board_of(values).main_road:
            size = values["board.size"]
            yield rule, f"found it on a board of {size}, expected one with a diagonal from corner to corner"


def _endgames(key: str) -> list[tuple[Force, ...]]:
    """Return the endgames named by a key, without regard to which colour is stronger."""
    return [tuple(sorted(sides)) for sides in endgames_named(key)]


def _check_start(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    board, men, crown = board_of(values), values["start.men"], values["promotion.rows"]
    if isinstance(men, int):
        most = (board.rows - 1) // 2
        if men > most:
            yield "start.men", f"found {men} rows a side, expected at most {most} on {board.rows} rows"
            return
        white, black, kings = board.nearest_rows(men, "white"), board.nearest_rows(men, "black"), 0
    else:
        try:
            white, black, kings = (board.mask(men.get(name, ())) for name in ("white", "black", "kings"))
        except PositionError as error:
            yield "start.men", str(error)
            return
    if white & black:
        yield "start.men", f"squares of both sides: {board.numbers(white & black)}"
    if kings & ~(white | black):
        yield "start.men", f"kings on squares of neither side: {board.numbers(kings & ~(white | black))}"
    for side, mask in (
        ("white", white & ~kings & board.nearest_rows(crown, "black")),
        ("black", black & ~kings & board.nearest_rows(crown, "white")),
    ):
        if mask:
            yield "start.men", f"{side} men on their own promotion row: {board.numbers(mask)}"
