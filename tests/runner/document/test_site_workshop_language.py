"""The rule language as the workshop has it: the form of every rule, what contradicts what, files, and every control."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import damspec
from browser import Watched
from damspec import Ruleset
from damspec.contradictions import fill_dependent_rules, find_contradictions
from damspec.rules import rule_names
from damspec.vocabulary import vocabulary
from damspec_runner.document.rulebook import languages
from damspec_site import play_pages
from damspec_site.library import SiteData
from workbench import opened, rule

pytestmark = pytest.mark.xdist_group("browser")

RULESETS = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
#: The rules of each as a page gets them.
WHOLE: list[dict[str, Any]] = [json.loads(json.dumps(each.inline_values)) for each in RULESETS]
FORMS: Mapping[str, Any] = {name: each["form"] for name, each in play_pages.language(SiteData())["rules"].items()}
#: The rules without which nobody can say where men begin.
PLACING = {name for name, each in vocabulary().items() if each.affects & {"board", "setup"}} | {"promotion.rows"}
#: Values that no game has, of rules whose form is open: some that are fine, some that are not.
OPEN: Mapping[str, list[Any]] = {
    "board.size": ["3x3", "10x10", "7x5", "6x6"],
    "start.men": [1, 2, 3, 9, {"white": [30, 31], "black": [30]}, {"white": [99], "black": [5]}],
    "king.move.limit": [3],
    "man.move.over-own": [["forward", "left", "right", "backward"], ["forward", "left"]],
    "draws.no-capture": [3],
    "draws.repetition": [3],
    "draws.endings": [{"KKvK KvKK": 3}, {"KvK": 2, "KKvK KvK": 3}, {"KMvK MKvK": 1}, {"KMvK": 1, "KKvK": 2}],
    "draws.balance": [{"5-4": 1}, {"4-5": 1, "5": 2}, {"4": 1, "5-6": 2}],
    "draws.main-road": [{"KvK": 1}, {"KvKK": 2, "KKvK": 1}],
    "draws.river": [{"KvK": 1}, {"KvKK": 2, "KKvK": 1}],
    "draws.counted-side": ["stronger", "weaker"],
    "draws.king-moves-pieces": [4],
    "ending.one-piece": ["loses"],
    "ending.king-to-man": ["wins"],
}


# --- what the page is told


def test_every_rule_has_a_form_that_its_values_have() -> None:
    """The form of each kind is the right one: lists are lists, and a choice names what any game has."""
    assert {*FORMS} == {*rule_names()}
    numbers = (str, int, float)
    kinds: Mapping[str, Any] = {"choice": numbers, "list": tuple, "number": int, "text": str, "mapping": Mapping}
    for ruleset in RULESETS:
        for name, value in ruleset.values.items():
            kind = FORMS[name]["kind"]
            assert isinstance(value, kinds.get(kind, object)), name
            if kind == "choice":
                assert value in FORMS[name]["values"]
            if kind == "list":
                assert {*value} <= {*FORMS[name]["values"]}
    assert {form["kind"] for form in FORMS.values()} == {*kinds, "counts", "squares", "layout"}
    assert [name for name, each in vocabulary().items() if each.ordered] == ["capture.choice"]


def test_the_page_says_the_same_in_every_language() -> None:
    said = [language.content["workshop"] for language in languages()]
    places = [{key: sorted(_places(text)) for key, text in words.items()} for words in said]
    assert all(each == places[0] for each in places)


def _places(text: str) -> Iterator[str]:
    return (part.partition("}")[0] for part in text.split("{")[1:])


# --- what contradicts what


def judged(page: Page, given: list[dict[str, Any]]) -> list[Any]:
    """What the page finds wrong with rule values, the rules alone, and what it settles them to."""
    found: list[Any] = page.evaluate(
        "given => given.map(values =>"
        " [[...new Set(damspec.problems(values).map(({rule}) => rule))], damspec.settled(values)])",
        given,
    )
    return found


def changed(chance: random.Random) -> dict[str, Any]:
    """The values of some game with a few of them otherwise, or away."""
    values = dict(chance.choice(WHOLE))
    for _ in range(chance.randint(1, 5)):
        name = chance.choice([*OPEN] if chance.random() < 0.3 else rule_names())
        form = FORMS[name]
        of_others = [each[name] for each in WHOLE if name in each]
        if form["kind"] == "list" and chance.random() < 0.5:
            of_others = [chance.sample(form["values"], chance.randint(form["least"], 3 if form["least"] == 0 else 1))]
        value = chance.choice([*OPEN.get(name, ()), *form.get("values", ()), *of_others, None])
        if isinstance(value, str) and form["kind"] in ("list", "mapping"):
            value = None
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    return values


@pytest.mark.thorough
@pytest.mark.parametrize("number", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_contradictions_are_those_of_the_reference(window: Watched, number: int) -> None:
    """For random values: the same rules are found wrong, and the same is settled.

    Where rules that say what board there is are missing the reference says no more than that.
    """
    chance = random.Random(number)
    given = [changed(chance) for _ in range(number)]
    wrong = 0
    for values, (found, made) in zip(given, judged(opened(window), given), strict=True):
        expected = {name for name, _ in find_contradictions(values)}
        wrong += bool(expected)
        assert made == fill_dependent_rules(values, ()), values
        if values.keys() >= PLACING:
            elsewhere = _on_another_board(values)
            assert {*found} == expected | elsewhere, values
        else:
            assert {*found} >= expected, values
    assert number / 10 < wrong < number


def _on_another_board(values: Mapping[str, Any]) -> set[str]:
    """Where the doors lie, if that is for another board: what the reference finds only when it has read the layout."""
    layout = values.get("trapdoors.layout")
    return {"trapdoors.layout"} if layout and layout["board"] != values["board.size"] else set()


# --- the file


def written(page: Page, given: list[dict[str, Any]], *, whole: bool) -> list[str]:
    """The file that the page writes for rule values; the game it extends is the nearest."""
    found: list[str] = page.evaluate(
        "async ([given, whole]) => { const language = damspec.held['workshop/language'];"
        " const told = damspecRuleTexts(language, await damspec.texts());"
        " const file = damspecFile(language, told), near = damspecNearest(language);"
        " return given.map(values => file.text({name: 'Mine', values,"
        " base: whole ? '' : near.ranked(values)[0].game})) }",
        [given, whole],
    )
    return found


def of_file(text: str, path: Path) -> Ruleset:
    path.write_text(text, encoding="utf-8")
    return damspec.load_ruleset_file(str(path))


@pytest.mark.thorough
def test_a_whole_file_says_all_rules(window: Watched, tmp_path: Path) -> None:
    """The rules of every game, written out, load as those of the game, and rest on nothing else."""
    texts = written(opened(window), WHOLE, whole=True)
    for ruleset, text in zip(RULESETS, texts, strict=True):
        assert "extends" not in text
        assert of_file(text, tmp_path / "mine.yaml").values == ruleset.values


@pytest.mark.thorough
@pytest.mark.parametrize("number", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_a_file_says_what_differs_from_the_nearest(window: Watched, tmp_path: Path, number: int) -> None:
    """For random rules that are in order: what is loaded is what was made, and no comment is too wide."""
    chance = random.Random(number)
    page = opened(window)
    made: list[dict[str, Any]] = []
    while len(made) < number:
        given = [changed(chance) for _ in range(number)]
        made += [fill_dependent_rules(values, ()) for values in given if not _wrong(fill_dependent_rules(values, ()))]
    for values, text in zip(made, written(page, made, whole=False), strict=True):
        found = of_file(text, tmp_path / "mine.yaml")
        assert json.loads(json.dumps(found.inline_values)) == values, text
        assert max(len(line) for line in text.splitlines() if line.lstrip().startswith("#")) <= 100


def _wrong(values: Mapping[str, Any]) -> bool:
    return any(find_contradictions(values)) or bool(_on_another_board(values))


# --- the controls


@pytest.mark.thorough
def test_doors_of_ones_own_and_the_spinner(window: Watched) -> None:
    page = opened(window, "nl-trapdoor", "trapdoors", "spin", "board")
    layout = rule(page, "trapdoors.layout")
    layout.get_by_label("Left door").nth(0).fill("10")
    expect(layout.get_by_label("Where the doors lie")).to_have_value("")
    layout.get_by_label("Right door").nth(0).fill("10")
    expect(layout.locator(".wrong")).to_have_text("Square 10 has two doors.")
    layout.get_by_label("Right door").nth(0).fill("11")
    spun = rule(page, "spin.outcomes")
    spun.get_by_label("a disc").select_option("any-slider")
    said = "trapdoors.layout=O1:orange.10.11,G1:green.14.16,G2:green.17.19,O2:orange.22.24"
    expect(page.locator("#workshop-link")).to_contain_text(said)
    outcomes = "spin.outcomes=disc:any-slider,green:green-slider,orange:orange-slider"
    assert outcomes in page.locator("#workshop-link").inner_text().split("&")
    spun.locator("select").nth(3).select_option("piece")
    assert f"{outcomes},both:piece" in page.locator("#workshop-link").inner_text().split("&")
    for way in spun.locator("select").all():
        way.select_option("does not come up")
    expect(spun.locator(".wrong")).to_have_text("Choose at least one.")
    layout.get_by_label("Where the doors lie").select_option("goliath-assumed")
    rule(page, "board.size").locator("input").fill("10x10")
    expect(layout.locator(".wrong")).to_have_text("These doors are for a board of 8x8 squares.")


@pytest.mark.thorough
def test_a_game_from_nothing(window: Watched) -> None:
    """Without a game to begin with every rule is open; what is chosen stays, and there is no board before all is."""
    page = opened(window, "vl", "man")
    page.select_option("#workshop-base", "")
    expect(page.locator("#workshop-board")).to_be_hidden()
    open_rules = page.locator("#workshop-wrong li")
    before = open_rules.count()
    rule(page, "man.capture.takes").get_by_label("A man captures men only, not kings.").check()
    expect(open_rules).to_have_count(before - 1)
    assert page.evaluate("location.hash") == "#&man.capture.takes=men"
    page.reload()
    expect(open_rules).to_have_count(before - 1)
    open_rules.nth(0).locator("a").click()
    expect(rule(page, "board.size").locator("input")).to_be_focused()


# --- every language, and everybody
