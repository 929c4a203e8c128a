"""What the form of a ruleset cannot show: rules that are missing, and rules that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from .board import board_of
from .data import quote
from .errors import PositionError
from .rules import Force, endings_named, rule_names, totals_named


class _Dependent(NamedTuple):
    """A rule that exists exactly where another says something: which, when, how to say so, and what changes nothing."""

    on: str
    when: Callable[[Any], bool]
    words: str
    unsaid: str


_DEPENDENT = {
    "capture.binds": _Dependent("capture.choice", bool, "not empty", "path"),
    "promotion.return": _Dependent(
        "promotion.mid-capture",
        lambda v: v in ("as-man", "as-man-else-king"),
        "'as-man' or 'as-man-else-king'",
        "crowned",
    ),
    "ending.blocked": _Dependent("capture.duty", lambda v: v == "huffing", "'huffing'", "no-action"),
    "ending.order": _Dependent("ending.draws", bool, "not empty", "losses-first"),
}

#: The criteria that count the captured pieces: where one is, kings may have a weight.
_COUNTING = {"most-pieces", "multiple-before-single", "multiple-when-mixed"}

#: Where a king can turn straight back in a capture and find something to jump.
_TURNS_BACK = {"king.capture.reach": "any", "capture.removal": "at-once", "capture.origin": "empty"}

#: What says nothing beside another entry of the same list, before or after it.
_NOTHING_BESIDE = {
    "capture.choice": {"multiple-before-single": {"most-pieces"}, "multiple-when-mixed": {"most-pieces"}},
    "ending.draws": {
        "one-piece-each-no-capture": {"one-piece-each"},
        "one-piece-each-same-kind": {"one-piece-each"},
    },
}
#: Criteria that decide all that a weaker one could still decide.
_DECIDED_BY = {"multiple-when-mixed": {"multiple-before-single"}}

_GROUPS = ("huff", "trapdoors", "spin")
#: The group whose rules are there or not, each by itself.
_FREE = "draws"


def contradictions(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with a complete set of rule values: the rule, and what was found and expected."""
    yield from _presence(values)
    if any(rule not in values for rule in ("board.size", "start.men", "promotion.rows")):
        return
    yield from _criteria(values)
    yield from _draws(values)
    yield from _start(values)


def settled(values: Mapping[str, Any], said: Collection[str]) -> dict[str, Any]:
    """Rule values with those that depend on others settled, unless they were said.

    Where the others give them nothing to say they are left out; where they are missing they get the value that changes
    nothing, if there is one.
    """
    found = dict(values)
    for rule, wanted, _ in _conditions(values):
        if rule in said:
            continue
        if not wanted:
            found.pop(rule, None)
        elif rule in _DEPENDENT:
            found.setdefault(rule, _DEPENDENT[rule].unsaid)
    return found


def _presence(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for rule, wanted, because in _conditions(values):
        if wanted and rule not in values:
            yield rule, f"missing, expected {because}"
        if not wanted and rule in values:
            yield rule, f"found {quote(values[rule])}, expected {because}"


def _conditions(values: Mapping[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """Each rule, whether there has to be a value for it, and when there has to be one."""
    wanted_groups = {
        "huff": (values.get("capture.duty") == "huffing", "capture.duty is 'huffing'"),
        "trapdoors": (any(rule.startswith("spin.") for rule in values), "there is a spinner"),
        "spin": (any(rule.startswith("trapdoors.") for rule in values), "there are trapdoors"),
    }
    for rule in rule_names():
        group = rule.split(".")[0]
        if group in _GROUPS:
            wanted, because = wanted_groups[group]
            because = f"exactly if {because}"
        elif group == _FREE:
            wanted, because = rule in values, "perhaps"
        elif rule == "ending.both-empty":
            wanted, because = (
                any(r.startswith("trapdoors.") for r in values),
                "exactly if there are trapdoors",
            )
        elif rule in _DEPENDENT:
            on, when, words, _ = _DEPENDENT[rule]
            if on not in values:
                continue
            wanted, because = when(values[on]), f"exactly if {on} is {words}"
        elif rule == "capture.king-weight":
            choice = values.get("capture.choice", ())
            wanted = rule in values and bool(_COUNTING & set(choice))
            because = f"only if capture.choice has one of {', '.join(sorted(_COUNTING))}"
        elif rule == "king.capture.turning":
            turns = all(values.get(other) == value for other, value in _TURNS_BACK.items())
            wanted = rule in values and turns
            because = f"only if {' and '.join(f'{other} is {value!r}' for other, value in _TURNS_BACK.items())}"
        elif rule == "king.move.limit":
            beside = [group for group in _GROUPS if any(r.startswith(f"{group}.") for r in values)]
            wanted, because = rule in values and not beside, "only where there are no huffing and no trapdoors"
        elif rule == "ending.first-king":
            continue
        else:
            wanted, because = True, "always"
        yield rule, wanted, because


def _criteria(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for rule, entries in _NOTHING_BESIDE.items():
        for entry, others in entries.items():
            beside = others & set(values[rule])
            if entry in values[rule] and beside:
                yield rule, f"found {entry!r} beside {min(beside)!r}, which leaves it nothing to say"
    choice = values["capture.choice"]
    for place, criterion in enumerate(choice):
        decided = _DECIDED_BY.get(criterion, set()) & set(choice[:place])
        if decided:
            yield "capture.choice", f"found {criterion!r} after {min(decided)!r}, which leaves it nothing to decide"
    if values["capture.duty"] in ("optional", "compulsory-for-men") and "spin.when" in values:
        yield "capture.duty", f"found {values['capture.duty']!r} with a spinner, which a capture has to come before"
    if values["capture.duty"] == "huffing" and "spin.when" in values:
        yield "capture.duty", "found 'huffing' with a spinner, which leaves no turn that breaks the duty"
    if values["king.move.slides"] == "twice" and "trapdoors.layout" in values:
        yield "king.move.slides", "found 'twice' with trapdoors, expected 'once'"
    if values["king.capture.landing"] == "continuing" and values["capture.completion"] == "may-stop":
        yield (
            "king.capture.landing",
            "found 'continuing' with capture.completion 'may-stop', expected 'whole' with it",
        )
    if values.get("huff.offence") == "no-capture-or-unfinished" and values["capture.completion"] == "may-stop":
        yield (
            "huff.offence",
            "found 'no-capture-or-unfinished' with capture.completion 'may-stop', expected 'whole' with it",
        )


def _draws(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Endings and totals named twice, totals the wrong way round, and a main road where the board has none."""
    for rule, named in (("draws.endings", _endings), ("draws.main-road", _endings), ("draws.balance", totals_named)):
        seen: dict[Any, str] = {}
        for key in values.get(rule, ()):
            if not (found := named(key)):
                yield rule, f"found {key!r}, expected the smaller number first"
            for one in found:
                other = seen.setdefault(one, key)
                if other is not key:
                    yield rule, f"found {key!r} beside {other!r}, which names the same position"
            if len(found) > len(set(found)):
                yield rule, f"found {key!r}, which names the same position twice"
    if "draws.main-road" in values and not board_of(values).main_road:
        size = values["board.size"]
        yield "draws.main-road", f"found it on a board of {size}, expected one with a diagonal from corner to corner"


def _endings(key: str) -> list[tuple[Force, ...]]:
    """The endings that a key names, whichever colour has the more."""
    return [tuple(sorted(sides)) for sides in endings_named(key)]


def _start(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    board, men, crown = board_of(values), values["start.men"], values["promotion.rows"]
    if isinstance(men, int):
        most = (board.rows - 1) // 2
        if men > most:
            yield "start.men", f"found {men} rows a side, expected at most {most} on {board.rows} rows"
            return
        white, black = board.nearest_rows(men, "white"), board.nearest_rows(men, "black")
    else:
        try:
            white, black = board.mask(men["white"]), board.mask(men["black"])
        except PositionError as error:
            yield "start.men", str(error)
            return
    if white & black:
        yield "start.men", f"squares of both sides: {board.numbers(white & black)}"
    for side, mask in (
        ("white", white & board.nearest_rows(crown, "black")),
        ("black", black & board.nearest_rows(crown, "white")),
    ):
        if mask:
            yield "start.men", f"{side} men on their own crownhead: {board.numbers(mask)}"
