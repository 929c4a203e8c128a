"""What each protocol says of a position: the table of the code is that of the page, and nothing is left out unsaid."""

from __future__ import annotations

import re

import pytest

from damspec import Board, Position
from damspec_runner.engines.dxp import DxpEngine, Opponent
from damspec_runner.engines.hub import HubEngine
from damspec_runner.engines.position_parts import PARTS, PROTOCOLS, TEN, Protocol, parts_of
from damspec_runner.engines.protocol import UnsupportedError
from refusals import refusal
from runner_fixtures import DAMSPEC, PROJECT

BOARD = Board(10, 10)
#: A position with each part that is more than pieces, and what is said where it cannot be.
MORE = {
    "king-run": ("W:W37,K46:B45:+0+346", "how many moves in a row a king has made"),
    "sliders": ("W:W37:B45:sliders=MM", "where the sliders are"),
    "spin": ("W:W37:B45:spin=disc", "what was spun"),
    "huffable": ("W:W37:B45:huffable=40-45", "the last move, which left a capture"),
    "compelled": ("W:W37:B45:compelled", "that the side to move has to capture"),
}


def cell(protocol: Protocol, part: str) -> str:
    if part in protocol.carries:
        return "yes"
    return "by moves" if part in protocol.by_moves else "·"


def test_the_page_has_the_table() -> None:
    page = (PROJECT / "docs" / "protocol.md").read_text(encoding="utf-8")
    section = page.partition("## Parts of a position")[2].partition("\n## ")[0]
    rows = [[word.strip() for word in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    head, _, *body = rows
    assert head == ["", *(protocol.name for protocol in PROTOCOLS)]
    assert body[:-1] == [[words, *(cell(one, part) for one in PROTOCOLS)] for part, words in PARTS.items()]
    assert body[-1] == ["boards", *("10x10" if one.boards == TEN else "any" for one in PROTOCOLS)]


@pytest.mark.parametrize("part", MORE)
def test_a_part_of_a_position_is_seen(part: str) -> None:
    assert parts_of(Position.from_fen(MORE[part][0], BOARD)) == {"pieces", "turn", part}


def test_every_part_of_a_position_is_named() -> None:
    """A position has the fields of its pieces, the turn, and one field for each other part, or one for each side."""
    others = set(Position.__dataclass_fields__) - {"board", "layout", "turn"}
    others -= {"white_men", "white_kings", "black_men", "black_kings"}
    named = {re.sub("(white|black)_run", "king-run", name) for name in others}
    assert named | {"pieces", "turn", "history"} == set(PARTS)


@pytest.mark.thorough
def test_hub_and_dxp_are_not_asked_without_it() -> None:
    """Nothing is sent of it; at the port of DXP nobody waits at all."""
    player = DxpEngine(Opponent("127.0.0.1", 1), BOARD)
    with HubEngine([*DAMSPEC, "serve", "--hub"], BOARD, lambda position: [], timeout=20.0) as engine:
        for part, (fen, words) in MORE.items():
            # no moves lead to a run of a king, since nobody looks for any
            also = ", and no moves were found that lead there" if part == "king-run" else ""
            assert (
                refusal(UnsupportedError, engine.ask, "moves", {"ruleset": "frisian", "position": fen})
                == f"Hub has no word for {words}{also}"
            )
            assert (
                refusal(UnsupportedError, player.ask, "plays", {"ruleset": "frisian", "position": fen})
                == f"DXP has no word for {words}"
            )
