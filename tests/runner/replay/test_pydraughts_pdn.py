"""PDN that pydraughts writes is read, and leads to its positions. It reads ours too: see the tests of formats."""

from __future__ import annotations

import re

import pytest

from damspec import Game, Position, load_ruleset
from replays import check_games
from runner_fixtures import run_with_library

pytestmark = pytest.mark.thorough

VARIANTS = {"international": "standard", "english": "english", "russian": "russian", "brazilian": "brazilian"}

#: Plays games of a variant at random, and writes them and then the last position of each.
WRITER = """
import random, sys
from draughts import Board
from draughts.PDN import PDNWriter
choose = random.Random(1)
for _ in range(2):
    board = Board(variant=sys.argv[1])
    while len(board.move_stack) < 50 and board.legal_moves() and not board.is_over():
        board.push(choose.choice(board.legal_moves()))
    print(PDNWriter(filename="", board=board).pdn_text)
    print("%", board.fen)
"""


def position(id: str, fen: str) -> Position:
    """A position that pydraughts writes: in letters where its variant has them."""
    return Position.from_fen(fen.strip(), load_ruleset(id).rules.board)


@pytest.mark.slow
@pytest.mark.parametrize("id", VARIANTS)
def test_we_read_what_it_writes(id: str) -> None:
    lines = run_with_library("pydraughts", WRITER, VARIANTS[id]).splitlines(keepends=True)
    found = list(check_games(lines, None, None))
    assert [(one.ruleset, one.verdict) for one in found] == [(id, "legal")] * 2
    texts = re.split(r"^% .*\n", "".join(lines), flags=re.MULTILINE)[:-1]
    last = [position(id, line.removeprefix("% ")) for line in lines if line.startswith("% ")]
    assert [Game.from_pdn(text).position for text in texts] == last
