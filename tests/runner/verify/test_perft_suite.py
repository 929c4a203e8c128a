"""Engines compared with perft suites: asked for numbers, or counted by their moves; reported, and explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec_runner.cases.perft_tables import CountedPosition, PerftSuite, suite_file
from damspec_runner.commands import check_perft as command
from damspec_runner.engines.protocol import EngineError, Hello, UnsupportedError
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.perft_suite import Counts, Number, counts, explain_counts
from refusals import refusal
from runner_fixtures import DAMSPEC, fake, printed, printed_json, refused

ENGLISH = damspec.load_ruleset("english")
#: By hand, as in tests/runner/generate/test_suite.py.
STEPS, DUTY = CountedPosition("W:W29:B4", (1, 1, 2, 4)), CountedPosition("W:W22:B18", (1, 0))
SUITE = PerftSuite("english", (STEPS, DUTY))
NO_PERFT = replace(HELLO, questions=HELLO.questions - {"perft"})


def mutant(name: str) -> damspec.Ruleset:
    """A change of english by its name."""
    return next(one.ruleset for one in single_mutants(ENGLISH) if one.name == name)


class Telling(InProcessEngine):
    """An engine that says something else of itself."""

    def __init__(self, ruleset: damspec.Ruleset, hello: Hello) -> None:
        super().__init__(ruleset)
        self._says = hello

    def hello(self) -> Hello:
        """What it says."""
        return self._says


@pytest.mark.parametrize("hello", [HELLO, NO_PERFT], ids=["perft", "moves"])
def test_the_right_numbers(hello: Hello) -> None:
    done = counts(ENGLISH, SUITE, Telling(ENGLISH, hello))
    assert [(one.depth, one.found) for one in done.numbers] == [(1, 1), (2, 1), (3, 2), (4, 4), (1, 1), (2, 0)]
    assert (done.wrong, done.unanswered, explain_counts(ENGLISH, done)) == ([], (), ())
    assert done.way == ("perft" if hello is HELLO else "moves")


@pytest.mark.parametrize("hello", [HELLO, NO_PERFT], ids=["perft", "moves"])
def test_wrong_numbers_and_what_gives_them(hello: Hello) -> None:
    """Free not to capture, White has two moves, and after the step Black has two."""
    done = counts(ENGLISH, SUITE, Telling(mutant("capture.duty = optional"), hello))
    assert done.wrong == [Number("W:W22:B18", 1, 1, 2), Number("W:W22:B18", 2, 0, 2)]
    assert any("(capture.duty = optional" in line for line in explain_counts(ENGLISH, done))


def test_what_contradicts_a_right_number_explains_nothing() -> None:
    """The right number of the other position is a man that can step to the right too."""
    one = Number("W:W29:B4", 1, 1, 0)
    only_left = "(man.move.directions = [forward-left])"
    assert only_left in " ".join(explain_counts(ENGLISH, Counts("english", "x 1", "perft", (one,))))
    two = (one, Number("W:W30:B4", 1, 2, 2))
    assert only_left not in " ".join(explain_counts(ENGLISH, Counts("english", "x 1", "perft", two)))


def test_a_fault_explains_where_no_rule_does() -> None:
    """Of seven first moves three are listed, and of five moves of men from other squares too."""
    first, more = Number(ENGLISH.position().fen(), 1, 7, 3), Number("W:W21,22,23:B4", 1, 5, 3)
    numbers = (first, more, Number("W:W29:B4", 3, 2, 2))
    found = explain_counts(ENGLISH, Counts("english", "x 1", "perft", numbers))
    assert found[0] == "plays english, but lists at most 3 moves (seen in samuel)"


@pytest.mark.thorough
def test_two_changes_explain_where_one_does_not() -> None:
    """A man that also steps back to the left, and need not capture: from 22 to 17, to 25, or over 18."""
    directions = ["forward-left", "forward-right", "backward-left"]
    both = damspec.from_values({**ENGLISH.values, "capture.duty": "optional", "man.move.directions": directions}, "2")
    done = counts(ENGLISH, SUITE, InProcessEngine(both))
    assert Number("W:W22:B18", 1, 1, 3) in done.wrong
    found = explain_counts(ENGLISH, done)
    assert found
    assert all("capture.duty = optional" in line and "man.move.directions" in line for line in found)


def test_a_move_listed_twice_counts_once() -> None:
    class Repeating(Telling):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            answer = super().ask(method, params)
            return {"moves": answer["moves"] * 2} if method == "moves" else answer

    assert counts(ENGLISH, SUITE, Repeating(ENGLISH, NO_PERFT)).wrong == []


def test_moves_are_played_in_the_position_listed_last() -> None:
    """Engines that list where each move leads know no other."""

    class Forgetful(Telling):
        listed = ""

        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            if method == "moves":
                self.listed = params["position"]
            assert method == "moves" or params["position"] == self.listed
            return super().ask(method, params)

    assert counts(ENGLISH, SUITE, Forgetful(ENGLISH, NO_PERFT)).wrong == []


def test_without_play_only_moves_are_counted() -> None:
    done = counts(ENGLISH, SUITE, Telling(ENGLISH, replace(NO_PERFT, questions=frozenset({"moves"}))))
    assert [(one.position, one.depth) for one in done.numbers] == [("W:W29:B4", 1), ("W:W22:B18", 1)]


def test_an_engine_that_lists_no_end_of_moves_is_asked_no_further() -> None:
    class Endless(Telling):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            if method == "moves":
                return {"moves": [f"{start}-{end}" for start in range(1, 33) for end in range(1, 33)]}
            return {"position": params["position"]}

    done = counts(ENGLISH, SUITE, Endless(ENGLISH, NO_PERFT))
    assert [message for _, message in done.unanswered] == ["lists far more moves than there are"] * 2


def test_what_is_not_answered_is_told_and_the_others_are_asked() -> None:
    class Lame(InProcessEngine):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            if params["position"] == "W:W29:B4" and params["depth"] == 2:
                raise EngineError("refused", "answered perft with error -32000: no")
            if params["position"] == "W:W22:B18":
                raise UnsupportedError("no captures")
            return super().ask(method, params)

    done = counts(ENGLISH, SUITE, Lame(ENGLISH))
    assert [one.depth for one in done.numbers] == [1]
    assert done.unanswered == (
        ("W:W29:B4", "answered perft with error -32000: no"),
        ("W:W22:B18", "does not answer that: no captures"),
    )


def test_an_engine_that_answers_neither_cannot_be_run() -> None:
    assert "imitation answers neither perft nor moves" in refusal(
        EngineError, counts, ENGLISH, SUITE, Telling(ENGLISH, replace(HELLO, questions=frozenset({"outcome"})))
    )


# --- the command


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small suite in the place of those shipped."""
    monkeypatch.setattr(command, "suite_of", lambda ruleset: SUITE)


@pytest.mark.usefixtures("small")
class TestTheCommand:
    """`damspec check --perft`."""

    def test_all_right(self) -> None:
        assert (
            printed("check", "english", "--perft", "--engine", "damspec")
            == f"english by damspec {damspec.__version__}, asked perft: 6 numbers, all right\n"
        )

    def test_wrong_numbers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each number is one too many."""
        monkeypatch.setattr(command, "explain_counts", lambda ruleset, done: ())
        content = printed_json("counts", "check", "english", "--perft", "--json", "--", *fake("wrong-perft"), status=1)
        (told,) = content["counts"]
        assert [(one["depth"], one["expected"], one["found"]) for one in told["wrong"]] == [
            (1, 1, 2), (2, 1, 2), (3, 2, 3), (4, 4, 5), (1, 1, 2), (2, 0, 1),
        ]  # fmt: skip
        assert (told["asked"], told["positions"], told["numbers"]) == ("perft", 2, 6)
        out = printed("check", "english", "--perft", "--show", "1", "--", *fake("wrong-perft"), status=1)
        assert out.splitlines()[:2] == ["W:W29:B4", "  depth 1: found 2, expected 1"]
        assert "... and 1 positions more" in out
        assert "6 numbers, 6 wrong" in out
        assert out.splitlines()[-1].startswith(
            "  no change of one or two rules, other game or known mistake of engines gives"
        )

    def test_an_engine_that_cannot_be_run(self) -> None:
        assert "cannot start" in refused("check", "english", "--perft", "--", "/nonexistent/engine", status=3)

    def test_an_engine_that_answers_no_position_is_no_success(self) -> None:
        assert "2 of 2 positions without a whole answer" in printed(
            "check", "english", "--perft", "--", *fake("no-method"), status=3
        )


def test_a_suite_of_a_file(tmp_path: Path) -> None:
    """Rules of one's own have no suite shipped; what men on their first row do is the same in them."""
    file, own = tmp_path / "suite.yaml", tmp_path / "own.yaml"
    own.write_text("damspec: 1\nid: own\nname: x\nabout: x\nextends: english\nrules: {}\n", encoding="utf-8")
    file.write_text(suite_file(replace(SUITE, ruleset="own")), encoding="utf-8")
    assert printed("check", str(own), "--perft", "--cases", str(file), "--engine", "damspec").endswith(
        "6 numbers, all right\n"
    )
    file.write_text(suite_file(SUITE), encoding="utf-8")
    assert refused("check", str(own), "--perft", "--cases", str(file), "--engine", "damspec").endswith(
        "and give it: --cases FILE.yaml"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("english", "--topic", "start", "--engine", "damspec"), "--topic does not go with --perft"),
        (("english", "--games", "3", "--engine", "damspec"), "--games does not go with --perft"),
        (("english",), "no engine: give --engine NAME"),
        (("vl?priority=multiple-first", "--engine", "damspec"), "no perft suite of vl?priority=multiple-first"),
    ],
)
def test_what_does_not_go_with_it_is_one_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused("check", "--perft", *words)


@pytest.mark.thorough
def test_the_reference_counts_a_whole_suite() -> None:
    assert printed("check", "vl", "--perft", "--engine", "damspec").endswith("numbers, all right\n")


@pytest.mark.slow
def test_the_example_engine_counts_by_its_moves() -> None:
    example = Path(__file__).resolve().parents[3] / "runner" / "examples" / "engine.py"
    out = printed("check", "lb", "--perft", "--", "python", str(example))
    assert ", counted by its moves: " in out
    assert out.endswith("numbers, all right\n")


@pytest.mark.usefixtures("small")
def test_in_plain_lines() -> None:
    assert printed("check", "english", "--perft", "--lines", "--", *DAMSPEC, "serve", "--lines").endswith(
        ", asked perft: 6 numbers, all right\n"
    )
