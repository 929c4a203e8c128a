"""Sampling and generation: positions that can be, that differ where it is said, the fewest pieces, every format."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from itertools import combinations, islice
from pathlib import Path

import pytest
import yaml

import damspec
from damspec import Position, Ruleset, Slide, data
from damspec.possible import objection
from damspec.turn import Turns
from damspec_runner.answers.contrast import Contrast, View, differing
from damspec_runner.answers.player import Player
from damspec_runner.cases import lint
from damspec_runner.cases.cases import read_cases
from damspec_runner.generate.goal import Found, Goal, Wanted
from damspec_runner.generate.search import Hunt
from damspec_runner.positions import sampling, walks
from damspec_runner.positions.enumeration import placements, same_turned_round
from damspec_runner.variants import mutants
from damspec_runner.verify.moves import compare_moves
from runner_fixtures import DAMSPEC
from runner_fixtures import damspec as run
from runs import ORIGINALS, usually

RULESETS = [
    *damspec.ruleset_ids(),
    "vl?return=not-crowned",
    "vl?king-slides=twice",
    "nl-trapdoor?falls=men",
    "nl-trapdoor?falls=opponents",
    "nl-trapdoor?spin=after-capture",
    "nl-trapdoor-autoclose?closing=optional",
    "de?retracted=free",
]
SMALL = [id for id in damspec.ruleset_ids() if damspec.load_ruleset(id).values["board.size"] == "8x8"]
#: Pairs of rulesets whose answers are the same in every position: by value, and because a piece that steps one square
#: and jumps two never comes near a square on which it has captured.
ALIKE = {("english", "lb"), ("fr-trapdoor-american", "nl-trapdoor-american")}

every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, RULESETS))


def wanted(name: str, *others: str, pieces: tuple[int, int] = (1, 12)) -> Wanted:
    """Positions of a ruleset that tell it from others."""
    goals = tuple(Goal(other, (damspec.load_ruleset(other),)) for other in others)
    return Wanted(damspec.load_ruleset(name), goals, pieces)


def shut(fen: str) -> str:
    """A position's text without sliders that are all in the middle."""
    return re.sub(":sliders=M+(?![LMR])", "", fen)


def truly_differ(one: Ruleset, other: Ruleset, position: Position) -> bool:
    """Whether answers differ, by the public interface; sliders that are all shut are as good as none."""

    def answer(ruleset: Ruleset) -> object:
        now = ruleset.position(shut(position.fen()))
        legal = damspec.legal_moves(ruleset, now)

        def after(action: damspec.Action) -> tuple[object, ...]:
            what = (action.start, action.end, action.captured) if isinstance(action, damspec.Move) else str(action)
            return what, shut(damspec.play(ruleset, now, action).fen())

        return (
            {after(action) for action in legal},
            {after(move) for move in legal.lapses},
            damspec.outcome(ruleset, now).result,
        )

    return answer(one) != answer(other)


# --- sampling ---------------------------------------------------------------------------------


@every_ruleset
def test_samples_can_be_and_vary(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    turns = Turns(ruleset.rules)
    drawn = list(islice(sampling.positions(ruleset, random.Random(5)), 1500))
    assert [objection(turns, position) for position in drawn if objection(turns, position)] == []
    assert all(2 <= len(position) <= 12 for position in drawn)
    # Of 1500: four in five are there once, one in five has a capture, one in four a king; long captures are rare.
    assert len(set(drawn)) > 1200
    assert set(map(sampling.phase_of, drawn)) == set(sampling.phases(ruleset))
    steps = [turns.actions(position) for position in drawn]
    longest = Counter(max((len(getattr(a, "captured", ())) for a in actions), default=0) for actions in steps)
    assert sum(times for length, times in longest.items() if length) > 300
    assert sum(times for length, times in longest.items() if length >= 3) > 10
    assert {position.turn for position in drawn} == {"white", "black"}
    assert sum(bool(p.white_kings | p.black_kings) for p in drawn) > 400
    if ruleset.rules.trapdoors and ruleset.rules.trapdoors.closing != "at-once":
        assert {letter for position in drawn for letter in position.sliders or ""} == set("LMR")


@pytest.mark.parametrize("name", ["de", "nl-trapdoor", "nl-trapdoor?spin=after-capture", "fr-trapdoor-dual"])
def test_samples_of_one_phase(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for phase in sampling.phases(ruleset):
        drawn = list(islice(sampling.positions(ruleset, random.Random(1), (2, 6), phase), 100))
        assert {sampling.phase_of(position) for position in drawn} == {phase}
        assert all(2 <= len(position) <= 6 for position in drawn)


@every_ruleset
def test_neighbours_can_be(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    rng = random.Random(2)
    sampler = sampling.Sampler(ruleset, rng, (1, 8))
    turns = Turns(ruleset.rules)
    found = 0
    for position in islice(sampling.positions(ruleset, rng, (1, 8)), 300):
        near = sampler.near(position)
        if near is not None:
            found += 1
            assert objection(turns, near) is None
            assert 1 <= len(near) <= 8
            assert sampling.phase_of(near) == sampling.phase_of(position)
    assert found > 100  # of 300: a neighbour is not promised, but a search lives on them


@pytest.mark.parametrize("name", ["vl", "de", "nl-trapdoor", "international"])
def test_games_are_legal(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    lapsed = 0
    for position, game in islice(walks.from_the_start(ruleset, random.Random(3)), 0, 400, 13):
        played = damspec.Game(ruleset)
        for action in game:
            lapsed += action in played.legal_moves.lapses
            played.push(action)
        assert played.position == position
    assert bool(lapsed) == (name == "de")


def test_a_sampler_asked_for_what_cannot_be() -> None:
    ruleset, rng = damspec.load_ruleset("vl"), random.Random(0)
    with pytest.raises(ValueError, match="found 5 to 3 pieces"):
        next(sampling.positions(ruleset, rng, (5, 3)))
    with pytest.raises(ValueError, match="found phase 'huffable'"):
        next(sampling.positions(ruleset, rng, phase="huffable"))
    alone = sampling.Sampler(damspec.load_ruleset("de"), rng, (1, 1), "huffable")
    assert [alone.draw() for _ in range(20)] == [None] * 20


@pytest.mark.slow
def test_samples_come_fast() -> None:
    for name in ("lb", "vl", "russian"):
        drawn = sampling.positions(damspec.load_ruleset(name), random.Random(0))
        began = time.monotonic()
        assert len(list(islice(drawn, 30_000))) / (time.monotonic() - began) > 15_000


# --- telling apart ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pair",
    [
        ("vl", "brazilian"), ("vl", "vl?removal=at-once"), ("vl", "vl?one-each=same-kind"), ("lb", "de"),
        ("de", "de?retracted=free"), ("de", "de?completion=may-stop"), ("vl", "nl-trapdoor"), ("nl-trapdoor", "vl"),
        ("nl-trapdoor", "nl-trapdoor?passing=blocked"), ("nl-trapdoor", "nl-trapdoor-autoclose"),
        ("nl-trapdoor", "nl-trapdoor?blocked=spins"), ("de", "de?king-range=flying-any"),
        ("vl", "vl?king-slides=twice"),
    ],
)  # fmt: skip
def test_cheap_comparison_is_right(pair: tuple[str, str]) -> None:
    one, other = map(damspec.load_ruleset, pair)
    players = [Player(one), Player(other)]
    drawn = list(islice(sampling.positions(one, random.Random(8), (1, 8)), 700))
    found = set(differing(players, drawn))
    assert found
    for position in drawn:
        fen = shut(position.fen())
        try:
            other.position(fen)
        except damspec.DamspecError:
            assert position not in found
            continue
        assert (position in found) == truly_differ(one, other, position), fen


def test_differing_needs_a_board_in_common() -> None:
    players = [Player(damspec.load_ruleset(name)) for name in ("vl", "international")]
    assert list(differing(players, [Position.start(players[0].ruleset.rules)])) == []
    start = Position.start(players[0].ruleset.rules)
    assert list(differing([players[0], players[0]], [start])) == []
    russian = Player(damspec.load_ruleset("russian"))
    assert list(differing([players[0], players[0], russian], [start])) == []
    capture = players[0].ruleset.position("W:W14:BK9,K10,K17,K18")
    assert list(differing([players[0], players[0], russian], [capture])) == [capture]


def test_what_rules_can_differ_in() -> None:
    vl, brazilian, lb, de = map(damspec.load_ruleset, ("vl", "brazilian", "lb", "de"))
    assert Contrast.between(vl, brazilian) == Contrast(captures=True, quiet=False, turns=False, ending=True)
    assert Contrast.between(lb, de).turns
    assert not Contrast.between(lb, damspec.load_ruleset("english"))
    slow = damspec.from_values({**vl.values, "king.move.reach": 1}, "slow kings")
    assert Contrast.between(vl, slow) == Contrast(captures=False, quiet=True, turns=False, ending=False)


@pytest.mark.parametrize("pair", list(combinations(SMALL, 2)), ids="/".join)
def test_rulesets_are_told_apart(pair: tuple[str, str]) -> None:
    search = wanted(*pair, pieces=(3, 12) if pair in ALIKE else (1, 12))
    hunt = Hunt(search, seed=4, tries=3_000)
    found = [] if search.hopeless else list(islice(hunt.anywhere(), 20))
    if pair in ALIKE:
        assert found == []
        return
    assert len({one.position for one in found}) == 20
    one, other = map(damspec.load_ruleset, pair)
    assert all(truly_differ(one, other, position.position) for position in found)


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(combinations(SMALL, 2)), ids="/".join)
def test_a_thousand_in_a_minute(pair: tuple[str, str]) -> None:
    if pair in ALIKE:
        return
    for search in (wanted(*pair), wanted(*reversed(pair))):
        began = time.monotonic()
        assert len({one.position for one in islice(Hunt(search).anywhere(), 1000)}) == 1000
        assert time.monotonic() - began < 60


@pytest.mark.slow
@pytest.mark.parametrize("id", ["vl", "de", "lb", "nl-trapdoor"])
def test_every_reading_is_told_apart_or_alike(id: str) -> None:
    """As many positions as wanted for each alternative reading, or none after a long search; seldom all there are."""
    for reading in damspec.load_readings():
        for word, alternative in reading.alternatives.items() if id in reading.rulesets else ():
            other = f"{id}?{reading.key}={word}"
            if not alternative.set or damspec.load_ruleset(other).rules.board != damspec.load_ruleset(id).rules.board:
                continue
            began = time.monotonic()
            search = wanted(id, other, pieces=(0, 12))
            found = [] if search.hopeless else list(islice(Hunt(search, tries=50_000).anywhere(), 200))
            assert len(found) in (0, 200) or alternative.set.keys() & {"ending.order"}, other
            assert time.monotonic() - began < 60, other


# --- the fewest pieces ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other", "pieces"),
    [
        ("vl", "brazilian", 2),
        ("vl", "vl?king-capture=directly-behind", 2),
        ("vl", "vl?binds=piece", 3),
        ("vl", "vl?arrival=goes-on", 3),
        ("de", "de?huffed-piece=moved", 3),
        ("nl-trapdoor", "nl-trapdoor?falls=men", 1),
    ],
)
def test_the_fewest_pieces(name: str, other: str, pieces: int) -> None:
    hunt = Hunt(wanted(name, other))
    found = list(islice(hunt.fewest(), 3))
    assert [len(one.position) for one in found] == [pieces] * 3
    assert hunt.proved_below == pieces
    assert sum(one.positions for one in hunt.exhausted) < hunt.tried
    ruleset, changed = damspec.load_ruleset(name), damspec.load_ruleset(other)
    assert all(truly_differ(ruleset, changed, one.position) for one in found)


@pytest.mark.parametrize("reading", ["blocked-one-each=drawn", "king-capture=directly-behind"])
def test_exhausting_misses_nothing(reading: str) -> None:
    """All positions with one or two pieces, tried one by one without any cleverness."""
    small = {"board.size": "6x6", "start.men": 2}
    ruleset, other = (
        damspec.from_values({**damspec.load_ruleset(id).values, **small}, id) for id in ("vl", f"vl?{reading}")
    )
    board = ruleset.rules.board
    heads = board.nearest_rows(1, "black"), board.nearest_rows(1, "white")
    sides: tuple[damspec.Side, ...] = ("white", "black")
    every = [
        {Position(board, *pieces, side) for pieces in placements(board, number, heads) for side in sides}
        for number in (1, 2)
    ]
    assert not any(truly_differ(ruleset, other, position) for position in every[0])
    found = {one.position for one in Hunt(Wanted(ruleset, (Goal("", (other,)),))).fewest()}
    assert found == {position for position in every[1] if truly_differ(ruleset, other, position)} != set()


def test_fewest_found_by_search_alone() -> None:
    hunt = Hunt(wanted("vl", "vl?origin=occupied", pieces=(4, 12)), tries=4000)
    found = list(islice(hunt.fewest(), 2))
    assert {len(one.position) for one in found} == {5}
    assert hunt.proved_below == 4
    assert hunt.exhausted == []


def test_which_games_are_the_same_turned_round() -> None:
    assert same_turned_round(damspec.load_ruleset("vl"))
    assert same_turned_round(damspec.load_ruleset("nl-trapdoor"))
    values = damspec.load_ruleset("vl").values
    assert not same_turned_round(damspec.from_values({**values, "board.size": "8x7", "start.men": 2}))
    trapdoors = damspec.load_ruleset("nl-trapdoor")
    layout = trapdoors.whole["trapdoors.layout"]
    moved = {**layout, "sliders": [{**layout["sliders"][0], "left": 13}, *layout["sliders"][1:]]}
    assert not same_turned_round(damspec.from_values({**trapdoors.values, "trapdoors.layout": moved}))


@pytest.mark.parametrize("name", ["vl", "nl-trapdoor", "de"])
def test_a_hopeless_placement_is_hopeless_in_every_phase(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for mutant in islice(mutants.single(ruleset), 10, 60, 7):
        search = Wanted(ruleset, (Goal(mutant.name, (mutant.ruleset,)),), (0, 12))
        if search.hopeless:
            continue
        for position in islice(sampling.positions(ruleset, random.Random(3), (1, 5)), 150):
            if position.huffable is None and search.met(position):
                assert search.may_meet(position)


def test_goals_are_met_together() -> None:
    search = wanted("vl", "brazilian", "russian", "nl-trapdoor")
    for one in islice(Hunt(search).anywhere(), 10):
        for other in ("brazilian", "russian", "nl-trapdoor"):
            assert truly_differ(damspec.load_ruleset("vl"), damspec.load_ruleset(other), one.position)


def test_views_answer_alike_for_doors_that_are_shut() -> None:
    plain, doors = (Player(damspec.load_ruleset(name)) for name in ("brazilian", "nl-trapdoor"))
    position = plain.ruleset.position("W:W26:B23,K1")
    assert View(plain, position).answer == View(doors, position).answer


# --- the command ------------------------------------------------------------------------------


def fens(*words: str) -> list[str]:
    """The positions that a command writes as FEN."""
    ran = run("generate", *words, "--format", "fen")
    assert ran.status == 0, ran.err
    return ran.out.splitlines()


def test_the_same_seed_the_same_positions() -> None:
    words = ("nl-trapdoor", "--exercise", "trapdoors.passing", "-n", "12")
    assert fens(*words, "--seed", "3") == fens(*words, "--seed", "3") != fens(*words, "--seed", "4")
    assert len(set(fens(*words))) == 12


@pytest.mark.parametrize("seed", range(3))
def test_options_hold(seed: int) -> None:
    ruleset = damspec.load_ruleset("de")
    words = ("--pieces", "4..6", "--phase", "huffable", "--moves", "3..9", "-n", "8", "--seed", str(seed))
    for fen in fens("de", *words, "--exercise", "huff.retracted=free"):
        position = ruleset.position(fen)
        assert 4 <= len(position) <= 6
        assert position.huffable
        assert 3 <= len(damspec.legal_moves(ruleset, position)) <= 9
        assert truly_differ(ruleset, damspec.load_ruleset("de?retracted=free"), position)
    assert [len(ruleset.position(fen)) for fen in fens("de", "--pieces", "3", "-n", "5")] == [3] * 5


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("vl --exercise capture.choice -n 6", 0),
        ("vl --distinguish brazilian,russian -n 6", 0),
        ("nl-trapdoor --distinguish fr-trapdoor-dual -n 6", 0),
        ("nl-trapdoor --exercise ending.both-empty -n 4", 0),
        ("de --exercise huff.remedies -n 5", 0),
        ("lb -n 12", 0),
        ("nl-trapdoor-autoclose -n 12", 0),
        ("russian --distinguish lb --minimal", 0),
        ("english --distinguish vl --reachable -n 3", 0),
    ],
)
def test_cases_are_ready_for_review(words: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They pass the linting of cases, and the reference gives the answers that they expect, under readings too."""
    id = words.split()[0]
    ran = run("generate", *words.split(), "-o", str(tmp_path / id))
    assert (ran.status, ran.out) == (status, "")
    monkeypatch.setattr(lint, "folder", lambda: tmp_path)
    assert lint.lint() == []
    for file in (tmp_path / id).iterdir():
        for case in read_cases(file):
            assert case.generated == f"damspec {damspec.__version__}"
            for query, expected in {"": case.expected, **case.otherwise}.items():
                ruleset = damspec.load_ruleset(f"{id}?{query}" if query else id)
                position = ruleset.position(case.position)
                if expected.outcome is not None:
                    assert damspec.outcome(ruleset, position).result == expected.outcome.result
                    continue
                legal = damspec.legal_moves(ruleset, position)
                assert not compare_moves(position, expected.moves or {}, [str(action) for action in legal])
                for action in legal:
                    assert damspec.play(ruleset, position, action).fen() == (expected.moves or {})[str(action)]


def test_several_topics_on_one_stream() -> None:
    files = list(yaml.safe_load_all(run("generate", "vl", "-n", "12").out))
    assert len(files) > 2
    for file in files:
        data.check(file, "cases", "stdout")
    minimal = run("generate", "vl", "--distinguish", "brazilian", "--minimal").out
    assert minimal.startswith("# minimal: 2 pieces, all 120 positions with fewer were tried\n")


def test_json_has_its_form() -> None:
    for words in (
        ["vl", "--exercise", "capture.removal", "-n", "2"],
        ["de", "--reachable", "--phase", "huffable"],
        ["nl-trapdoor", "--distinguish", "vl", "--minimal"],
    ):
        for form in (["--json"], ["--format", "json"]):
            document = json.loads(run("generate", *words, *form).out)
            data.check(document, "generate", "stdout")
            assert document["positions"]
    assert document["minimal"]["proved"]
    nothing = run("generate", "lb", "--distinguish", "de", "--moves", "77", "--tries", "50", "--json", "--pieces", "3")
    assert nothing.status == 1
    assert json.loads(nothing.out)["positions"] == []


def test_pdn_of_a_position_and_of_a_game() -> None:
    ran = run("generate", "brazilian", "--distinguish", "vl", "--format", "pdn", "-n", "2", "--reachable")
    games = ran.out.split("[Event ")[1:]
    assert len(games) == 2
    for game in games:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', "[Event " + game))
        assert tags["GameType"] == "26,W,8,8,N2,0"
        assert tags["SetUp"] == "1"
        played = damspec.Game("brazilian", tags["FEN"])
        words = game.split("\n\n")[1].split()
        for move in [word for word in words[:-1] if not word.endswith(".")]:
            played.push(move)
        other = damspec.load_ruleset("vl")
        assert truly_differ(damspec.load_ruleset("brazilian"), other, played.position)
    lonely = run("generate", "english", "--format", "pdn")
    assert '[GameType "21,B,8,8,N1,0"]' in lonely.out
    assert lonely.out.rstrip().splitlines()[-1] in ("*", "1-0", "0-1")
    assert "GameType" not in run("generate", "vl", "--format", "pdn").out


def test_pdn_with_what_pdn_has_no_word_for() -> None:
    out = run("generate", "nl-trapdoor", "--format", "pdn", "--reachable", "--phase", "spin=green", "--seed", "2").out
    assert "{spin=" in out
    assert Slide("G1", "L")
    assert re.search(r"\{spin=green\} \*\n$", out.replace("\n*", " *"))


def test_pictures(tmp_path: Path) -> None:
    assert run("generate", "vl", "--format", "svg", "-n", "2").out.count("<svg ") == 2
    folder = tmp_path / "pictures"
    assert run("generate", "vl", "--format", "svg", "-n", "3", "-o", str(folder)).status == 0
    assert len(list(folder.iterdir())) == 3
    assert all(file.read_text().startswith("<svg ") for file in folder.iterdir())


def test_reached_with_the_fewest_pieces() -> None:
    ran = run(
        "generate", "vl", "--exercise", "man.capture.first", "--reachable", "--minimal", "--json", "--tries", "900"
    )
    document = json.loads(ran.out)
    assert not document["minimal"]["proved"]
    assert "nothing exhausted" in document["minimal"]["says"]
    game = damspec.Game("vl")
    for action in document["positions"][0]["game"]:
        game.push(action)
    assert game.fen() == document["positions"][0]["position"]


BAD = {
    "vl --exercise capture.chioce": ("no rule 'capture.chioce'", "did you mean 'capture.choice'?"),
    "vl --exercise capture.duty=often": ("capture.duty", 'found "often"', '"compulsory"'),
    "vl --exercise capture.duty=compulsory": ("is compulsory in vl already", ""),
    "vl --exercise capture.duty=": ("capture.duty", "found null"),
    "vl --exercise capture.binds=": ("capture.binds", "found nothing after ="),
    "vl --exercise capture.choice=[": ("'[' is no value", ""),
    "vl --exercise huff.turn": ("vl has no huff.turn", ""),
    "vl --exercise capture.binds=path": ("is path in vl already", ""),
    "nl-trapdoor --exercise capture.duty=optional": ("cannot be optional with the other rules", ""),
    "nl-trapdoor --exercise trapdoors.layout": ("trapdoors.layout can have any value", "=VALUE"),
    "vl --exercise start.first": ("no position depends on start.first", ""),
    "vl --exercise board.size=10x10": ("no position depends on board.size", ""),
    "vl --distinguish international": ("different boards", "vl on 8x8 and international on 10x10"),
    "vl --distinguish russain": ("unknown ruleset 'russain'", "did you mean 'russian'?"),
    "vl --pieces 5..3": ("--pieces: found '5..3'", "smaller number first"),
    "vl --pieces few": ("--pieces: found 'few'", "expected MIN..MAX"),
    "vl --pieces 0..3": ("--pieces: found '0..3'", "from 1 to 32"),
    "vl --pieces 3..99": ("--pieces: found '3..99'", "from 1 to 32"),
    "vl --moves ..": ("--moves: found '..'", "expected MIN..MAX"),
    "vl --phase huffable": ("vl has no phase 'huffable'", "plain"),
    "nl-trapdoor --phase spin=gren": ("no phase 'spin=gren'", "did you mean 'spin=green'?"),
    "vl?binds=piece": ("vl?binds=piece", "another --format"),
    "vl --format png": ("'png' is not one of", "'svg'"),
    "vl -o /nonexistent/x --format fen": ("no folder '/nonexistent'", "-o"),
    "vl -o /tmp --format fen": ("'/tmp' is a folder", "expected a file"),
    "vl -o / ": ("'/' is there already", "new or empty folder"),
    "vl -n 0": ("-n", "0 is not in the range"),
}


@pytest.mark.parametrize("line", BAD)
def test_bad_options_are_told_in_one_line(line: str) -> None:
    ran = run("generate", *line.split())
    assert (ran.status, ran.out) == (2, "")
    for piece in BAD[line]:
        assert piece in ran.complaint


def test_nothing_found_says_what_was_tried() -> None:
    ran = run("generate", "lb", "--distinguish", "english")
    assert (ran.status, ran.out) == (1, "")
    assert "nothing found: english has the same rules" in ran.complaint
    ran = run("generate", "vl", "--exercise", "king.capture.landing=continuing", "--tries", "300")
    assert (ran.status, ran.out) == (1, "")
    assert re.search("nothing found: 7,[0-9]{3} positions with 1 to 12 pieces tried, .* up to 2$", ran.complaint)
    ran = run("generate", "vl", "--exercise", "ending.order", "-n", "9", "--tries", "300", "--format", "fen")
    assert (ran.status, len(ran.out.splitlines())) == (0, 4)
    assert ran.err.startswith("4 of 9 found: ")


def test_a_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "positions.fen"
    assert run("generate", "vl", "-n", "3", "--format", "fen", "-o", str(file)).out == ""
    assert len(file.read_text().splitlines()) == 3


def test_interrupted_it_keeps_what_was_found() -> None:
    words = ["generate", "vl", "--exercise", "ending.order", "-n", "9", "--tries", "100000000", "--format", "fen"]
    running = subprocess.Popen([*DAMSPEC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    time.sleep(3)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert re.fullmatch(r"damspec: interrupted: (\d) of 9 found, [\d,]+ positions with 1 to 12 pieces tried\n", err)
    assert len(out.splitlines()) == int(err.split()[2])


def test_a_found_position_without_a_game() -> None:
    assert Found(Position.start(damspec.load_ruleset("vl").rules)).game is None
