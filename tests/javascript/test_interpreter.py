"""The interpreter in JavaScript agrees with the cases and with the reference, rule by rule."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

import damspec
from damspec import DamspecError, Game, Position, Ruleset, data
from damspec_runner.cases.cases import cases_for
from damspec_runner.cases.perft_tables import load_published, published_rules, suite_of
from damspec_runner.document.rulebook import languages
from damspec_runner.engines.serve import respond
from damspec_runner.mutants.mutants import single_mutants
from javascript import FOLDER, Interpreter, agree_about
from outcome_mixes import outcome_mixes
from positions import phases
from refusals import refusal
from runner_fixtures import node, printed
from runs import SPREAD, searched, usually
from test_agreement import LIMITED, OF_ORIGINALS, SOON, SOON_TOO, UNUSUAL, one_of, placed, play_out
from test_agreement import TURN_UNDER_READINGS as READ_TURNS
from test_agreement import UNDER_READINGS as READ_PLAIN
from test_moves_by_hand import BY_HAND
from test_turns_by_hand import ALL, LAPSES
from turn_variants import OF_DOORS
from variants import DOORS, HUFF, VARIANTS

RULESETS = damspec.ruleset_ids()
OFTEN = ["de", "international", "nl-trapdoor"]


def check(*words: str) -> Any:
    """The report of a check of the interpreter."""
    (report,) = json.loads(printed("check", *words, "--json", "--", node(), str(FOLDER / "engine.js")))["reports"]
    return report


@pytest.mark.parametrize("id", OFTEN)
def test_it_passes_every_case(id: str) -> None:
    """As a user checks it; over every protocol and for every ruleset that is tests/runner/verify/test_protocols.py."""
    counts = check(id)["counts"]
    assert counts["passed"] == sum(counts.values()) == len(cases_for(damspec.load_ruleset(id)))


@pytest.mark.parametrize(
    ("id", "games"),
    [
        *(pytest.param(id, 3, marks=pytest.mark.thorough) for id in ("de", "fr-trapdoor", "frisian")),
        *(pytest.param(id, 100, marks=pytest.mark.slow) for id in RULESETS),
    ],
)
def test_it_plays_games_as_the_reference_does(id: str, games: int) -> None:
    """In every position of a game the reference is asked too."""
    found = check(id, "--games", str(games), "-k", "*.start.*")["games"]
    assert (found["games"], found["found"], found["unsupported"]) == (games, [], 0)


@pytest.mark.parametrize("name", usually(["de?remedy=huff-only"], OF_ORIGINALS[::5]))
def test_it_answers_every_case_by_every_reading(name: str, javascript: Interpreter) -> None:
    """A case tells what is right by some readings; here the reference says it by each."""
    ruleset = damspec.load_ruleset(name)
    positions = {case.position for case in cases_for(damspec.load_ruleset(ruleset.base))}
    assert agree_about(javascript, ruleset, sorted(positions)) > 50


@pytest.mark.parametrize(
    ("id", "most"),
    [
        *(pytest.param(id, 2_000, marks=() if id in OFTEN else pytest.mark.thorough) for id in SPREAD),
        *(pytest.param(id, 1_000_000, marks=pytest.mark.slow) for id in SPREAD),
    ],
)
def test_it_counts_the_suite(javascript: Interpreter, id: str, most: int) -> None:
    """Compare the numbers of a game's suite up to one that is still counted."""
    ruleset = damspec.load_ruleset(id)
    compared = 0
    javascript.plays(ruleset.inline_values)
    for one in suite_of(ruleset).positions:
        for depth, nodes in enumerate(one.nodes, 1):
            if nodes <= most:
                assert javascript.ask(fen=one.position, depth=depth) == {"nodes": nodes}, (one.position, depth)
                compared += 1
    assert compared > 150


TABLES = [table for table in load_published().tables if table.count == "unique" and not table.disputed]


@pytest.mark.parametrize(
    ("most", "at_least"),
    [
        pytest.param(5_000, 180, marks=pytest.mark.thorough),
        pytest.param(1_000_000, 250, marks=pytest.mark.slow),
    ],
)
def test_it_counts_what_others_have_published(most: int, at_least: int, javascript: Interpreter) -> None:
    compared = 0
    for table in TABLES:
        javascript.plays(published_rules(table).inline_values)
        for depth, nodes in table.nodes.items():
            if nodes <= most:
                assert javascript.ask(fen=table.position, depth=depth) == {"nodes": nodes}, (table.ruleset, depth)
                compared += 1
    assert compared >= at_least


# --- The interpreter in JavaScript against the reference where no case is: positions made by Hypothesis, rules
# changed at random, games with draws by what went before.


def search(javascript: Interpreter, ruleset: Ruleset, examples: int, chance: int = 0) -> None:
    """`agree` about so many positions drawn."""

    @seed(chance)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate, Phase.shrink],
    )
    @given(phases(ruleset))
    def agreed(position: Position) -> None:
        agree_about(javascript, ruleset, [position.fen()])

    agreed()


@searched(["international", "de", "nl-trapdoor"], [*SPREAD, *READ_PLAIN[::24], *READ_TURNS[::24]], 15, 10)
def test_positions(name: str, examples: int, javascript: Interpreter) -> None:
    search(javascript, damspec.load_ruleset(name), examples)


@pytest.mark.thorough
def test_unusual_rules(javascript: Interpreter) -> None:
    for name, values in UNUSUAL.items():
        search(javascript, damspec.from_values(values, name), 5)


def test_positions_worked_out_by_hand(javascript: Interpreter) -> None:
    for rules, fen, _ in (*BY_HAND.values(), *ALL.values(), *LAPSES.values()):
        assert agree_about(javascript, damspec.from_values(rules, "by hand"), [fen]) == 1


@pytest.mark.thorough
def test_rules_of_doors_and_spins_two_at_a_time(javascript: Interpreter) -> None:
    """Each two of these rules changed together, where one changes what the other does."""
    for one, two in combinations(OF_DOORS.values(), 2):
        changed = {rule: value for rule, value in two.items() if value != DOORS.get(rule)}
        search(javascript, damspec.from_values({**one, **changed}), 12)


@pytest.mark.parametrize(("start", "count"), [(1, 8), pytest.param(3, 3_000, marks=pytest.mark.slow)])
def test_rules_changed_at_random(start: int, count: int, javascript: Interpreter) -> None:
    """One rule of a game, or two, with another value."""
    chance = random.Random(start)
    for _ in range(count):
        ruleset = damspec.load_ruleset(chance.choice(RULESETS))
        for _ in range(chance.randint(1, 2)):
            ruleset = chance.choice(single_mutants(ruleset)).ruleset
        search(javascript, ruleset, 12, chance.randrange(10**9))


@pytest.mark.parametrize(("start", "mixes"), [(1, 30), pytest.param(2, 300, marks=pytest.mark.thorough)])
def test_which_reason_ends_a_game(start: int, mixes: int, javascript: Interpreter) -> None:
    for ruleset, positions in outcome_mixes(start, mixes):
        assert agree_about(javascript, ruleset, [position.fen() for position in positions]) == len(positions)


def stands(javascript: Interpreter, rules: dict[str, Any], start: int, games: int, plies: int) -> set[str | None]:
    """Play games and compare how they stand after every action; by what they were drawn or won."""
    chance, ruleset, seen = random.Random(start), damspec.from_values(rules), set[str | None]()
    javascript.plays(ruleset.inline_values)
    for _ in range(games):
        game = Game(ruleset, placed(rules, chance))
        begin = game.fen()
        while len(game.history) < plies and (action := one_of(game, chance)):
            game.push(action)
            played = [str(each) for each in game.history]
            end = game.outcome()
            answer = javascript.ask(fen=begin, played=played)
            assert answer == {"result": end.result, "reason": end.reason}, (begin, played)
            seen.add(end.reason)
            if damspec.outcome(ruleset, game.position).is_over:
                break
    return seen


@pytest.mark.parametrize(
    ("rules", "reasons"),
    [
        (VARIANTS["english"], {"repetition", "king-moves", "balance"}),
        (VARIANTS["russian"], {"repetition", "main-road", "ending"}),
        pytest.param(
            {**VARIANTS["russian"], "draws.counted-side": "stronger"},
            {"main-road", "ending"},
            marks=pytest.mark.thorough,
        ),
        (HUFF, {"repetition", "king-moves"}),
        (DOORS, {"repetition", "ending"}),
    ],
    ids=["english", "russian", "stronger", "huffing", "doors"],
)
def test_draws_by_what_went_before(rules: dict[str, Any], reasons: set[str], javascript: Interpreter) -> None:
    assert stands(javascript, {**rules, **SOON, "draws.repetition": 2}, 5, games=20, plies=24) >= reasons


@pytest.mark.parametrize("id", usually(SPREAD, LIMITED, LIMITED))
@pytest.mark.parametrize(
    ("games", "plies"), [(1, 60), pytest.param(2_000, 140, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_every_game_with_a_limit(id: str, games: int, plies: int, javascript: Interpreter) -> None:
    """Games in which positions come back, by the numbers of the rulebook: how they stand from time to time."""
    chance, ruleset = random.Random(11), damspec.load_ruleset(id)
    javascript.plays(ruleset.inline_values)
    for _ in range(games):
        game = Game(ruleset, placed(ruleset.values, chance))
        begin = play_out(ruleset, game, plies, chance, repeats=True)[0]
        played = [str(action) for action in game.history]
        for count in {*range(chance.randrange(9), len(played), 9), len(played)}:
            end = damspec.outcome(ruleset, begin, played[:count])
            answer = javascript.ask(fen=begin, played=played[:count])
            assert answer == {"result": end.result, "reason": end.reason}, (begin, played[:count])


@pytest.mark.thorough
@pytest.mark.parametrize("side", ["stronger", "weaker", None])
def test_rivers_and_whose_moves_count(side: str | None, javascript: Interpreter) -> None:
    counted = {"draws.counted-side": side} if side else {}
    rules = {rule: value for rule, value in VARIANTS["russian"].items() if not rule.startswith("draws.")}
    assert stands(javascript, {**rules, **SOON_TOO, **counted}, 8, games=25, plies=24) >= {
        "king-moves",
        "ending",
        "river",
    }


# --- What the interpreter in JavaScript refuses: rules that contradict each other, positions and moves that are none.


RULES_RULESETS = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]


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
    rules = {rule for each in RULES_RULESETS for rule in each.inline_values}
    for each in RULES_RULESETS:
        for rule in rules:
            if (value := each.inline_values.get(rule)) not in found[rule]:
                found[rule].append(value)
    return {rule: [*found.get(rule, [None]), *OPEN.get(rule, [])] for rule in sorted({*found, *OPEN})}


def mixed(chance: random.Random, known: dict[str, list[Any]]) -> dict[str, Any]:
    """The rules of a game with one to three values of other games."""
    values = dict(chance.choice(RULES_RULESETS).inline_values)
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
    values = {
        **damspec.load_ruleset("lb").inline_values,
        "capture.choice": ["most-pieces"],
        "capture.binds": "path",
        **change,
    }
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
    values = {**damspec.load_ruleset("vl").inline_values, "king.capture.finish": "continuing", **change}
    found = javascript.ask(rules={rule: value for rule, value in values.items() if value is not None})["problems"]
    named = [{key: value for key, value in each.items() if key not in ("rule", "kind", "message")} for each in found]
    assert dict(zip((each["kind"] for each in found), named, strict=True)) == expected
    for language in languages():
        assert expected.keys() <= language.content["workshop"].keys()


def test_doors_have_squares_of_their_own(javascript: Interpreter) -> None:
    values = damspec.load_ruleset("nl-trapdoor").inline_values
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
    javascript.plays(damspec.load_ruleset("lb").inline_values)
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
    javascript.plays(damspec.load_ruleset("lb").inline_values)
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
    javascript.plays(damspec.from_values(UNUSUAL["three rows"]).inline_values)
    (move,) = javascript.ask(fen=fen)["moves"]
    assert move["crowned"] == crowned


# --- What no interpreter reads: the reference and the one in JavaScript refuse the same texts, rules and messages.


BAD: dict[str, Any] = data.load_yaml(Path(__file__).parents[1] / "data" / "bad_inputs.yaml")


@pytest.mark.parametrize("entry", BAD["positions"], ids=lambda entry: entry["ruleset"])
def test_positions_that_no_game_has(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    ruleset = damspec.load_ruleset(entry["ruleset"])
    javascript.plays(ruleset.inline_values)
    for text in entry["texts"]:
        refusal(DamspecError, ruleset.position, text)
        _has_texts(javascript.ask(fen=text))


@pytest.mark.parametrize("entry", BAD["moves"], ids=lambda entry: entry["ruleset"])
def test_texts_that_are_no_legal_move(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    ruleset = damspec.load_ruleset(entry["ruleset"])
    javascript.plays(ruleset.inline_values)
    for text in entry["texts"]:
        refusal(DamspecError, damspec.play, ruleset, entry["position"], text)
        _has_texts(javascript.ask(fen=entry["position"], find=text or " "))


def _has_texts(answer: Mapping[str, Any]) -> None:
    """Fail unless an answer is an error with the values that its text on the site names."""
    assert answer["error"]
    text = languages()[0].content["errors"][answer["key"]]
    assert {*re.findall(r"\{(\w+)\}", text)} <= answer["values"].keys(), answer


@pytest.mark.parametrize("entry", BAD["rules"], ids=lambda entry: entry["ruleset"])
def test_rules_that_make_no_game(entry: Mapping[str, Any], javascript: Interpreter) -> None:
    values = damspec.load_ruleset(entry["ruleset"]).inline_values
    for change in entry["changes"]:
        changed = {rule: value for rule, value in {**values, **change}.items() if value != "_"}
        refusal(DamspecError, damspec.from_values, changed)
        assert javascript.ask(rules=changed)["problems"], change


@pytest.mark.parametrize("code", BAD["messages"])
def test_messages_that_are_no_question(code: str) -> None:
    lines = BAD["messages"][code]
    for line in lines:
        assert respond(line)[0]["error"]["code"] == int(code), line
    engine = [node(), str(FOLDER / "engine.js")]
    ended = subprocess.run(
        engine, input="\n".join(lines), capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    answers = [json.loads(answer)["error"]["code"] for answer in ended.stdout.splitlines()]
    assert answers == [int(code)] * len(lines)


def test_a_small_k_is_a_column(javascript: Interpreter) -> None:
    """On twelve columns k3 is the sixth and last dark square of the tenth row from the top: 60."""
    ruleset = damspec.load_ruleset("canadian")
    javascript.plays(ruleset.inline_values)
    assert ruleset.position("W:Wk3:Ba5").fen() == "W:W60:B43"
    ways = javascript.ask(fen="W:Wk3:Ba5")["moves"]
    assert {way["path"][0] for way in ways} == {60}
    assert {way["after"] for way in javascript.ask(fen="W:WKk3:B7")["moves"]} >= {"B:WK54:B7", "B:WK66:B7"}


def test_a_number_without_a_fraction_is_an_integer_to_both(javascript: Interpreter) -> None:
    """As JSON Schema has it; JavaScript knows no other numbers."""
    values = {**damspec.load_ruleset("lb").inline_values, "start.men": 2.0, "promotion.rows": 1.0}
    javascript.plays(values)
    men = ["W:W25,26,27,28,29,30,31,32", "B1,2,3,4,5,6,7,8"]
    assert damspec.from_values(values).position().fen() == ":".join(["B", *men]).replace("W:W", "W")
    assert len(javascript.ask(fen="start")["moves"]) == len(damspec.legal_moves(damspec.from_values(values), "start"))


def test_a_position_of_a_lapse_has_stood_though_it_was_taken_back(javascript: Interpreter) -> None:
    """White could take 18 each time; the lapse 32-28 comes back as often as Black's king goes to and fro."""
    values = {**damspec.load_ruleset("de").inline_values, "draws.repetition": 2, "huff.retracted": "turn-lost"}
    javascript.plays(values)
    played = ["32-28", "retract", "1-5", "32-28", "retract", "5-1"]
    for moves, reason in ((played[:4], None), (played, "repetition"), ([*played, "32-28"], "repetition")):
        outcome = damspec.outcome(damspec.from_values(values), "W:W22,25,32:BK1,18", moves)
        assert outcome.reason == reason, moves
        assert javascript.ask(fen="W:W22,25,32:BK1,18", played=moves)["reason"] == reason, moves


def test_the_main_road_is_both_diagonals_where_both_are_played_on(javascript: Interpreter) -> None:
    """On a board of 64 squares the king goes from 10, on the diagonal of 1, to 15, on that of 8."""
    values = {**damspec.load_ruleset("turkish").inline_values, "draws.main-road": {"KKvK": 1}}
    javascript.plays(values)
    played = ["62-61", "10-15"]
    assert damspec.outcome(damspec.from_values(values), "W:WK62,K63:BK10", played).reason == "main-road"
    assert javascript.ask(fen="W:WK62,K63:BK10", played=played)["reason"] == "main-road"
