"""How wrong answers are wrong: lists cut short, or positions in which something still stands, of engines for lb."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec import Move, Position, Ruleset
from damspec.board import opponent
from damspec.position import with_side
from damspec_runner.answers.player import case_questions
from damspec_runner.cases.adapt import make_case
from damspec_runner.cases.cases import cases_for
from damspec_runner.verify.observation import Observation, SimulatedEngine, observations
from damspec_runner.verify.patterns import KnownAnswers, list_pattern
from damspec_runner.verify.run import check
from damspec_runner.verify.shapes import after_shape, list_shape, outcome_shape

LB = damspec.load_ruleset("lb")
#: What an engine says of a position after a move: before, the move, the right one.
After = Callable[[Position, Move, Position], Position]


class Cut(SimulatedEngine):
    """It lists as many moves as it is told to, or none to Black if that is 0."""

    def __init__(self, most: int) -> None:
        super().__init__(LB)
        self.most = most

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        answer = super()._answer(method, params)
        if method == "moves" and (self.most or params["position"].startswith("B")):
            return {"moves": answer["moves"][: self.most]}
        return answer


class Wrong(SimulatedEngine):
    """It gives another position after a move."""

    def __init__(self, after: After) -> None:
        super().__init__(LB)
        self.after = after

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        answer = super()._answer(method, params)
        if method == "play":
            legal = self._legal(params["position"])
            move = legal.find(params["move"])
            assert isinstance(move, Move)
            right = LB.position(answer["position"])
            return {"position": self.after(legal.position, move, right).fen()}
        return answer


def seen(engine: Callable[[], SimulatedEngine]) -> list[Observation]:
    report = check(LB, cases_for(LB), engine, label="wrong")
    assert report.with_status("failed")
    return observations(LB, report.answers)


def leave_the_second(before: Position, move: Move, after: Position) -> Position:
    """A man stands again where the second one was captured, whatever stood there."""
    squares = _jumped(before, move)
    side = opponent(before.turn)
    if len(squares) < 2:
        return after
    return with_side(after, side, after.men(side) | before.board.bit(squares[1]), after.kings(side))


def _jumped(before: Position, move: Move) -> list[int]:
    """By short jumps: the square between two of the path."""
    found = []
    for start, end in zip(move.path, move.path[1:], strict=False):
        (between,) = before.board.between(start, end) or (0,)
        found += [before.board.number(between)] if between else []
    return found


def uncrown(before: Position, move: Move, after: Position) -> Position:
    bit = before.board.bit(move.end)
    if not before.men(before.turn) & before.board.bit(move.start) or not after.kings(before.turn) & bit:
        return after
    return with_side(after, before.turn, after.men(before.turn) | bit, after.kings(before.turn) & ~bit)


def keep_the_turn(before: Position, move: Move, after: Position) -> Position:
    return replace(after, turn=before.turn)


@pytest.mark.parametrize(("most", "says"), [(5, "stop at 5 moves"), (0, "are empty")])
def test_a_list_that_is_cut_is_said_to_be(most: int, says: str) -> None:
    found = seen(lambda: Cut(most))
    shape = list_shape(found)
    assert shape is not None
    assert shape.words == says
    assert (
        len(shape.those)
        == shape.of
        == sum(bool(one.faults.get("missing") and one.question.expected.moves) for one in found)
    )
    pattern = list_pattern(KnownAnswers(found))
    assert pattern is not None
    right = f", and {shape.right} right ones too" if shape.right else ""
    cause = says.startswith("stop")
    assert pattern.line().removeprefix("unexplained: ") == f"wrong lists of moves {says} (all {shape.of}{right})"
    assert pattern.line().startswith("unexplained: ") != cause


def test_a_right_list_that_is_longer_refutes_it() -> None:
    """Two kings' moves are lost, in one position of seven moves and in none of more."""
    found = seen(lambda: Cut(5))
    longer = next(one for one in found if not one.passed and len(one.question.expected.moves or ()) > 6)
    assert list_shape([*found, replace(longer, passed=True, faults={})]) is None


class Renumbered(SimulatedEngine):
    """It names the squares of some moves by other numbers."""

    def __init__(self, sides: str, other: Callable[[int], int]) -> None:
        super().__init__(LB)
        self.sides, self.other = sides, other

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        answer = super()._answer(method, params)
        if method != "moves" or self._legal(params["position"]).position.turn not in self.sides:
            return answer
        return {"moves": [re.sub("[0-9]+", lambda one: str(self.other(int(one[0]))), move) for move in answer["moves"]]}


@pytest.mark.parametrize(
    ("sides", "other", "says"),
    [
        ("black", lambda n: 33 - n, "number the squares of Black's moves from the bottom right, 33 less the number"),
        ("white black", lambda n: 33 - n, "number the squares of moves from the bottom right, 33 less the number"),
        ("white", lambda n: n - 1, "number the squares of White's moves one too low"),
        ("white black", lambda n: n + 1, "number the squares of moves one too high"),
    ],
)
def test_moves_with_other_numbers(sides: str, other: Callable[[int], int], says: str) -> None:
    found = seen(lambda: Renumbered(sides, other))
    shape = list_shape(found)
    assert shape is not None
    assert (shape.words, shape.right, shape.symptom) == (says, 0, False)


def test_moves_are_not_numbered_otherwise_where_a_right_list_would_be_wrong() -> None:
    found = seen(lambda: Renumbered("black", lambda n: 33 - n))
    right = next(one for one in found if not one.passed and one.question.position.turn == "black")
    shape = list_shape([*found, replace(right, passed=True, faults={})])
    assert shape is None or not shape.words.startswith("number ")


def drop_the_last_black_one(before: Position, move: Move, after: Position) -> Position:
    """The black piece on the highest number was not read."""
    black = before.board.numbers(before.occupied("black"))
    last = before.board.bit(black[-1]) if black else 0
    return with_side(after, "black", after.black_men & ~last, after.black_kings & ~last)


def leave_kings(before: Position, move: Move, after: Position) -> Position:
    side = opponent(before.turn)
    kings = before.board.mask(move.captured) & before.kings(side)
    return with_side(after, side, after.men(side), after.kings(side) | kings)


def add_a_man_on_four(before: Position, move: Move, after: Position) -> Position:
    free = before.board.bit(4) & ~(after.occupied("white") | after.occupied("black"))
    return with_side(after, "black", after.black_men | free, after.black_kings)


@pytest.mark.parametrize(
    ("after", "says"),
    [
        (leave_the_second, "captured piece number 2 still stands"),
        (uncrown, "a man is not crowned"),
        (keep_the_turn, "the other side is to move"),
        (drop_the_last_black_one, "the piece of Black on the highest number is gone, which did not move"),
        (leave_kings, "the captured kings still stand"),
        (add_a_man_on_four, "a piece stands on square 4 where none is to be"),
    ],
    ids=["second piece", "crown", "turn", "last piece", "kings", "a square"],
)
def test_what_is_wrong_after_moves_is_said(after: After, says: str) -> None:
    found = seen(lambda: Wrong(after))
    number = sum(len(one.faults.get("after", {}).keys() & (one.question.expected.moves or {})) for one in found)
    shape = after_shape(found)
    assert shape is not None
    assert shape[0] == says
    assert 0.9 * number <= shape[1] <= shape[2] == number


def test_what_wrong_outcomes_are_said_to_be() -> None:
    class NeverEnds(SimulatedEngine):
        def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
            return {"outcome": "ongoing"} if method == "outcome" else super()._answer(method, params)

    found = seen(lambda: NeverEnds(LB))
    number = sum("outcome" in one.faults for one in found)
    assert outcome_shape(found) == ("the game goes on", number, number)


def test_nothing_is_said_of_right_answers() -> None:
    found = [one for one in seen(lambda: Cut(5)) if one.passed]
    assert list_shape(found) is None
    assert after_shape(found) is None
    assert outcome_shape(found) is None


class Writing(SimulatedEngine):
    """It writes captures, or positions, in another way."""

    def __init__(
        self,
        ruleset: Ruleset,
        move: Callable[[str], str] = lambda text: text,
        position: Callable[[str], str] = lambda text: text,
    ) -> None:
        super().__init__(ruleset)
        self.move, self.position = move, position

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "play":
            legal = self._legal(params["position"])
            meant = next((str(one) for one in legal if self.move(str(one)) == params["move"]), params["move"])
            return {"position": self.position(super()._answer(method, {**params, "move": meant})["position"])}
        answer = super()._answer(method, params)
        return {"moves": [self.move(text) for text in answer["moves"]]} if method == "moves" else answer


def squares_kept(keep: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
    return lambda text: "x".join(keep(text.split("x"))) if text.count("x") > 1 else text


@pytest.mark.parametrize(
    ("name", "move", "says"),
    [
        ("russian", lambda text: text.replace("x", "-"), "have captures written with hyphens"),
        (
            "international",
            squares_kept(lambda path: [path[0], path[-1]]),
            "have only the first and the last square of captures",
        ),
        (
            "russian",
            squares_kept(lambda path: [path[0], *path[2:]]),
            "leave out the first square on which a capture of several jumps lands",
        ),
        (
            "russian",
            squares_kept(lambda path: [*path[:-2], path[-1]]),
            "leave out the last square on the way of a capture of several jumps",
        ),
        (
            "russian",
            squares_kept(lambda path: [*path[:2], path[-1]] if len(path) > 3 else [path[0], path[-1]]),
            "leave out squares on the way of captures",
        ),
    ],
    ids=["hyphens", "ends", "without the first", "without the last", "the first"],
)
def test_another_notation_of_captures_is_said(name: str, move: Callable[[str], str], says: str) -> None:
    ruleset = damspec.load_ruleset(name)
    report = check(ruleset, cases_for(ruleset), lambda: Writing(ruleset, move), label="wrong")
    shape = list_shape(observations(ruleset, report.answers))
    assert shape is not None
    assert shape.words == says


def test_captures_of_two_jumps_do_not_tell_which_square_is_left_out() -> None:
    """By the first and the last square, without the first, without the last: that is the same."""
    english = damspec.load_ruleset("english")

    def shape_of(fen: str, right: str, written: str) -> str | None:
        case = make_case(english, english.position(fen), "moves", "x", "x", readings=False)
        (question,) = case_questions(english, [case])
        one = Observation(question, False, {"missing": [right], "extra": [written]})
        shape = list_shape([one, one])
        return shape.words if shape else None

    assert shape_of("W:W29:B18,25", "29x22x15", "29x15") == "leave out squares on the way of captures"
    assert shape_of("W:W29:B10,18,25", "29x22x15x6", "29x6") == "have only the first and the last square of captures"
    # what can be played as it is written is another capture
    assert shape_of("W:W29:B18,25", "29x22x15", "29x22") is None


def test_the_square_of_a_run_in_one_digit_is_said() -> None:
    frisian = damspec.load_ruleset("frisian")

    def in_one_digit(fen: str) -> str:
        return re.sub(r"([+][1-9])0(?=[1-9])", r"\1", fen)

    report = check(frisian, cases_for(frisian), lambda: Writing(frisian, position=in_one_digit), label="wrong")
    shape = after_shape(observations(frisian, report.answers))
    assert shape is not None
    assert shape[0] == "the square of a king's run is written with one digit"
    assert shape[1] == shape[2] > 0
