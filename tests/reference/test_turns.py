"""Turns of more than a move, worked out by hand from spec/README.md: trapdoors, spinner, huffing, and each value of
their rules. Doors of the assumed layout: O1 9 and 11, G1 14 and 16, G2 17 and 19, O2 22 and 24.

This is long because of its tables, which are read beside each other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import damspec.strategies
from damspec import (
    Action,
    Board,
    Game,
    Huff,
    Move,
    Pass,
    Position,
    PositionError,
    Retract,
    RulesetError,
    SliderPush,
    Spin,
    piece_moves,
    play,
)
from damspec.king_runs import can_end, is_at_limit
from damspec.perft_counts import count_in_python, count_nodes
from damspec.turn import ActionGenerator
from refusals import refusal
from runs import for_each
from variants import DOORS, FRISIAN, HUFF

NL = damspec.load_ruleset("nl-trapdoor")
DE = damspec.load_ruleset("de")


def changed(ruleset: damspec.Ruleset, **changes: Any) -> damspec.Ruleset:
    """The rules with some replaced: `trapdoors__quiet_landing="forbidden"`."""
    named = {key.replace("__", ".").replace("_", "-"): value for key, value in changes.items()}
    return damspec.from_values({**ruleset.values, **named}, "changed")


def listed(ruleset: damspec.Ruleset, fen: str) -> str:
    """The legal actions in one line, and the lapses behind a stroke."""
    legal = damspec.legal_moves(ruleset, fen)
    lapses = " | " + " ".join(map(str, legal.lapses)) if legal.lapses else ""
    return " ".join(map(str, legal)) + lapses


# --- trapdoors and the spinner

TRAPDOORS: list[tuple[dict[str, Any], str, str]] = [
    # rules that differ from nl-trapdoor, a position, the actions
    ({}, "W:W21:B5", "spin=disc spin=green spin=orange"),
    ({}, "W:W21:B5:spin=disc", "21-17"),
    ({}, "W:W21:B5:spin=green", "G1=L G1=R G2=L G2=R"),
    ({}, "W:W21:B5:spin=orange", "O1=L O1=R O2=L O2=R"),
    ({}, "W:W21:B5:sliders=MLRM:spin=green", "G1=M G2=M"),
    ({}, "W:W21:B17", "21x14"),
    ({}, "W:W5:BK1", ""),
    ({"spin__blocked": "spins"}, "W:W5:BK1", "spin=disc spin=green spin=orange"),
    ({"spin__blocked": "spins"}, "W:W5:BK1:spin=disc", ""),
    ({"spin__slide": "may-decline"}, "W:W21:B5:sliders=LMML:spin=orange", "O1=M O2=M pass"),
    ({"spin__outcomes": {"both": "any-slider"}}, "W:W21:B5:sliders=LLLL:spin=both", "O1=M G1=M G2=M O2=M"),
    ({"trapdoors__step": "through"}, "W:W21:B5:sliders=MLRM:spin=green", "G1=M G1=R G2=M G2=L"),
    ({"trapdoors__closing": "optional"}, "W:W21:B5:sliders=MLMM:spin=green", "G1=M G2=L G2=LM G2=R G2=RM"),
    ({"trapdoors__closing": "at-once"}, "W:W21:B5:spin=green", "G1=L G1=R G2=L G2=R"),
    ({"trapdoors__quiet_landing": "forbidden"}, "W:W21,29:B5:sliders=MMLM:spin=disc", "29-25"),
    ({"trapdoors__quiet_landing": "forbidden"}, "W:W21:B5:sliders=MMLM", ""),
    # A king on 29 looks up the long line 25 22 18 15 11 8 4, and 22 is open.
    ({}, "W:WK29:B5:sliders=MMML:spin=disc", "29-4 29-8 29-11 29-15 29-18 29-22 29-25"),
    ({"trapdoors__passing": "falls"}, "W:WK29:B5:sliders=MMML:spin=disc", "29-22 29-25"),
    ({"trapdoors__passing": "blocked"}, "W:WK29:B5:sliders=MMML:spin=disc", "29-25"),
    ({}, "W:WK29:B15:sliders=MMML", "29x4 29x8 29x11"),
    ({"trapdoors__passing": "falls"}, "W:WK29:B15:sliders=MMML:spin=disc", "29-22 29-25"),
    ({"trapdoors__passing": "blocked"}, "W:WK29:B15:sliders=MMML:spin=disc", "29-25"),
    # Behind the piece too.
    ({"trapdoors__passing": "falls"}, "W:WK29:B18:sliders=RMMM", "29x11 29x15"),
    ({"trapdoors__passing": "blocked"}, "W:WK29:B18:sliders=RMMM", "29x15"),
    # Next behind 25 lies the open door itself: a king that cannot land there has no capture.
    ({}, "W:W20,K29:B25:sliders=MMML", "29x22 29x18 29x15 29x11 29x8 29x4"),
    ({"trapdoors__passing": "falls"}, "W:W20,K29:B25:sliders=MMML", "29x22"),
    ({"trapdoors__passing": "blocked"}, "W:W20,K29:B25:sliders=MMML", "spin=disc spin=green spin=orange"),
    # A king that an open door did not swallow can be jumped there.
    ({"trapdoors__falls": "men", "trapdoors__passing": "blocked"}, "W:WK8:BK22:sliders=MMML", "8x25 8x29"),
    ({"trapdoors__falls": "men", "trapdoors__passing": "falls"}, "W:WK8:BK22:sliders=MMML", "8x25 8x29"),
    # Onto 14 the man falls; the second jump over 9 is no part of the capture, so 31x24 is as good.
    ({}, "W:W21,31:B9,17,27:sliders=MLMM", "21x14 31x24"),
    ({}, "W:W21,31:B9,17,27", "21x14x5"),
    ({"trapdoors__capture_landing": "only-last"}, "W:W21:B9,17,25:sliders=MLMM", "21x14x5"),
    ({"trapdoors__capture_landing": "only-last"}, "W:W21:B17:sliders=MLMM", "21x14"),
    ({"spin__when": "after-capture"}, "W:W21:B17", "21x14"),
    ({"spin__when": "after-capture"}, "W:W14:B5:spin=due", "spin=disc spin=green spin=orange"),
    ({"spin__when": "after-capture"}, "W:W14:B9:spin=disc", "14x5"),
]  # fmt: skip


@for_each(("changes", "fen", "actions"), TRAPDOORS)
def test_actions_with_trapdoors(changes: dict[str, Any], fen: str, actions: str) -> None:
    assert sorted(listed(changed(NL, **changes), fen).split()) == sorted(actions.split())


PLAYED: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "W:W21:B5", "spin=green", "W:W21:B5:sliders=MMMM:spin=green"),
    ({}, "W:W21:B5:spin=disc", "21-17", "B:W17:B5:sliders=MMMM"),
    ({}, "W:W21:B5,14:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({}, "W:W21,K14:B5:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({}, "W:W21:B5,14:sliders=MRMM:spin=green", "G1=M", "B:W21:B5,14:sliders=MMMM"),
    ({"trapdoors__falls": "men"}, "W:WK14:B5:spin=green", "G1=L", "B:WK14:B5:sliders=MLMM"),
    ({"trapdoors__falls": "men"}, "W:W14,21:B5:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({"trapdoors__falls": "opponents"}, "W:W14:B5:spin=green", "G1=L", "B:W14:B5:sliders=MLMM"),
    ({"trapdoors__falls": "opponents"}, "W:W21:B5,K14:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({"trapdoors__closing": "at-once"}, "W:W21:B5,14:spin=green", "G1=L", "B:W21:B5:sliders=MMMM"),
    ({"trapdoors__closing": "optional"}, "W:W21:B5,14:spin=green", "G1=LM", "B:W21:B5:sliders=MMMM"),
    ({"trapdoors__closing": "optional"}, "W:W21:B5,14:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({"trapdoors__step": "through"}, "W:W21:B5,14:sliders=MRMM:spin=green", "G1=L", "B:W21:B5:sliders=MLMM"),
    ({"spin__slide": "may-decline"}, "W:W21:B5:spin=green", "pass", "B:W21:B5:sliders=MMMM"),
    ({}, "W:W21,29:B5:sliders=MMLM:spin=disc", "21-17", "B:W29:B5:sliders=MMLM"),
    ({}, "W:WK29:B5:sliders=MMML:spin=disc", "29-22", "B:W:B5:sliders=MMML"),
    ({"trapdoors__falls": "men"}, "W:WK29:B5:sliders=MMML:spin=disc", "29-22", "B:W:B5:sliders=MMML"),
    ({}, "W:W21,30:B9,17:sliders=MLMM", "21x14", "B:W30:B9:sliders=MLMM"),
    ({"trapdoors__capture_landing": "only-last"}, "W:W21:B9,17:sliders=MLMM", "21x14x5", "B:W5:B:sliders=MLMM"),
    ({"spin__when": "after-capture"}, "W:W21:B5,17", "21x14", "W:W14:B5:sliders=MMMM:spin=due"),
    ({"spin__when": "after-capture"}, "W:W14:B5:spin=due", "spin=disc", "W:W14:B5:sliders=MMMM:spin=disc"),
    ({"spin__when": "after-capture"}, "W:W14:B9:spin=disc", "14x5", "B:W5:B:sliders=MMMM"),
]  # fmt: skip


@for_each(("changes", "fen", "action", "after"), PLAYED)
def test_play_with_trapdoors(changes: dict[str, Any], fen: str, action: str, after: str) -> None:
    ruleset = changed(NL, **changes)
    found = play(ruleset, fen, action)
    assert found.fen() == after
    if found.occupied("white") and found.occupied("black"):
        assert ruleset.position(after) == found


def test_no_man_is_crowned_on_its_way_through_a_door() -> None:
    """Doors on the far row too: the man that gets there falls."""
    layout = NL.inline_values["trapdoors.layout"]
    sliders = [{"id": "G1", "colour": "green", "left": 1, "right": 2}]
    ruleset = changed(NL, trapdoors__layout={**layout, "sliders": sliders})
    moves = {str(move): move for move in damspec.legal_moves(ruleset, "W:W5:B12:sliders=L:spin=disc").moves}
    assert {text: (move.promotes, move.falls) for text, move in moves.items()} == {"5-1": (False, True)}
    assert play(ruleset, "W:W5:B12:sliders=L:spin=disc", "5-1").fen() == "B:W:B12:sliders=L"
    assert play(ruleset, "W:W5:B12:sliders=R:spin=disc", "5-1").fen() == "B:WK1:B12:sliders=R"


@pytest.mark.parametrize(("verdict", "result"), [("mover-wins", "white"), ("draw", "draw"), ("mover-loses", "black")])
def test_both_sides_gone_in_one_turn(verdict: str, result: str) -> None:
    ruleset = changed(NL, ending__both_empty=verdict)
    after = play(ruleset, "W:W21:B17:sliders=MLMM", "21x14")
    assert after.fen() == "B:W:B:sliders=MLMM"
    assert str(damspec.outcome(ruleset, after)) == f"{result} (both-empty)"


@pytest.mark.parametrize(
    ("changes", "fen", "result"),
    [
        ({}, "B:W21:B:sliders=MLMM", "white (no-pieces)"),
        ({}, "W:W:B5", "black (no-pieces)"),
        ({}, "W:W5:BK1", "black (no-moves)"),
        ({"spin__blocked": "spins"}, "W:W5:BK1", "ongoing"),
        ({"spin__blocked": "spins"}, "W:W5:BK1:spin=disc", "black (no-moves)"),
        ({"spin__blocked": "spins"}, "W:W:BK1", "black (no-pieces)"),
        ({}, "W:W21:B5:spin=green", "ongoing"),
    ],
)
def test_ends_with_trapdoors(changes: dict[str, Any], fen: str, result: str) -> None:
    assert str(damspec.outcome(changed(NL, **changes), fen)) == result


def test_the_kinds_of_actions() -> None:
    game = Game("nl-trapdoor", "W:W21:B5,14")
    spin = game.legal_moves.find("spin=green")
    assert spin == Spin("green")
    assert game.push(spin).spin == "green"
    assert [str(action) for action in game.legal_moves] == ["G1=L", "G1=R", "G2=L", "G2=R"]
    assert (game.legal_moves.moves, game.legal_moves.lapses) == ((), ())
    assert game.legal_moves[0] == SliderPush("G1", "L")
    assert game.push("G1=L").fen() == "B:W21:B5:sliders=MLMM"
    assert (game.pop(), game.pop(), game.history) == (SliderPush("G1", "L"), spin, ())
    for text in ("spin=both", "G3=L", "G1=M", "21-17", "pass", "huff 5", "retract"):
        refusal(damspec.IllegalMoveError, game.push, text)
    assert str(SliderPush("G1", "L", closes=True)) == "G1=LM"
    assert [str(action) for action in (Huff(18), Retract(), Pass())] == ["huff 18", "retract", "pass"]


# --- huffing

UNFINISHED = {"huff__offence": "no-capture-or-unfinished"}
LESS = {"huff__offence": "no-capture-or-less", "capture__choice": ["most-pieces"], "capture__binds": "path"}
HUFFING: list[tuple[dict[str, Any], str, str]] = [
    # rules that differ from de, a position, the actions, the lapses behind a stroke
    ({}, "W:W21,30:B17", "21x14 | 30-25 30-26"),
    ({}, "W:W21,K30:B17", "21x14 | 30-25 30-26"),
    ({"huff__offence": "man-forward"}, "W:W21,K30:B17", "21x14"),
    ({"huff__offence": "man-forward"}, "W:W21,30,K32:B17", "21x14 | 30-25 30-26"),
    ({}, "W:W21:B5", "21-17"),
    ({}, "W:W21,30:B17:compelled", "21x14"),
    # White took 30-26 instead of 21x14.
    ({}, "B:W21,26:B8,17:huffable=30-26", "8-11 8-12 17-22 huff 21 retract"),
    ({"huff__piece": "moved"}, "B:W21,26:B8,17:huffable=30-26", "8-11 8-12 17-22 huff 26 retract"),
    ({"huff__remedies": ["huff"]}, "B:W21,26:B8,17:huffable=30-26", "8-11 8-12 17-22 huff 21"),
    ({"huff__remedies": ["retract"]}, "B:W21,26:B8,17:huffable=30-26", "8-11 8-12 17-22 retract"),
    # White went off with the man that could have captured, 22-17 instead of 22x15: it is huffed where it is now.
    ({}, "B:W17:B4,18:huffable=22-17", "4-8 18-22 18-23 huff 17 retract"),
    # A capture of Black's own is compulsory beside the remedies, and leaving it is a lapse again.
    ({}, "B:W21,26:B8,17,22:huffable=30-26", "22x31 huff 21 retract | 8-11 8-12 22-25"),
    # 24 takes 19 and 11; that it may stop behind 19, and be huffed for it, is another reading.
    ({}, "W:W21,24:B11,17,19", "21x14 24x15x8 | 24-20"),
    (UNFINISHED, "W:W21,24:B11,17,19", "21x14 24x15x8 | 24x15 24-20"),
    (UNFINISHED, "W:W21,24:B11,17,19:compelled", "21x14 24x15x8"),
    (UNFINISHED, "B:W15,21:B11,17:huffable=24-15x19", "11x18 huff 15 retract | 11-16 17-22"),
    # 24 has to take two: one piece is too few, whether another man takes it or this one stops.
    (LESS, "W:W21,24:B11,17,19", "24x15x8 | 21x14 24x15 24-20"),
    (LESS, "W:W21,24:B11,17,19:compelled", "24x15x8"),
    ({**LESS, "huff__offence": "no-capture"}, "W:W21,24:B11,17,19", "24x15x8 | 24-20"),
    # White took 17 with 21 although 24 had to take two: 24 is huffed, or the man that took.
    (LESS, "B:W14,24:B11,19:huffable=21-14x17", "19x28 huff 24 retract | 11-15 11-16 19-23"),
    (
        {**LESS, "huff__piece": "moved"},
        "B:W14,24:B11,19:huffable=21-14x17",
        "19x28 huff 14 retract | 11-15 11-16 19-23",
    ),
    (LESS, "B:W15,21:B11,17:huffable=24-15x19", "11x18 huff 15 retract | 11-16 17-22"),
]  # fmt: skip


@for_each(("changes", "fen", "actions"), HUFFING)
def test_actions_with_huffing(changes: dict[str, Any], fen: str, actions: str) -> None:
    assert listed(changed(DE, **changes), fen) == actions


HUFFS: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "W:W21,30:B17", "30-26", "B:W21,26:B17:huffable=30-26"),
    ({}, "W:W6,21:B17", "6-1", "B:WK1,21:B17:huffable=6-1K"),
    ({}, "W:W21,30:B17", "21x14", "B:W14,30:B"),
    ({}, "B:W21,26:B8,17:huffable=30-26", "huff 21", "B:W26:B8,17"),
    ({"huff__turn": "spent"}, "B:W21,26:B8,17:huffable=30-26", "huff 21", "W:W26:B8,17"),
    ({}, "B:W21,26:B8,17:huffable=30-26", "retract", "W:W21,30:B8,17:compelled"),
    ({"huff__retracted": "free"}, "B:W21,26:B8,17:huffable=30-26", "retract", "W:W21,30:B8,17"),
    ({"huff__retracted": "turn-lost"}, "B:W21,26:B8,17:huffable=30-26", "retract", "B:W21,30:B8,17"),
    ({}, "B:WK1,21:B8,17:huffable=6-1K", "retract", "W:W6,21:B8,17:compelled"),
    ({}, "B:W21,26:B8,17:huffable=30-26", "8-11", "W:W21,26:B11,17"),
    ({}, "W:W21,30:B8,17:compelled", "21x14", "B:W14,30:B8"),
    ({}, "B:W17:B4,18:huffable=22-17", "huff 17", "B:W:B4,18"),
    (UNFINISHED, "W:W21,24:B11,17,K19", "24x15", "B:W15,21:B11,17:huffable=24-15xK19"),
    (UNFINISHED, "W:W21,24:B11,17,19", "24x15x8", "B:W8,21:B17"),
    (UNFINISHED, "B:W15,21:B11,17:huffable=24-15xK19", "huff 15", "B:W21:B11,17"),
    (UNFINISHED, "B:W15,21:B11,17:huffable=24-15xK19", "retract", "W:W21,24:B11,17,K19:compelled"),
    (LESS, "W:W21,24:B11,17,19", "21x14", "B:W14,24:B11,19:huffable=21-14x17"),
    (LESS, "W:W21,24:B11,17,19", "24x15x8", "B:W8,21:B17"),
    (LESS, "B:W14,24:B11,19:huffable=21-14x17", "huff 24", "B:W14:B11,19"),
    (LESS, "B:W14,24:B11,19:huffable=21-14x17", "retract", "W:W21,24:B11,17,19:compelled"),
]  # fmt: skip


@for_each(("changes", "fen", "action", "after"), HUFFS)
def test_play_with_huffing(changes: dict[str, Any], fen: str, action: str, after: str) -> None:
    ruleset = changed(DE, **changes)
    assert play(ruleset, fen, action).fen() == after
    assert ruleset.position(after).fen() == after


def test_huffing_the_last_piece_wins() -> None:
    after = play(DE, "B:W17:B4,18:huffable=22-17", "huff 17")
    assert str(damspec.outcome(DE, after)) == "black (no-pieces)"


def test_a_side_with_a_remedy_is_not_without_moves() -> None:
    """Black's man is shut in, but White took 21-17 where it could capture with 31 or 32."""
    assert listed(DE, "B:W17,31,32:B27:huffable=21-17") == "huff 31 huff 32 retract"
    assert str(damspec.outcome(DE, "B:W17,31,32:B27:huffable=21-17")) == "ongoing"
    assert str(damspec.outcome(DE, "B:W17,31,32:B27")) == "white (no-moves)"
    no_moves = changed(DE, ending__blocked="no-piece-move")
    assert str(damspec.outcome(no_moves, "B:W17,31,32:B27:huffable=21-17")) == "white (no-moves)"


def test_a_side_whose_pieces_have_no_step() -> None:
    """Black's man has one only by capturing."""
    assert str(damspec.outcome(DE, "B:W24,30:B20")) == "ongoing"
    assert str(damspec.outcome(changed(DE, ending__blocked="no-piece-move"), "B:W24,30:B20")) == "ongoing"
    assert str(damspec.outcome(changed(DE, ending__blocked="no-step"), "B:W24,30:B20")) == "white (no-moves)"


def test_lapses_can_be_played_and_are_never_among_the_legal_moves() -> None:
    game = Game("de", "W:W21,30:B8,17")
    assert [str(move) for move in game.legal_moves.lapses] == ["30-25", "30-26"]
    assert "30-26" not in list(map(str, game.legal_moves))
    assert isinstance(game.legal_moves.find("30-26"), Move)
    assert game.push("30-26").huffable == "30-26"
    assert game.push("retract").compelled
    refusal(damspec.IllegalMoveError, game.push, "30-26")
    assert game.push("21x14").fen() == "B:W14,30:B8"
    assert damspec.perft(DE, "W:W21,30:B8,17", 1) == 1


# --- positions that cannot be


STOPPING = "de?completion=stopping-is-a-lapse"


@for_each(
    ("ruleset", "fen", "expected"),
    [
        ("nl-trapdoor", "W:W21:B5:sliders=MMM", "found sliders=MMM, expected a letter for each of O1, G1, G2, O2"),
        ("nl-trapdoor", "W:W21:B5:sliders=MMMMM", "found sliders=MMMMM, expected a letter for each of O1, G1, G2, O2"),
        ("nl-trapdoor", "W:W21:B5:sliders=MMXM", "found 'sliders=MMXM', expected a letter L, M or R"),
        ("nl-trapdoor", "W:W21:B5,14:sliders=MLMM", "piece on an open door: 14, expected it to have fallen"),
        ("nl-trapdoor", "W:W21,K24:B5,14:sliders=MLMR", "piece on an open door: 14, 24"),
        ("nl-trapdoor?falls=men", "W:W24:BK14:sliders=MLMR", "piece on an open door: 24, expected"),
        ("nl-trapdoor", "W:W21:B5:spin=both", "found spin=both, expected one of disc, green, orange"),
        ("nl-trapdoor", "W:W21:B5:spin=due", "found spin=due, but no spin follows a capture"),
        ("nl-trapdoor", "W:W21:B17:spin=disc", "found spin=disc, but a capture is possible"),
        # 17 is in the way of the man on 21 and 14 behind it: White has lost as its turn begins (nl-041).
        ("nl-trapdoor", "W:W21:B14,17:spin=green", "found spin=green, but white cannot move a piece and does not spin"),
        ("nl-trapdoor", "W:W21:B14,17:spin=disc", "found spin=disc, but white cannot move a piece and does not spin"),
        ("fr-trapdoor-dual", "B:W16,19:B12:spin=both", "found spin=both, but black cannot move a piece"),
        ("nl-trapdoor?blocked=spins", "W:W:B17:spin=green", "found spin=green, but white cannot move a piece"),
        ("nl-trapdoor-autoclose", "W:W21:B5:sliders=MLMM", "found sliders=MLMM, but doors close again at once"),
        ("nl-trapdoor", "W:W21:B5:huffable=22-18", "found huffable=22-18, but there is no huffing"),
        ("nl-trapdoor", "W:W21:B5:compelled", "found compelled, but there is no huffing"),
        ("de", "W:W21:B5:spin=disc", "found spin=disc, but there are no trapdoors"),
        ("de", "W:W21:B5:sliders=MMMM", "found sliders=MMMM, but there are no trapdoors"),
        ("de", "B:W21,26:B17:huffable=30-33", "found huffable=30-33, but the board has squares 1 to 32"),
        ("de", "B:W21,26:B17:huffable=30-25", "found huffable=30-25, but no white piece stands on 25"),
        ("de", "B:W21,26:B17:huffable=13-17", "found huffable=13-17, but no white piece stands on 17"),
        ("de", "B:W21,26,30:B17:huffable=30-26", "found huffable=30-26, but square 30 is not empty"),
        ("de", "B:W21,26:B17:huffable=29-26", "found huffable=29-26, but that move could not be played"),
        ("de", "B:W21,26:B18:huffable=30-26", "found huffable=30-26, but no capture was possible before that move"),
        ("de", "B:W21,26:B17:huffable=30-26K", "found huffable=30-26K, but the piece on 26 is a man"),
        ("de", "B:W21,K26:B17:huffable=30-26K", "found huffable=30-26K, but that move could not be played"),
        ("de", "B:W21,26:B17:huffable=30-26:compelled", "found huffable=30-26 with compelled"),
        ("de", "B:W15,21:B11,17:huffable=24-15x19", "found huffable=24-15x19, but that move could not be played"),
        (STOPPING, "B:W8,21:B17:huffable=24-8x11,19", "found huffable=24-8x11,19, but that move could not be played"),
        (STOPPING, "B:W15,21:B11,17,19:huffable=24-15x19", "found huffable=24-15x19, but square 19 is not empty"),
        (STOPPING, "B:W15,21:B11,17:huffable=24-15x24", "found huffable=24-15x24, but names a square twice"),
        (STOPPING, "B:W15,21:B11,17:huffable=24-15x33", "found huffable=24-15x33, but the board has squares 1 to 32"),
        (STOPPING, "B:WK18:B23:huffable=18-18x7,6,14,15", "expected it written 18-18x6,7,14,15"),
        ("de", "W:W21:B5:compelled", "found compelled, but no capture is possible"),
        ("de?retracted=free", "W:W21:B17:compelled", "found compelled, but a move taken back compels nobody"),
        ("dam-blas", "W:WK46:B19,45:compelled", "found compelled, but a move taken back compels nobody"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be(ruleset: str, fen: str, expected: str) -> None:
    message = refusal(PositionError, damspec.load_ruleset(ruleset).position, fen)
    assert expected in message
    assert repr(fen) in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("ruleset", "fen"),
    [
        ("nl-trapdoor?blocked=spins", "W:W21:B14,17:spin=green"),  # a slider may make way
        ("nl-trapdoor?spin=after-capture", "W:W21:B14,17:spin=green"),  # the capture before the spin may have led here
        ("nl-trapdoor", "W:W21:B5:sliders=MMLM:spin=green"),  # the man can move, onto the open door
        ("nl-trapdoor", "W:W21:B14,17"),  # not spun: lost, and the game may end so
    ],
)
def test_positions_that_can_be_all_the_same(ruleset: str, fen: str) -> None:
    assert damspec.load_ruleset(ruleset).position(fen).fen().startswith(fen.split(":s")[0])


@pytest.mark.parametrize(
    ("ruleset", "fen", "action"),
    [
        ("de", "W:W21,30:B17", "retract"),
        ("de", "W:W21,30:B17", "huff 17"),
        ("de", "B:W21,26:B8,17:huffable=30-26", "huff 26"),
        ("nl-trapdoor", "W:W21:B5", "21-17"),
        ("nl-trapdoor", "W:W21:B5:spin=disc", "spin=disc"),
        ("nl-trapdoor", "W:W21:B5:spin=green", "O1=L"),
        ("nl-trapdoor", "W:W21:B5:sliders=MLMM:spin=green", "G1=R"),
        ("nl-trapdoor", "W:W21:B5:spin=green", "pass"),
    ],
)
def test_actions_that_are_not_open(ruleset: str, fen: str, action: str) -> None:
    said = refusal(damspec.IllegalMoveError, play, damspec.load_ruleset(ruleset), fen, action)
    assert f"illegal move {action!r} in " in said
    assert "; legal: " in said


@pytest.mark.parametrize(
    "fen",
    ["W:W21:B5:sliders=MLRM:spin=green", "B:WK9,21:B5,K7:sliders=MMMM", "W:W21:B17:sliders=RMML"],
)
def test_positions_with_doors_read_back(fen: str) -> None:
    position = NL.position(fen)
    assert position.fen() == fen
    assert NL.position(position.fen(algebraic=True)) == position


def test_sliders_left_out_stand_in_the_middle() -> None:
    assert NL.position("W:W21:B5:spin=disc").fen() == "W:W21:B5:sliders=MMMM:spin=disc"
    assert NL.position("W:W21:B5:spin=disc") == NL.position("W:W21:B5:spin=disc:sliders=MMMM")


# --- Runs of one king (`king.move.limit`): how they are counted, what stands in the FEN, what a king at the limit can
# do.
# Frisian draughts: three quiet moves in a row by one king, as long as its side has men.


def fens(start: str, *moves: str) -> list[str]:
    """The positions of a game after each move."""
    game = Game("frisian", start)
    return [game.push(move).fen() for move in moves]


def moves(position: str, **changed: Any) -> list[str]:
    """The legal moves by the Frisian rules, with values changed."""
    rules = {**FRISIAN, **{rule.replace("__", "."): value for rule, value in changed.items()}}
    return [str(move) for move in damspec.legal_moves(damspec.from_values(rules), position)]


def test_a_run_is_counted_and_goes_with_the_king() -> None:
    assert fens("W:WK46,30:BK1,15", "46-41", "1-7", "41-36", "7-1", "36-41", "1-7") == [
        "B:W30,K41:BK1,15:+0+141",
        "W:W30,K41:BK7,15:+107+141",
        "B:W30,K36:BK7,15:+107+236",
        "W:W30,K36:BK1,15:+201+236",
        "B:W30,K41:BK1,15:+201+341",
        "W:W30,K41:BK7,15:+307+341",
    ]


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        pytest.param("W:WK46,30:BK1,15:+101+246", "30-25", "B:W25,K46:BK1,15:+101+0", id="a man's move"),
        pytest.param("W:WK46,K36,30:BK1,15:+0+246", "36-41", "B:W30,K41,K46:BK1,15:+0+141", id="another king begins"),
        pytest.param("W:WK46,7,30:B15:+0+246", "7-1", "B:WK1,30,K46:B15", id="a new king has made no move"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", "46x19", "B:WK19,30:BK1,45", id="the same king captures"),
        pytest.param("W:WK46,30:B15,24:+0+246", "30x19", "B:W19,K46:B15", id="a man captures"),
        pytest.param("B:WK46,30:BK1,15:+0+246", "15-20", "W:W30,K46:BK1,20:+0+246", id="the other side moves"),
        pytest.param("B:WK28,30:B15,22:+0+228", "22x33", "W:W30:B15,33", id="the king is captured"),
        pytest.param("B:WK46,28,30:B15,22:+0+246", "22x33", "W:W30,K46:B15,33:+0+246", id="another is captured"),
        pytest.param("B:WK46,28:B15,22:+0+346", "22x33", "W:WK46:B15,33", id="the last man is captured"),
        pytest.param("W:WK46,7:B15:+0+246", "7-1", "B:WK1,K46:B15", id="the last man is crowned"),
        pytest.param("W:WK46:BK1,15", "46-41", "B:WK41:BK1,15", id="a side that has kings only"),
    ],
)
def test_what_a_move_makes_of_runs(position: str, move: str, after: str) -> None:
    assert damspec.play("frisian", position, move).fen() == after


KING_46 = [f"46-{square}" for square in (5, 10, 14, 19, 23, 28, 32, 37, 41)]
KING_50 = [f"50-{square}" for square in (6, 11, 17, 22, 28, 33, 39, 44, 45)]
MAN_30 = ["30-24", "30-25"]


@pytest.mark.parametrize(
    ("position", "changed", "expected"),
    [
        pytest.param("W:WK46,30:BK1,15:+0+346", {}, MAN_30, id="three moves are made"),
        pytest.param("W:WK46,30:BK1,15:+0+246", {}, MAN_30 + KING_46, id="two are"),
        pytest.param("W:WK46,30:BK1,15:+0+246", {"king__move__limit": 2}, MAN_30, id="and no more may be"),
        pytest.param("W:WK46,30:BK1,15:+301+0", {}, MAN_30 + KING_46, id="the other side's are"),
        pytest.param("W:WK46,K50,30:BK1,15:+0+346", {}, MAN_30 + KING_50, id="another king is free"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", {}, ["46x5", "46x10", "46x14", "46x19"], id="it may capture"),
        pytest.param("W:WK46,30:BK1,23,45:+0+346", {"capture__duty": "optional"}, [*MAN_30, "46x5", "46x10", "46x14",
                     "46x19"], id="it may only capture"),
        pytest.param("W:WK5,36:B27,31:+0+305", {}, [], id="nothing else can move"),
    ],
)  # fmt: skip
def test_what_a_king_at_the_limit_can_do(position: str, changed: dict[str, Any], expected: list[str]) -> None:
    assert moves(position, **changed) == expected


def test_who_has_nothing_but_a_king_at_the_limit_has_lost() -> None:
    assert str(damspec.outcome("frisian", "W:WK5,36:B27,31:+0+305")) == "black (no-moves)"
    assert str(damspec.outcome("frisian", "W:WK5,36:B27,31:+0+205")) == "ongoing"


def test_two_slides_are_one_move_and_a_slide_before_a_capture_is_a_capture() -> None:
    twice = {"king__move__slides": "twice", "king__move__limit": 1, "capture__duty": "optional"}
    found = moves("W:WK46,30:BK1,15,34:+0+146", **twice)
    assert found
    assert all("x" in move for move in found if move.startswith("46"))


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        ("W:WK46,30:B15:+0+446", "found a run of 4 by the white king on 46, expected at most 3"),
        ("W:WK46,30:BK1,15:+901+0", "found a run of 9 by the black king on 1, expected at most 3"),
        ("W:WK46,30:B15:+0+241", "found a run of 2 by the white king on 41, but no white king stands on 41"),
        ("W:WK46,30:B15:+0+230", "found a run of 2 by the white king on 30, but no white king stands on 30"),
        ("W:WK46,30:B15:+0+1999", "found a run of 1 by the white king on 999, but no white king stands on 999"),
        (
            "W:WK46:B15:+0+246",
            "found a run of 2 by the white king on 46, but white has kings only, whose moves are not",
        ),
    ],
)
def test_runs_that_a_game_cannot_have(position: str, wrong: str) -> None:
    assert wrong in refusal(PositionError, damspec.legal_moves, "frisian", position)


def test_a_game_without_the_rule_has_no_runs() -> None:
    assert "but these rules do not limit the moves of a king" in refusal(
        PositionError, damspec.legal_moves, "international", "W:WK46,30:B15:+0+146"
    )
    assert damspec.play("international", "W:WK46,30:B15:+0+0:H3:F1", "46-41").fen() == "B:W30,K41:B15"


def test_turned_round_a_run_goes_with_its_king() -> None:
    position = Position.from_fen("W:WK46,30:BK1,15:+301+246", Board(10, 10))
    assert position.mirrored().fen() == "B:W36,K50:BK5,21:+205+350"
    assert position.mirrored().mirrored() == position


@pytest.mark.parametrize("rules", [HUFF, DOORS], ids=["huffing", "trapdoors"])
def test_the_rule_goes_with_neither_huffing_nor_trapdoors(rules: dict[str, Any]) -> None:
    with pytest.raises(
        RulesetError, match=r"king.move.limit: found 3, expected only if there is no huffing and there are no"
    ):
        damspec.from_values({**rules, "king.move.limit": 3})


@pytest.mark.parametrize("limit", [0, 10, "three", 2.5])
def test_a_limit_is_a_number_of_one_figure(limit: Any) -> None:
    assert "king.move.limit" in refusal(RulesetError, damspec.from_values, {**FRISIAN, "king.move.limit": limit})


@pytest.mark.parametrize("position", ["W:WK46,30:BK1,15", "W:WK46,30:BK1,15:+201+246", "B:WK46,36:BK5,15:+305+346"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_perft_stops_kings_at_the_limit(position: str, depth: int) -> None:
    ruleset = damspec.from_values({**FRISIAN, "king.move.limit": 3})
    turns, start = ruleset.turns, ruleset.position(position)
    assert count_nodes(turns, start, depth) == count_in_python(turns, start, depth)


def test_where_the_limit_can_show_in_a_count() -> None:
    """White's fourth move is the first that it can forbid: the seventh of all, and the first if three are made."""
    board = Board(10, 10)
    assert [can_end(3, Position.from_fen("W:WK46,30:BK1,15", board), depth) for depth in (6, 7)] == [False, True]
    assert [can_end(3, Position.from_fen("W:WK46,30:BK1,15:+301+0", board), depth) for depth in (1, 2)] == [False, True]
    assert not can_end(None, Position.from_fen("W:WK46,30:BK1,15", board), 20)


@settings(max_examples=20, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
@pytest.mark.thorough
def test_positions_that_show_the_limit_have_a_king_at_it(data: st.DataObject) -> None:
    found = data.draw(damspec.strategies.positions("frisian", exercise="king.move.limit=null", pieces=(2, 8)))
    assert is_at_limit(3, found)


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
def test_positions_in_the_phase_of_runs(data: st.DataObject) -> None:
    found = data.draw(damspec.strategies.positions("frisian", phase="run"))
    assert found.run(found.turn)
    assert damspec.load_ruleset("frisian").position(found.fen()) == found


def test_slides_of_a_king_are_there_for_another_thread_only_when_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made when they are first possible; what another thread finds while they are made is all of them too."""
    ruleset, meanwhile = damspec.load_ruleset("turkish"), list[list[Action]]()
    position, make = ruleset.position("B:W12:BK32"), piece_moves._slide

    def slide(*arguments: Any) -> Move:
        if not meanwhile:
            meanwhile.append([])
            meanwhile[0] = turns.actions(position)
        return make(*arguments)

    monkeypatch.setattr(piece_moves, "_slide", slide)
    turns = ActionGenerator(ruleset.rules)
    assert meanwhile == []
    assert turns.actions(position) == meanwhile[0]
    # Along its row to 31, 30, 29, 28, 27, 26 and 25, down to 40, 48, 56 and 64, up to 24, 16 and 8.
    assert {action.end for action in meanwhile[0]} == {25, 26, 27, 28, 29, 30, 31, 40, 48, 56, 64, 24, 16, 8}
