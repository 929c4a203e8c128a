"""`damspec check --endgames`: moves that give something away, values stated wrongly, and what is not judged."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import data
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import Hello
from runner_fixtures import DAMSPEC, EXAMPLES, TESTS
from runner_fixtures import damspec as run

try:
    from damspec_runner.solve.lookup import Endgames
    from damspec_runner.solve.solve import Folder, solve
    from damspec_runner.verify.endgames import EndgamesPlayed, play_endgames
except ModuleNotFoundError:  # numba
    pytest.skip("the kernel is compiled by numba, which is not installed: damspec[fast]", allow_module_level=True)

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]

ENGLISH = damspec.load_ruleset("english")


class Player(Engine):
    """An engine that answers `plays` by a function of the position."""

    command, timeout = (), 1.0

    def __init__(self, answer: Callable[[str], Mapping[str, Any]]) -> None:
        self._answer = answer

    def hello(self) -> Hello:
        """What it says of itself."""
        return Hello("player", "1", None, frozenset({"plays"}), False)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Answer `plays`."""
        assert method == "plays"
        return self._answer(params["position"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """English draughts with two pieces."""
    return solved(ENGLISH, tmp_path_factory.mktemp("english"))


def solved(ruleset: damspec.Ruleset, path: Path) -> Folder:
    """Two pieces of a ruleset, solved."""
    folder = Folder(ruleset, path)
    solve(folder, 2)
    return folder


def played(folder: Folder, place: int, **stated: str) -> EndgamesPlayed:
    """What an engine does that always plays the best move, place 0, or the worst, -1."""
    endgames = Endgames(folder)

    def answer(fen: str) -> Mapping[str, Any]:
        return {"move": str(endgames.moves(folder.ruleset.position(fen))[place][0]), **stated}

    return play_endgames(folder, Player(answer), 2, 5, 0)


def test_the_best_moves_give_nothing_away(folder: Folder) -> None:
    found = played(folder, 0)
    assert found.positions == {"KvK": 10, "KvM": 10, "MvM": 10}  # five won and five drawn of each
    assert not found.is_wrong


def test_the_worst_moves_all_do(folder: Folder) -> None:
    found = played(folder, -1)
    assert len(found.blunders) == sum(found.positions.values()) == 30
    assert {each.position.turn for each in found.blunders} == {"white", "black"}
    for each in found.blunders:
        assert (each.value.value, each.lost) != ("draw", 2)
        assert each.better_value == each.value
    assert data.schema_problem({"endgames": [found.as_json()]}, "endgames") is None


def test_values_are_compared_in_all_positions(folder: Folder) -> None:
    found = played(folder, 0, value="draw")
    assert {each.value.value for each in found.misjudged} == {"win", "loss"}
    assert found.stated == sum(found.positions.values()) > 30
    assert not found.blunders


def test_what_a_limit_of_moves_may_excuse_is_not_asked(tmp_path: Path) -> None:
    """One move of each side without a capture draws, so that only what is over in two plies is certain."""
    values = {**ENGLISH.values, "draws.no-capture": 1}
    found = played(solved(damspec.from_values(values, "short"), tmp_path), -1)
    assert found.uncertain > 0
    assert found.blunders
    for each in found.blunders:
        decisive = each.value if each.value.value == "win" else each.after
        assert 0 < decisive.distance <= 2


def test_no_legal_move(folder: Folder) -> None:
    """After ten positions without a legal move it is asked no more."""
    found = play_endgames(folder, Player(lambda fen: {"move": "1-32"}), 2, 5, 0)
    assert found.is_wrong
    assert [message for _, message in found.unanswered] == ["plays 1-32, which is not legal"] * 10


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference plays the best moves of files that are there; who goes to the lowest square gives some away."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    again = ("check", "english", "--endgames", "--pieces", "2", "--drawn", "5")
    ran = run(*again, "--lines", "--", sys.executable, str(TESTS / "fakes" / "partial.py"), "plays", "--lines")
    assert ran.status == 1
    assert "BLUNDER KvK, " in ran.out
    assert " gives away half a point: " in ran.out
    assert ran.out.splitlines()[-1].startswith("english by plays 1")
    ran = run(*again, "--json", "--", *DAMSPEC, "serve")
    found = json.loads(ran.out)
    assert data.schema_problem(found, "endgames") is None
    (played,) = found["endgames"]
    assert (ran.status, played["blunders"], played["misjudged"]) == (0, [], [])
    assert played["values_stated"] > 30
    lists = run(*again, "--", sys.executable, str(EXAMPLES / "engine.py"))
    assert lists.status == 3
    assert "example does not answer plays: it cannot be asked which move it plays" in lists.complaint


def test_huffing_is_refused() -> None:
    ran = run("check", "de", "--endgames", "--", *DAMSPEC, "serve")
    assert ran.status == 2
    assert ran.complaint == "damspec: de: huffing is left out of solved endgames, and may excuse a move"
