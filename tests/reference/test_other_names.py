"""Names of other libraries: each is answered with what to type, and that can be typed."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest

import damspec
import damspec.pdn
import damspec_runner.engines.simple
from damspec.errors import MissingPackageError
from damspec.other_names import OTHER_NAMES
from damspec.pdn import GameNode
from damspec_runner.engines.simple import SimpleEngine
from refusals import refusal

PDN = '[GameType "20"] 1. 32-28 19-23 2. 28x19 14x23 *'
OWNERS: dict[str, Any] = {
    "damspec": damspec,
    "damspec.pdn": damspec.pdn,
    "GameNode": GameNode,
    "SimpleEngine": SimpleEngine,
    **{name: getattr(damspec, name) for name in OTHER_NAMES if hasattr(damspec, name)},
}


def examples() -> dict[str, Any]:
    """Return a value for every word that the table uses."""
    game = damspec.Game("international", "W:W28,32:B19,23")
    pdn_game = damspec.pdn.read_pdn(PDN)[0]
    move = game.legal_moves[0]
    return {
        "damspec": damspec,
        "damspec_runner": damspec_runner,
        "game": game,
        "position": game.position,
        "ruleset": game.ruleset,
        "move": move,
        "text": str(move),
        "fen": game.fen(),
        "depth": 1,
        "index": game.legal_moves.move_index(move),
        "square": 28,
        "piece": game.position[28],
        "pdn_game": pdn_game,
        "node": pdn_game.next,
        "handle": io.StringIO(PDN),
        "command": ["engine"],
        "SimpleEngine": SimpleEngine,
        "engine": SimpleEngine.lines(["engine"]),
    }


@pytest.mark.parametrize("owner", OTHER_NAMES)
def test_what_is_typed_instead_can_be_typed(owner: str) -> None:
    typed = set[str]()
    for name, here in OTHER_NAMES[owner].items():
        values = examples()
        if here in ("game.pop()", "game.peek()"):
            values["game"].push(values["move"])
        if "pdn(text)" in here:
            values["text"] = PDN
        if "SimpleEngine.hub" in here or "engine." in here:
            assert callable(eval(here.partition("(")[0], values)), name  # which needs an engine
        elif here not in typed:
            with suppress(MissingPackageError):  # which says what to install
                eval(here, values)
            typed.add(here)


@pytest.mark.parametrize("owner", OTHER_NAMES)
def test_a_name_of_another_library_is_answered(owner: str) -> None:
    found = OWNERS[owner]
    for name, here in OTHER_NAMES[owner].items():
        assert refusal(AttributeError, getattr, found, name) == f"{owner} has no {name!r}; here it is {here}"


def test_objects_answer_as_their_classes_do() -> None:
    values = examples()
    objects = {
        "Game": values["game"],
        "Position": values["position"],
        "Ruleset": values["ruleset"],
        "LegalMoves": values["game"].legal_moves,
        "Move": values["move"],
        "Spin": damspec.Spin("disc"),
        "SliderPush": damspec.SliderPush("G1", "L"),
        "Huff": damspec.Huff(18),
        "Retract": damspec.Retract(),
        "Pass": damspec.Pass(),
        "Board": values["position"].board,
        "Outcome": values["game"].outcome(),
        "GameNode": values["node"],
        "Piece": values["piece"],
        "SimpleEngine": values["engine"],
    }
    assert objects.keys() == OTHER_NAMES.keys() - {"damspec", "damspec.pdn"}
    for owner, thing in objects.items():
        for name in OTHER_NAMES[owner]:
            expected = f"{type(thing).__name__} has no {name!r}; here it is {OTHER_NAMES[owner][name]}"
            assert refusal(AttributeError, getattr, thing, name) == expected
            assert not hasattr(thing, name)
        shown = {*dir(thing), *dir(type(thing))}
        assert not OTHER_NAMES[owner].keys() & shown
        assert all(hasattr(type(thing), name) for name in dir(type(thing)) if name != "__abstractmethods__")


def test_other_mistakes_are_answered_as_python_does() -> None:
    game = damspec.Game("vl")
    assert refusal(AttributeError, getattr, game, "pushh") == "'Game' object has no attribute 'pushh'"
    assert refusal(AttributeError, getattr, damspec, "plya") == "module 'damspec' has no attribute 'plya'"
    assert refusal(AttributeError, getattr, damspec.pdn, "x") == "module 'damspec.pdn' has no attribute 'x'"


def test_a_class_of_yours_can_have_the_names() -> None:
    class Game(damspec.Game):
        def undo(self) -> str:
            return str(self.pop())

    game = Game("vl", "W:W26:B23,24")
    game.push("26x19x28")
    assert (game.undo(), "undo" in dir(game), hasattr(game, "push_san")) == ("26x19x28", True, False)


def test_legal_moves_are_no_method() -> None:
    legal: Any = damspec.Game("vl").legal_moves
    assert refusal(TypeError, legal) == "legal_moves is a property: write game.legal_moves, without ()"


def test_what_is_obvious_is_there() -> None:
    assert damspec.Position.from_fen("W:W31:BK20").piece_at(20) == damspec.Piece("black", "king")
    assert damspec.Game("english", "W:W31:BK20").piece_at(19) is None
    start = damspec.load_ruleset("vl").position()
    board: Any = damspec.svg.board  # type: ignore[attr-defined]
    assert board(start) == damspec.svg(start)


def test_dir_lists_public_names() -> None:
    listed = dir(damspec)
    assert "pdn" in listed
    assert not {"TYPE_CHECKING", "Any", "import_module", "warn"} & {*listed}
    program = "import damspec; print(damspec.pdn.read_game.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "read_game\n"
