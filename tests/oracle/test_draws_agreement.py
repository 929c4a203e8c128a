"""The draws by what went before, held against naive_draws.py on games of few pieces played by chance.

The same games are put to the interpreter in JavaScript, in tests/javascript/test_interpreter_agreement.py.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

import damspec
import naive_draws
from damspec import Action, Game
from variants import ENGLISH_DRAWS, HUFF, RUSSIAN_DRAWS, VARIANTS

#: Small numbers, so that every draw comes up soon and often, beside the right ones.
SOON: dict[str, Any] = {
    "draws.king-moves": 6,
    "draws.endings": {"KKKvK KKMvK KMMvK": 4, "KKvK KMvK KvK": 3, "KMvKM": 2},
    "draws.balance": {"2-3": 4, "4": 3, "5-6": 5},
    "draws.main-road": {"KKvK KKKvK": 1, "KvK": 2},
}
#: The same for what only some games have: few pieces for moves of kings, the river, and one side's moves.
SOON_TOO: dict[str, Any] = {
    "draws.king-moves": 5,
    "draws.king-moves-pieces": 2,
    "draws.endings": {"KKKvK KKvK": 6, "KMvKM": 3},
    "draws.river": {"KKKvK KKvK": 3, "KKvKK": 2, "KvK": 2},
}
#: Every game that is drawn by what went before, under overlays too.
LIMITED = [
    *(id for id in damspec.ruleset_ids() if damspec.load_ruleset(id).rules.draws is not None),
    "international+losing",
    "russian+losing",
]
FEDERATION = damspec.load_ruleset("nl-trapdoor").under("draws=federation")


def one_of(game: Game, chance: random.Random) -> Action | None:
    """What is played: mostly what leaves nothing to capture, so that games last, and a claim where there is one.

    None where nothing is open.
    """
    legal = game.legal_moves
    open_now = [*legal, *legal.lapses]
    for _ in range(4 if chance.random() < 0.95 else 0):
        action = chance.choice(open_now) if open_now else None
        if action is None or not game.ruleset.turns.can_capture(legal.after(action)):
            return action
    return chance.choice(open_now) if open_now else None


def placed(rules: Mapping[str, Any], chance: random.Random) -> str:
    """A position with two to seven pieces, most of them kings."""
    board = damspec.from_values(rules).rules.board
    squares = chance.sample(range(1, len(board) + 1), chance.randint(2, 7))
    cut = chance.randint(1, len(squares) - 1)
    edge = 2 if board.squares == "dark" else 1

    def piece(square: int) -> str:
        row = board.places[square - 1][1]
        return f"K{square}" if chance.random() < 0.7 or not edge <= row < board.rows - edge else str(square)

    sides = [",".join(map(piece, part)) for part in (squares[:cut], squares[cut:])]
    return f"{chance.choice('WB')}:W{sides[0]}:B{sides[1]}"


def back(game: Game, stood: Counter[str], chance: random.Random) -> Action | None:
    """An action to a position that has stood before, half of the time, if there is one."""
    if chance.random() < 0.5:
        return None
    legal = game.legal_moves
    found = [action for action in legal if stood[legal.after(action).fen()]]
    return chance.choice(found) if found else None


def play_out(ruleset: damspec.Ruleset, game: Game, plies: int, chance: random.Random, repeats: bool) -> list[str]:
    """Play on until the game is over on the board or has so many plies; the positions that stood."""
    fens, stood = [game.fen()], Counter([game.fen()])
    while len(fens) <= plies and (action := (repeats and back(game, stood, chance)) or one_of(game, chance)):
        fens.append(game.push(action).fen())
        stood[fens[-1]] += 1
        if damspec.outcome(ruleset, game.position).is_over:
            break
    return fens


def agreed(rules: Mapping[str, Any], seed: int, games: int, plies: int, repeats: bool = False) -> Counter[str]:
    """Play games and compare how they stand after every action; how often each draw was seen.

    Half of the moves of games with `repeats` lead back to a position, if one does.
    """
    chance, ruleset, seen = random.Random(seed), damspec.from_values(rules), Counter[str]()
    for _ in range(games):
        game = Game(ruleset, placed(rules, chance))
        fens = play_out(ruleset, game, plies, chance, repeats)
        again, stood = Game(ruleset, fens[0]), list[damspec.Outcome]()
        for action in game.history:
            again.push(action)
            stood.append(again.outcome())
        words = naive_draws.draws(rules, fens, [str(action) for action in game.history])
        for fen, outcome, word in zip(fens[1:], stood, words, strict=True):
            on_board = damspec.outcome(ruleset, fen)
            expected = on_board if on_board.is_over else damspec.Outcome("draw", word) if word else on_board
            assert outcome == expected, (fens[0], *map(str, game.history))
            seen[outcome.reason or "ongoing"] += 1
    return seen


@pytest.mark.parametrize("id", ["english", "international", "russian", "brazilian"])
def test_the_games_with_draws(id: str) -> None:
    seen = agreed(VARIANTS[id], seed=7, games=6, plies=110)
    assert {"repetition", "king-moves"} & seen.keys()


@pytest.mark.parametrize("id", LIMITED)
@pytest.mark.parametrize(
    ("games", "plies"), [(3, 60), pytest.param(2_000, 140, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_every_game_with_a_limit(id: str, games: int, plies: int) -> None:
    """Games in which positions come back, by the numbers of the rulebook."""
    seen = agreed(damspec.load_ruleset(id).values, 11, games, plies, repeats=True)
    drawn = ("repetition", "ending", "king-moves", "balance", "no-capture")
    assert games < 100 or sum(seen[each] for each in drawn) > 100


def test_endings_beside_a_limit_on_kings() -> None:
    """Frisian draughts: two kings against one, one against one, and runs of kings that have men beside them."""
    rules = dict(damspec.load_ruleset("frisian").values)
    assert agreed(rules, seed=2, games=30, plies=40)["ending"] > 2
    assert {"ending", "repetition"} <= agreed({**rules, **SOON, "draws.repetition": 2}, 4, games=20, plies=24).keys()


@pytest.mark.parametrize("id", ["english", "russian", "international"])
def test_draws_that_come_soon(id: str) -> None:
    seen = agreed({**VARIANTS[id], **SOON, "draws.repetition": 2}, seed=3, games=25, plies=24)
    assert {"repetition", "king-moves", "ending", "balance", "main-road"} <= seen.keys()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("id", "side"),
    [
        ("russian", "stronger"),
        ("russian", "weaker"),
        ("international", None),
        pytest.param("russian", None, marks=pytest.mark.slow),
        pytest.param("international", "stronger", marks=pytest.mark.slow),
        pytest.param("international", "weaker", marks=pytest.mark.slow),
    ],
)
def test_rivers_and_whose_moves_count(id: str, side: str | None) -> None:
    counted = {"draws.counted-side": side} if side else {}
    rules = {rule: value for rule, value in VARIANTS[id].items() if not rule.startswith("draws.")}
    seen = agreed({**rules, **SOON_TOO, **counted, "draws.repetition": 3}, seed=8, games=40, plies=24)
    assert {"king-moves", "ending", "river"} <= seen.keys()
    assert {"main-road", "ending"} <= agreed({**rules, **SOON, **counted}, seed=8, games=25, plies=24).keys()


def test_moves_without_a_capture() -> None:
    assert agreed({**VARIANTS["english"], "draws.no-capture": 4}, seed=6, games=12, plies=24)["no-capture"] > 10
    assert agreed({**HUFF, "draws.no-capture": 4}, seed=6, games=12, plies=24)["no-capture"] > 10


def test_moves_that_are_taken_back() -> None:
    seen = agreed({**HUFF, **SOON, "draws.repetition": 3}, seed=5, games=16, plies=24)
    assert {"king-moves", "ending", "balance"} <= seen.keys()


def test_spins_and_slides() -> None:
    rules = {**FEDERATION.values, "draws.king-moves": 2, "draws.endings": {"KKKvK KKvK KMvK KvK": 1}}
    seen = agreed(rules, seed=1, games=12, plies=50)
    assert {"king-moves", "ending"} <= seen.keys()


@pytest.mark.slow
@pytest.mark.parametrize("id", ["english", "russian"])
def test_many_games(id: str) -> None:
    numbers = {"english": ENGLISH_DRAWS, "russian": RUSSIAN_DRAWS}[id]
    for seed in range(2):
        agreed({**VARIANTS[id], **SOON, "draws.repetition": 2 + seed % 2}, seed, games=40, plies=40)
        agreed({**VARIANTS[id], **numbers}, seed, games=20, plies=140)
