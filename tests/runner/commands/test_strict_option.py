"""The option --strict: what passes and still has to be mended fails with it, and is in the last line without."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from unittest import mock

import pytest

from damspec_runner.engines.registry import Adapter
from damspec_runner.verify.compare_engines import PairResult
from runner_fixtures import damspec, printed

#: White can capture with 22, so its quiet moves are lapses: the case is about them.
HUFFING = """
ruleset: de
topic: huff
cases:
  - id: de.huff.x
    why: Lapses are listed beside the capture.
    clauses: [de-019]
    position: W:W22,32:B1,18
    moves:
      22x15: B:W15,32:B1
    lapses:
      22-17: B:W17,32:B1,18:huffable=22-17
      32-27: B:W22,27:B1,18:huffable=32-27
      32-28: B:W22,28:B1,18:huffable=32-28
"""


def engine(folder: Path, moves: str) -> list[str]:
    """An engine in plain lines that says one thing whatever it is asked."""
    file = folder / "engine.py"
    file.write_text(
        "import sys\n"
        f"answers = {{'hello': 'hello odd 1 questions=moves', 'moves': 'moves {moves}'}}\n"
        "for line in sys.stdin:\n"
        "    print(answers.get(line.split()[0], 'quit'), flush=True)\n"
    )
    return ["--lines", "--", sys.executable, str(file)]


@pytest.fixture
def huffing(tmp_path: Path) -> str:
    file = tmp_path / "huffing.yaml"
    file.write_text(HUFFING)
    return str(file)


@pytest.mark.parametrize(
    ("moves", "counts", "statuses"),
    [
        ("22x15 | 22-17 32-27 32-28", "1 passed, 0 failed of 1 cases", (0, 0)),
        ("22x15 22x15 | 22-17 32-27 32-28", "1 passed, 0 failed, 1 duplicate move of 1 cases", (0, 1)),
        (
            "22x15 | 22-17 32-27 32-28 32-28 32-27",
            "1 passed, 0 failed, 2 duplicate moves of 1 cases",
            (0, 1),
        ),
    ],
)
def test_duplicates_fail_a_strict_run(
    moves: str, counts: str, statuses: tuple[int, int], huffing: str, tmp_path: Path
) -> None:
    command = engine(tmp_path, moves)
    usual, strict = (damspec("check", "de", "--cases", huffing, *words, *command) for words in ((), ("--strict",)))
    assert (usual.status, strict.status) == statuses
    assert counts in usual.summary
    assert counts in strict.summary


def test_lapses_left_out_are_in_the_last_line_and_fail_a_strict_run(huffing: str, tmp_path: Path) -> None:
    """The same position passes where a case says nothing of lapses, so that there is a verdict at all."""
    silent = HUFFING.partition("cases:\n")[2].replace("de.huff.x", "de.huff.y").partition("    lapses")[0]
    Path(huffing).write_text(HUFFING + silent)
    command = engine(tmp_path, "22x15")
    words = ("check", "de", "--cases", huffing)
    usual, strict = damspec(*words, *command), damspec(*words, "--strict", *command)
    assert (usual.status, strict.status) == (0, 1), usual.err
    assert "1 passed, 0 failed, 1 unsupported, lapses left out in 1 case of 2 cases" in strict.summary
    saved = tmp_path / "report.json"
    saved.write_text(damspec(*words, "--json", *command).out)
    for form in ("pretty", "markdown", "tap", "html"):
        assert "lapses left out in 1 case" in damspec("report", str(saved), "--format", form).out


def test_lapses_left_out_hide_no_wrong_moves(huffing: str, tmp_path: Path) -> None:
    """The three lapses stand among the legal moves: that is wrong, whatever is said of lapses."""
    out = printed(
        "check", "de", "--cases", huffing, "--no-diagnose", *engine(tmp_path, "22x15 22-17 32-27 32-28"), status=1
    )
    assert "extra 22-17, 32-27, 32-28" in out
    assert "missing" not in out


def test_known_failures_do_not_hide_what_a_strict_run_fails_for(huffing: str, tmp_path: Path) -> None:
    command = engine(tmp_path, "22x15 22x15 | 22-17 32-27 32-28")
    known = tmp_path / "known.yaml"
    words = ("check", "de", "--cases", huffing)
    known.write_text("engine: odd\nversion: '1'\nruleset: de\ncauses: {}\nfailures: {}\n")
    held = ("--baseline", str(known))
    assert damspec(*words, *held, *command).status == 0
    assert damspec(*words, *held, "--strict", *command).status == 1


def test_strict_comparisons_of_engines() -> None:
    results = [{"status": "unsupported", "message": "does not list lapses"}, {"status": "reading"}]
    report = {"results": results, "duplicates": 14}
    done = PairResult("odd", "1", "de", "said", report)
    assert done.warnings == [
        "odd on de: 1 answers right only under an open reading",
        "odd on de: 14 duplicate moves",
        "odd on de: 1 cases with lapses left out",
    ]
    assert PairResult("odd", "1", "de", "said", {"results": [{"status": "passed"}], "duplicates": 0}).warnings == []


def test_compare_takes_strict() -> None:
    adapter = Adapter("odd", "pypi", "odd", "1", "x.py", ("lb",), "an engine")
    whole = json.loads(damspec("check", "lb", "-k", "lb.start", "--json", "--no-diagnose", "--", *REFERENCE).out)
    (report,) = whole["reports"]
    report["duplicates"] = 3
    done = [PairResult("odd", "1", "lb", "said", report)]

    def played(*_: object, **__: object) -> object:
        yield from done

    with (
        mock.patch("damspec_runner.engines.registry.adapters", return_value={"odd": adapter}),
        mock.patch.object(Adapter, "installed", True),
        mock.patch("damspec_runner.commands.compare.run_pairs", played),
    ):
        usual, strict = damspec("compare", "odd"), damspec("compare", "odd", "--strict")
    assert (usual.status, strict.status) == (0, 1)
    assert "odd on lb: 3 duplicate moves" in strict.err
    assert "duplicate" not in usual.err


REFERENCE = (sys.executable, "-m", "damspec_runner", "serve")
