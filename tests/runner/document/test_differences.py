"""Differences of rulesets and the smallest positions that show them: the lists, the record, live searches, `diff`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice, permutations
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec import Position, Ruleset, data
from damspec.board import opponent
from damspec.possible import objection
from damspec.trapdoors import with_sliders
from damspec.turn import Turns
from damspec_runner.answers.contrast import Contrast
from damspec_runner.document import smallest, witness
from damspec_runner.document.record import written
from damspec_runner.document.smallest import PairSearch
from damspec_runner.document.survey import Survey
from damspec_runner.document.witness import Reason, Witness, on_record, path, recorded, search
from damspec_runner.positions import sampling
from damspec_runner.positions.enumeration import crownheads, placements
from damspec_runner.variants.differences import Part, board_differences, common, differences, parts, toward
from runner_fixtures import damspec as run
from runs import ORIGINALS, usually

IDS = damspec.ruleset_ids()


def both(one: str, other: str) -> tuple[Ruleset, Ruleset]:
    """Two rulesets on one board."""
    first, second = common([damspec.load_ruleset(one), damspec.load_ruleset(other)])
    return first, second


def pair_on(board: str, pair: tuple[str, str]) -> tuple[Ruleset, Ruleset]:
    """Two rulesets on a board, which is that of one of them."""
    one, other = pair
    return next(each for each in (both(one, other), both(other, one)) if each[0].values["board.size"] == board)


def as_had(ruleset: Ruleset, fen: str) -> Position | None:
    """A position as a ruleset has it, with a spin that let a piece move as good as none; None if it cannot have it."""
    position = Position.from_fen(fen, ruleset.rules.board)
    if ruleset.rules.trapdoors is None:
        if position.spin not in (None, "disc") or set(position.sliders or "M") != {"M"}:
            return None
        position = replace(position, spin=None, sliders=None)
    position = with_sliders(ruleset.rules, position)
    return None if objection(Turns(ruleset.rules), position) else position


def answer(ruleset: Ruleset, fen: str, question: str) -> object:
    """What rules answer, by the public interface; sliders that are all shut are as good as none."""
    position = as_had(ruleset, fen)
    assert position is not None, (ruleset, fen)
    if question == "outcome":
        return damspec.outcome(ruleset, position).result
    legal = damspec.legal_moves(ruleset, position)

    def after(action: damspec.Action) -> tuple[object, ...]:
        what = (action.start, action.end, action.captured) if isinstance(action, damspec.Move) else str(action)
        now = damspec.play(ruleset, position, action)
        return what, replace(now, sliders=None if set(now.sliders or "") <= {"M"} else now.sliders)

    return {after(action) for action in legal}, {after(move) for move in legal.lapses}


def changed(ruleset: Ruleset, goal: Ruleset, names: tuple[str, ...]) -> Ruleset | None:
    """A ruleset with the values of another for some rules, if that makes a ruleset."""
    values = dict(ruleset.values)
    for name in names:
        if name in goal.values:
            values[name] = goal.values[name]
        else:
            values.pop(name, None)
    try:
        return damspec.from_values(values, "changed")
    except damspec.DamspecError:
        return None


def shows(one: Ruleset, other: Ruleset, witness: Witness) -> list[bool]:
    """For each of two rulesets: whether changed in the rule it answers as the other, and else does not."""
    part_of = {part.rule: part.rules for part in parts(one, other)}
    beside = tuple(name for rule in witness.beside for name in part_of[rule])
    found = []
    for start, goal in ((one, other), (other, one)):
        before = changed(start, goal, beside)
        after = changed(start, goal, (*beside, *part_of[witness.rule]))
        said = [
            ruleset and as_had(ruleset, witness.position) and answer(ruleset, witness.position, witness.question)
            for ruleset in (before, after, goal)
        ]
        found.append(None not in said and said[0] != said[2] and said[1] == said[2])
    return found


# --- which rules differ -----------------------------------------------------------------------


def test_vl_and_international_differ_in_three_rules_and_the_board() -> None:
    """By hand: Flemish men begin a capture forward only, and one piece each is a draw (after losses, hence the order);
    all else is the same, but for the board and the rows of men on it."""
    rulesets = [damspec.load_ruleset("vl"), damspec.load_ruleset("international")]
    found = {one.rule: one.values for one in differences(rulesets)}
    assert list(found) == ["man.capture.first", "ending.draws", "ending.order"]
    assert found["ending.draws"] == (("one-piece-each",), ())
    assert found["ending.order"] == ("losses-first", None)
    assert found["man.capture.first"][0] == ("forward-left", "forward-right")
    assert len(found["man.capture.first"][1]) == 4
    assert [(one.rule, one.values) for one in board_differences(rulesets)] == [
        ("board.size", ("8x8", "10x10")),
        ("start.men", (3, 4)),
    ]
    assert differences(rulesets)[0].rests_on == (("vl-008", "vl-014", "VL-01", "VL-02"), ("fmjd-4.1",))


def test_the_two_trapdoor_leaflets_differ_in_one_rule() -> None:
    (one,) = differences([damspec.load_ruleset("nl-trapdoor"), damspec.load_ruleset("fr-trapdoor")])
    assert (one.rule, one.values) == ("capture.removal", ("at-once", "at-end"))


def test_three_rulesets() -> None:
    found = differences([damspec.load_ruleset(id) for id in ("vl", "brazilian", "russian")])
    sides = {one.rule: one.sides for one in found}
    assert sides["man.capture.first"] == [[0], [1, 2]]
    assert sides["king.capture.landing"] == [[0, 1], [2]]
    assert list(sides) == [
        "man.capture.first", "king.capture.landing", "capture.choice", "capture.binds", "promotion.mid-capture",
        "promotion.return", "ending.draws", "ending.order",
    ]  # fmt: skip


def test_a_common_board() -> None:
    here, moved = both("international", "vl")
    assert here is damspec.load_ruleset("international")
    assert (moved.id, moved.values["board.size"], moved.values["start.men"]) == ("vl", "10x10", 4)
    assert moved.rests_on["board.size"] == here.rests_on["board.size"]
    assert {ruleset.values["board.size"] for ruleset in both("international", "nl-trapdoor")} == {"8x8"}
    values = {**damspec.load_ruleset("nl-trapdoor").values, "board.size": "6x6", "start.men": 2}
    layout = {"damspec": 1, "id": "x", "name": "x", "board": "6x6", "assumed": True}
    layout["sliders"] = [{"id": "G1", "colour": "green", "left": 7, "right": 9}]
    try:
        small = damspec.from_values({**values, "trapdoors.layout": layout}, "small")
        assert small.rules
    except damspec.DamspecError as error:
        pytest.skip(f"layout: {error}")
    with pytest.raises(damspec.RulesetError, match="no common board for small and nl-trapdoor: "):
        common([small, damspec.load_ruleset("nl-trapdoor")])


def test_parts_belong_together() -> None:
    assert parts(*both("vl", "brazilian")) == [Part("man.capture.first"), Part("ending.draws", ("ending.order",))]
    huffing = next(part for part in parts(*both("de", "lb")) if part.rule == "capture.duty")
    assert [rule.partition(".")[0] for rule in huffing.brings] == ["huff"] * 5 + ["ending"]
    doors = next(part for part in parts(*both("nl-trapdoor", "vl")) if part.rule == "trapdoors.layout")
    assert {rule.partition(".")[0] for rule in doors.brings} == {"trapdoors", "spin", "ending"}


@pytest.mark.parametrize("pair", list(combinations(IDS, 2)), ids="/".join)
def test_every_rule_is_in_one_part(pair: tuple[str, str]) -> None:
    one, other = both(*pair)
    rules = [rule for part in parts(one, other) for rule in part.rules]
    assert sorted(rules) == sorted(one.rule for one in differences([one, other]))
    for part in parts(one, other):
        for start, goal in ((one, other), (other, one)):
            values = toward(start, goal, part.rules)
            assert values is None or values == {**values, **{r: goal.values[r] for r in part.rules if r in goal.values}}


def test_a_choice_comes_with_what_binds() -> None:
    vl, russian = both("vl", "russian")
    assert toward(russian, vl, ("capture.binds",)) is None
    values = toward(russian, vl, ("capture.choice",))
    assert values is not None
    assert (values["capture.choice"], values["capture.binds"]) == (("most-pieces",), "path")


# --- the record -------------------------------------------------------------------------------


def record() -> dict[str, Any]:
    """The record as its file has it."""
    content: dict[str, Any] = yaml.safe_load(path().read_text(encoding="utf-8"))
    return content


def entries() -> Iterator[tuple[dict[str, Any], list[tuple[str, str]]]]:
    """Each witness on record with its pairs."""
    for entry in record()["witnesses"]:
        yield entry, [(one, other) for one, others in entry["between"].items() for other in others]


def test_every_difference_has_a_position_or_a_reason() -> None:
    for pair in permutations(IDS, 2):
        found = on_record(*pair) or {}
        differ = [one.rule for one in differences([damspec.load_ruleset(id) for id in pair])]
        assert list(found) == differ
        for rule in differ:
            said = recorded(*pair, rule)
            assert said is found[rule]
            assert said
            assert said.says
            if isinstance(said, Reason) and said.kind in ("comes-with", "no-such-part"):
                assert said.leader
                assert isinstance(found[said.leader], Witness)
        assert recorded(*pair, "board.squares") is None


def test_looking_up_again_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = on_record("vl", "de")
    assert found
    monkeypatch.setattr(data, "load_yaml", None)
    monkeypatch.setattr(witness, "common", None)
    assert recorded("vl", "de", "capture.duty") is found["capture.duty"]


@pytest.mark.parametrize("id", usually(ORIGINALS, IDS))
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
            witness = recorded(one.id, other.id, entry["rule"])
            assert isinstance(witness, Witness)
            assert witness.position == entry["position"]
            assert witness.pieces == entry["pieces"]
            assert answer(one, witness.position, witness.question) != answer(other, witness.position, witness.question)
            ways = shows(one, other, witness)
            assert any(ways), (pair, entry)
            assert all(ways) or not witness.both_ways, (pair, entry)


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
    witness = recorded(*pair, rule)
    assert isinstance(witness, Witness)
    assert witness.minimal
    board, tried = one.rules.board, 0
    heads = crownheads(one)
    for number in range(1, witness.pieces):
        for pieces in placements(board, number, heads):
            tried += 1
            plain = Position(board, *pieces, "white")
            for position in _in_every_phase(plain, one, other):
                fen = position.fen()
                if as_had(one, fen) is None or as_had(other, fen) is None:
                    continue
                if answer(one, fen, witness.question) != answer(other, fen, witness.question):
                    assert not any(shows(one, other, replace(witness, position=fen))), fen
    assert tried == witness.tried


@pytest.mark.parametrize("seed", usually((0,), range(12)))
def test_fewer_pieces_do_not_do_by_chance(seed: int) -> None:
    """Random positions with fewer pieces, doors open and in every phase, for any witness that is said to be minimal."""
    rng = random.Random(seed)
    minimal = [(e, pairs) for e, pairs in entries() if e["pieces"] <= e["proved-below"] and e["pieces"] > 1]
    entry, pairs = rng.choice(minimal)
    pair = rng.choice(pairs)
    one, other = pair_on(entry["board"], pair)
    witness = recorded(one.id, other.id, entry["rule"])
    assert isinstance(witness, Witness)
    for position in islice(sampling.positions(one, rng, (1, witness.pieces - 1)), 150):
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
    witness = recorded("nl-trapdoor", "fr-trapdoor", "capture.removal")
    assert isinstance(witness, Witness)
    assert witness.pieces <= 4
    assert witness.both_ways
    assert any(shows(*both("nl-trapdoor", "fr-trapdoor"), replace(witness, position="W:WK10:B6,15")))


def test_reasons() -> None:
    first = recorded("vl", "de", "start.first")
    assert isinstance(first, Reason)
    assert first.kind == "start"
    doors = recorded("vl", "nl-trapdoor", "trapdoors.falls")
    assert doors == Reason("trapdoors.falls", "no-such-part", "trapdoors.layout", "vl has no trapdoors")
    huff = recorded("de", "lb", "huff.turn")
    assert huff == Reason("huff.turn", "no-such-part", "capture.duty", "lb has no huffing")
    assert recorded("vl", "lb", "capture.binds") == Reason(
        "capture.binds", "comes-with", "capture.choice", "comes with capture.choice"
    )
    same = recorded("lb", "de", "capture.removal")
    assert isinstance(same, Reason)
    assert same.kind == "equivalent"
    assert "short jump" in same.says


def test_the_record_is_written_as_it_is_read(tmp_path: Path) -> None:
    text = written(record())
    assert yaml.safe_load(text) == record()
    assert text == path().read_text(encoding="utf-8")
    data.check(record(), "witnesses", "cases/witnesses.yaml")
    for entry in [*record()["witnesses"], *record()["none"]]:
        assert entry["rule"]
        assert not {"start.first", "start.men"} & {entry["rule"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "pair", [("vl", "lb"), ("de", "nl-trapdoor"), ("fr-trapdoor", "nl-trapdoor"), ("russian", "vl")], ids="/".join
)
def test_recording_again_gives_the_record(pair: tuple[str, str]) -> None:
    one, other = both(*pair)
    search = PairSearch(one, other)
    search.exhaust()
    for rule, aim in search.aims.items():
        found = recorded(*pair, rule)
        if isinstance(found, Witness) and found.minimal and aim.best:
            assert (aim.best.position.fen(), aim.proved_below, aim.tried) == (
                found.position, found.proved_below, found.tried,
            )  # fmt: skip


# --- the search -------------------------------------------------------------------------------


def test_a_survey_misses_nothing() -> None:
    """Every position with one or two pieces in which moves differ is a telling one."""
    rulesets = [damspec.load_ruleset(id) for id in ("vl", "brazilian", "lb")]
    survey = Survey(rulesets)
    assert survey.alike(rulesets[0], rulesets[0], (0, 1, 2))
    for number in (1, 2):
        level = survey.level(number, None, quiet=True)
        telling = dict(level.telling)
        every = list(survey.everywhere(number, None))
        assert len(every) == level.positions
        for position in every[:: 1 if number == 1 else 7]:
            answers = [answer(ruleset, position.fen(), "moves") for ruleset in rulesets]
            for one, other in combinations(range(3), 2):
                if answers[one] != answers[other]:
                    assert not survey.alike(rulesets[one], rulesets[other], telling[position])
    assert survey.affordable(3)
    assert not survey.affordable(4)


@pytest.mark.parametrize(
    ("reading", "rule"),
    [
        ("king-capture=directly-behind", "king.capture.landing"),
        pytest.param("removal=at-once", "capture.removal", marks=pytest.mark.thorough),
    ],
)
def test_a_search_for_readings(reading: str, rule: str) -> None:
    found, complete = search(*both("vl", f"vl?{reading}"), lambda line: None)
    assert complete
    assert isinstance(found[rule], Witness)
    assert found[rule].minimal


def test_what_nothing_shows_alone_is_shown_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short jumps never meet what they captured, long ones do: removal shows only where kings are long."""
    monkeypatch.setattr(smallest, "_DRAWN", 0)
    monkeypatch.setattr(smallest, "_MOVES", 2)
    one, other = both("de", "vl")
    found = PairSearch(one, other)
    found.exhaust()
    assert found.aims["capture.removal"].best is None
    assert found.aims["capture.duty"].best
    found.beside([Position.from_fen(fen, one.rules.board) for fen in ("W:WK10:B6,24", "W:WK18:B14,15,22,23")])
    best = found.aims["capture.removal"].best
    assert best
    assert "king.capture.reach" in best.beside


def test_interrupted_it_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: PairSearch, candidates: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PairSearch, "among", stop)
    monkeypatch.setattr(smallest, "_MOVES", 2)
    found, complete = search(*both("vl", "russian"), lambda line: None)
    assert not complete
    assert isinstance(found["man.capture.first"], Witness)
    assert isinstance(found["promotion.mid-capture"], Reason)
    assert "none found among all 7,092 positions with fewer than 3 pieces" in found["promotion.mid-capture"].says


def test_kings_that_slide_twice_capture_after_quiet_moves() -> None:
    """So that a rule of capture changes what begins without one."""
    one = damspec.load_ruleset("vl?king-slides=twice")
    other = damspec.from_values({**one.values, "capture.removal": "at-once"})
    assert Contrast.between(one, other).quiet
    assert not Contrast.between(damspec.load_ruleset("vl"), damspec.load_ruleset("vl?removal=at-once")).quiet


# --- the command ------------------------------------------------------------------------------


def test_boards_side_by_side() -> None:
    ran = run("diff", "nl-trapdoor", "fr-trapdoor")
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "nl-trapdoor and fr-trapdoor: 1 rule differs"
    assert lines[2] == "capture.removal"
    assert lines[3].startswith("  nl-trapdoor: at-once - ")
    assert any("nl-031 (nl, line " in line for line in lines)
    assert any(line.split() == ["nl-trapdoor", "fr-trapdoor"] for line in lines)
    assert any(line.count("1   ") == 2 for line in lines)
    assert "(3 pieces, proved: all 476,820 with fewer tried)" in ran.out


def test_no_boards() -> None:
    ran = run("diff", "de", "lb", "--no-boards")
    assert "White to move" not in ran.out
    assert "(lapse)" in ran.out
    assert "lb has no huffing, see capture.duty" in ran.out
    assert "no position shows it: A short jump" in ran.out


def test_what_is_apart_on_one_board() -> None:
    ran = run("diff", "vl", "international", "--rule", "man.capture.later", "--rule", "ending.draws")
    lines = ran.out.splitlines()
    assert lines[:4] == [
        "vl and international: 3 rules differ, on 8x8",
        "  apart from board.size: 8x8 in vl, 10x10 in international",
        "  apart from start.men: 3 in vl, 4 in international",
        "  man.capture.later: the same in all, [forward-left, forward-right, backward-left, backward-right]",
    ]
    assert "draw (one-piece-each)" in ran.out
    assert "man.capture.first" not in ran.out


def test_rulesets_that_play_alike() -> None:
    assert run("diff", "lb", "english").out == "lb and english: no rule differs\n"


@pytest.mark.parametrize(
    "names",
    [("vl", "international"), ("nl-trapdoor", "fr-trapdoor", "vl", "de"), ("international", "de"), ("lb", "english")],
)
def test_json_has_its_form(names: tuple[str, ...]) -> None:
    document = json.loads(run("diff", *names, "--json").out)
    data.check(document, "diff", "stdout")
    rules = [one["rule"] for one in document["differences"]]
    assert rules == [one.rule for one in differences([damspec.load_ruleset(name) for name in names])]
    for one in document["differences"]:
        assert sorted(name for value in one["values"] for name in value["rulesets"]) == sorted(names)
        number = len(one["values"])
        assert len(one["shown"]) == number * (number - 1) // 2
        for shown in one["shown"]:
            if "answers" in shown:
                left, right = shown["answers"].values()
                assert left != right


def test_three_with_a_position_for_each_two_values() -> None:
    out = run("diff", "vl", "brazilian", "russian", "--rule", "king.capture.landing").out
    assert "  vl, brazilian: any - " in out
    assert "  brazilian / russian: " in out or "  vl / russian: " in out


def test_a_ruleset_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    rules = {"king.move.reach": {"value": "any", "from": ["lb-018"]}}
    content = {"damspec": 1, "id": "mine", "name": "mine", "about": "mine", "documents": ["lb"], "extends": "lb"}
    file.write_text(yaml.safe_dump({**content, "rules": rules}))
    ran = run("diff", "lb", str(file), "--json")
    assert ran.status == 0, ran.err
    (one,) = json.loads(ran.out)["differences"]
    assert (one["rule"], one["shown"][0]["pieces"], one["shown"][0]["minimal"]) == ("king.move.reach", 1, True)


BAD = {
    "": "found no rulesets, expected two or more to compare",
    "vl": "found 1 ruleset, expected two or more to compare",
    "vl lb vl": "found 'vl' twice, expected different rulesets",
    "vl russain": "unknown ruleset 'russain'; did you mean 'russian'?",
    "vl lb --rule capture.remove": "--rule: no rule 'capture.remove'",
    "vl lb --rule huff.turn": "--rule: none of vl, lb has huff.turn",
    "vl nowhere.yaml": "nowhere.yaml",
    "vl lb --record": "--record: it is for all rulesets, expected none to be named",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_options_are_told_in_one_line(line: str) -> None:
    ran = run("diff", *line.split())
    assert (ran.status, ran.out) == (2, "")
    assert BAD[line] in ran.complaint


def test_interrupted_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: PairSearch, candidates: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PairSearch, "among", stop)
    monkeypatch.setattr(smallest, "_MOVES", 2)
    ran = run("diff", "vl", "vl?king-capture=directly-behind&priority=mixed-only", "--no-boards")
    assert (ran.status, ran.complaint) == (130, "damspec: interrupted: not all positions were tried")
    assert "(2 pieces, proved: all 120 with fewer tried)" in ran.out
    assert "none found among all 7,092 positions with fewer than 3 pieces" in ran.out
