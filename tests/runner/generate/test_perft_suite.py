"""Making a perft suite: what counts as wrong, which positions are chosen, and the command."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path

import pytest

import damspec
from damspec import data
from damspec.mutations import equivalent_mutants
from damspec_runner.answers import mutant_perft
from damspec_runner.answers.mutant_perft import PerftMutant, differs_in_lapses, mutant_nodes, perft_mutants
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.perft_tables import read_suite, suite_file, suite_of
from damspec_runner.commands import generate
from damspec_runner.generate import perft_suite as making
from damspec_runner.generate.perft_suite import MOST_NODES, SuiteBuilder, build_suite
from runner_fixtures import damspec as run
from runner_fixtures import refused
from runs import SPREAD

ENGLISH = damspec.load_ruleset("english")


def wrong(name: str, id: str = "english") -> PerftMutant:
    """What is wrong by its name."""
    return _by_name(id)[name]


@cache
def _by_name(id: str) -> dict[str, PerftMutant]:
    return {one.name: one for one in perft_mutants(damspec.load_ruleset(id))}


# --- what wrong rules count


#: By hand. A man on 29 stands in the corner, so that it has one step, to 25, as that on 4 has one to 8; from there each
#: has two. White's man on 22 has to jump the one on 18, and nothing is left; were it free to, it could also step to 17,
#: and the man on 18 to 22 or to 23.
@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        (None, "W:W29:B4", [1, 1, 2, 4]),
        ("man.move.directions = [forward-right]", "W:W29:B4", [1, 1, 1, 1]),
        ("man.move.directions = [forward-left]", "W:W29:B4", [0, 0, 0, 0]),
        ("never lets white men move forward-left", "W:W29:B4", [1, 1, 1, 2]),
        ("lists at most 1 moves", "W:W29:B4", [1, 1, 1, 1]),
        (None, "W:W22:B18", [1, 0]),
        ("capture.duty = optional", "W:W22:B18", [2, 2]),
        ("gives the turn to the wrong side after a capture", "W:W22:B18", [1, 2]),
    ],
)
def test_numbers_by_hand(name: str | None, position: str, expected: list[int]) -> None:
    player = wrong(name).player if name else RulePlayer(ENGLISH)
    assert [mutant_nodes(player, position, depth) for depth in range(1, len(expected) + 1)] == expected


def test_a_position_that_is_not_on_a_board_has_no_number() -> None:
    assert mutant_nodes(RulePlayer(ENGLISH), "W:W29:B50", 1) is None


def test_a_fault_is_counted_as_the_right_turns_are_where_it_does_not_show() -> None:
    one = wrong("never lets white men move forward-left")
    start = ENGLISH.position().fen()
    assert mutant_nodes(one.player, "B:W29:B1,2,4", 3) == mutant_nodes(RulePlayer(ENGLISH), "B:W29:B1,2,4", 3)
    assert mutant_nodes(one.player, start, 2) != mutant_nodes(RulePlayer(ENGLISH), start, 2) == 49


def test_why_perft_does_not_show_something() -> None:
    assert wrong("ending.no-moves = draws").hidden == mutant_perft.ENDS
    assert wrong("start.first = white").hidden == mutant_perft.BEGINS
    assert wrong("answers about the position asked before").hidden == mutant_perft.REMEMBERS
    proved = "capture.removal = at-once"
    assert wrong(proved).hidden == equivalent_mutants()["english", proved]
    assert wrong("capture.duty = optional").hidden is None


def test_lapses_are_not_counted() -> None:
    """White has to capture, or with huffing need not: 22-17 is a lapse then, and no legal move."""
    huffing = wrong("capture.duty = huffing")
    assert mutant_nodes(huffing.player, "W:W22:B18", 1) == 1
    assert differs_in_lapses(RulePlayer(ENGLISH), huffing, ["W:W29:B4", "W:W22:B18"])
    assert not differs_in_lapses(RulePlayer(ENGLISH), huffing, ["W:W29:B4"])
    assert not differs_in_lapses(RulePlayer(ENGLISH), wrong("capture.duty = optional"), ["W:W22:B18"])


def test_the_same_rules_are_not_there_twice() -> None:
    """Most readings of lb say what a change says too; two that set several draws do not. All changes stay."""
    found = perft_mutants(damspec.load_ruleset("lb"))
    rules = [one.player.ruleset.values for one in found if one.kind in ("reading", "ruleset")]
    changes = [one.player.ruleset.values for one in found if one.kind == "change"]
    assert not [values for place, values in enumerate(rules) if values in changes or values in rules[:place]]
    assert len({one.name for one in found}) == len(found)
    assert [one.name for one in found if one.kind == "reading"] == [
        "draws=federation",
        "imports=rule-book",
    ]
    assert {one.kind for one in found} == {"change", "reading", "ruleset", "fault"}


# --- which positions are chosen


class MadeUp(PerftMutant):
    """Something that counts one too many in some positions, from a depth on."""

    def __init__(self, name: str, depth: int, *positions: str) -> None:
        super().__init__(name, "change", RulePlayer(ENGLISH))
        self.__dict__.update(depth=depth, positions=positions)

    def nodes(self, position: str, depth: int) -> int | None:
        """Its perft."""
        right = super().nodes(position, depth)
        return right + 1 if right is not None and position in self.positions and depth >= self.depth else right

    depth: int
    positions: tuple[str, ...]


def telling(*made_up: MadeUp) -> SuiteBuilder:
    """What tells what, made up."""
    made = SuiteBuilder(ENGLISH, 2)
    made.soonest = {one: (one.depth, [*one.positions]) for one in made_up}
    made.untold = {MadeUp("E", 1): "Nobody knows."}
    made.drawn = ["W:W30:B4", "W:W29:B4", "W:W31:B4", "W:W32:B4"]
    return made


#: A and B show in one position, C in both, D in the other at depth 2.
FIRST, SECOND = "W:W29:B4", "W:W22:B18"
FOUR = MadeUp("A", 1, FIRST), MadeUp("B", 1, FIRST), MadeUp("C", 1, SECOND, FIRST), MadeUp("D", 2, SECOND)


def test_as_few_positions_as_tell_everything_the_one_that_tells_most_first() -> None:
    start = ENGLISH.position().fen()
    made = build_suite(telling(*FOUR))
    assert [(one.position, one.nodes) for one in made.positions] == [
        (start, (7, 49)),
        (FIRST, (1, 1)),
        (SECOND, (1, 0)),
    ]
    assert [dict(one.tells) for one in made.positions] == [{}, {1: ("A", "B", "C")}, {2: ("D",)}]
    assert made.untold == {"E": "Nobody knows."}


def test_others_are_added_and_the_last_left_out() -> None:
    assert [one.position for one in build_suite(telling(*FOUR), 5).positions][3:] == ["W:W30:B4", "W:W31:B4"]
    two = build_suite(telling(*FOUR), 2)
    assert [one.position for one in two.positions] == [ENGLISH.position().fen(), FIRST]
    assert two.untold["D"] == "Only further positions would tell it: 2 are wanted."


def test_what_is_told_at_the_start_is_told_there() -> None:
    made = build_suite(telling(MadeUp("A", 1, ENGLISH.position().fen(), FIRST)))
    assert [dict(one.tells) for one in made.positions] == [{1: ("A",)}]


def test_a_position_is_counted_while_there_are_not_too_many() -> None:
    """From the start of english 1,469 sequences of 4 actions are known, 7,361 of 5, 36,768 of 6."""
    assert SuiteBuilder(ENGLISH, 8).counts(ENGLISH.position().fen()) == (7, 49, 302, 1469, 7361)
    assert 7361 <= MOST_NODES < 36768


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only some changes, and few positions drawn."""
    names = ("capture.duty = optional", "capture.duty = huffing", "promotion.rows = 2", "ending.no-moves = draws")
    monkeypatch.setattr(making, "perft_mutants", lambda ruleset: [wrong(name, ruleset.id) for name in names])
    builder = partial(SuiteBuilder, random_positions=2, game_positions=2, last_search=(2, (2, 4), 50))
    monkeypatch.setattr(generate, "SuiteBuilder", builder)


@pytest.mark.usefixtures("few")
class TestTheCommand:
    """`damspec generate --perft`, with few changes of rules."""

    def test_it_tells_what_can_be_told(self, tmp_path: Path) -> None:
        file = tmp_path / "english.yaml"
        ran = run("generate", "english", "--perft", "3", "-n", "6", "-o", str(file))
        assert (ran.status, ran.out) == (0, "")
        assert ran.err.startswith("6 positions: of 4 changes, games and faults 2 are killed (1 at depth 1, 1 at depth ")
        found = read_suite(file)
        assert file.read_text(encoding="utf-8") == suite_file(found)
        assert found.untold == {
            "capture.duty = huffing": mutant_perft.LAPSES,
            "ending.no-moves = draws": mutant_perft.ENDS,
        }
        for one in found.positions:
            assert one.nodes == tuple(damspec.perft(ENGLISH, one.position, depth) for depth in (1, 2, 3))
            for depth, names in one.tells.items():
                for name in names:
                    numbers = [mutant_nodes(wrong(name).player, one.position, at) for at in range(1, depth + 1)]
                    assert numbers[:-1] == [*one.nodes[: depth - 1]]
                    assert numbers[-1] != one.nodes[depth - 1]
        again = tmp_path / "again.yaml"
        assert run("generate", "english", "--perft", "3", "-n", "6", "-o", str(again)).status == 0
        assert again.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")

    def test_in_other_forms(self) -> None:
        line = f"{ENGLISH.position().fen()} ;D1 7\n"
        assert run("generate", "english", "--perft", "1", "-n", "1", "--format", "epd").out == line
        content = json.loads(run("generate", "english", "--perft", "1", "-n", "1", "--json").out)
        assert data.schema_problem(content, "suite") is None
        assert content["positions"] == [{"fen": ENGLISH.position().fen(), "nodes": [7]}]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pieces", "3"), "--pieces does not go with --perft"),
        (("--exercise", "capture.duty"), "--exercise does not go with --perft"),
        (("--format", "svg"), "--format svg does not go with --perft, expected cases, json, epd, fen"),
        (("-o", "/nonexistent/x.yaml"), "-o: no folder '/nonexistent'"),
    ],
)
def test_what_does_not_go_with_it_is_one_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused("generate", "english", "--perft", "2", *words)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPREAD)
def test_a_suite_made_now_tells_what_the_one_shipped_tells(name: str, tmp_path: Path) -> None:
    """The positions are others when cases have been added."""
    file = tmp_path / "suite.yaml"
    assert run("generate", name, "--perft", "5", "-n", "50", "-o", str(file)).status == 0
    made, shipped = read_suite(file), suite_of(damspec.load_ruleset(name))
    assert len(made.positions) == len(shipped.positions)
    assert made.untold.keys() <= shipped.untold.keys()
