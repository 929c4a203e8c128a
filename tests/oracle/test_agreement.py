"""The reference and the oracle agree: on moves, on turns, on draws and their order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import naive
import naive_draws
import naive_turns
from damspec import Action, DamspecError, Game, Move, Position, Ruleset
from damspec_runner.cases.perft_tables import load_published
from outcome_mixes import outcome_mixes
from positions import phases, positions
from runs import ORIGINALS, RARE, SELDOM
from variants import DIAGONAL, ENGLISH_DRAWS, HUFF, ORTHOGONAL, RUSSIAN_DRAWS, VARIANTS, but

SHIPPED = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
#: Those where a turn is one move of a piece, under every reading too; turns of several parts are below.
PLAIN = [ruleset.id for ruleset in SHIPPED if not ruleset.rules.spin and not ruleset.rules.huff]
#: Each under every reading that rules can express.
UNDER_READINGS = [
    f"{id}?{reading.key}={word}"
    for reading in damspec.load_readings()
    for id in PLAIN
    if id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]

#: Two readings at a time, where one changes what the other does.
TOGETHER = [
    "vl?arrival=goes-on&return=not-crowned",
    "vl?completion=may-stop&arrival=goes-on",
    "vl?removal=at-once&binds=piece",
]

#: Rule values that neither a shipped ruleset nor its readings have.
UNUSUAL: dict[str, dict[str, Any]] = {
    "optional": but(VARIANTS["brazilian"], capture__duty="optional"),
    "over their own": but(
        VARIANTS["frisian"],
        board__size="8x8",
        start__men=3,
        man__move__over_own=DIAGONAL + ORTHOGONAL,
        man__move__reach="any",
    ),
    "optional, may stop": but(
        VARIANTS["russian"],
        capture__duty="optional",
        capture__completion="may-stop",
        king__capture__finish=None,
    ),
    "one jump": but(VARIANTS["international"], board__size="8x8", start__men=3, capture__completion="one"),
    "one jump, crowned by it, directly behind a king": but(
        VARIANTS["russian"],
        capture__completion="one",
        king__capture__finish="behind-last-king",
    ),
    "directly behind the last": but(VARIANTS["russian"], king__capture__finish="behind-last"),
    "several in line": but(VARIANTS["russian"], king__capture__pieces="any"),
    "several in line, straight on": but(
        VARIANTS["russian"],
        king__capture__pieces="any",
        king__capture__finish=None,
        king__capture__turning="straight",
        capture__removal="at-once",
        capture__origin="empty",
    ),
    "several neighbours in line, king first": but(
        VARIANTS["italian"], king__capture__pieces="any", king__capture__kings_only=["forward-left", "right"]
    ),
    "several in line, at the end": but(
        VARIANTS["international"],
        board__size="8x8",
        start__men=3,
        king__capture__pieces="any",
        king__capture__finish="continuing",
        capture__choice=["most-pieces", "king-first"],
    ),
    "kings go on another way": but(VARIANTS["russian"], king__capture__later=ORTHOGONAL),
    "kings go on more ways": but(
        VARIANTS["frisian"],
        board__size="8x8",
        start__men=3,
        king__capture__directions=["forward-left", "backward", "right"],
        king__capture__later=["forward-right", "backward", "left", "right"],
        king__capture__finish="continuing",
    ),
    "neighbours, on another way": but(
        VARIANTS["italian"], king__capture__later=ORTHOGONAL, promotion__mid_capture="as-king", promotion__return=None
    ),
    "over a gap": but(VARIANTS["brazilian"], man__capture__gap=1, man__capture__first=DIAGONAL + ORTHOGONAL),
    "kings only, straight": but(
        VARIANTS["russian"],
        king__capture__directions=DIAGONAL + ORTHOGONAL,
        king__capture__kings_only=ORTHOGONAL,
    ),
    "all squares": but(
        VARIANTS["frisian"],
        board__size="7x6",
        board__squares="all",
        start__men=2,
        man__move__directions=["forward-left", "forward", "forward-right", "left"],
        king__move__directions=["forward", "backward", "left", "forward-left"],
    ),
    "reach any, one-sided": but(
        VARIANTS["english"],
        man__move__reach="any",
        man__move__directions=["forward-left", "forward", "right"],
        man__capture__first=["forward-left", "right"],
        man__capture__later=["forward-right", "left", "backward"],
    ),
    "at once, origin occupied": but(
        VARIANTS["frisian"],
        board__size="8x8",
        start__men=3,
        capture__removal="at-once",
        capture__origin="occupied",
    ),
    "three rows": but(VARIANTS["brazilian"], promotion__rows=3, promotion__return="not-crowned", start__men=2),
    "two rows, as king": but(VARIANTS["russian"], promotion__rows=2, start__men=2),
    "kings only some ways": but(
        VARIANTS["italian"],
        king__capture__reach="any",
        king__capture__directions=["forward-left", "backward-right", "left"],
    ),
    "bottom right": but(VARIANTS["spanish"], board__numbering="bottom-right", capture__binds="piece"),
    "odd board": but(VARIANTS["brazilian"], board__size="9x7", start__men=2, draws__main_road=None),
    "mixed": but(
        VARIANTS["international"],
        board__size="9x9",
        start__men=3,
        capture__choice=["multiple-when-mixed", "with-king"],
    ),
    "several, king first": but(
        VARIANTS["brazilian"], capture__choice=["multiple-before-single", "most-kings", "king-first"]
    ),
    "king first": but(VARIANTS["brazilian"], capture__choice=["king-first"]),
    "men only, within two": but(
        VARIANTS["russian"],
        capture__duty="compulsory-for-men",
        king__capture__landing="within-two",
        king__capture__finish=None,
    ),
    "the best for men": but(VARIANTS["frisian"], board__size="8x8", start__men=3, capture__duty="compulsory-for-men"),
    "a king is a multiple": but(
        VARIANTS["brazilian"], capture__choice=["multiple-before-single", "with-king"], capture__king_weight=2
    ),
    "mixed, and a king is a multiple": but(
        VARIANTS["brazilian"], capture__choice=["multiple-when-mixed"], capture__king_weight=3
    ),
    "ends": but(VARIANTS["thai"], ending__no_pieces="wins", ending__no_moves="draws"),
    "kings stand still soon": but(VARIANTS["frisian"], king__move__limit=1, capture__duty="optional"),
    "kings slide twice, but not twice in a row": but(
        VARIANTS["brazilian"], king__move__limit=1, king__move__slides="twice"
    ),
    "kings slide twice, and the origin is occupied": but(
        VARIANTS["brazilian"], king__move__slides="twice", capture__origin="occupied"
    ),
    "draws first": but(
        VARIANTS["pool"],
        ending__draws=["one-piece-each-no-capture", "one-piece-each-same-kind"],
        ending__order="draws-first",
    ),
}


Answers = dict[tuple[int, int, frozenset[int], bool], tuple[frozenset[tuple[int, ...]], str]]


def answers(ruleset: damspec.Ruleset, position: damspec.Position) -> Answers:
    """The reference's moves: all ways to make each, and the position after it."""
    moves = damspec.legal_moves(ruleset, position).moves
    found = {
        (move.start, move.end, frozenset(move.captured), move.promotes): (
            frozenset(move.paths),
            damspec.play(ruleset, position, move).fen(),
        )
        for move in moves
    }
    assert len(found) == len(moves)
    return found


def naive_answers(ruleset: damspec.Ruleset, position: naive.NaivePosition) -> Answers:
    """The same of the naive generator."""
    return {
        (move.start, move.end, move.captured, move.promotes): (move.paths, naive.write(move.position))
        for move in naive.moves(ruleset.values, position)
    }


def agree(ruleset: damspec.Ruleset, position: damspec.Position) -> None:
    """Fail where the two differ."""
    fen = position.fen()
    plain = naive.read(fen)
    assert answers(ruleset, position) == naive_answers(ruleset, plain), fen
    assert damspec.perft(ruleset, position, 1) == len(damspec.legal_moves(ruleset, position)), fen
    end = damspec.outcome(ruleset, position)
    assert (end.result, end.reason) == naive_turns.outcome(ruleset.values, plain), fen


def search(ruleset: damspec.Ruleset, examples: int) -> None:
    """Look for a position where the two differ."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def look(data: st.DataObject) -> None:
        agree(ruleset, data.draw(positions(ruleset.rules)))

    look()


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        *((name, 10) for name in PLAIN if name not in RARE or name not in SELDOM),
        *(pytest.param(name, 40, marks=pytest.mark.thorough) for name in PLAIN if name not in RARE),
        *(pytest.param(name, 10_000, marks=pytest.mark.slow) for name in PLAIN),
    ],
)
def test_shipped(name: str, examples: int) -> None:
    search(damspec.load_ruleset(name), examples)


#: A usual run takes the readings of the rulesets of every day, a thorough one some of all, with more positions.
USUAL = [name for name in UNDER_READINGS if name.partition("?")[0] not in SELDOM]


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        *((name, 6) for name in USUAL),
        *(pytest.param(name, 10, marks=pytest.mark.thorough) for name in [*UNDER_READINGS[::8], *TOGETHER[::2]]),
        *(pytest.param(name, 6_000, marks=pytest.mark.slow) for name in [*UNDER_READINGS, *TOGETHER]),
    ],
)
def test_readings(name: str, examples: int) -> None:
    search(damspec.load_ruleset(name), examples)


@pytest.mark.parametrize("examples", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name: str, examples: int) -> None:
    search(damspec.from_values(VARIANTS[name], name), examples)


@pytest.mark.parametrize("examples", [6, pytest.param(6_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_rules(name: str, examples: int) -> None:
    search(damspec.from_values(UNUSUAL[name], name), examples)


# --- The reference's turns against the naive ones of naive_turns.py, in every phase of a turn: not spun, each result
# of the spinner, a lapse to answer, compelled; and that both call the same positions impossible.


WITH_TURNS = [ruleset.id for ruleset in SHIPPED if ruleset.rules.spin or ruleset.rules.huff]
TURN_UNDER_READINGS = [
    f"{id}?{reading.key}={word}"
    for id in WITH_TURNS
    for reading in damspec.load_readings()
    if id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]
OF_ORIGINALS = [name for name in TURN_UNDER_READINGS if name.partition("?")[0] in ORIGINALS]


def agree_on_turns(ruleset: Ruleset, position: Position) -> None:
    """Fail where the two differ."""
    fen = position.fen()
    plain = naive.read(fen)
    try:
        ruleset.position(fen)
    except DamspecError:
        assert not naive_turns.possible(ruleset.inline_values, plain), fen
        return
    assert naive_turns.possible(ruleset.inline_values, plain), fen
    legal = damspec.legal_moves(ruleset, position)
    for mine, theirs in (
        (legal, naive_turns.actions(ruleset.inline_values, plain)),
        (legal.lapses, naive_turns.lapses(ruleset.inline_values, plain)),
    ):
        found = {_key(action): damspec.play(ruleset, position, action).fen() for action in mine}
        assert len(found) == len(mine), fen
        assert found == {action.key: naive.write(action.after) for action in theirs}, fen
        paths = {_key(move): set(move.paths) for move in mine if isinstance(move, Move)}
        assert paths == {action.key: set(action.paths) for action in theirs if action.kind == "move"}, fen
    end = damspec.outcome(ruleset, position)
    assert (end.result, end.reason) == naive_turns.outcome(ruleset.inline_values, plain), fen


def _key(action: damspec.Action) -> object:
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured), action.promotes)
    return str(action)


#: Two readings at a time, where one changes what the other does.
TURN_TOGETHER = [
    "de?completion=stopping-is-a-lapse&king-range=flying-any",
    "de?completion=stopping-is-a-lapse&huffed-piece=moved",
    "de?completion=stopping-is-a-lapse&single-capture=any-direction",
]


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        *((name, 12) for name in WITH_TURNS),
        *((name, 8) for name in TURN_TOGETHER),
        *(pytest.param(name, 6, marks=pytest.mark.thorough) for name in OF_ORIGINALS),
        *(pytest.param(name, 120, marks=pytest.mark.slow) for name in WITH_TURNS),
        *(pytest.param(name, 30, marks=pytest.mark.slow) for name in OF_ORIGINALS),
        *(
            pytest.param(name, 2_000, marks=pytest.mark.slow)
            for name in [*WITH_TURNS, *OF_ORIGINALS[::4], *TURN_TOGETHER]
        ),
    ],
)
def test_turns(name: str, examples: int) -> None:
    """There is no position where the two differ."""
    ruleset = damspec.load_ruleset(name)

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def look(data: st.DataObject) -> None:
        agree_on_turns(ruleset, data.draw(phases(ruleset)))

    look()


#: The published tables that rest on the agreement of the two.
TABLES = [
    table for table in load_published().tables if table.ruleset in WITH_TURNS and table.published[0].by == "damspec"
]


def counts() -> list[Any]:
    """Each table at the greatest length that a usual run affords, a thorough and a slow one."""
    kinds: dict[int, Any] = {200: (), 400: pytest.mark.thorough, 20_000: pytest.mark.slow}
    found = {}
    for table in TABLES:
        for most, marks in kinds.items():
            length = max((each for each, nodes in table.nodes.items() if nodes <= most), default=0)
            id = f"{table.ruleset}, {table.name or 'start'}, {length}"
            if length and id not in found:
                found[id] = pytest.param(*(table.ruleset, table.position, length, table.nodes), id=id, marks=marks)
    return [*found.values()]


@pytest.mark.parametrize(("name", "position", "length", "nodes"), counts())
def test_counts(name: str, position: str, length: int, nodes: Mapping[int, int]) -> None:
    ruleset = damspec.load_ruleset(name)
    plain = naive.read(ruleset.position(position).fen())
    for shorter, number in nodes.items():
        if shorter <= length:
            assert naive_turns.perft(ruleset.inline_values, plain, shorter) == number


def test_every_ruleset_is_counted() -> None:
    assert {table.ruleset for table in TABLES if max(table.nodes) >= 5} == set(WITH_TURNS)


# --- The draws by what went before, held against naive_draws.py on games of few pieces played by chance.
# The same games are put to the interpreter in JavaScript, in tests/javascript/test_interpreter.py.


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
FEDERATION = damspec.load_ruleset("nl-trapdoor").with_reading("draws=federation")


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


def test_endgames_beside_a_limit_on_kings() -> None:
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


# --- Which of several reasons ends a game: the reference and the solver against naive_turns.py, in random mixes.


@pytest.mark.parametrize(("start", "mixes"), [(1, 40), pytest.param(2, 300, marks=pytest.mark.thorough)])
def test_which_reason_decides(start: int, mixes: int) -> None:
    seen = set[str | None]()
    for ruleset, mixed in outcome_mixes(start, mixes):
        for position in mixed:
            agree_on_turns(ruleset, position)
            seen.add(damspec.outcome(ruleset, position).reason)
    assert seen >= {"first-king", "both-empty", "no-pieces", "one-piece", "king-to-man", "no-moves", "one-piece-each"}


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_who_wins_by_the_first_reason(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")
    from damspec_runner.solve.lookup import Endgames
    from damspec_runner.solve.solve import Folder, solve

    for number, (ruleset, mixed) in enumerate(outcome_mixes(3, 30, 4)):
        solve(folder := Folder(ruleset, tmp_path / str(number)), 4)
        for position in mixed:
            if (
                position.occupied("white")
                and position.occupied("black")
                and not (position.huffable or position.compelled)
            ):
                result, reason = naive_turns.outcome(ruleset.inline_values, naive.read(position.fen()))
                found = Endgames(folder).value(position)
                expected = {"draw": "draw", position.turn: "win"}.get(result, "loss"), 0
                assert found == expected if reason else found[1] > 0 or found[0] == "draw", (position, ruleset.values)
