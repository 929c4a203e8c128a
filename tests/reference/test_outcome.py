"""The end of the game: who has won by what, draws, and what goes first."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import damspec
from damspec import Outcome
from runs import for_each
from variants import ENGLISH, but

#: White's man on a7 cannot pass the king on b8, which nothing can jump.
BLOCKED = "W:W5:BK1"
DRAWS: dict[str, Any] = {"ending__draws": ["one-piece-each"], "ending__order": "losses-first"}
DRAWS_FIRST: dict[str, Any] = DRAWS | {"ending__order": "draws-first"}
NO_CAPTURE: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-no-capture"]}
SAME_KIND: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-same-kind"]}
ONE_PIECE: dict[str, Any] = {"ending__one_piece": "loses"}
KING_TO_MAN: dict[str, Any] = {"ending__king_to_man": "wins"}
BOTH: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-same-kind", "one-piece-each-no-capture"]}


@for_each(
    ("changes", "fen", "expected"),
    [
        ({}, "W:W22:B18", "ongoing"),
        ({}, "W:W:B18", "black (no-pieces)"),
        ({}, "B:W:B18", "black (no-pieces)"),
        ({}, "W:W22:B", "white (no-pieces)"),
        ({}, "B:W22:B", "white (no-pieces)"),
        (ONE_PIECE, "W:W22,25:B18", "white (one-piece)"),
        (ONE_PIECE, "B:WK22:BK1,2", "black (one-piece)"),
        (ONE_PIECE, "B:W22:BK1", "white (one-piece)"),  # both: the side to move
        (ONE_PIECE, "W:W22:B18", "black (one-piece)"),  # it could capture the last one
        (ONE_PIECE, "W:W22:B", "white (no-pieces)"),
        (ONE_PIECE, "W:W22,25:B2,3", "ongoing"),
        (DRAWS | KING_TO_MAN, "W:WK32:B1", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "B:WK32:B1", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "W:W32:BK1", "black (king-to-man)"),
        (DRAWS | KING_TO_MAN, "B:WK10:B6", "draw (one-piece-each)"),  # 6x15
        (DRAWS | KING_TO_MAN, "W:WK10:B6", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "W:WK32:BK1", "draw (one-piece-each)"),
        (DRAWS | KING_TO_MAN, "W:WK32:B1,2", "ongoing"),
        (DRAWS | KING_TO_MAN | {"ending__order": "draws-first"}, "W:WK32:B1", "draw (one-piece-each)"),
        (NO_CAPTURE | KING_TO_MAN, "B:WK10:B6", "ongoing"),
        ({"ending__no_pieces": "wins"}, "W:W:B18", "white (no-pieces)"),
        ({"ending__no_pieces": "wins"}, "W:W22:B", "black (no-pieces)"),
        ({}, BLOCKED, "black (no-moves)"),
        ({}, "B:W5:BK1", "ongoing"),
        ({"ending__no_moves": "wins"}, BLOCKED, "white (no-moves)"),
        ({"ending__no_moves": "draws"}, BLOCKED, "draw (no-moves)"),
        ({"ending__no_moves": "draws"}, "W:W:B18", "black (no-pieces)"),
        (DRAWS, BLOCKED, "black (no-moves)"),
        (DRAWS | {"ending__order": "draws-first"}, BLOCKED, "draw (one-piece-each)"),
        (DRAWS, "W:W22:B18", "draw (one-piece-each)"),
        (DRAWS, "B:WK22:B18", "draw (one-piece-each)"),
        (DRAWS, "W:W22,30:B18", "ongoing"),
        (DRAWS, "W:W22:B17,18", "ongoing"),
        (DRAWS, "W:W22:B", "white (no-pieces)"),
        (NO_CAPTURE, "W:W22:B18", "ongoing"),
        (NO_CAPTURE, "W:W22:B14", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:W22:B25", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:WK22:B21", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:WK22:B26", "ongoing"),
        (SAME_KIND, "W:W22:BK1", "ongoing"),
        (SAME_KIND, "W:WK22:BK1", "draw (one-piece-each-same-kind)"),
        (SAME_KIND, "W:W22:B18", "draw (one-piece-each-same-kind)"),
        (BOTH, "W:W22:B18", "draw (one-piece-each-same-kind)"),
        (BOTH, "W:W22:BK1", "draw (one-piece-each-no-capture)"),
        (BOTH, "W:W22:BK18", "ongoing"),
        # Of several reasons the first in the order of spec/rules.yaml: a first king, ...
        (DRAWS_FIRST | {"ending__first_king": "wins"}, "B:WK22:BK18", "white (first-king)"),
        (DRAWS_FIRST | {"ending__first_king": "wins"}, "W:WK22:B18", "white (first-king)"),
        ({"ending__first_king": "wins"} | ONE_PIECE, "B:WK22:B18,19", "white (first-king)"),
        ({"ending__first_king": "wins"} | {"ending__no_moves": "wins"}, BLOCKED, "black (first-king)"),
        # ... no pieces, draws where they come first, one piece, a king against a man, no moves.
        (ONE_PIECE | {"ending__no_pieces": "wins"}, "W:W:B18", "white (no-pieces)"),
        (DRAWS_FIRST | ONE_PIECE, "W:W22:B18", "draw (one-piece-each)"),
        (DRAWS | ONE_PIECE | KING_TO_MAN, "W:WK32:B1", "black (one-piece)"),
        (DRAWS | KING_TO_MAN | {"ending__no_moves": "wins"}, BLOCKED, "black (king-to-man)"),
        (DRAWS | {"ending__no_moves": "draws"}, "W:W5:B1,9", "draw (no-moves)"),
    ],
)
def test_outcome(changes: dict[str, Any], fen: str, expected: str) -> None:
    assert str(damspec.outcome(damspec.from_values(but(ENGLISH, **changes)), fen)) == expected


@pytest.mark.parametrize(
    ("ruleset", "fen", "expected"),
    [
        ("vl", "W:W22:B18", ("draw", "one-piece-each")),
        ("vl?one-each=unless-capture", "W:W22:B18", ("ongoing", None)),
        ("vl?one-each=same-kind", "W:WK22:B18", ("ongoing", None)),
        ("vl", "W:W13:B9", ("draw", "one-piece-each")),
        ("vl", "W:W13:BK6,9", ("black", "no-moves")),
        ("vl?blocked-one-each=drawn", "W:W13:BK6,9", ("black", "no-moves")),
        ("vl", "W:W5:BK1", ("black", "no-moves")),
        ("vl?blocked-one-each=drawn", "W:W5:BK1", ("draw", "one-piece-each")),
        ("lb", "W:W22:B18", ("ongoing", None)),
        ("lb", "B:W22:B", ("white", "no-pieces")),
        ("english", "start", ("ongoing", None)),
    ],
)
def test_shipped(ruleset: str, fen: str, expected: tuple[str, str | None]) -> None:
    found = damspec.outcome(damspec.load_ruleset(ruleset), fen)
    assert (found.result, found.reason) == expected


def test_a_drawn_position_still_has_its_moves() -> None:
    vl = damspec.load_ruleset("vl")
    assert [str(move) for move in damspec.legal_moves(vl, "W:W22:B18")] == ["22x15"]
    assert damspec.perft(vl, "W:W22:B18", 1) == 1


@pytest.mark.parametrize(
    ("outcome", "is_over", "winner", "entry"),
    [
        (Outcome("ongoing"), False, None, {"result": "ongoing"}),
        (Outcome("white", "no-moves"), True, "white", {"result": "white", "reason": "no-moves"}),
        (Outcome("black", "no-pieces"), True, "black", {"result": "black", "reason": "no-pieces"}),
        (Outcome("draw", "one-piece-each"), True, None, {"result": "draw", "reason": "one-piece-each"}),
    ],
)
def test_what_an_outcome_says(outcome: Outcome, is_over: bool, winner: str | None, entry: dict[str, str]) -> None:
    assert (outcome.is_over, outcome.winner, outcome.as_json()) == (is_over, winner, entry)


@pytest.mark.parametrize("result", ["ongoing", "white", "draw"])
def test_an_outcome_is_neither_true_nor_false(result: Literal["ongoing", "white", "draw"]) -> None:
    with pytest.raises(TypeError, match="ask is_over or winner"):
        bool(Outcome(result))
