"""The opponent: it beats a player who plays by chance, sees what is forced, and keeps to its time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec_runner.solve.place import recorded_endgames_path
from runner_fixtures import node
from runs import usually


def match(id: str, games: int, depth: int, milliseconds: int) -> dict[str, float]:
    """The score of so many games, and the milliseconds of its longest thought."""
    question = {"rules": damspec.load_ruleset(id).inline_values, "games": games, "depth": depth, "start": 7}
    found: dict[str, float] = _run(Path(__file__).with_name("match.mjs"), {**question, "milliseconds": milliseconds})
    return found


def thought(id: str, fen: str, *, each: bool = False, files: Sequence[Path] = (), **options: Any) -> dict[str, Any]:
    """What it thinks of a position, or of each action in it, perhaps with files of solved endgames."""
    question = {"rules": damspec.load_ruleset(id).inline_values, "fen": fen, "options": options, "each": each}
    program = Path(__file__).with_name("think.mjs")
    found: dict[str, Any] = _run(program, {**question, "files": [str(path) for path in files]})
    return found


def _run(program: Path, question: dict[str, Any]) -> Any:
    run = subprocess.run(
        [node(), str(program)], input=json.dumps(question), capture_output=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("id", usually(["lb", "de"], ["lb", "de", "nl-trapdoor"]))
def test_it_beats_chance(id: str) -> None:
    assert match(id, games=8, depth=3, milliseconds=1000)["score"] >= 7


@pytest.mark.slow
@pytest.mark.parametrize("id", ["lb", "vl", "de", "english", "international"])
def test_it_scores_95_of_100_in_a_second_a_move_at_most(id: str) -> None:
    found = match(id, games=100, depth=5, milliseconds=900)
    assert found["score"] >= 95
    assert found["slowest"] <= 1000


def test_losing_draughts_is_lost_by_what_wins_elsewhere() -> None:
    """White can capture two men or one; in losing draughts it wants to be captured itself."""
    assert match("international+losing", games=4, depth=3, milliseconds=1000)["score"] >= 3


def test_it_says_what_each_action_leads_to() -> None:
    """White's 22 goes into the jaws of 14; if 32 moves, 14 has to go beside 22, which jumps Black's last piece."""
    found = thought("english", "W:W22,32:B14", each=True, depth=2)["actions"]
    assert {each["action"] for each in found[:2]} == {"32-27", "32-28"}
    assert {each["action"] for each in found[2:]} == {"22-17", "22-18"}
    assert [each["won"] for each in found] == [2, 2, None, None]
    # Captures are followed beyond the depth.
    found = thought("english", "W:W22,32:B14", each=True, depth=1)["actions"]
    assert {each["action"] for each in found[:2]} == {"32-27", "32-28"}
    assert found[1]["value"] - found[2]["value"] > 0.8


def test_it_overlooks_a_capture_if_it_is_told_to() -> None:
    """Black's 10 has to jump 15; three steps break that duty, and all actions of a game without huffing keep it."""
    assert thought("de", "B:W15,32:B6,10,12", depth=2)["action"] == "10x19"
    assert thought("de", "B:W15,32:B6,10,12", depth=2, lapse=True)["action"] in ("6-9", "10-14", "12-16")
    assert thought("lb", "B:W15,32:B6,10,12", depth=2, lapse=True)["action"] == "10x19"


def test_it_sees_what_is_won() -> None:
    """The king jumps the only man, and the game is over."""
    answer = thought("lb", "W:WK15:B11")
    assert answer["action"] == "15x8"
    assert (answer["won"], answer["line"]) == (1, ["15x8"])


def test_it_plays_solved_endgames() -> None:
    """28-24 wins in nine plies, the fifth move; the other move draws (known/README.md). It need look no further."""
    files = [*recorded_endgames_path(damspec.load_ruleset("lb")).iterdir()]
    found = thought("lb", "W:WK28:BK8", files=files, depth=1)
    assert (found["action"], found["won"]) == ("28-24", 5)
    (draw,) = [
        each for each in thought("lb", "W:WK28:BK8", each=True, files=files)["actions"] if each["action"] == "28-32"
    ]
    assert (draw["value"], draw["won"], draw["drawn"]) == (0, None, True)


def test_it_says_what_it_expects_and_how_far_it_saw() -> None:
    answer = thought("lb", "start", depth=4)
    assert answer["depth"] == 4
    assert len(answer["line"]) >= 4
    position = damspec.load_ruleset("lb").position("start")
    for text in answer["line"]:
        position = damspec.play("lb", position, text)
    assert answer["nodes"] > 100


def test_a_spin_is_no_choice_of_its_own() -> None:
    answer = thought("nl-trapdoor", "start")
    assert (answer["action"], answer["nodes"]) == (None, 0)
