"""The search for the best action: against a naive one, wins known by hand, its limits, and all kinds of rules."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import islice

import pytest

import damspec
from damspec import Game, Move, Position, Ruleset, Spin, load_ruleset, search
from damspec.alphabeta import DEEPEST, SearchResult
from damspec.errors import ArgumentError, ArgumentTypeError
from damspec.kernel.constants import MATE
from damspec.kernel.search import PositionSearch
from damspec.outcomes import outcome_of_position
from damspec.sampling import sample_positions
from refusals import refusal
from runs import SPREAD, for_each, usually


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search in plain Python, so that nothing has to be compiled."""
    monkeypatch.setattr("damspec.alphabeta.is_available", lambda: False)


# --- beside a naive search


def value_of_pieces(ruleset: Ruleset, position: Position) -> int:
    """Return 100 for a man, 300 for a king that flies, 150 for one that does not, as the side to move sees it."""
    king = 300 if ruleset.rules.king.move_reach == "any" else 150
    white = 100 * (position.white_men.bit_count() - position.black_men.bit_count())
    white += king * (position.white_kings.bit_count() - position.black_kings.bit_count())
    own = white if position.turn == "white" else -white
    return -own if ruleset.rules.ending.no_pieces == "wins" else own


def negamax(ruleset: Ruleset, position: Position, depth: int, ply: int = 0) -> int:
    """Return the score by looking at everything. That a side cannot move is seen before the last ply only."""
    turns = ruleset.turns
    outcome = outcome_of_position(turns, position)
    if outcome.is_over and (depth or outcome.reason != "no-moves"):
        return 0 if outcome.winner is None else MATE - ply if outcome.winner == position.turn else ply - MATE
    if depth == 0:
        return value_of_pieces(ruleset, position)
    actions, scores = turns.actions(position), list[int]()
    for action in actions:
        after = turns.after(position, action)
        score = negamax(ruleset, after, depth - 1, ply + 1)
        scores.append(score if after.turn == position.turn else -score)
    return sum(scores) // len(scores) if isinstance(actions[0], Spin) else max(scores)


NAIVE = ("english", "international", "frisian", "nl-trapdoor", "turkish", "vl+losing", "canadian")


@pytest.mark.parametrize("name", usually(NAIVE, [*NAIVE, *(id for id in damspec.ruleset_ids() if id not in NAIVE)]))
def test_values_are_those_of_a_naive_search(name: str) -> None:
    ruleset = load_ruleset(name)
    searching = PositionSearch(ruleset.rules, compiled=False, counts_pieces=True)
    compared = 0
    for position in islice(sample_positions(ruleset, random.Random(1), (2, 7)), 30):
        if not searching.knows(position):
            continue
        branches = len(ruleset.turns.actions(position))
        for depth in (1, 2, 3) if branches <= 6 else (1, 2):
            searching.start()
            found = searching.score(position, depth, 0, -MATE, MATE, 1 << 60)
            assert found == negamax(ruleset, position, depth), (position.fen(), depth)
            compared += 1
    assert compared > 20


# --- by hand


#: A game, the plies to its end for the side to move, negative if it loses, and the first action if there is only one.
WINS = (
    ("english", "W:W22:B18", 1, "22x15"),
    # Wherever the man goes, it is captured: 26-22 17x26, 26-23 19x26.
    ("english", "W:W26:B17,19", -2, None),
    # 18-14 takes both squares from the man on 7: 7-10 14x7, 7-11 16x7.
    ("english", "W:W16,18:B7", 3, "18-14"),
    # 29-25 shuts the man on 21 in, which could capture 25 if 30 were empty.
    ("english", "W:W29,30:B21", 1, "29-25"),
    # Who has no pieces left has won.
    ("english+losing", "W:W22:B18", -1, "22x15"),
    ("english+losing", "W:W26:B17,19", 2, None),
    # The first king wins.
    ("english+breakthrough", "W:W6:B22", 1, None),
)


@for_each("name, fen, plies, action", WINS)
def test_forced_wins_are_found(name: str, fen: str, plies: int, action: str | None) -> None:
    found = search(Game(name, fen), depth=5)
    assert found.plies_to_win == plies
    assert action is None or str(found.action) == action


@for_each(("value", "blocks"), [("loses", True), ("draws", False), ("wins", False)])
def test_a_side_is_shut_in_only_where_that_wins(value: str, blocks: bool) -> None:
    ruleset = load_ruleset("english").with_value("ending.no-moves", value)
    assert (str(search(Game(ruleset, "W:W29,30:B21"), depth=4).action) == "29-25") is blocks


def test_what_a_finished_game_comes_to() -> None:
    assert search(Game("english", "W:W:B1"), depth=3) == SearchResult((), -MATE, 0, 0)
    assert search(Game("vl", "W:W22:B18"), depth=3) == SearchResult((), 0, 0, 0)  # one piece each is a draw


@for_each(("value", "score"), [("mover-wins", -MATE), ("mover-loses", MATE), ("draw", 0)])
def test_whose_loss_a_board_without_pieces_is(value: str, score: int) -> None:
    """The king that captures the last piece falls through the door on 22; Black is to move."""
    ruleset = load_ruleset("nl-trapdoor").with_value("ending.both-empty", value)
    after = damspec.play(ruleset, "W:WK4:BK15:sliders=MRML", "4x22")
    assert len(after) == 0
    assert PositionSearch(ruleset.rules, compiled=False).score(after, 2, 0, -MATE, MATE, 100) == score


def test_a_spin_is_worth_the_mean_of_its_results() -> None:
    game = Game("nl-trapdoor", "W:W21,25:B5,14")
    found = search(game, depth=4)
    assert found.line == ()
    assert found.action is None
    scores = []
    for spin in [*game.legal_moves]:
        game.push(spin)
        assert game.turn == "white"
        scores.append(search(game, depth=3).score)
        game.pop()
    assert found.score == sum(scores) // len(scores)


def test_every_remedy_for_a_lapse_is_tried() -> None:
    game = Game("de", "W:W22,32:B1,18")
    game.push("32-27")
    by_action = {}
    for action in [*game.legal_moves]:
        side = game.turn
        game.push(action)
        score = search(game, depth=3).score
        by_action[action] = score if game.turn == side else -score
        game.pop()
    assert len(by_action) == 3
    found = search(game, depth=4)
    assert found.score == max(by_action.values())
    assert found.action is not None
    assert by_action[found.action] == found.score


def test_a_line_that_comes_back_is_drawn() -> None:
    # White is a king behind and can only go to and fro: 1-6 6-1. Black's king goes to and fro too.
    game = Game("english", "W:WK32:BK1")
    assert search(game, depth=8).score == 0
    game.push_all(["32-28", "1-5", "28-32", "5-1"])
    assert search(game, depth=8).score == 0


def test_what_a_probe_knows_counts_for_certain() -> None:
    """The one move after which the probe calls the position lost is the best."""
    game = Game("english", "W:W21,25:B1,2,3,4")
    wanted = damspec.play("english", game.position, "25-22")

    def probe(position: Position) -> tuple[int, int] | None:
        return (-1, 40) if position == wanted else None

    found = search(game, depth=3, probe=probe)
    assert (str(found.action), found.plies_to_win) == ("25-22", 41)


# --- limits and results


@pytest.mark.parametrize("name", usually(("international", "nl-trapdoor"), SPREAD))
def test_the_line_is_legal(name: str) -> None:
    rng, game = random.Random(2), Game(name)
    for _ in range(30):
        if game.is_over:
            break
        found, played = search(game, nodes=300), game.copy()
        for action in found.line:
            played.push(action)
        assert bool(found.line) is not isinstance(game.legal_moves[0], Spin)
        game.push(rng.choice(game.legal_moves))


@pytest.mark.parametrize("nodes", [1, 50, 3000])
def test_a_search_ends_after_so_many_nodes(nodes: int) -> None:
    found = search(Game("international"), nodes=nodes)
    assert found.nodes <= nodes + 1
    assert found.action is not None


def test_a_search_ends_after_so_long() -> None:
    game = Game("russian")
    search(game, depth=1)  # the rules are filled in
    begun = time.perf_counter()
    found = search(game, seconds=0.3)
    assert 0.1 < time.perf_counter() - begun < 0.6
    assert found.depth > 3


def test_an_only_move_is_played_at_once() -> None:
    game = Game("english", "B:W10:B7,11,12")
    assert len(game.legal_moves) == 1
    assert search(game, seconds=60).depth == 1


def test_a_search_gives_the_same_again() -> None:
    first, second = (search(Game("russian"), depth=6) for _ in range(2))
    assert first == second


def test_limits_are_checked() -> None:
    game = Game("english")
    assert refusal(ArgumentError, search, game) == "search: found no limit, expected depth, seconds or nodes"
    for wrong in ({"depth": 0}, {"depth": DEEPEST + 1}, {"nodes": 0}, {"seconds": 0}, {"seconds": float("nan")}):
        assert "expected" in refusal(ArgumentError, search, game, **wrong)
    assert "expected a Game" in refusal(ArgumentTypeError, search, "english", depth=1)  # type: ignore[arg-type]
    assert "a number of seconds" in refusal(ArgumentTypeError, search, game, seconds="1")  # type: ignore[arg-type]


# --- compiled


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
@pytest.mark.parametrize("name", ["english", "canadian", "nl-trapdoor"])
def test_compiled_code_finds_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="damspec[fast] is not installed")
    ruleset = load_ruleset(name)
    compiled, plain = (PositionSearch(ruleset.rules, compiled=way) for way in (True, False))
    for position in islice(sample_positions(ruleset, random.Random(3), (4, 16)), 40):
        found = []
        for searching in (compiled, plain):
            searching.start()
            score = searching.score(position, 3, 0, -MATE, MATE, 1 << 60)
            actions = ruleset.turns.actions(position)
            moves = [(move.start, move.end, move.captured) for move in actions if isinstance(move, Move)]
            found.append((score, searching.best_move(position, moves)))
        assert found[0] == found[1], position.fen()
    program = f"import damspec; print(damspec.search(damspec.Game({name!r}), depth=2).score)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == str(search(Game(name), depth=2).score), ran.stderr  # its code comes from the disk
