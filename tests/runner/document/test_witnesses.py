"""The record of smallest positions: each shows its rule, none with fewer pieces does, what has none says why."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from tools.witnesses import file_text

import damspec
from damspec import Position, Ruleset, data, sampling
from damspec.board import opponent
from damspec_runner.document import compare
from damspec_runner.document.compare import Reason, Witness, on_record, witnesses_path
from damspec_runner.document.smallest import SmallestSearch
from damspec_runner.mutants.ruleset_diff import rule_differences
from damspec_runner.positions.enumeration import placements, promotion_rows
from differences import answer, as_had, both, pair_on, shows
from runs import OFTEN, usually

IDS = OFTEN


def record() -> dict[str, Any]:
    """The record as its file has it."""
    content: dict[str, Any] = yaml.safe_load(witnesses_path().read_text(encoding="utf-8"))
    return content


def entries() -> Iterator[tuple[dict[str, Any], list[tuple[str, str]]]]:
    """Each witness on record with its pairs."""
    for entry in record()["witnesses"]:
        yield entry, [(one, other) for one, others in entry["between"].items() for other in others]


def test_the_page_says_what_is_proved_of_them() -> None:
    alone = [entry for entry, _ in entries() if "beside" not in entry]
    beside = [(entry, pairs) for entry, pairs in entries() if "beside" in entry]
    (open_one,) = [entry for entry in alone if entry["pieces"] > entry["proved-below"]]
    assert (open_one["rule"], open_one["between"]) == ("king.move.reach", {"frysk": ["gothic"]})
    assert (open_one["pieces"], open_one["proved-below"]) == (4, 3)
    proved = sum(len(pairs) for entry, pairs in beside if entry["pieces"] <= entry["beside-below"])
    assert sum(len(pairs) for _, pairs in beside) == proved + 1 == 39
    ((left, (pair,)),) = [each for each in beside if each[0]["pieces"] > each[0]["beside-below"]]
    assert (left["rule"], pair, left["pieces"], left["beside-below"]) == ("capture.removal", ("de", "russian"), 6, 4)
    page = (witnesses_path().parents[2] / "docs" / "adequacy.md").read_text(encoding="utf-8")
    said = " ".join(page.split())
    assert (
        "39 times two games on a board show a rule only together with one or two others; 38 times it is proved" in said
    )
    assert "`capture.removal` between `de` and `russian` is shown by six, fewer than four are ruled out" in said
    assert "`king.move.reach` between `frysk` and `gothic`, shown by four, where fewer than three are ruled out" in said


@pytest.mark.slow
def test_every_difference_has_a_position_or_a_reason() -> None:
    for pair in permutations(IDS, 2):
        found = on_record(*pair) or {}
        differ = [one.rule for one in rule_differences([damspec.load_ruleset(id) for id in pair])]
        assert list(found) == differ
        for rule in differ:
            said = found[rule]
            assert said.says
            if isinstance(said, Reason) and said.kind in ("comes-with", "no-such-part"):
                assert said.leader
                assert isinstance(found[said.leader], Witness)
        assert "board.squares" not in found


def test_looking_up_again_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = on_record("vl", "de")
    assert found
    monkeypatch.setattr(data, "load_yaml", None)
    monkeypatch.setattr(compare, "on_common_board", None)
    assert on_record("vl", "de") is found


@pytest.mark.thorough
@pytest.mark.parametrize("id", usually(("vl", "de", "nl-trapdoor"), IDS))
def test_every_witness_shows_its_rule(id: str) -> None:
    """As the public interface answers, with rulesets changed value by value: for all pairs, those alike once."""
    done: set[tuple[object, ...]] = set()
    for entry, pairs in entries():
        for pair in pairs:
            if pair[0] != id:
                continue
            one, other = pair_on(entry["board"], pair)
            key = (entry["rule"], entry["position"], *(repr(sorted(r.values.items())) for r in (one, other)))
            if key in done:
                continue
            done.add(key)
            witness = (on_record(one.id, other.id) or {}).get(entry["rule"])
            assert isinstance(witness, Witness)
            assert witness.position == entry["position"]
            assert witness.pieces == entry["pieces"]
            assert answer(one, witness.position, witness.question) != answer(other, witness.position, witness.question)
            ways = shows(one, other, witness)
            assert any(ways), (pair, entry)
            assert all(ways) or not witness.both_ways, (pair, entry)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pair", "rule"),
    [
        (("vl", "lb"), "king.capture.landing"),
        (("vl", "nl-trapdoor"), "man.capture.first"),
        (("de", "lb"), "capture.duty"),
        (("vl", "russian"), "ending.draws"),
        (("fr-trapdoor", "nl-trapdoor-autoclose"), "trapdoors.closing"),
    ],
)
def test_fewer_pieces_do_not_do(pair: tuple[str, str], rule: str) -> None:
    """All positions with fewer pieces tried one by one, in every phase, without any cleverness."""
    one, other = both(*pair)
    witness = (on_record(*pair) or {}).get(rule)
    assert isinstance(witness, Witness)
    assert witness.minimal
    board, tried = one.rules.board, 0
    rows = promotion_rows(one)
    for number in range(1, witness.pieces):
        for pieces in placements(board, number, rows):
            tried += 1
            plain = Position(board, *pieces, "white")
            for position in _in_every_phase(plain, one, other):
                fen = position.fen()
                if as_had(one, fen) is None or as_had(other, fen) is None:
                    continue
                if answer(one, fen, witness.question) != answer(other, fen, witness.question):
                    assert not any(shows(one, other, replace(witness, position=fen))), fen
    assert tried == witness.tried


@pytest.mark.slow
@pytest.mark.parametrize("seed", usually((0,), range(12)))
def test_fewer_pieces_do_not_do_by_chance(seed: int) -> None:
    """Random positions with fewer pieces, doors open and in every phase, for any witness that is said to be minimal."""
    rng = random.Random(seed)
    minimal = [(e, pairs) for e, pairs in entries() if e["pieces"] <= e["proved-below"] and e["pieces"] > 1]
    entry, pairs = rng.choice(minimal)
    pair = rng.choice(pairs)
    one, other = pair_on(entry["board"], pair)
    witness = (on_record(one.id, other.id) or {}).get(entry["rule"])
    assert isinstance(witness, Witness)
    for position in islice(sampling.sample_positions(one, rng, (1, witness.pieces - 1)), 150):
        fen = position.fen()
        had = as_had(one, fen) is not None and as_had(other, fen) is not None
        if had and answer(one, fen, witness.question) != answer(other, fen, witness.question):
            assert not any(shows(one, other, replace(witness, position=fen))), fen


def _in_every_phase(plain: Position, one: Ruleset, other: Ruleset) -> Iterator[Position]:
    yield plain
    spins = [ruleset.rules.spin for ruleset in (one, other)]
    if any(spins):
        results = ["disc"] if None in spins else list(spins[0].outcomes if spins[0] else ())
        yield from (replace(plain, spin=result) for result in results)
    if one.rules.huff and other.rules.huff:
        before = replace(plain, turn=opponent(plain.turn))
        yield from (damspec.play(one, before, lapse) for lapse in damspec.legal_moves(one, before).lapses)
        yield replace(plain, compelled=True)


def test_the_known_difference_of_removal() -> None:
    witness = (on_record("nl-trapdoor", "fr-trapdoor") or {}).get("capture.removal")
    assert isinstance(witness, Witness)
    assert witness.pieces <= 4
    assert witness.both_ways
    assert any(shows(*both("nl-trapdoor", "fr-trapdoor"), replace(witness, position="W:WK10:B6,15")))


def test_reasons() -> None:
    first = (on_record("vl", "de") or {}).get("start.first")
    assert isinstance(first, Reason)
    assert first.kind == "start"
    doors = (on_record("vl", "nl-trapdoor") or {}).get("trapdoors.falls")
    assert doors == Reason("trapdoors.falls", "no-such-part", "trapdoors.layout", "vl has no trapdoors")
    huff = (on_record("de", "lb") or {}).get("huff.turn")
    assert huff == Reason("huff.turn", "no-such-part", "capture.duty", "lb has no huffing")
    assert (on_record("vl", "lb") or {}).get("capture.binds") == Reason(
        "capture.binds", "comes-with", "capture.choice", "comes with capture.choice"
    )
    same = (on_record("lb", "de") or {}).get("capture.removal")
    assert isinstance(same, Reason)
    assert same.kind == "equivalent"
    assert "short jump" in same.says


def test_the_record_is_written_as_it_is_read(tmp_path: Path) -> None:
    text = file_text(record())
    assert yaml.safe_load(text) == record()
    assert text == witnesses_path().read_text(encoding="utf-8")
    data.check(record(), "witnesses", "cases/generated/witnesses.yaml")
    for entry in [*record()["witnesses"], *record()["none"]]:
        assert entry["rule"]
        assert not {"start.first", "start.men"} & {entry["rule"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "pair", [("vl", "lb"), ("de", "nl-trapdoor"), ("fr-trapdoor", "nl-trapdoor"), ("russian", "vl")], ids="/".join
)
def test_recording_again_gives_the_record(pair: tuple[str, str]) -> None:
    one, other = both(*pair)
    search = SmallestSearch(one, other)
    search.exhaust()
    for rule, goal in search.goals.items():
        found = (on_record(*pair) or {}).get(rule)
        if isinstance(found, Witness) and found.minimal and goal.best:
            assert (goal.best.position.fen(), goal.proved_below, goal.tried) == (
                found.position, found.proved_below, found.tried,
            )  # fmt: skip
