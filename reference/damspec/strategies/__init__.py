"""Hypothesis strategies for positions, games and rulesets, and a ready-made test of an engine.

`positions(ruleset)`, `games(ruleset)` and `rulesets()` draw test data for engines and anything else that uses
positions. Captures are frequent, every phase of a turn occurs, and failures shrink to few pieces. `engine_agrees` is a
whole test: games in which an engine must list the legal moves of every position.

    from damspec.strategies import engine_agrees

    TestMyEngine = engine_agrees("vl", my_engine.moves).TestCase

The module needs Hypothesis: `pip install 'damspec[hypothesis]'`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

try:
    import hypothesis as hypothesis
except ImportError:
    raise ImportError("damspec.strategies needs Hypothesis: pip install 'damspec[hypothesis]'") from None

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from ..errors import (
    ArgumentTypeError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    NoPositionError,
    PositionError,
    expect,
    expect_number,
    quote_any,
)
from ..game import Game, LegalMoves, legal_moves, outcome
from ..inheritance import ruleset_ids
from ..move import Action
from ..position import Position, with_sliders
from ..readings import load_readings
from ..ruleset import Ruleset, load_ruleset, to_ruleset
from .construct import constructed_positions
from .local_search import varied_positions
from .requests import PositionRequest, exercise_mutants, known_phase, piece_range


def positions(
    ruleset: Ruleset | str,
    *,
    exercise: str | None = None,
    phase: str | None = None,
    captures: bool | int | None = None,
    pieces: int | tuple[int, int] = (0, 12),
    both_sides: bool = True,
) -> st.SearchStrategy[Position]:
    """Draw positions that can occur in a game by the ruleset, in every phase of a turn.

    `ruleset` is a ruleset or its id. Positions shrink to few pieces, with nothing pending. They can be restricted by:

    - `exercise`: a rule such as `promotion.mid-capture`, or `rule=value`: the answer (legal moves with the positions
      they lead to, moves that break the duty to capture, and the winner) would differ if the rule had any other value,
      or that one;
    - `phase` of a turn: `plain`, `spin=green`, `huffable`, `compelled`, as for `damspec generate`;
    - `captures`: whether a capture is possible, or the number of pieces that some capture must take at least;
    - `pieces`: their number, or the minimum and maximum; no side has more than it begins with;
    - `both_sides`: each side has a piece; False also allows positions in which one has lost all.

    Raises RulesetError for a rule, value or phase that the ruleset does not have, ArgumentError for impossible numbers,
    and NoPositionError, with the reason, where no position shows a rule.
    """
    by = to_ruleset(ruleset)
    expect(exercise, "exercise", str | None, "a rule, or rule=value")
    expect(phase, "phase", str | None, "a phase of a turn")
    if captures is not None:
        expect_number(captures, "captures", 0)
    request = PositionRequest(
        by,
        piece_range(by, pieces, both_sides=both_sides),
        both_sides,
        None if phase is None else known_phase(by, phase),
        captures,
        exercise,
        () if exercise is None else exercise_mutants(by, exercise),
    )
    return constructed_positions(request) if exercise is None else varied_positions(request)


def rulesets(*, with_readings: bool = False) -> st.SearchStrategy[Ruleset]:
    """Draw shipped rulesets; `with_readings`, also each under every alternative reading that rules can express."""
    ids = ruleset_ids()
    if with_readings:
        ids += [
            f"{id}?{reading.key}={word}"
            for id in ids
            for reading in load_readings()
            if id in reading.rulesets
            for word, alternative in reading.alternatives.items()
            if alternative.set
        ]
    return st.sampled_from(ids).map(load_ruleset)


def games(ruleset: Ruleset | str, max_plies: int = 60) -> st.SearchStrategy[Game]:
    """Draw games from the start, with spins, huffable moves and claims among their moves, up to their end at most.

    `ruleset` is a ruleset or its id. Games shrink to short ones, and are printed with their moves.
    """
    expect_number(max_plies, "max_plies", 0)
    return _games(to_ruleset(ruleset), max_plies)


@st.composite
def _games(draw: st.DrawFn, ruleset: Ruleset, max_plies: int) -> Game:
    game = Game(ruleset)
    for _ in range(draw(st.integers(0, max_plies))):
        if game.is_over:
            break
        game.push(draw(st.sampled_from([*game.legal_moves, *game.legal_moves.lapses])))
    return game


def engine_agrees(
    ruleset: Ruleset | str,
    moves: Callable[[str], Iterable[str]],
    *,
    lapses: Callable[[str], Iterable[str]] | None = None,
    play: Callable[[str, str], str] | None = None,
) -> type[RuleBasedStateMachine]:
    """Return a Hypothesis state machine that plays games and checks an engine against the reference in every position.

    `moves` returns the engine's moves for a FEN, in any notation that can be read; `lapses`, for a ruleset with
    huffing, those that break the duty to capture; `play` the FEN after one of the engine's own moves. A game begins at
    the start or in any position, so that failures shrink to positions with few pieces; they are printed as FEN, with
    the moves that are missing, extra or unreadable, and the moves played since.

    Its `TestCase` is a test for unittest and pytest.
    """
    by = to_ruleset(ruleset)
    for name, function in (("moves", moves), ("lapses", lapses), ("play", play)):
        if not callable(function) and (function is not None or name == "moves"):
            raise ArgumentTypeError(f"{name}: found {quote_any(function)}, expected a function")
    start = by.position().fen()
    # The start is not the simplest: it takes no choices, but has the most pieces.
    first = st.tuples(positions(by), st.sampled_from((False, False, True))).map(
        lambda drawn: start if drawn[1] else drawn[0].fen()
    )

    class EngineAgrees(RuleBasedStateMachine):
        position: Position

        @initialize(position=first)
        def begin(self, position: str) -> None:
            self._check_position(by.position(position))

        @precondition(lambda self: self.is_over)
        @rule(position=first)
        def begin_again(self, position: str) -> None:
            self._check_position(by.position(position))

        @precondition(lambda self: not self.is_over)
        @rule(move=st.runner().flatmap(lambda self: st.sampled_from([str(action) for action in self.words])))
        def play(self, move: str) -> None:
            legal = legal_moves(by, self.position)
            action = legal.find(move)
            after = legal.after(action)
            if play is not None:
                fen, word = self.position.fen(), self.words[action]
                got = play(fen, word)
                assert _reads_as(by, got, after), f"{fen}: {word} leads to {got}, expected {after.fen()}"
            self._check_position(after)

        def _check_position(self, position: Position) -> None:
            """Compare the lists of a position; record the engine's notation of each action."""
            self.position, fen = position, position.fen()
            legal = legal_moves(by, position)
            self.words = _compare(fen, moves(fen), legal, legal)
            if lapses is not None:
                self.words |= _compare(fen, lapses(fen), legal.lapses, legal, "lapse ")
            self.is_over = not self.words or outcome(by, position).is_over

    EngineAgrees.__name__ = EngineAgrees.__qualname__ = "EngineAgrees"
    return EngineAgrees


def _compare(
    fen: str, listed: Iterable[str], expected: Iterable[Action], legal: LegalMoves, of: str = ""
) -> dict[Action, str]:
    """Return the engine's notation for each expected action. Raises AssertionError where its list differs."""
    wanted = list(expected)
    words: dict[Action, str] = {}
    wrong = []
    for word in listed:
        try:
            action = legal.find(word)
            if action not in wanted:
                raise IllegalMoveError
            words[action] = word
        except InvalidMoveError:
            wrong.append(f"unreadable {of}{word!r}")
        except MoveError:
            wrong.append(f"extra {of}{word}")
    wrong += [f"missing {of}{action}" for action in wanted if action not in words]
    assert not wrong, f"{fen}: {', '.join(sorted(wrong))}"
    return words


def _reads_as(ruleset: Ruleset, fen: str, position: Position) -> bool:
    try:
        return with_sliders(ruleset.rules, Position.from_fen(fen, position.board)) == position
    except PositionError:
        return False


__all__ = ["NoPositionError", "engine_agrees", "games", "positions", "rulesets"]
