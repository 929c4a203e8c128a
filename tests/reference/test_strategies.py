"""The public Hypothesis strategies: only what can be, every phase, captures, and failures shrunk to few pieces."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

import damspec
from damspec import Position, Ruleset
from damspec.mutations import mutate_rule
from damspec.strategies import NoPositionError, engine_agrees, games, positions, rulesets
from damspec.strategies.requests import PositionRequest, exercise_mutants
from damspec.validity import phase_of, phases
from damspec_runner.answers.answer_diff import PositionView, PossibleDifferences, differing_view
from damspec_runner.answers.player import RulePlayer
from refusals import refusal
from runs import ORIGINALS, SPREAD, searched, usually

RULESETS = [*SPREAD, "vl?return=not-crowned", "nl-trapdoor?spin=after-capture", "de?retracted=free"]
every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, RULESETS))


def simplest(name: str, condition: object) -> Position:
    assert callable(condition)
    return find(positions(name), condition, settings=settings(max_examples=5000, database=None))


@searched(ORIGINALS, RULESETS, 40, 25)
def test_positions_can_be(name: str, examples: int) -> None:
    ruleset = damspec.load_ruleset(name)

    @settings(max_examples=examples)
    @given(positions(ruleset, pieces=(2, 9)))
    def look(position: Position) -> None:
        assert ruleset.position(position.fen()) == position
        assert 2 <= len(position) <= 9
        assert position.occupied("white")
        assert position.occupied("black")

    look()


@pytest.mark.parametrize("name", usually(["de"], ["vl", "de", "nl-trapdoor", "nl-trapdoor?spin=after-capture"]))
@pytest.mark.slow
def test_positions_vary(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    seen: Counter[str] = Counter()

    @settings(max_examples=400, database=None, derandomize=True)
    @given(positions(ruleset))
    def look(position: Position) -> None:
        longest = max((len(move.captured) for move in damspec.legal_moves(ruleset, position).moves), default=0)
        seen[f"captures {min(longest, 2)}"] += 1
        seen[f"spin {position.spin}"] += 1
        seen["huffable"] += position.huffable is not None
        seen["compelled"] += position.compelled
        seen["open"] += "L" in (position.sliders or "")

    look()
    # Of 400: a tenth or more where one would look for a fault, and some of what is rarer. What is drawn hangs on the
    # constants of all modules that are loaded, so that the numbers differ from one run to another.
    assert seen["captures 1"] + seen["captures 2"] > 40
    assert seen["captures 2"] > 4
    if ruleset.rules.spin:
        assert all(seen[f"spin {result}"] > 4 for result in (None, *ruleset.rules.spin.outcomes))
        assert seen["open"] > 40
    if ruleset.rules.huff:
        assert seen["huffable"] > 4
        assert seen["compelled"] > 4


@pytest.mark.slow
def test_what_fails_by_a_spin_shrinks_to_a_piece_each_and_shut_doors() -> None:
    fallen = simplest("nl-trapdoor", lambda position: position.spin == "green")
    assert (len(fallen), fallen.sliders) == (2, "MMMM")


@pytest.mark.thorough
@every_ruleset
@settings(max_examples=15)
@given(data=st.data())
def test_games_can_be_played(name: str, data: st.DataObject) -> None:
    drawn, again = data.draw(games(name, max_plies=40)), damspec.Game(name)
    assert drawn.ply <= 40
    for action in drawn.history:
        assert again.outcome().result == "ongoing"
        again.push(action)
    assert again == drawn


def test_a_failing_game_is_printed_with_its_moves() -> None:
    @settings(database=None)
    @given(games("lb", max_plies=3))
    def no_move_is_played(game: damspec.Game) -> None:
        assert not game.ply

    with pytest.raises(AssertionError) as failure:
        no_move_is_played()
    start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert f"game=damspec.Game('lb', '{start}') after 9-13," in "\n".join(failure.value.__notes__)


@pytest.mark.slow
def test_games_vary_and_shrink() -> None:
    quick = settings(max_examples=300, database=None)
    assert find(games("lb"), lambda game: True, settings=quick) == damspec.Game("lb")
    first = find(games("lb", 12), lambda game: any(a.is_capture for a in game.history), settings=quick)
    assert first.ply == 3


@pytest.mark.thorough
def test_games_with_a_slide_are_found() -> None:
    quick = settings(max_examples=300, database=None)
    assert find(games("nl-trapdoor", 12), lambda game: "G1=L" in map(str, game.history), settings=quick)


@given(rulesets(with_readings=True))
def test_rulesets(ruleset: Ruleset) -> None:
    assert ruleset.base in damspec.ruleset_ids()
    assert ruleset is damspec.load_ruleset(ruleset.id)


def test_rulesets_without_readings() -> None:
    refusal(NoSuchExample, find, rulesets(), lambda rules: "?" in rules.id, settings=settings(database=None))
    assert find(rulesets(with_readings=True), lambda rules: "?" in rules.id, settings=settings(database=None))


NUMBERS = [
    ({"pieces": (5, 3)}, "found pieces=(5, 3), expected 0 <= fewest <= most"),
    ({"pieces": 1}, "found pieces=1, expected at least 2 in vl, one of each side; both_sides=False allows fewer"),
    ({"pieces": 0, "both_sides": False}, "found pieces=0, expected at least 1 in vl"),
    ({"pieces": (25, 30)}, "found pieces=(25, 30), expected at most 24, with which vl begins"),
]
UNKNOWN = [
    ({"phase": "green"}, "phase='green': vl has no such phase; there is plain"),
    ({"exercise": "capture.binding"}, "exercise='capture.binding': vl has no rule 'capture.binding'; did you mean"),
    ({"exercise": "king.move.reach=any"}, "exercise='king.move.reach=any': that is its value in vl"),
    ({"exercise": "king.move.reach=7"}, "exercise='king.move.reach=7': vl with king.move.reach = 7: found 7, expected"),
    ({"exercise": "king.move.reach=["}, "exercise='king.move.reach=[': not valid YAML"),
]
NONE = [
    ("vl", "board.size", "no position depends on board.size, only what it is a position of"),
    ("vl", "start.first", "no position depends on start.first, only what it is a position of"),
    # proved in cases/generated/equivalents.yaml
    ("vl", "capture.completion=may-stop", "no position of vl shows it: The greatest number has to be captured, so a"),
    ("russian", "capture.completion", "can have no other capture.completion: king.capture.finish: found 'continuing'"),
]


@pytest.mark.parametrize(("asked", "message"), NUMBERS)
def test_numbers_that_cannot_be(asked: dict[str, Any], message: str) -> None:
    assert refusal(ValueError, positions, "vl", **asked).startswith(message)


@pytest.mark.parametrize(("asked", "message"), UNKNOWN)
def test_what_a_ruleset_does_not_have(asked: dict[str, Any], message: str) -> None:
    assert refusal(damspec.RulesetError, positions, "vl", **asked).startswith(message)


def test_a_ruleset_that_is_not_there() -> None:
    assert "did you mean 'vl'" in refusal(damspec.RulesetError, positions, "vll")


@pytest.mark.parametrize(("name", "rule", "message"), NONE)
def test_what_nothing_can_show(name: str, rule: str, message: str) -> None:
    assert message in refusal(NoPositionError, positions, name, exercise=rule)


@pytest.mark.slow
def test_what_no_position_was_found_for_says_what_was_asked() -> None:
    """Who has no pieces is seen only where a side has none."""
    with pytest.raises(
        NoPositionError, match=r"of vl .* shows ending.no-pieces: 2 to 12 pieces, .* \(both_sides=False"
    ):
        positions("vl", exercise="ending.no-pieces")
    assert find(positions("vl", exercise="ending.no-pieces", both_sides=False), lambda position: True)


def test_without_hypothesis_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['hypothesis'] = None; import damspec, damspec.strategies"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: damspec.strategies needs Hypothesis: pip install 'damspec[hypothesis]'"
    )


class TestEngines:
    """A state machine that plays games with an engine, here a function."""

    def run(self, machine: type[RuleBasedStateMachine], examples: int = 20) -> None:
        few = settings(
            max_examples=examples,
            stateful_step_count=5,
            database=None,
            derandomize=True,
            phases=[Phase.generate, Phase.shrink],
        )
        run_state_machine_as_test(machine, settings=few)

    @pytest.mark.parametrize("name", ["english", "de", "nl-trapdoor"])
    def test_who_plays_right_agrees(self, name: str) -> None:
        def moves(fen: str) -> list[str]:
            return [str(action) for action in damspec.legal_moves(name, fen)]

        def lapses(fen: str) -> list[str]:
            return [str(move) for move in damspec.legal_moves(name, fen).lapses]

        def play(fen: str, move: str) -> str:
            return damspec.play(name, fen, move).fen()

        self.run(engine_agrees(name, moves, lapses=lapses, play=play))

    def test_what_fails_is_told_by_its_position_and_is_small(self) -> None:
        """Three pieces show a capture of two: the one that makes it, which can land on several squares, and those
        taken.
        """

        def moves(fen: str) -> list[str]:
            return [str(move) for move in damspec.legal_moves("vl", fen).moves if len(move.captured) < 2]

        line = refusal(AssertionError, self.run, engine_agrees("vl", moves), examples=100).partition("\n")[0]
        assert re.fullmatch(r"[WB]:W[K0-9,]*:B[K0-9,]*: missing \d+x\d+x\d+(, missing \d+x\d+x\d+)*", line)
        position = damspec.load_ruleset("vl").position(line.partition(": ")[0])
        assert len(position) == 3

    @pytest.mark.thorough
    def test_other_notations_are_read_and_what_cannot_be_is_told(self) -> None:
        board = damspec.load_ruleset("english").rules.board

        def named(fen: str) -> list[str]:
            return [move.algebraic(board) for move in damspec.legal_moves("english", fen).moves]

        self.run(engine_agrees("english", named))
        assert "unreadable 'up'" in refusal(
            AssertionError, self.run, engine_agrees("english", lambda fen: [*named(fen), "up"])
        )
        assert "extra 1-32" in refusal(
            AssertionError, self.run, engine_agrees("english", lambda fen: [*named(fen), "1-32"])
        )

    def test_a_position_after_a_move(self) -> None:
        def moves(fen: str) -> list[str]:
            return [str(action) for action in damspec.legal_moves("english", fen)]

        with pytest.raises(AssertionError, match=r"leads to .*, expected "):
            self.run(engine_agrees("english", moves, play=lambda fen, move: fen))
        assert "leads to nowhere, expected " in refusal(
            AssertionError, self.run, engine_agrees("english", moves, play=lambda fen, move: "nowhere")
        )


# --- The strategies where one asks for something: rules exercised, phases, captures, numbers of pieces; broken
# engines.


NL = "nl-trapdoor?spin=after-capture"
#: Every rule of every ruleset.
RULES = [(name, rule) for name in (*damspec.ruleset_ids(), NL) for rule in damspec.load_ruleset(name).values]
#: The part of the examples that exercise a rule where no strategy of its own is needed.
ENOUGH = 0.03


def drawn(name: str | Ruleset, number: int = 30, **asked: Any) -> list[Position]:
    """Examples, the same each time. As strict as Hypothesis is by itself about examples that come to nothing."""
    found: list[Position] = []

    @settings(max_examples=number, database=None, derandomize=True, phases=[Phase.generate], deadline=None)
    @given(positions(name, **asked))
    def take(position: Position) -> None:
        found.append(position)

    take()
    return found


def longest(ruleset: Ruleset, position: Position) -> int:
    return max((len(move.captured) for move in damspec.legal_moves(ruleset, position).moves), default=0)


def told_from(ruleset: Ruleset, rule: str) -> tuple[Ruleset, ...]:
    """The rulesets that a rule is told from by positions; none where it is known that there is no such position."""
    try:
        return exercise_mutants(ruleset, rule)
    except NoPositionError:
        return ()


CAPTURES: dict[str, tuple[bool | int, Callable[[int], bool]]] = {
    "none": (False, lambda taken: taken == 0),
    "some": (True, lambda taken: taken > 0),
    "long": (3, lambda taken: taken >= 3),
}


@pytest.mark.parametrize("name", usually(("russian",), ["russian", "international", "vl", "lb"], ("international",)))
@pytest.mark.parametrize("asked", CAPTURES)
def test_captures(name: str, asked: str) -> None:
    captures, holds = CAPTURES[asked]
    ruleset = damspec.load_ruleset(name)
    found = drawn(name, captures=captures, pieces=(4, 10))
    assert len(found) == 30
    assert all(holds(longest(ruleset, position)) and 4 <= len(position) <= 10 for position in found)


@pytest.mark.parametrize(
    "of",
    usually(
        [("de", "huffable"), ("nl-trapdoor", "spin=green")],
        [(name, phase) for name in ("de", "nl-trapdoor", NL) for phase in phases(damspec.load_ruleset(name).rules)],
    ),
)
def test_phases(of: tuple[str, str]) -> None:
    name, phase = of
    found = drawn(name, phase=phase)
    assert len(found) == 30
    assert {phase_of(position) for position in found} == {phase}


def test_pieces_and_sides() -> None:
    assert {len(position) for position in drawn("vl", pieces=7)} == {7}
    assert {len(position) for position in drawn("vl", pieces=(20, 30))} <= {20, 21, 22, 23, 24}
    alone = [
        position for position in drawn("vl", 60, both_sides=False) if len({p.side for _, p in position.pieces()}) < 2
    ]
    assert len(alone) > 3


@pytest.mark.parametrize(
    "of",
    usually(
        [("russian", "promotion.mid-capture"), ("de", "huff.piece"), ("vl", "promotion.return")],
        [(name, rule) for name, rule in RULES if name in ORIGINALS],
        [(name, rule) for name, rule in RULES if name == "nl-trapdoor"][::6],
    ),
)
@pytest.mark.slow
def test_every_rule_is_exercised(of: tuple[str, str]) -> None:
    """By all examples of its own strategy, as the search of `damspec generate` sees it too; else why not is said."""
    name, rule = of
    ruleset = damspec.load_ruleset(name)
    others = told_from(ruleset, rule)
    if not others:
        with pytest.raises(NoPositionError, match=r"no position|can have no other"):
            positions(ruleset, exercise=rule)
        return
    one_sided = rule in ("ending.no-pieces", "ending.both-empty")  # these show where a side has no pieces
    found = drawn(ruleset, 12, exercise=rule, both_sides=not one_sided)
    assert len(found) == 12
    assert len(set(found)) > 2
    players = [(RulePlayer(other), PossibleDifferences.between(ruleset, other)) for other in others]
    for position in found:
        view = PositionView(RulePlayer(ruleset), position)
        assert any(differing_view(view, player, differences) for player, differences in players), position.fen()


@pytest.mark.slow
@pytest.mark.parametrize("name", usually((), sorted(ORIGINALS), ("vl",)))
def test_what_examples_exercise(name: str, record_property: Callable[[str, object], None]) -> None:
    """A twentieth and more of plain examples for what engines mostly have wrong; what is rarer has `exercise=`."""
    ruleset = damspec.load_ruleset(name)
    found = drawn(ruleset, 300)
    rare = []
    for rule in ruleset.values:
        others = told_from(ruleset, rule)
        if not others:
            continue
        asked = PositionRequest(ruleset, (0, 12), exercise=rule, others=others)
        shown = sum(map(asked.shows, found))
        record_property(rule, f"{shown} of {len(found)}")
        if shown < ENOUGH * len(found):
            rare.append(rule)
    print(f"{name}: fewer than {ENOUGH:.0%} of {len(found)} examples exercise {', '.join(rare) or 'no rule'}")
    for rule in rare:
        assert drawn(ruleset, 5, exercise=rule, both_sides=rule not in ("ending.no-pieces", "ending.both-empty"))
    common = {"man.capture.first", "man.capture.later", "king.capture.directions", "promotion.mid-capture"}
    assert not common & set(rare)


def smallest_failure(ruleset: Ruleset, engine: Ruleset, number: int, most: int = 100) -> Position | None:
    """What Hypothesis shrinks `most` examples of a seed to, where an engine lists other moves; None if none does."""
    failed: list[Position] = []

    @seed(number)
    @settings(max_examples=most, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(positions(ruleset))
    def agrees(position: Position) -> None:
        if set(map(str, damspec.legal_moves(engine, position))) != set(
            map(str, damspec.legal_moves(ruleset, position))
        ):
            failed.append(position)
            raise AssertionError

    try:
        agrees()
    except AssertionError:
        return failed[-1]
    return None


@pytest.mark.thorough
@pytest.mark.parametrize("value", ["as-man", pytest.param("stops", marks=pytest.mark.slow)])
def test_a_broken_promotion_is_found_and_small(value: str) -> None:
    """The man crowned by the first jump, with a man to take that only a king, or only a piece that goes on, can take:
    itself and two others.
    """
    russian = damspec.load_ruleset("russian")
    engine = russian.with_value("promotion.mid-capture", value)
    found = [smallest_failure(russian, engine, number) for number in range(2)]
    assert [position for position in found if position is None or not 3 <= len(position) <= 4] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ORIGINALS))
def test_a_broken_promotion_is_found_in_every_game(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for engine in mutate_rule(ruleset, "promotion.mid-capture"):
        if not told_from(ruleset, f"promotion.mid-capture={engine.values['promotion.mid-capture']}"):
            continue
        found = [smallest_failure(ruleset, engine, number, 1000) for number in range(3)]
        assert all(found), engine.id


def test_a_failing_example_is_printed_as_its_fen(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and Python that gives the position again."""

    @seed(1)
    @settings(max_examples=50, database=None)
    @given(positions("vl"))
    def fails(position: Position) -> None:
        assert len(position) < 3

    with pytest.raises(AssertionError) as raised:
        fails()
    told = "\n".join(raised.value.__notes__)
    line = re.search(r"position=(Position\.from_fen\('([WB]:W[0-9K,]+:B[0-9K,]+)', Board\(8, 8\)\))", told)
    assert line, told
    again = eval(line[1], {"Position": Position, "Board": damspec.Board})
    assert again == damspec.load_ruleset("vl").position(line[2])
    assert len(again) == 3
