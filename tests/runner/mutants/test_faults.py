"""Faults that are no rule: each kind on a position worked out by hand, and the catalogue as a whole."""

from __future__ import annotations

import string
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

import damspec
from damspec import Move, Position, data
from damspec.errors import FileError
from damspec.rules import rule_names
from damspec_runner.answers.player import RulePlayer, list_actions
from damspec_runner.cases.cases import cases_for
from damspec_runner.mutants.action_faults import WAYS
from damspec_runner.mutants.fault_catalogue import CachedGenerator, Fault, faults, greatest
from damspec_runner.mutants.fault_values import possible_legs
from damspec_runner.mutants.legs import move_legs
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.positions.enumeration import placements, promotion_rows
from runs import OFTEN, ORIGINALS, SPREAD, for_each, usually

CATALOGUE = data.load_yaml(data.root() / "spec" / "faults.yaml")
IDS = [entry["id"] for entry in CATALOGUE["faults"]]
#: Those of spins, sliders, huffs and runs of kings.
OF_ACTIONS = (
    *("action-", "push-", "spin-", "move-without", "lapses-", "huff", "limit-"),
    *("slider", "wrong", "fall-", "door-", "both-doors", "stands-"),
    *("claim-", "still-", "compelled-", "run-", "runs-"),
)
#: A king goes round a square on the board of 64.
ROUND = "W:WK57:B8,26,35,41,42"
every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, SPREAD, ("frisian",)))


def fault(name: str, says: str) -> Fault:
    """The fault of a ruleset that goes by these words."""
    return next(each for each in faults(damspec.load_ruleset(name)) if each.name == says)


def listed(name: str, says: str, *positions: str) -> str:
    """What an engine with a fault lists in the last position, after it has been asked about those before."""
    ruleset = damspec.load_ruleset(name)
    turns = fault(name, says).turns(ruleset.turns)
    for text in positions[:-1]:
        turns.actions(ruleset.position(text))
    return " ".join(map(str, turns.actions(ruleset.position(positions[-1]))))


def lapses(name: str, says: str, position: str) -> str:
    """What an engine with a fault lists as lapses."""
    ruleset = damspec.load_ruleset(name)
    return " ".join(map(str, fault(name, says).turns(ruleset.turns).lapses(ruleset.position(position))))


def after(name: str, says: str, position: str, text: str) -> str:
    """Where an engine with a fault says that an action leads."""
    ruleset = damspec.load_ruleset(name)
    before = ruleset.position(position)
    turns = fault(name, says).turns(ruleset.turns)
    action = next(each for each in [*turns.actions(before), *turns.lapses(before)] if str(each) == text)
    return turns.after(before, action).fen()


# --- each kind by hand


@for_each(
    ("name", "says", "position", "expected"),
    [
        # two men with two steps each, the second list entry is the last that fits
        ("english", "lists at most 2 moves", "W:W21,22:B1", "21-17 22-17"),
        ("english", "lists at most 4 moves", "W:W21,22:B1", "21-17 22-17 22-18"),
        # 29 takes two in a line, 31 takes one
        ("english", "finds no capture of more than 1 pieces", "W:W29,31:B18,25,27", "31x24"),
        # White's second piece has no room
        ("english", "knows only the first 1 pieces of a side, in the order of the squares", "W:W21,32:B1", "21-17"),
        (
            "english", "gives its own first piece no move, in the order of the squares",
            "W:W21,32:B1", "32-27 32-28",
        ),
        ("english", "gives its own last piece no move, in the order of the squares", "W:W21,32:B1", "21-17"),
        ("english", "never lets white men move forward-left", "W:W22:B1", "22-18"),
        ("english", "never lets black men move forward-left", "W:W22:B1", "22-17 22-18"),
        # for Black, forward-left is down the board and to White's right
        ("english", "never lets black men move forward-left", "B:W32:B10", "10-14"),
        ("english", "never lets white kings capture backward-left", "W:WK14:B17,18", "14x23"),
        # 25 is beside the left edge, 21 and 29 on it
        ("english", "never lets white kings move onto the left edge", "W:WK25:B1", "25-22 25-30"),
        ("english", "never lets white kings move onto the bottom edge", "W:WK25:B1", "25-21 25-22"),
        (
            "brazilian", "stops white kings one square before the edge when they move forward-right",
            "W:WK29:B5", "29-8 29-11 29-15 29-18 29-22 29-25",
        ),
        ("brazilian", "lets kings move at most 2 squares", "W:WK29:B5", "29-22 29-25"),
        # the man on 11 is five squares from 29, that on 22 two
        ("brazilian", "lets kings capture at most 4 squares away", "W:WK29:B5,11", ""),
        ("brazilian", "lets kings land at most 1 squares behind what they capture", "W:WK29:B5,18", "29x15"),
        ("english", "never moves a piece that stands on 22", "W:W21,22:B1", "21-17"),
        ("english", "never moves a piece to 17", "W:W21,22:B1", "22-18"),
        ("english", "never captures a piece that stands on 18", "W:W22:B17,18", "22x13"),
        # 12 is on the right edge: over it a step up comes out on 5 in the next row at the left
        ("english", "lets a move over the right edge come out at the other one", "W:W12:B20", "12-8 12-5"),
        ("english", "lets a move over the left edge come out at the other one", "W:W12:B20", "12-8"),
        # its own man on 25 or 17 stands before 18; behind 25 is 22, and a man on 18 has none to jump
        ("brazilian", "lets kings capture past a piece of their own", "W:WK29,25:B18,4", "29x8 29x11 29x15"),
        ("brazilian", "lets kings capture past a piece of their own", "W:WK29,25,17:B4", "17-13 17-14 25-21 25-22"),
        ("english", "lets kings capture pieces of their own", "W:WK29,25:B4", "29x22"),
        ("english", "lets men capture pieces of their own", "W:W29,25:B4", "29x22"),
        ("english", "lets men capture pieces of their own", "W:WK29,25:B4", "25-21 25-22"),
        # two ways round from 31 to 15
        (
            "english", "lists only the first of several moves with the same start and end",
            "W:W31:B18,19,26,27", "31x22x15",
        ),
        ("english", "lists only the first of several moves with the same end", "W:W21,22:B1", "21-17 22-18"),
        # the first piece of all by its square is black, the second White's on 21
        ("english", "knows only the first 1 pieces on the board, in the order of the squares", "W:W21,32:B1", ""),
        ("english", "knows only the first 2 pieces on the board, in the order of the squares", "W:W21,32:B1", "21-17"),
        # 22 and 17 have room, 18 has none
        ("english", "knows only the first 2 pieces on the board, White's before Black's", "W:W22:B17,18", "22x13"),
        ("english", "lists no capture with more than 2 pieces on the board", "W:W22:B17,18", ""),
        ("english", "lists no capture with more than 3 pieces on the board", "W:W22:B17,18", "22x13 22x15"),
        ("english", "lists no move without capture with more than 2 pieces on the board", "W:W21,22:B1", ""),
        ("english", "moves only the first 1 pieces of a side, in the order of the squares", "W:W21,32:B1", "21-17"),
        # over 26, 18 and 11; the way over 27 and 19 ends at 11 too, which is thought to be gone
        (
            "english", "takes what one way to capture took for gone when it looks for the next of the same piece",
            "W:W31:B11,18,19,26,27", "31x22x15x8",
        ),
        # 22 and 23 both can take 18; what the first one took, the second finds, or does not
        (
            "english", "takes what one way to capture took for gone when it looks for the next of the same piece",
            "W:W22,23:B18", "22x15 23x14",
        ),
        (
            "english", "takes what one way to capture took for gone when it looks for the next of any piece",
            "W:W22,23:B18", "22x15",
        ),
        # to the engine the man on 22 stands on 23: its steps are to 18 and 19, and it leaves 22
        ("english", "mixes up the squares 22 and 23", "W:W22:B1", "22-18 22-19"),
    ],
)  # fmt: skip
def test_what_is_listed(name: str, says: str, position: str, expected: str) -> None:
    assert listed(name, says, position) == expected


#: 22 takes 18 onto 15; 32 does not capture.
DUTY = "W:W22,32:B18"
#: That lapse has been played. The man that could have captured stands on 22, and Black can take it, onto 25.
LAPSED = "B:W22,28:B18:huffable=32-28"
#: Two men could have captured, 22 and 23, which Black can take onto 25 and 27.
TWO_LAPSED = "B:W22,23,28:B18:huffable=32-28"
#: The man that could have captured has lapsed itself, and can no longer.
MOVED = "B:W17,32:B18:huffable=22-17"


@for_each(
    ("name", "says", "position", "expected"),
    [
        ("nl-trapdoor", "never lets white spin", "W:W22:B1", ""),
        ("nl-trapdoor", "never lets black spin", "W:W22:B1", "spin=disc spin=green spin=orange"),
        ("nl-trapdoor", "never lets either side push a slider", "W:W32:B1:spin=green", ""),
        # G1 goes left from the right end too, to the middle
        ("nl-trapdoor", "never pushes any slider to the left", "W:W32:B1:sliders=MRMM:spin=green", "G2=R"),
        ("nl-trapdoor", "never pushes G1 back to the middle", "W:W32:B1:sliders=MRMM:spin=green", "G2=L G2=R"),
        ("nl-trapdoor", "never pushes any green slider anywhere", "W:W32:B1:sliders=MRMM:spin=green", ""),
        ("nl-trapdoor", "never pushes any orange slider anywhere", "W:W32:B1:sliders=MRML:spin=orange", ""),
        ("nl-trapdoor", "lists spins beside captures", "W:W22:B18", "22x15 spin=disc spin=green spin=orange"),
        ("nl-trapdoor", "lists spins in the place of captures", "W:W22:B18", "spin=disc spin=green spin=orange"),
        (
            "nl-trapdoor", "lists moves without capture beside spins",
            "W:W21:B1", "21-17 spin=disc spin=green spin=orange",
        ),
        ("nl-trapdoor", "lists moves without capture in the place of spins", "W:W21:B1", "21-17"),
        ("de", "lists lapses as legal moves too", DUTY, "22x15 22-17 32-27 32-28"),
        ("de", "lists lapses as legal moves instead", DUTY, "22x15 22-17 32-27 32-28"),
        ("de", "never lets black huff", LAPSED, "18x25 retract"),
        ("de", "never lets black take a move back", LAPSED, "18x25 huff 22"),
        ("de", "never lets white huff", LAPSED, "18x25 huff 22 retract"),
        ("de", "never huffs men", LAPSED, "18x25 retract"),
        ("de", "never huffs kings", LAPSED, "18x25 huff 22 retract"),
        ("de", "never huffs kings", "B:WK22,28:B18:huffable=32-28", "18x25 retract"),
        ("de", "never huffs a piece that did not move", LAPSED, "18x25 retract"),
        ("de", "never huffs the piece that moved", MOVED, "18-22 18-23 retract"),
        ("de", "lists only the first of several huffs", TWO_LAPSED, "18x25 18x27 huff 22 retract"),
        ("de", "lists only the last of several huffs", TWO_LAPSED, "18x25 18x27 huff 23 retract"),
        (
            "de", "huffs those pieces that can capture after the lapse, not those that could before it",
            MOVED, "18-22 18-23 retract",
        ),
        # the king on 46 has made its three moves; 45 has a step to 40, and 50 could go up the long line
        (
            "frisian", "bars every king where a king has made all the moves in a row that it may",
            "W:W45,K46,K50:B1:+0+346", "45-40",
        ),
        (
            "frisian", "bars captures by that king where a king has made all the moves in a row that it may",
            "W:W45,K46:B41:+0+346", "",
        ),
        (
            "frisian", "bars every move without capture where a king has made all the moves in a row that it may",
            "W:W45,K46:B1:+0+346", "",
        ),
        (
            "frisian", "lets white kings make more moves in a row than they may",
            "W:W37,K46:B1:+0+346", "37-31 37-32 46-41",
        ),
        ("frisian", "lets black kings make more moves in a row than they may", "W:W37,K46:B1:+0+346", "37-31 37-32"),
    ],
)  # fmt: skip
def test_which_actions_are_listed(name: str, says: str, position: str, expected: str) -> None:
    assert sorted(listed(name, says, position).split()) == sorted(expected.split())


@for_each(
    ("says", "position", "expected"),
    [
        ("never lists lapses at all", DUTY, ""),
        ("never lists lapses of white", DUTY, ""),
        ("never lists lapses of black", DUTY, "22-17 32-27 32-28"),
        ("never lists lapses of men", "W:W22,K32:B18", "32-27 32-28"),
        ("never lists lapses of pieces that could capture", DUTY, "32-27 32-28"),
        ("never lists lapses of pieces that could not capture", DUTY, "22-17"),
        # 6 steps to the last row, onto 1 or 2
        ("never lists lapses that crown a man", "W:W6,22:B18", "22-17"),
        ("lists moves without capture as lapses where nothing can be captured", "W:W22:B1", "22-17 22-18"),
        ("lists moves without capture as lapses where nothing can be captured", DUTY, "22-17 32-27 32-28"),
        (
            "lists moves without capture as lapses where a capture is compelled",
            DUTY + ":compelled",
            "22-17 32-27 32-28",
        ),
        ("lists lapses as legal moves too", DUTY, "22-17 32-27 32-28"),
        ("lists lapses as legal moves instead", DUTY, ""),
    ],
)
def test_which_lapses_are_listed(says: str, position: str, expected: str) -> None:
    assert lapses("de", says, position) == expected


@for_each(
    ("name", "says", "position", "move", "expected"),
    [
        ("english", "mixes up the squares 22 and 23", "W:W22:B1", "22-19", "B:W19:B1"),
        ("english", "mixes up the squares 22 and 23", "W:W26:B1", "26-23", "B:W23:B1"),
        ("de", "mixes up the squares 22 and 23", "B:W23,28:B18:huffable=32-28", "huff 23", "B:W28:B18"),
        ("english", "takes at most 1 captured pieces off the board", "W:W29:B18,25", "29x22x15", "B:W15:B18"),
        ("english", "leaves captured piece number 1 on the board", "W:W29:B18,25", "29x22x15", "B:W15:B25"),
        ("english", "leaves captured piece number 2 on the board", "W:W29:B18,K25", "29x22x15", "B:W15:B18"),
        (
            "english",
            "takes a piece off the board whose capture ends where it began",
            "W:WK22:B18,19,26,27",
            "22x15x24x31x22",
            "B:W:B",
        ),
        ("english", "does not crown white men that move to 2", "W:W6:B20", "6-2", "B:W2:B20"),
        ("english", "does not crown white men that move to 2", "W:W6:B20", "6-1", "B:WK1:B20"),
        ("english", "does not crown white men that capture to 2", "W:W6:B20", "6-2", "B:WK2:B20"),
        ("english", "does not crown black men that move to 29", "B:W5:B25", "25-29", "W:W5:B29"),
        ("english", "gives the turn to the wrong side after a move", "W:W22:B1", "22-17", "W:W17:B1"),
        ("english", "gives the turn to the wrong side after a capture", "W:W22:B1", "22-17", "B:W17:B1"),
        ("english", "gives the turn to the wrong side after a promotion", "W:W6:B20", "6-2", "W:WK2:B20"),
        (
            "de",
            "gives the turn to the wrong side after a lapse",
            "W:W22,32:B18",
            "32-28",
            "W:W22,28:B18:huffable=32-28",
        ),
        ("de", "gives the turn to the wrong side after a huff", "B:W22,28:B18:huffable=32-28", "huff 22", "W:W28:B18"),
        # 25 goes first, then 18
        (
            "english",
            "leaves kings standing that are captured as the first of several",
            "W:W29:B18,K25",
            "29x22x15",
            "B:W15:BK25",
        ),
        (
            "english",
            "leaves kings standing that are captured as the last of several",
            "W:W29:B18,K25",
            "29x22x15",
            "B:W15:B",
        ),
        (
            "english",
            "leaves men standing that are captured as the last of several",
            "W:W29:B18,K25",
            "29x22x15",
            "B:W15:B18",
        ),
        ("english", "leaves men standing that are captured at all", "W:W29:B18,K25", "29x22x15", "B:W15:B18"),
        ("english", "leaves kings standing that are captured alone", "W:W29:B18,K25", "29x22x15", "B:W15:B"),
        ("english", "leaves kings standing that are captured alone", "W:W22:BK18", "22x15", "B:W15:BK18"),
        # Pieces are removed at once, and the king comes down on the square of the first.
        ("turkish", "leaves captured piece number 1 on the board", ROUND, "57x25x27x43x41", "B:WK41:B8"),
        ("turkish", "leaves captured piece number 2 on the board", ROUND, "57x25x27x43x41", "B:WK41:B8,26"),
        ("turkish", "leaves men standing that are captured at all", ROUND, "57x25x27x43x41", "B:WK41:B8,26,35,42"),
        (
            "nl-trapdoor",
            "gives the turn to the wrong side after a spin",
            "W:W22:B1:sliders=MMMM",
            "spin=disc",
            "B:W22:B1:sliders=MMMM:spin=disc",
        ),
    ],
)
def test_what_follows(name: str, says: str, position: str, move: str, expected: str) -> None:
    assert after(name, says, position, move) == expected


#: O1 opens 9 or 11, G1 14 or 16, G2 17 or 19, O2 22 or 24. On 14 stands a white man, which falls if G1 goes left.
GREEN = "W:W14,32:B1:sliders=MMMM:spin=green"


@for_each(
    ("says", "position", "action", "expected"),
    [
        ("leaves the slider where it was after a push anywhere", GREEN, "G1=L", "B:W32:B1:sliders=MMMM"),
        ("leaves the slider where it was after a push to the right", GREEN, "G1=L", "B:W32:B1:sliders=MLMM"),
        (
            "leaves the slider where it was after a push back to the middle",
            "W:W32:B1:sliders=MLMM:spin=green",
            "G1=M",
            "B:W32:B1:sliders=MLMM",
        ),
        ("when a slider is pushed, moves it to the other side", GREEN, "G1=L", "B:W14,32:B1:sliders=MRMM"),
        ("when a slider is pushed, moves another one of its colour", GREEN, "G1=L", "B:W14,32:B1:sliders=MMLM"),
        ("writes the sliders in the reverse order after every action", GREEN, "G1=L", "B:W32:B1:sliders=MMLM"),
        ("writes the sliders with left and right mixed up after every action", GREEN, "G1=L", "B:W32:B1:sliders=MRMM"),
        (
            "puts the sliders back into the middle after a spin",
            "W:W22:B1:sliders=LMMM",
            "spin=disc",
            "W:W22:B1:sliders=MMMM:spin=disc",
        ),
        (
            "puts the sliders back into the middle after a push of another",
            "W:W32:B1:sliders=LMMM:spin=green",
            "G1=L",
            "B:W32:B1:sliders=MLMM",
        ),
        (
            "puts the sliders back into the middle after a capture",
            "W:W22:B18:sliders=LMMM",
            "22x15",
            "B:W15:B:sliders=MMMM",
        ),
        ("leaves pieces standing where a door opens under them", GREEN, "G1=L", "B:W14,32:B1:sliders=MLMM"),
        ("leaves men standing where a door opens under them", GREEN, "G1=L", "B:W14,32:B1:sliders=MLMM"),
        ("leaves white pieces standing where a door opens under them", GREEN, "G1=L", "B:W14,32:B1:sliders=MLMM"),
        ("leaves black pieces standing where a door opens under them", GREEN, "G1=L", "B:W32:B1:sliders=MLMM"),
        (
            "leaves pieces of the other side standing where a door opens under them",
            GREEN,
            "G1=L",
            "B:W32:B1:sliders=MLMM",
        ),
        ("lets nothing fall when the door on 14 opens", GREEN, "G1=L", "B:W14,32:B1:sliders=MLMM"),
        ("lets nothing fall when the door on 16 opens", GREEN, "G1=L", "B:W32:B1:sliders=MLMM"),
        (
            "lets the pieces on both doors of a slider fall when it is pushed",
            "W:W16,32:B1:sliders=MMMM:spin=green",
            "G1=L",
            "B:W32:B1:sliders=MLMM",
        ),
        (
            "leaves men standing that move onto an open door",
            "W:W21,32:B4:sliders=MMLM:spin=disc",
            "21-17",
            "B:W17,32:B4:sliders=MMLM",
        ),
        (
            "leaves kings standing that move onto an open door",
            "W:WK21,32:B4:sliders=MMLM:spin=disc",
            "21-17",
            "B:WK17,32:B4:sliders=MMLM",
        ),
        (
            "leaves men standing that capture onto an open door",
            "W:W23,32:B1,19:sliders=MRMM",
            "23x16",
            "B:W16,32:B1:sliders=MRMM",
        ),
        ("forgets the result disc of a spin", "W:W22:B1:sliders=MMMM", "spin=disc", "W:W22:B1:sliders=MMMM"),
        (
            "forgets the result disc of a spin",
            "W:W22:B1:sliders=MMMM",
            "spin=green",
            "W:W22:B1:sliders=MMMM:spin=green",
        ),
        (
            "writes the result disc of a spin as green",
            "W:W22:B1:sliders=MMMM",
            "spin=disc",
            "W:W22:B1:sliders=MMMM:spin=green",
        ),
        (
            "leaves the result of the spin in the position after a move",
            "W:W22:B1:sliders=MMMM:spin=disc",
            "22-17",
            "B:W17:B1:sliders=MMMM:spin=disc",
        ),
        (
            "leaves the result of the spin in the position after a push of a slider",
            GREEN,
            "G1=R",
            "B:W14,32:B1:sliders=MRMM:spin=green",
        ),
    ],
)
def test_what_follows_a_spin_or_a_push(says: str, position: str, action: str, expected: str) -> None:
    assert after("nl-trapdoor", says, position, action) == expected


@for_each(
    ("says", "position", "action", "expected"),
    [
        ("forgets that lapses can be huffed", DUTY, "32-28", "B:W22,28:B18"),
        ("forgets that lapses of kings can be huffed", DUTY, "32-28", LAPSED),
        ("forgets that lapses of kings can be huffed", "W:W22,K32:B18", "32-28", "B:W22,K28:B18"),
        ("forgets that lapses of men can be huffed", DUTY, "32-28", "B:W22,28:B18"),
        ("forgets that lapses that crown a man can be huffed", "W:W6,22:B18", "6-2", "B:WK2,22:B18"),
        (
            "writes the lapse that can be huffed with its squares exchanged",
            DUTY,
            "32-28",
            "B:W22,28:B18:huffable=28-32",
        ),
        ("writes the lapse that can be huffed without the crown", "W:W6,22:B18", "6-2", "B:WK2,22:B18:huffable=6-2"),
        ("leaves the old lapse to be huffed after a huff", LAPSED, "huff 22", "B:W28:B18:huffable=32-28"),
        ("leaves the old lapse to be huffed after a capture", LAPSED, "18x25", "W:W28:B25:huffable=32-28"),
        ("leaves the old lapse to be huffed after a move", MOVED, "18-23", "W:W17,32:B23:huffable=22-17"),
        (
            "leaves the old lapse to be huffed after a move taken back",
            LAPSED,
            "retract",
            "W:W22,32:B18:huffable=32-28:compelled",
        ),
        ("lets a move be huffed that broke no duty", "W:W22:B1", "22-17", "B:W17:B1:huffable=22-17"),
        ("lets a capture be huffed that broke no duty", DUTY, "22x15", "B:W15,32:B:huffable=22-15x18"),
        (
            "leaves the other side compelled to capture after a capture that was compelled",
            DUTY + ":compelled",
            "22x15",
            "B:W15,32:B:compelled",
        ),
        ("compels the side to move to capture after a huff", LAPSED, "huff 22", "B:W28:B18:compelled"),
        ("compels the side to move to capture after a lapse", DUTY, "32-28", LAPSED + ":compelled"),
        ("takes nothing off the board when a piece is huffed", LAPSED, "huff 22", "B:W22,28:B18"),
        ("takes the piece that moved off the board when a piece is huffed", LAPSED, "huff 22", "B:W22:B18"),
        (
            "takes every piece that could be huffed off the board when a piece is huffed",
            TWO_LAPSED,
            "huff 22",
            "B:W28:B18",
        ),
        (
            "leaves a piece crowned whose move is taken back",
            "B:WK2,22:B18:huffable=6-2K",
            "retract",
            "W:WK6,22:B18:compelled",
        ),
        ("leaves a piece where it went whose move is taken back", LAPSED, "retract", "W:W22,28:B18:compelled"),
    ],
)
def test_what_follows_a_lapse_a_huff_or_a_move_taken_back(says: str, position: str, action: str, expected: str) -> None:
    assert after("de", says, position, action) == expected


#: The king on 46 has one square to go to, 41.
KING = "W:W37,K46:B1"
#: The king on 46 has made a move; the one on 50 can move too.
TWO_KINGS = "W:W45,K46,K50:B1:+0+146"


@for_each(
    ("says", "position", "action", "expected"),
    [
        ("counts no moves in a row of white kings", KING, "46-41", "B:W37,K41:B1"),
        ("counts no moves in a row of black kings", KING, "46-41", "B:W37,K41:B1:+0+141"),
        ("counts no moves in a row of kings", KING, "46-41", "B:W37,K41:B1"),
        ("counts the moves of a king in a row without the first", KING, "46-41", "B:W37,K41:B1"),
        ("counts the moves of a king in a row without the first", KING + ":+0+146", "46-41", "B:W37,K41:B1:+0+141"),
        (
            "counts the moves of a king in a row up to 1 and no further",
            KING + ":+0+146",
            "46-41",
            "B:W37,K41:B1:+0+141",
        ),
        ("counts the moves of a king in a row two for one", KING, "46-41", "B:W37,K41:B1:+0+241"),
        ("counts the moves of a king in a row two for one", KING + ":+0+146", "46-41", "B:W37,K41:B1:+0+341"),
        (
            "leaves a run of moves of a king as it was after a move of a man",
            KING + ":+0+146",
            "37-31",
            "B:W31,K46:B1:+0+146",
        ),
        (
            "leaves a run of moves of a king as it was after a capture by the king",
            "W:W45,K46:B41:+0+146",
            "46x37",
            "B:WK37,45:B:+0+137",
        ),
        (
            "leaves a run of moves of a king as it was after a capture by another piece",
            "W:W45,K46:B40:+0+146",
            "45x34",
            "B:W34,K46:B:+0+146",
        ),
        (
            "leaves a run of moves of a king as it was after a move of another king",
            TWO_KINGS,
            "50-44",
            "B:WK44,45,K46:B1:+0+146",
        ),
        (
            "counts captures by kings among the moves of a king in a row",
            "W:W45,K46:B41",
            "46x37",
            "B:WK37,45:B:+0+137",
        ),
        (
            "counts moves of another king among the moves of a king in a row",
            TWO_KINGS,
            "50-44",
            "B:WK44,45,K46:B1:+0+244",
        ),
        (
            "counts a move that crowns a man among the moves of a king in a row",
            "W:W6,7:B20",
            "6-1",
            "B:WK1,7:B20:+0+101",
        ),
        (
            "counts moves of a side with kings only among the moves of a king in a row",
            "W:WK46:B1",
            "46-41",
            "B:WK41:B1:+0+141",
        ),
        ("forgets the run of the other side's king after a move", "W:W45:B1,K50:+150+0", "45-40", "B:W40:B1,K50"),
        (
            "forgets the run of the other side's king after a capture",
            "W:W45:B1,K50:+150+0",
            "45-40",
            "B:W40:B1,K50:+150+0",
        ),
        ("writes each side's moves of a king in a row for the other side", KING, "46-41", "B:W37,K41:B1:+141+0"),
        (
            "leaves the run of a king in the position when its king is captured",
            "W:W45:B1,K40:+140+0",
            "45x34",
            "B:W34:B1:+140+0",
        ),
        # with the king the last man, and with this every run
        (
            "leaves the run of a king in the position when its king is captured",
            "W:W45:B29,K40:+140+0",
            "45x34x23",
            "B:W23:B",
        ),
        (
            "leaves the run of a king in the position when the last man of its side is captured",
            "W:W45:BK1,40:+101+0",
            "45x34",
            "B:W34:BK1:+101+0",
        ),
    ],
)
def test_how_moves_of_a_king_in_a_row_are_counted(says: str, position: str, action: str, expected: str) -> None:
    assert after("frisian", says, position, action) == expected


@pytest.mark.parametrize(
    ("says", "positions", "expected"),
    [
        ("answers about the position asked before", ["W:W22:B1"], "22-17 22-18"),
        ("answers about the position asked before", ["W:W22:B1", "W:W21:B1"], "22-17 22-18"),
        # the man of before stands on 17 still, in the way
        ("leaves the first piece of the position asked before on the board", ["W:W17:B20", "W:W21:B1"], "17-13 17-14"),
        ("leaves the last piece of the position asked before on the board", ["W:WK1:BK17", "W:W21:B1"], "21x14"),
        ("lists nothing at one question in 2", ["W:W22:B1", "W:W22:B1"], ""),
        ("lists nothing at one question in 2", ["W:W22:B1", "W:W22:B1", "W:W22:B1"], "22-17 22-18"),
        (
            "answers from memory when only the side to move differs from a position asked before",
            ["B:W22:B1", "W:W21:B2", "W:W22:B1"],
            "1-5 1-6",
        ),
        (
            "answers from memory when only the kind of a piece differs from a position asked before",
            ["W:W22:B1", "W:WK22:B1"],
            "22-17 22-18",
        ),
    ],
)
def test_what_is_kept_of_other_questions(says: str, positions: list[str], expected: str) -> None:
    assert listed("english", says, *positions) == expected


def test_a_spin_is_forgotten() -> None:
    says = "answers from memory when only what is pending differs from a position asked before"
    assert listed("nl-trapdoor", says, "W:W22:B1", "W:W22:B1:spin=disc") == "spin=disc spin=green spin=orange"


def test_each_engine_begins_with_nothing_remembered() -> None:
    ruleset = damspec.load_ruleset("english")
    late = fault("english", "answers about the position asked before")
    first, other = ruleset.position("W:W22:B1"), ruleset.position("W:W21:B1")
    late.turns(ruleset.turns).actions(other)
    assert [str(move) for move in late.turns(ruleset.turns).actions(first)] == ["22-17", "22-18"]


# --- legs


def test_legs_of_a_move() -> None:
    """A king goes from 29 over 18, three squares off, to 11, five away; then over 16 next to it to 20."""
    position = damspec.load_ruleset("brazilian").position("W:WK29:B16,18")
    move = Move(29, 20, (16, 18), False, paths=((29, 11, 20),))
    first, second = move_legs(position, move)[0]
    assert (first.direction, first.over, first.reach, first.length) == ("forward-right", (18,), 3, 5)
    assert (second.direction, second.over, second.reach, second.length) == ("backward-right", (16,), 1, 2)


def test_a_leg_over_several_pieces() -> None:
    """A king goes from a1 over c3, two squares off, and d4 to e5, right behind the second and four away."""
    position = damspec.load_ruleset("main-dam").position("W:WK29:B18,22")
    ((leg,),) = move_legs(position, Move(29, 15, (18, 22), False, paths=((29, 15),)))
    assert (leg.over, leg.reach, leg.landing, leg.length) == ((22, 18), 2, 1, 4)


@every_ruleset
def test_every_leg_that_is_met_is_possible(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    possible = set(possible_legs(ruleset))
    met = set()
    for case in cases_for(ruleset):
        position = ruleset.position(case.position)
        for action in ruleset.turns.actions(position):
            if isinstance(action, Move):
                met |= {leg for path in move_legs(position, action) for leg in path}
    assert len(met) > 10
    assert met <= possible


# --- the catalogue


@pytest.mark.slow
def test_the_catalogue_is_in_form_and_its_ids_are_all_played() -> None:
    assert len(set(IDS)) == len(IDS)
    for entry in CATALOGUE["faults"]:
        named = {word for _, word, _, _ in string.Formatter().parse(entry["says"]) if word} - {"next"}
        assert named == set(entry["parameters"]), entry["id"]
    left = set(IDS)
    for name in [*OFTEN, *damspec.ruleset_ids()]:
        if left:  # most games show nothing that others do not
            left -= {each.id for each in faults(damspec.load_ruleset(name))}
    assert not left


def test_what_a_fault_needs_are_rules_and_values_that_there_are() -> None:
    known = {name for rule in rule_names() for name in (rule, rule.partition(".")[0])}
    entries = [entry for part in ("faults", "explained", "outcomes") for entry in CATALOGUE[part]]
    every: dict[str, set[object]] = {}
    for name, of in (item for entry in entries for item in entry["parameters"].items()):
        every.setdefault(name, set()).update(of if isinstance(of, list) else WAYS if of == "push" else ["any slider"])
    for entry in entries:
        about = entry.get("where", [])
        needs = [one.get(key, {}) for one in (entry, *about) for key in ("needs", "unless")]
        assert {rule for need in needs for rules in need for rule in rules.split("|")} <= known, entry["id"]
        assert all({*values} <= every[name] for each in about for name, values in each["values"].items()), entry["id"]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda c: c["faults"][0].pop("says"), "faults.0: missing 'says'"),
        (lambda c: c["faults"][0]["parameters"].update(n="many"), "faults.0.parameters.n"),
        (lambda c: c["greatest"][0]["moves"].update(number=0), "greatest.0.moves.number"),
    ],
)
def test_what_is_wrong_with_a_catalogue(change: Callable[[Any], object], wrong: str) -> None:
    content = data.load_yaml(data.root() / "spec" / "faults.yaml")
    change(content)
    with pytest.raises(FileError, match=wrong):
        data.check(content, "faults", "spec/faults.yaml")


@every_ruleset
def test_faults_have_names_of_their_own_and_play_without_error(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    right, position = CachedGenerator(ruleset.turns), ruleset.position("start")
    found = faults(ruleset)
    assert {each.id for each in found} <= set(IDS)
    assert len({each.name for each in found}) == len(found) > 250
    for each in found:
        turns = each.turns(right)
        assert {turns.after(position, action).board for action in turns.actions(position)} <= {ruleset.rules.board}


def test_values_that_can_show_nothing_are_left_out() -> None:
    """By the rules: men of English draughts go forward only, and a king one square."""
    names = {each.name for each in faults(damspec.load_ruleset("english"))}
    assert "never lets white men capture forward-left" in names
    assert not names & {
        "never lets white men capture backward-left",
        "never lets white men move onto the bottom edge",
        "does not crown white men that move to 5",
        "gives the turn to the wrong side after a huff",
        "lets white kings make more moves in a row than they may",
    }
    assert not any(name.startswith("lets kings move at most") for name in names)


def test_what_a_game_has_no_action_for_is_left_out() -> None:
    """Doors that close at once are open after no turn, so no slider is pushed back and nothing steps onto a door."""
    open_, closed = (
        {each.name for each in faults(damspec.load_ruleset(f"nl-trapdoor{end}"))} for end in ("", "-autoclose")
    )
    assert open_ - closed >= {
        "never pushes G1 back to the middle",
        "leaves the slider where it was after a push anywhere",
        "puts the sliders back into the middle after a move",
        "leaves men standing that move onto an open door",
        # what is the same there as "to the left", which a push from the middle is
        "never pushes G1 from the middle to the left",
    }
    assert "lets nothing fall when the door on 14 opens" in open_ & closed
    assert "never lets either side pass" not in open_
    assert "never lets either side huff" not in {each.name for each in faults(damspec.load_ruleset("de"))}


def test_what_a_change_of_a_rule_says_is_no_fault_of_an_action() -> None:
    """Doors that close at once leave the slider in the middle; without `retract` among the remedies none is listed."""
    names = {each.name for each in faults(damspec.load_ruleset("nl-trapdoor"))}
    assert "leaves the slider where it was after a push out of the middle" not in names
    huffing = damspec.load_ruleset("de")
    assert "never lets either side take a move back" not in {each.name for each in faults(huffing)}
    alone = {each.name for each in faults(huffing.with_value("huff.remedies", ["retract"]))}
    assert "never lets either side take a move back" in alone
    assert "never lets either side huff" not in alone


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", usually((), ["nl-trapdoor", "nl-trapdoor-autoclose", "de", "frisian"], {"nl-trapdoor", "de"})
)
def test_each_fault_of_an_action_shows_and_is_no_other_and_no_change_of_a_rule(name: str) -> None:
    """By what each answers in the positions of all cases. Who is to move after a huff is a rule, `huff.turn`, too."""
    ruleset = damspec.load_ruleset(name)
    reader, right = RulePlayer(ruleset), CachedGenerator(ruleset.turns)
    positions = list(dict.fromkeys(reader.parse_position(case.position) for case in cases_for(ruleset)))

    def answered(player: RulePlayer) -> tuple[object, ...]:
        answers = (list_actions(player, player.fit(position)) for position in positions)
        return tuple((frozenset(each.after.items()), frozenset(each.lapses or ())) for each in answers)

    known = {answered(reader): name}
    same_board = [mutant for mutant in single_mutants(ruleset) if mutant.ruleset.rules.board == ruleset.rules.board]
    known |= {answered(RulePlayer(mutant.ruleset)): mutant.name for mutant in same_board}
    about = [each for each in faults(ruleset) if each.id.startswith(OF_ACTIONS)]
    assert len(about) > 15
    for each in about:
        found = answered(RulePlayer(ruleset, each.turns(right)))
        assert found not in known, (each.name, known[found])
        known[found] = each.name


@pytest.mark.thorough
@pytest.mark.parametrize("name", usually(["english"], ["english", "brazilian"]))
def test_steps_and_jumps_left_out_change_nothing(name: str) -> None:
    """What is about no possible step or jump changes no list of moves, in every fourth position of two pieces."""
    ruleset = damspec.load_ruleset(name)
    board, shown = ruleset.rules.board, {each.name for each in faults(ruleset)}
    every = [
        Fault("direction-missing", "", {"side": side, "piece": piece, "way": way, "direction": direction}, "")
        for side in ("white",)
        for piece in ("men", "kings")
        for way in ("move", "capture")
        for direction in damspec.board.DIRECTIONS
    ]
    left = [each for each in every if f"never lets {' '.join(each.values.values())}" not in shown]
    assert 0 < len(left) < len(every)
    right = CachedGenerator(ruleset.turns)
    players = [each.turns(right) for each in left]
    for number in (1, 2):
        for pieces in islice(placements(board, number, promotion_rows(ruleset)), 0, None, 4):
            position = Position(board, *pieces, "white")
            actions = right.actions(position)
            assert all(turns.actions(position) == actions for turns in players), position.fen()


@for_each("entry", CATALOGUE["greatest"])
def test_the_greatest_numbers_are_those_of_their_positions(entry: dict[str, Any]) -> None:
    games = entry["in-games"]
    assert games["ruleset"] in entry["rulesets"]
    for name, found in [*((name, entry) for name in entry["rulesets"]), (games["ruleset"], games)]:
        moves, captured = found["moves"], found["captured"]
        assert len(damspec.legal_moves(name, moves["position"])) == moves["number"] <= entry["moves"]["number"], name
        longest = max(len(move.captured) for move in damspec.legal_moves(name, captured["position"]).moves)
        assert longest == captured["number"] <= entry["captured"]["number"], name


def test_every_ruleset_has_its_greatest_numbers_and_a_file_of_your_own_those_it_extends() -> None:
    named = [name for entry in CATALOGUE["greatest"] for name in entry["rulesets"]]
    assert len(set(named)) == len(named)
    assert sorted(set(named)) == damspec.ruleset_ids()
    english = damspec.load_ruleset("english")
    mine = greatest(damspec.from_values(english.values, "mine"))
    every = [greatest(damspec.load_ruleset(id)) for id in damspec.ruleset_ids()]
    assert (mine.moves, mine.captured) == (max(one.moves for one in every), max(one.captured for one in every))
