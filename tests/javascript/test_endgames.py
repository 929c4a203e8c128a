"""Solved endgames read in JavaScript: the same values as in Python."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

import damspec
from runner_fixtures import node

try:
    from damspec_runner.solve.lookup import Endgames
    from damspec_runner.solve.solve import Folder, position_of, solve
except ModuleNotFoundError:  # numba
    pytest.skip("the kernel is compiled by numba, which is not installed: damspec[fast]", allow_module_level=True)

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]


def asked(folder: Folder, **question: Any) -> Any:
    """What tests/javascript/think.mjs prints of the files in a folder."""
    files = [str(path) for path in sorted(folder.path.glob("*.damsolve"))]
    given = {"rules": folder.ruleset.inline_values, "files": files, **question}
    ran = subprocess.run(
        [node(), str(Path(__file__).with_name("think.mjs"))],
        input=json.dumps(given), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize(("id", "pieces"), [("english", 3), ("thai", 2), ("frisian", 2), ("turkish", 2)])
def test_the_same_values_as_in_python(tmp_path: Path, id: str, pieces: int) -> None:
    folder = Folder(damspec.load_ruleset(id), tmp_path)
    rng, positions = random.Random(0), list[damspec.Position]()
    for summary in solve(folder, pieces):
        for section in summary.material.sections:
            tables, runs = folder.retrograde.tables([section]), folder.retrograde.runs(section)
            for _ in range(30):
                number = rng.randrange(folder.retrograde.size(section) // runs) * runs
                if folder.open(summary.material).code(section, number) & 3 != 3:
                    position = position_of(folder.ruleset, tables, number)
                    positions += [position, position.mirrored()]
    endgames = Endgames(folder)
    expected = [endgames.value(position)._asdict() for position in positions]
    assert asked(folder, fens=[position.fen() for position in positions]) == expected
    assert len(expected) > 150
