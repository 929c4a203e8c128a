"""The page about the library does what it says: its blocks are one session, run as a doctest."""

from __future__ import annotations

import doctest
import io
import re
import sys
from pathlib import Path

import damspec
import damspec.pdn
from damspec_runner.engines.simple import Limit, SimpleEngine

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
SERVE = [sys.executable, "-m", "damspec_runner", "serve", "--hub"]
#: What the page may leave to the docstrings: parts of larger values, and constants.
UNNAMED = {"Action", "Alternative", "Clause", "DIRECTIONS", "Kind", "Layout", "Reading", "Rules", "Side", "__version__"}


def test_examples() -> None:
    session = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(session, {}, "library.md", "library.md", 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted > 40
    assert results.failed == 0


def test_every_public_name_is_on_the_page() -> None:
    named = set(re.findall(r"\w+", PAGE))
    assert set(damspec.__all__) - named - UNNAMED == set()


def test_every_line_of_the_table_for_users_of_other_libraries() -> None:
    """What the last column says runs, each line in the start position after one move."""
    lines = PAGE.partition("| | python-chess |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [line.strip("| ").split("|")[-1].strip().strip("`") for line in lines]
    assert len(cells) > 25
    engine = SimpleEngine.hub(SERVE)
    for cell in cells:
        game = damspec.Game("international")
        game.push("32-28")
        move = game.legal_moves[0]
        eval(
            cell,
            {"damspec": damspec, "game": game, "other": game.copy(), "move": move, "text": str(move), "square": 30,
             "position": game.position, "fen": game.fen(), "piece": damspec.Piece("white", "king"),
             "command": SERVE, "engine": engine, "Limit": Limit, "SimpleEngine": SimpleEngine,
             "handle": io.StringIO(game.pdn())},
        )  # fmt: skip
    engine.close()
