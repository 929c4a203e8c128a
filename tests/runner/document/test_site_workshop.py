"""The workshop in a real browser: a game made by clicks, what contradicts itself, the nearest games, the link."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

import damspec
from browser import Watched, choose_language
from damspec_runner.cli import damspec as command
from workbench import WORKSHOP, choose, neighbour, opened, rule

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

SERVE = [sys.executable, "-m", "damspec_runner", "serve"]
#: The sentence of the duty to capture in a game with huffing.
DUTY = (
    "If you can capture, you must. To move otherwise is a mistake that your opponent may punish; if they do not, your"
    " move stands."
)
#: What came of the page's work: the link after #.
LINK = "decodeURIComponent(location.hash.slice(1))"


def file_of(page: Page, folder: Path) -> Path:
    """The file of the rules, as it is downloaded."""
    with page.expect_download() as saved:
        page.click("#workshop-download")
    path = folder / saved.value.suggested_filename
    saved.value.save_as(path)
    return path


def said(arguments: list[str]) -> tuple[int, str]:
    """What the command says to arguments."""
    done = CliRunner().invoke(command, arguments)
    return done.exit_code, done.output


# --- a game made by clicks ----------------------------------------------------------------------


def test_a_game_made_by_clicks_is_saved_and_checked(window: Watched, tmp_path: Path) -> None:
    """Flemish draughts, but kings land right behind what they take: the file plays so, and an engine that reads rules
    passes its cases."""
    page = opened(window, "", "king")
    page.select_option("#workshop-base", "vl")
    expect(page.locator("#workshop-equal")).to_have_text("These are the rules of Flemish draughts.")
    choose(page, "king.capture.landing", "It lands just beyond the captured piece.")
    page.fill("#workshop-name", "Our village")
    expect(page.locator("#workshop-state")).to_contain_text("1 rule differs from Flemish draughts")
    file = file_of(page, tmp_path)
    assert file.name == "our-village.yaml"
    made = damspec.load_ruleset_file(str(file))
    assert (made.id, made.name, made.family) == ("our-village", "Our village", ("vl",))
    assert dict(made.values) == {**damspec.load_ruleset("vl").values, "king.capture.landing": "behind"}
    assert said(["moves", str(file), "W:WK13:B9"]) == (0, "13x6\n")
    code, report = said(["check", str(file), "-k", "vl.king-capture.*", "--", *SERVE])
    assert code == 0, report
    assert "our-village by damspec" in report


# --- what contradicts itself --------------------------------------------------------------------


def test_a_contradiction_is_explained_and_mended(window: Watched) -> None:
    """Where there is a spinner a capture has to come before it, so that nobody may leave one out."""
    page = opened(window, "nl-trapdoor", "capture")
    choose(page, "capture.duty", "You never have to capture.")
    wrong = "This does not go together with: The players take turns. If you can capture, you do, and do not spin"
    expect(rule(page, "capture.duty").locator(".wrong")).to_contain_text(wrong)
    expect(page.locator("#workshop-state")).to_have_text("Still to choose or to mend: 1.")
    expect(page.locator("#workshop-wrong")).to_contain_text("The duty to capture: This does not go together")
    for hidden in ("#workshop-board", "#workshop-save"):
        expect(page.locator(hidden)).to_be_hidden()
    rule(page, "capture.duty").get_by_role("button", name="As in").click()
    expect(page.locator("#workshop-state")).to_contain_text("Every rule is chosen")
    expect(page.locator("#workshop-board")).to_be_visible()


def test_rules_come_and_go_with_what_they_depend_on(window: Watched) -> None:
    """Huffing has rules of its own, and what a choice binds is only asked where there is a choice."""
    page = opened(window, "vl", "capture")
    expect(page.locator("#group-huff")).to_be_hidden()
    rule(page, "capture.choice").get_by_label("the capture that takes the most pieces", exact=True).uncheck()
    expect(rule(page, "capture.binds")).to_be_hidden()
    choose(page, "capture.duty", DUTY)
    expect(page.locator("#group-huff")).to_be_visible()
    gone = "vl&capture.duty=huffing&capture.choice=&capture.binds=-"
    assert unquote(page.evaluate(LINK)).startswith(gone)
    expect(page.locator("#workshop-state")).to_contain_text("Every rule is chosen")
    choose(page, "capture.duty", "If you can capture, you must.")
    assert unquote(page.evaluate(LINK)) == "vl&capture.choice=&capture.binds=-"


# --- which game it is ---------------------------------------------------------------------------


def test_the_nearest_game_and_the_position_that_tells_it(window: Watched) -> None:
    """A king that lands right behind what it takes lands on one square only.

    With one piece each the game would be over, so it takes three; what can be played is what the reference says.
    """
    page = opened(window, "vl&king.capture.landing=behind")
    near = neighbour(page, "vl")
    expect(near.locator("h3")).to_have_text("1 rule differs from Flemish draughts")
    assert page.locator(".neighbour").first.get_attribute("data-game") == "vl"
    expect(near.locator(".telling")).to_contain_text("with three pieces")
    position = near.locator(".telling p > code").first.inner_text()
    moves = [line.inner_text() for line in near.locator(".actions").all()]
    own = damspec.load_ruleset("vl").with_value("king.capture.landing", "behind")
    for game, shown in ((own, moves[0]), (damspec.load_ruleset("vl"), moves[1])):
        _, _, listed = shown.partition(": ")
        assert sorted(listed.split(", ")) == sorted(map(str, damspec.Game(game, position).legal_moves))
    assert moves[0].count("x") < moves[1].count("x")


# --- the link -----------------------------------------------------------------------------------


def test_a_link_holds_every_game(window: Watched) -> None:
    """Written from any game and read again, the rules are the same, and the text has no slash."""
    page = opened(window)
    wrong = page.evaluate(
        "Object.keys(damspecRulesets).flatMap(game => ['', 'vl'].flatMap(base => {"
        "  const {values} = damspecRulesets[game];"
        "  const text = damspecLink.write({base, name: 'A/b & c=é', values});"
        "  const read = damspecLink.read('#' + text);"
        "  const right = read.name === 'A/b & c=é' && read.base === base && damspecLink.same(read.values, values);"
        "  return right && !text.includes('/') ? [] : [[game, base, text]];"
        "}))"
    )
    assert wrong == []


def test_a_link_opens_what_was_made(window: Watched) -> None:
    made = "vl&name=Our+village&start.men=white:30.31.32,black:1.2&capture.choice=with-king,most-pieces"
    page = opened(window, made, "capture")
    expect(page.locator("#workshop-name")).to_have_value("Our village")
    expect(page.locator("#workshop-link")).to_have_text(f"{window.address}/{WORKSHOP}#{made}")
    checked = rule(page, "capture.choice").locator("li", has=page.locator(":checked"))
    assert [each.inner_text().strip("↑\n ") for each in checked.all()] == [
        "a capture made by a king, if there is one",
        "the capture that takes the most pieces",
    ]
    rule(page, "capture.choice").get_by_role("button", name="the capture that takes the most pieces").click()
    changed = made.replace("with-king,most-pieces", "most-pieces,with-king")
    expect(page.locator("#workshop-link")).to_have_text(f"{window.address}/{WORKSHOP}#{changed}")


def test_words_for_several_directions_in_a_link_are_several(window: Watched) -> None:
    """Flemish draughts, as a link has it that somebody wrote by hand."""
    page = opened(window, "vl&king.move.directions=diagonals&man.move.directions=forward-diagonals", "king")
    expect(page.locator("#workshop-equal")).to_have_text("These are the rules of Flemish draughts.")
    expect(rule(page, "king.move.directions").locator(":checked")).to_have_count(4)


@pytest.mark.parametrize(
    "link",
    [
        "vl&man.move.reach=7",
        "vl&start.men=white:30.31,black:5",
        # What a rule of today said in an earlier version.
        "vl&king.capture.landing=continuing",
    ],
)
def test_a_value_that_no_rule_has_can_be_mended(window: Watched, link: str) -> None:
    """The page opens and says which rule it is, with a button that restores the value of the game."""
    page = opened(window, link, "man", "king", "start")
    expect(page.locator("#workshop-wrong")).to_contain_text("This cannot be read.")
    page.get_by_role("button", name="As in Flemish draughts").click()
    expect(page.locator("#workshop-equal")).to_have_text("These are the rules of Flemish draughts.")


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("checkers", "The link begins with “checkers”, which is no game here."),
        ("vl&king", "The link has “king”, where a rule and its value should stand, such as man.move.reach=1."),
    ],
)
def test_a_link_that_cannot_be_read(window: Watched, link: str, says: str) -> None:
    page = opened(window, link)
    expect(page.locator("#workshop-problem")).to_have_text(says)
    expect(page.locator("#workshop-board")).to_be_visible()


# --- everybody can use it -----------------------------------------------------------------------


def test_from_a_folder_and_in_dutch(browser: Browser, site: Path) -> None:
    """As files without any server the whole page works; in the language that was chosen, for illegal moves too."""
    watched = Watched(browser, site.as_uri())
    page = opened(watched, "vl&king.capture.landing=behind")
    choose_language(page, "nl")
    near = neighbour(page, "vl")
    expect(near.locator("h3")).to_have_text("1 regel verschilt van Vlaams dammen")
    expect(near.locator(".telling")).to_contain_text("Een kleine stand die het verschil toont, met drie stukken")
    expect(page.locator("#workshop-yaml")).to_contain_text("king.capture.landing: {value: behind}")
    for square in (22, 14):
        page.click(f"#workshop-table [data-square='{square}']")
    expect(page.locator("#workshop-table .told")).to_contain_text("Een schijf gaat één veld schuin vooruit")
    page = watched.open("nl/workshop/index.html#vl")
    expect(page.locator("#workshop-equal")).to_have_text("Dit zijn de regels van Vlaams dammen.")
    watched.close()


# --- played elsewhere ---------------------------------------------------------------------------
