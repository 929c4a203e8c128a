"""Faults of form: positions misread or miswritten, actions under other names, worked out by hand."""

from __future__ import annotations

import pytest

import damspec
from damspec_runner.answers.player import RulePlayer
from damspec_runner.mutants.fault_catalogue import FaultyGenerator, faults_in_form
from runs import for_each


def turns(name: str, says: str) -> FaultyGenerator:
    """What has the fault of a ruleset that goes by these words."""
    ruleset = damspec.load_ruleset(name)
    return next(each for each in faults_in_form(ruleset) if each.name == says).turns(ruleset.turns)


def listed(name: str, says: str, position: str) -> str:
    return " ".join(map(str, turns(name, says).actions(damspec.load_ruleset(name).position(position))))


def after(name: str, says: str, position: str, text: str) -> str:
    before = damspec.load_ruleset(name).position(position)
    faulty = turns(name, says)
    action = next(each for each in [*faulty.actions(before), *faulty.lapses(before)] if str(each) == text)
    return faulty.after(before, action).fen()


CUT = "reads no more than the first {} characters of a position"


@for_each(
    ("name", "says", "position", "read"),
    [
        ("english", "reads every king as a man", "W:WK21,32:BK1", "W:W21,32:B1"),
        ("english", "reads every black king as a man", "W:WK21,32:BK1", "W:WK21,32:B1"),
        # of either side the first piece may be a king
        (
            "english", "reads a king as a man unless it is the first piece in the list of its side",
            "W:WK21,K32:B1,K2", "W:WK21,32:B1,2",
        ),
        (
            "english", "reads the pieces that follow a king in the list of its side as kings too",
            "W:W21,K22,23:B1", "W:W21,K22,K23:B1",
        ),
        ("english", "reads only the first digit of a king's square", "W:WK21,22:BK9", "W:WK2,22:BK9"),
        # 3 is read twice, and once more for Black: who is read last stands there
        ("english", "reads only the first digit of a king's square", "W:WK30,K31:BK32", "W:W:BK3"),
        ("english", "reads only the first digit of a square", "W:WK21,30:B9", "W:WK2,3:B9"),
        ("english", "does not read the last piece in the list of a side", "W:W21,22:B1", "W:W21:B"),
        ("english", "does not read the last piece in White's list", "W:W21,22:B1", "W:W21:B1"),
        # "W:W21,22,23:B1,1", of a square that is cut in two
        ("english", CUT.format(16), "W:W21,22,23:B1,12", "W:W21,22,23:B1"),
        ("english", CUT.format(16), "W:W21,22,23:B5,12", "W:W21,22,23:B1,5"),
        # "W:W21,22,23:B1,K"
        ("english", CUT.format(16), "W:W21,22,23:B1,K12", "W:W21,22,23:B1"),
        # "W:W21,22,23,24,2"
        ("english", CUT.format(16), "W:W21,22,23,24,25:B1", "W:W2,21,22,23,24:B"),
        ("frisian", CUT.format(16), "W:W21,K46:B1:+0+246", "W:W21,K46:B1"),
        ("frisian", "does not read the runs of kings", "W:W21,K46:B1:+0+246", "W:W21,K46:B1"),
        (
            "frisian", "reads each side's run of a king as the other side's",
            "W:W21,K46:B1:+0+246", "W:W21,K46:B1:+246+0",
        ),
        (
            "fr-trapdoor", "reads the sliders in the reverse order",
            "W:W32:B1:sliders=LMMR:spin=disc", "W:W32:B1:sliders=RMML:spin=disc",
        ),
        (
            "fr-trapdoor", "reads and writes the sliders with left and right mixed up",
            "W:W32:B1:sliders=LLMR:spin=disc", "W:W32:B1:sliders=RRML:spin=disc",
        ),
        (
            "fr-trapdoor", "does not read where the sliders stand",
            "W:W32:B1:sliders=LLMR:spin=disc", "W:W32:B1:sliders=MMMM:spin=disc",
        ),
        ("nl-trapdoor", "does not read the result of a spin", "W:W32:B1:spin=disc", "W:W32:B1:sliders=MMMM"),
        ("de", "does not read the lapse that can be huffed", "W:W15,32:B6,12,14:huffable=10-14", "W:W15,32:B6,12,14"),
    ],
)  # fmt: skip
def test_what_a_position_is_taken_for(name: str, says: str, position: str, read: str) -> None:
    assert turns(name, says).read_position(damspec.load_ruleset(name).position(position)).fen() == read


@pytest.mark.parametrize("name", ["english", "international"])
def test_the_whole_of_a_position_that_fits_is_read(name: str) -> None:
    start = damspec.load_ruleset(name).position()
    length = len(start.fen())
    assert turns(name, CUT.format(length)).read_position(start) == start
    assert turns(name, CUT.format(length - 1)).read_position(start) != start


def test_runs_in_the_wrong_order_are_so_in_and_out() -> None:
    """The run of White's king on 46 is taken for one of Black, who has no king there: White's move leaves it."""
    says = "reads and writes the runs of both sides in the wrong order, one's for the other's"
    assert after("frisian", says, "W:W37,K46:B45:+0+346", "46-41") == "B:W37,K41:B45:+141+346"
    # Black captures, which ends no run that is White's
    assert after("frisian", says, "B:W11,50:BK5,6:+205+0", "6x17") == "W:W50:BK5,17:+205+0"
    # what was taken for a run of White is gone with the piece on its square
    assert after("frisian", says, "B:W11,50:BK5,6:+0+0", "6x17") == "W:W50:BK5,17"


def test_sliders_in_the_reverse_order_are_so_in_and_out() -> None:
    """O1 and O2 are the first and the last of the four: the engine thinks that O2 stands left, and moves O1."""
    says = "reads and writes the sliders in the reverse order"
    assert "O2=M" in listed("fr-trapdoor", says, "W:W32:B1:sliders=LMMM:spin=orange")
    assert after("fr-trapdoor", says, "W:W32:B1:sliders=LMMM:spin=orange", "O2=M").endswith(":sliders=MMMM")


def test_a_huff_by_the_square_that_the_piece_left() -> None:
    says = "names a huff of the piece that moved by the square that it left"
    position = "W:W15,32:B6,12,14:huffable=10-14"
    assert "huff 10" in listed("de", says, position)
    assert "huff 14" not in listed("de", says, position)
    assert after("de", says, position, "huff 10") == "W:W15,32:B6,12"


def test_moves_from_the_other_end_of_the_board() -> None:
    says = "numbers the squares in moves of Black from the other side of the board"
    assert listed("english", says, "B:W32:B1") == "32-28 32-27"
    assert listed("english", says, "W:W32:B1") == "32-27 32-28"
    assert after("english", says, "B:W32:B1", "32-28") == "W:W32:B5"


def test_an_outcome_is_told_of_the_position_that_is_read() -> None:
    """A man on the far row has no move forward: of a king there the game goes on."""
    english = damspec.load_ruleset("english")
    faulty = turns("english", "reads every king as a man")
    player = RulePlayer(english, faulty, faulty.read_position)
    corner = english.position("W:WK1:BK32")
    assert player.outcome(corner) == "black"
    assert RulePlayer(english).outcome(corner) == "ongoing"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("english", ()),
        ("frisian", ("the runs of",)),
        ("fr-trapdoor", ("slider", "spin")),
        ("de", ("lapse", "huff")),
    ],
)
def test_what_a_game_does_not_have_is_not_misread(name: str, words: tuple[str, ...]) -> None:
    every = ("the runs of", "slider", "spin", "lapse", "huff")
    names = [each.name for each in faults_in_form(damspec.load_ruleset(name))]
    assert len(names) == len(set(names))
    assert {word for word in every if any(word in each for each in names)} == set(words)
