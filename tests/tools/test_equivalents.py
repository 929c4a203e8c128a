"""Proving again that changes on record show in no position, and writing down what was compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from tools.equivalents import Proof, ProvedChange, Prover, prove_again, record, record_text
from tools.parts import Job, Limits

import damspec
from damspec import data
from damspec.mutations import equivalents_path
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.tasks.executor import run_in_process
from refusals import refusal
from tools import equivalents

RULESETS = damspec.ruleset_ids()


def on_record() -> dict[tuple[str, str], dict[str, dict[str, int]]]:
    """What was compared for each ruleset and change that could show in a position."""
    content = data.load_yaml(equivalents_path())
    return {
        (id, each["change"]): found for each in content["equivalents"] for id, found in each.get("compared", {}).items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({id for id, _ in on_record()}))
def test_equivalents_are_equivalent(name: str) -> None:
    pytest.importorskip("numba")
    for each in prove_again(damspec.load_ruleset(name), Prover(5)):
        assert each.proof.difference is None
        assert each.proof.compared == on_record()[each.ruleset, each.change]


@pytest.mark.thorough
def test_compiled_code_and_the_reference_compare_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captures and quiet moves of Italian draughts, whose choice has most criteria, in all positions of two pieces."""
    pytest.importorskip("numba")
    italian = damspec.load_ruleset("italian")
    changed = [
        mutant.ruleset for mutant in single_mutants(italian) if mutant.name.startswith(("capture.r", "king.capture"))
    ]
    compiled = Prover(2, small_boards=()).proofs(italian, changed)
    monkeypatch.setattr("damspec_runner.document.exhaustive.is_available", lambda: False)
    assert Prover(2, small_boards=()).proofs(italian, changed) == compiled
    assert {bool(proof.difference) for proof in compiled} == {True, False}


@pytest.mark.thorough
def test_a_proof_finds_a_difference_where_there_is_one() -> None:
    ruleset = damspec.load_ruleset("vl")
    wrong = next(mutant.ruleset for mutant in single_mutants(ruleset) if mutant.name == "king.capture.reach = 1")
    (proof,) = Prover(2).proofs(ruleset, [wrong])
    position = proof.difference
    assert position
    assert [*damspec.legal_moves(ruleset, position)] != [*damspec.legal_moves(wrong, position)]


def test_a_change_that_shows_only_in_games_is_not_looked_for_in_positions() -> None:
    russian = damspec.load_ruleset("russian")
    mutant = next(mutant for mutant in single_mutants(russian) if mutant.name == "draws.king-moves = 14")
    assert "shows only in games, not in a position" in refusal(ValueError, Prover().proofs, russian, [mutant.ruleset])


def test_nothing_changes_where_nothing_was_compared() -> None:
    assert record_text([]) == equivalents_path().read_text(encoding="utf-8")


def test_what_was_compared_goes_to_its_place_and_all_else_stays() -> None:
    before = equivalents_path().read_text(encoding="utf-8")
    compared = {"8x8": {"pieces": 2, "positions": 6972}, "4x4": {"pieces": 8, "positions": 5}}
    after = record_text([ProvedChange("italian", "capture.removal = at-once", Proof(compared))])
    lines = zip(before.splitlines(), after.splitlines(), strict=True)
    ((old, new),) = [(one, other) for one, other in lines if one != other]
    assert old.startswith("      italian: {8x8: {pieces: ")
    assert new == "      italian: {8x8: {pieces: 2, positions: 6972}, 4x4: {pieces: 8, positions: 5}}"
    entries = {each["change"]: each for each in yaml.safe_load(after)["equivalents"]}
    assert entries["capture.removal = at-once"]["compared"]["italian"] == compared


def job(*units: str, pieces: int = 1) -> Job:
    return Job(frozenset(units), run_in_process, Limits(pieces, 0))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the record, which is written instead."""
    file = tmp_path / "equivalents.yaml"
    file.write_text(equivalents_path().read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(equivalents, "equivalents_path", lambda: file)
    return file


def test_recording(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """One piece on the own board and two on a small one; what is written has what was compared."""
    monkeypatch.setattr(equivalents, "Prover", partial(Prover, small_boards=(("4x4", 1, 1),)))
    (part,) = record(job("armenian"))
    assert (part.units, part.wrong) == (("armenian",), ())
    text = part.texts[file]
    assert text
    assert "{8x8: {pieces: 1, positions: 240}, 4x4: {pieces: 2, positions: " in text


def test_a_ruleset_that_was_added_by_hand_gets_what_was_compared(file: Path) -> None:
    entry = """\
  - change: "capture.removal = at-once"
    rulesets: [italian, english]
    because: Hand on heart.
"""
    file.write_text("equivalents:\n" + entry, encoding="utf-8")
    compared = {"8x8": {"pieces": 2, "positions": 6972}}
    found = [ProvedChange(id, "capture.removal = at-once", Proof(compared)) for id in ("english", "italian")]
    extent = "{8x8: {pieces: 2, positions: 6972}}"
    added = f"    compared:\n      italian: {extent}\n      english: {extent}\n"
    assert record_text(found) == f"equivalents:\n{entry}{added}"


def test_a_change_that_shows_after_all_is_told_and_nothing_is_written(file: Path) -> None:
    planted = "equivalents: [{change: 'man.capture.first = [forward-left]', rulesets: [lb], because: planted}]\n"
    file.write_text(planted, encoding="utf-8")
    (part,) = record(job("lb", pieces=2))
    assert (part.units, part.texts) == ((), {})
    (said,) = part.wrong
    assert said.startswith("lb: man.capture.first = [forward-left]: shows in W:W")


def test_a_change_that_is_none_is_said(file: Path) -> None:
    file.write_text("equivalents: [{change: a = b, rulesets: [lb], because: no}]\n", encoding="utf-8")
    assert "lb has no change 'a = b'" in refusal(damspec.FileError, next, record(job("lb")))


def test_the_page_says_what_was_compared() -> None:
    """The most positions for each board, and with how many pieces."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "adequacy.md").read_text(encoding="utf-8")
    for (id, change), compared in on_record().items():
        size = damspec.load_ruleset(id).values["board.size"]
        rows = [line for line in page.splitlines() if line.startswith(f"| {size} |") and _says(line, compared[size])]
        most = max(int(row.split(" | ")[5].replace(",", "")) for row in rows)
        assert most >= compared[size]["positions"], (id, change)


def _says(line: str, extent: dict[str, int]) -> bool:
    pieces, doors = line.split(" | ")[3:5]
    return (pieces, doors) == (str(extent["pieces"]), str(extent.get("open", "-")))


@pytest.mark.thorough
def test_no_two_shares_have_the_same_key() -> None:
    """A journal knows a share by its key: that of one game on a small board is not that of another there."""
    keys: list[str] = []

    def noted(function: Any, tasks: Mapping[str, Any], title: str = "") -> Iterator[Any]:
        keys.extend(tasks)
        return iter(())

    prover = Prover(3, noted)
    assert [proved for name in ("czech", "lb") for proved in prove_again(damspec.load_ruleset(name), prover)]
    assert sum(" on 4x4" in key for key in keys) > 8
    assert len(keys) == len(set(keys))
