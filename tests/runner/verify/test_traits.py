"""Traits of moves and answers, worked out by hand from a position."""

from __future__ import annotations

import pytest

import damspec
from damspec import Position
from damspec_runner.answers.player import CaseQuestion, case_questions
from damspec_runner.cases.adapt import make_case
from damspec_runner.verify.patterns import KnownAnswers, pattern
from damspec_runner.verify.traits import Measure, Traits, of_action, of_answer, of_illegal_move, of_move


def words(traits: Traits) -> set[str]:
    """The features as they are, and the measures with their size."""
    return {trait.at(size).text if isinstance(trait, Measure) else trait.text for trait, size in traits.items()}


def asked(name: str, fen: str, about: str = "moves") -> CaseQuestion:
    ruleset = damspec.load_ruleset(name)
    case = make_case(
        ruleset, ruleset.position(fen), "outcome" if about == "outcome" else "moves", "x", "x", readings=False
    )
    return case_questions(ruleset, [case])[0]


@pytest.mark.parametrize(
    ("name", "fen", "move", "has", "not_has"),
    [
        # e3 to c5 to e7: to the upper left over d4, then to the upper right over d6
        (
            "english", "W:W23:B10,18", "23x14x7",
            {"with a turn between two legs"}, {"that go straight on after a jump"},
        ),
        ("english", "W:W6:B1", "6-2", {"that end on the far row", "onto the upper edge"}, {"from the upper edge"}),
        # over 7 onto the far row, and back over 6
        (
            "vl", "W:W11:B6,7", "11x2x9", {"that pass the far row on the way", "that reach the far row"},
            {"that end on the far row"},
        ),
        # a king over two pieces on one line
        (
            "international", "W:WK46:B37,19", "46x32x14", {"that go straight on after a jump"},
            {"with a turn between two legs"},
        ),
        # the second of three kings, of four pieces the third
        (
            "lb", "W:W5,K9,K14,K22:B28", "14-10",
            {"by number 3 or later of the own pieces", "by number 2 or later of the own kings",
             "by number 2 or later of the own kings, from the last square on", "from square 14 or a higher one"},
            {"by the own piece on the lowest number"},
        ),
        # over the right edge to the left one, a row higher
        (
            "lb", "W:W20:B1", "20-13",
            {"along no line of the board", "from the left edge to the right one or back"}, set(),
        ),
    ],
)  # fmt: skip
def test_what_a_move_is_like(name: str, fen: str, move: str, has: set[str], not_has: set[str]) -> None:
    found = words(of_move(damspec.load_ruleset(name).position(fen), move))
    assert has <= found, found
    assert not not_has & found


def test_a_man_that_moves_like_a_king() -> None:
    question = asked("lb", "W:W18,K32:B1")
    assert "like kings" in words(of_illegal_move(question, "18-23"))
    assert "like kings" not in words(of_illegal_move(question, "18-26"))


def test_a_jump_over_two_pieces_at_once() -> None:
    question = asked("vl", "W:WK29:B15,18")
    assert "that jump over several pieces at once" in words(of_illegal_move(question, "29x11"))
    assert "that jump over several pieces at once" not in words(of_illegal_move(question, "29x22"))
    # straight back over the square of the piece that it has captured, and over another one
    question = asked("turkish", "W:WK28:B20,44")
    assert "that jump over several pieces at once" not in words(of_illegal_move(question, "28x12x52"))
    assert "that jump over several pieces at once" in words(of_illegal_move(question, "12x52"))


@pytest.mark.parametrize(
    ("name", "fen", "has", "not_has"),
    [
        # 22x15 and 22x13 over different men
        (
            "english", "W:W22:B17,18", {"with more than one capture by the same piece"},
            {"with captures with the same start and end"},
        ),
        # a flying king that lands on one of several squares behind the man
        (
            "russian", "W:WK29:B22", {"with captures of the same pieces that end on other squares"},
            {"with captures with the same start and end"},
        ),
        # 22 and 23 take one each; 29 and 32 take three each
        (
            "english", "W:W22,23:B18", {"with captures by more than one piece"},
            {"with captures of several pieces by more than one piece"},
        ),
        (
            "english", "W:W29,32:B10,18,19,25,26,27", {"with captures of several pieces by more than one piece"}, set(),
        ),
        ("lb", "W:WK32:B1", {"without men to move"}, {"without kings to move"}),
        ("lb", "W:W:B1", {"without men to move", "without kings to move"}, set()),
        ("lb", "W:W32,K31:B1", {"with kings on the board"}, {"without men to move"}),
        ("lb", "W:W32:BK1", {"where the side not to move has kings only"}, {"where the side to move has no move"}),
        ("lb", "W:WK31,K32:BK1", {"with 2 or more own kings", "where a side has kings only"}, set()),
        # g1 between f2 and h2, with e3 behind f2
        ("lb", "W:W32:B23,27,28", {"where the side to move has no move"}, {"with kings on the board"}),
    ],
)  # fmt: skip
def test_what_an_answer_is_like(name: str, fen: str, has: set[str], not_has: set[str]) -> None:
    found = words(of_answer(asked(name, fen)))
    assert has <= found, found
    assert not not_has & found


def test_how_a_game_ends_is_a_trait_of_an_outcome() -> None:
    assert "where the side to move has no move" in words(of_answer(asked("lb", "W:W32:B23,27,28", "outcome")))
    assert "where the game goes on" in words(of_answer(asked("lb", "W:W32:B1", "outcome")))


def test_what_questions_without_an_answer_share_is_said() -> None:
    silent = [asked("lb", fen) for fen in ("W:W32:B23,27,28", "W:W29:B22,25")]
    found = pattern("refused", KnownAnswers(unanswered=silent))
    assert found is not None
    assert found.line() == "answered with an error: questions of any kind (all 2, and no right one)"


@pytest.mark.parametrize(
    ("name", "fen", "text", "has", "not_has"),
    [
        (
            "nl-trapdoor", "W:W31:B1:spin=green", "G1=L",
            {"that push a slider", "that push slider G1", "where the spin is green"}, {"that pass"},
        ),
        # O1 has its doors on 9 and 11
        (
            "fr-trapdoor", "W:W32:B1,11:sliders=MMMM:spin=orange", "O1=R",
            {"that push a slider to the right", "that open a door under a piece"}, {"that push a slider to the left"},
        ),
        (
            "fr-trapdoor", "W:W32:B1,11:sliders=MMMM:spin=orange", "O1=L",
            {"that push a slider to the left"}, {"that open a door under a piece"},
        ),
        (
            "nl-trapdoor", "W:W31:B1:spin=due", "spin=disc",
            {"that spin", "that spin disc", "of White"}, {"that push a slider"},
        ),
        ("de", "W:W31:B1", "huff 1", {"that huff", "that huff on square 1"}, {"that take a move back"}),
        ("de", "B:W31:B1", "retract", {"that take a move back", "of Black"}, {"that huff"}),
    ],
)  # fmt: skip
def test_what_an_action_that_moves_no_piece_is_like(
    name: str, fen: str, text: str, has: set[str], not_has: set[str]
) -> None:
    rules = damspec.load_ruleset(name).rules
    layout = rules.trapdoors.layout if rules.trapdoors else None
    found = words(of_action(Position.from_fen(fen, rules.board), text, layout))
    assert has <= found, found
    assert not not_has & found


@pytest.mark.parametrize(
    ("fen", "text", "has"),
    [
        ("W:WK22:B18,19,26,27", "22x15", "that stop short of a legal capture"),  # the round ends where it began
        ("W:WK22:B18,19,26,27", "22x31", "that stop short of a legal capture"),  # and goes either way
        ("W:W21,22:B18", "21-17", "beside a capture"),
        ("W:W21:B1", "30-26", "from squares without an own piece"),
    ],
)
def test_what_a_move_that_is_not_legal_is_like(fen: str, text: str, has: str) -> None:
    assert has in words(of_illegal_move(asked("english", fen), text))


def test_kings_and_pieces_are_counted_of_either_side() -> None:
    """One white man, which has two moves, and four black kings."""
    found = words(of_answer(asked("english", "W:W22:BK1,K2,K3,K4")))
    assert {"with 5 or more pieces", "with 4 or more pieces of one side", "with 4 or more kings of one side"} <= found
    assert not any(word.endswith("own kings") for word in found)


def test_a_side_without_pieces_is_said_to_have_none() -> None:
    assert "where White has no piece" in words(of_answer(asked("english", "W:W:B1")))
    assert "that end by no pieces" in words(of_answer(asked("english", "W:W:B1", "outcome")))
