"""What the interpreter in JavaScript refuses: rules that contradict each other, positions and moves that are none."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

import damspec
from damspec import DamspecError
from damspec_runner.document.rulebook import languages
from javascript import Interpreter
from test_naive_agreement import UNUSUAL

RULESETS = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]


#: Values that no game has, of rules whose form is open: some that are fine, some that are not.
OPEN: dict[str, list[Any]] = {
    "board.size": ["3x3", "10x10", "7x5"],
    "start.men": [
        *(1, 2, 9, {"white": [30, 31], "black": [30]}, {"white": [99], "black": [5]}),
        *({"white": [30], "black": [5], "kings": [5]}, {"white": [30], "black": [5], "kings": [6]}),
    ],
    "draws.endings": [{"KKvK KvKK": 3}, {"KvK": 2, "KKvK KvK": 3}, {"KMvK": 1, "KKvK": 2}, {"KMv": 1}],
    "draws.balance": [{"5-4": 1}, {"4-5": 1, "5": 2}, {"4": 1, "5-6": 2}],
    "draws.main-road": [{"KvK": 1}, {"KvKK": 2, "KKvK": 1}],
    "draws.river": [{"KvK": 1}, {"KvKK": 2, "KKvK": 1}, None],
    "draws.counted-side": ["stronger", "weaker", None],
    "draws.king-moves-pieces": [0, 4, None],
    "draws.no-capture": [0, 3, None],
    "man.move.over-own": [["diagonals"], ["forward", "orthogonals"], []],
    "ending.one-piece": ["loses", None],
    "ending.king-to-man": ["wins", None],
    "huff.offence": ["no-capture-or-unfinished", "no-capture-or-less"],
    "capture.choice": [["multiple-before-single", "multiple-when-mixed"], ["most-pieces", "multiple-before-single"]],
    "ending.draws": [["one-piece-each", "one-piece-each-same-kind"]],
}


def values_known() -> dict[str, list[Any]]:
    """The values that each rule has somewhere, and none where some game does without it."""
    found: dict[str, list[Any]] = defaultdict(list)
    rules = {rule for each in RULESETS for rule in each.whole}
    for each in RULESETS:
        for rule in rules:
            if (value := each.whole.get(rule)) not in found[rule]:
                found[rule].append(value)
    return {rule: [*found.get(rule, [None]), *OPEN.get(rule, [])] for rule in sorted({*found, *OPEN})}


def mixed(chance: random.Random, known: dict[str, list[Any]]) -> dict[str, Any]:
    """The rules of a game with one to three values of other games."""
    values = dict(chance.choice(RULESETS).whole)
    for rule in chance.sample([*known], chance.randint(1, 3)):
        values[rule] = chance.choice(known[rule])
    return {rule: value for rule, value in values.items() if value is not None}


@pytest.mark.thorough
def test_it_takes_the_rules_that_the_reference_takes(javascript: Interpreter) -> None:
    chance, known, taken = random.Random(4), values_known(), 0
    for _ in range(500):
        values = mixed(chance, known)
        try:
            damspec.from_values(values)
            refused = None
        except DamspecError as error:
            refused = str(error)
        problems = javascript.ask(rules=values)["problems"]
        assert bool(problems) == bool(refused), (refused, problems, values)
        taken += not refused
    assert 100 < taken < 430


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"man.move.reach": 2}, "man.move.reach: found 2, expected 1, any"),
        ({"man.move.reach": None}, "man.move.reach: missing, expected 1, any"),
        ({"man.move.rech": 1}, "man.move.rech: found, expected a rule of the language"),
        ({"start.men": 4}, "start.men: found 4 rows a side, expected at most 3 on 8 rows"),
        (
            {"start.men": {"white": [21], "black": [1, 32]}},
            "start.men: found a man on 32, expected none on its promotion row",
        ),
        (
            {"king.capture.landing": "continuing"},
            'king.capture.landing: found "continuing", which is now king.capture.landing: any with'
            " king.capture.finish: continuing",
        ),
        ({"capture.binds": None}, "capture.binds: missing, expected path, piece, since capture.choice is not empty"),
        (
            {"promotion.return": "crowned"},
            'promotion.return: found "crowned", expected only where'
            " promotion.mid-capture is 'as-man' or 'as-man-else-king'",
        ),
    ],
)
def test_a_line_says_what_is_wrong(javascript: Interpreter, change: dict[str, Any], message: str) -> None:
    values = {**damspec.load_ruleset("lb").whole, "capture.choice": ["most-pieces"], "capture.binds": "path", **change}
    found = javascript.ask(rules={rule: value for rule, value in values.items() if value is not None})["problems"]
    assert (found[0]["rule"], found[0]["message"]) == (message.partition(":")[0], message)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"man.move.reach": None}, {"missing": {}}),
        ({"man.move.reach": 2}, {"form": {}}),
        ({"king.move.directions": []}, {"few": {}}),
        ({"start.men": {"white": [30], "black": []}}, {"few": {}}),
        ({"start.men": {"white": [30, 30], "black": [5]}}, {"form": {}}),
        ({"ending.blocked": "no-action"}, {"clash": {"others": ["capture.duty"]}}),
        ({"draws.counted-side": "weaker"}, {"clash": {"others": ["draws.endings", "draws.main-road", "draws.river"]}}),
        ({"capture.completion": "may-stop"}, {"clash": {"others": ["capture.completion"]}}),
        (
            {"capture.choice": ["most-pieces", "multiple-before-single"]},
            {"nothing-beside": {"entry": "multiple-before-single", "other": "most-pieces"}},
        ),
        (
            {"capture.choice": ["multiple-before-single", "multiple-when-mixed"]},
            {"nothing-after": {"entry": "multiple-when-mixed", "other": "multiple-before-single"}},
        ),
        ({"draws.endings": {"KvK": 2, "KKvK KvK": 3}}, {"twice": {"entry": "KKvK KvK"}}),
        ({"draws.balance": {"5-4": 1}}, {"order": {"entry": "5-4"}}),
        ({"start.men": 4}, {"too-many": {"number": 3}}),
        ({"start.men": {"white": [99, 30], "black": [5]}}, {"no-square": {"squares": [99]}}),
        (
            {"start.men": {"white": [30, 31], "black": [5, 30]}},
            {"both": {"squares": [30]}, "crowned": {"squares": [30]}},
        ),
        ({"start.men": {"white": [1, 4, 30], "black": [5]}}, {"crowned": {"squares": [1, 4]}}),
        ({"board.size": "8x10", "draws.river": {"KvK": 1}}, {"no-road": {}}),
        # Rules that are missing leave the others to be looked at.
        (
            {"start.men": None, "capture.choice": ["most-pieces", "multiple-before-single"]},
            {"missing": {}, "nothing-beside": {"entry": "multiple-before-single", "other": "most-pieces"}},
        ),
        # Whether a choice binds a path is not to be said where it is not known whether there is one.
        ({"capture.choice": None}, {"missing": {}}),
    ],
)
def test_a_problem_is_of_a_kind(
    javascript: Interpreter, change: dict[str, Any], expected: dict[str, dict[str, Any]]
) -> None:
    """Flemish draughts, whose kings may land anywhere, with a change: all problems, and what each names.

    The site has a text for each kind, in which what is named is put.
    """
    values = {**damspec.load_ruleset("vl").whole, "king.capture.finish": "continuing", **change}
    found = javascript.ask(rules={rule: value for rule, value in values.items() if value is not None})["problems"]
    named = [{key: value for key, value in each.items() if key not in ("rule", "kind", "message")} for each in found]
    assert dict(zip((each["kind"] for each in found), named, strict=True)) == expected
    for language in languages():
        assert expected.keys() <= language.content["workshop"].keys()


def test_doors_have_squares_of_their_own(javascript: Interpreter) -> None:
    values = damspec.load_ruleset("nl-trapdoor").whole
    layout = values["trapdoors.layout"]
    one, other, *rest = layout["sliders"]
    sliders = [{**one, "left": 99, "right": other["left"]}, {**other, "id": one["id"]}, *rest]
    for change, expected in (
        ({"board": "10x10"}, [("other-board", "entry", "10x10")]),
        (
            {"sliders": sliders},
            [
                ("no-square", "squares", [99]),
                ("two-doors", "squares", [other["left"]]),
                ("two-sliders", "entry", one["id"]),
            ],
        ),
    ):
        found = javascript.ask(rules={**values, "trapdoors.layout": {**layout, **change}})["problems"]
        assert [(each["kind"], key, each[key]) for each, (_, key, _) in zip(found, expected, strict=True)] == expected


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "expected W or B for the side to move"),
        ("X:W1:B2", 'found "X", expected W or B for the side to move'),
        ("W:W33:B2", 'found "33", expected a square of the board'),
        ("W:W1,1:B2", "found two pieces on 1"),
        ("W:W1", 'found "W1", expected the squares of W and of B once each'),
        ("W:WK1:B2:spin=green", "found spin=green, but there are no trapdoors in these rules"),
        ("W:W1:B2", "found a man on 1, on its promotion row, expected a king"),
        ("W:Wq:B2", 'found "q", expected a square'),
        ("W:W" + "1," * 3000 + ":B2", "expected a FEN such as W:W21,K30:B1,2"),
    ],
)
def test_positions_that_are_none(javascript: Interpreter, fen: str, words: str) -> None:
    javascript.plays(damspec.load_ruleset("lb").whole)
    assert words in javascript.ask(fen=fen)["error"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("21x14x7", "21x14x7"),
        ("21x7", "21x14x7"),
        ("a3xc5xe7", "21x14x7"),
        ("22x6", "22x15x6"),
        ("22-17", '"22-17" is not legal in W:W21,22:B10,17,18'),
        ("nonsense", '"nonsense" is not legal in W:W21,22:B10,17,18'),
    ],
)
def test_moves_are_understood(javascript: Interpreter, text: str, expected: str) -> None:
    """The position of the transcript in docs/protocol.md: three captures, of two, one and two pieces."""
    javascript.plays(damspec.load_ruleset("lb").whole)
    answer = javascript.ask(fen="W:W21,22:B10,17,18", find=text)
    assert answer.get("text", answer.get("error")) == expected


@pytest.mark.parametrize(
    ("fen", "crowned"),
    [
        ("W:W18:B14,6", True),  # from the third row to the first, never off the promotion row
        ("W:W13:B9,10,11", False),  # 13x6 onto the second row, 6x15 off the promotion row, 15x8 back onto it
    ],
)
def test_a_man_passes_the_promotion_row_when_it_leaves_it(javascript: Interpreter, fen: str, crowned: bool) -> None:
    """Promotion rows of three rows, and a man that comes back to one is not crowned."""
    javascript.plays(damspec.from_values(UNUSUAL["three rows"]).whole)
    (move,) = javascript.ask(fen=fen)["moves"]
    assert move["crowned"] == crowned
