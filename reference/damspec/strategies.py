"""Hypothesis strategies for the tests of engines and of whatever else uses positions: `positions(ruleset)`,
`games(ruleset)`, `rulesets()`. Captures are frequent, every phase of a turn occurs, what fails shrinks to few pieces.
And `engine_agrees(ruleset, moves)`, a whole test: games through which an engine has to list the legal moves.

They need Hypothesis: `pip install 'damspec[hypothesis]'`.

    from damspec.strategies import engine_agrees

    TestMyEngine = engine_agrees("vl", my_engine.moves).TestCase
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
except ImportError:
    raise ImportError("damspec.strategies needs Hypothesis: pip install 'damspec[hypothesis]'") from None

from .action import Action
from .board import Board, Side, opponent
from .errors import InvalidMove, MoveError, PositionError
from .game import LegalMoves, legal_moves, outcome
from .position import Position
from .possible import objection
from .readings import load_readings
from .ruleset import Ruleset, load_ruleset, loaded
from .statements import ruleset_ids
from .trapdoors import with_sliders

__all__ = ["engine_agrees", "games", "positions", "rulesets"]


def rulesets(*, with_readings: bool = False) -> st.SearchStrategy[Ruleset]:
    """The rulesets shipped; `with_readings` also each under every other reading of what its document leaves unclear."""
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


def positions(ruleset: Ruleset | str, *, min_pieces: int = 1, max_pieces: int = 12) -> st.SearchStrategy[Position]:
    """Positions that a game by the ruleset can have: doors open or shut, spun or not, after a lapse, compelled.

    `ruleset` is a ruleset or its id. They shrink to few pieces, with nothing pending.
    """
    ruleset = loaded(ruleset)
    squares = len(ruleset.rules.board)
    if not 0 <= min_pieces <= max_pieces:
        raise ValueError(f"found min_pieces={min_pieces}, max_pieces={max_pieces}, expected 0 <= min <= max")
    if min_pieces > squares // 2:
        raise ValueError(f"found min_pieces={min_pieces}, expected at most half of the {squares} squares")
    if ruleset.rules.trapdoors is None and max_pieces == 0:
        raise ValueError("found max_pieces=0, expected a piece where no trapdoor can have taken the last")
    return _positions(ruleset, min_pieces, min(max_pieces, squares // 2))


def games(ruleset: Ruleset | str, max_plies: int = 60) -> st.SearchStrategy[list[Action]]:
    """The actions of games from the start, spins, lapses and claims among them; a game that is decided ends there.

    `ruleset` is a ruleset or its id. They shrink to short games.
    """
    return _games(loaded(ruleset), max_plies)


def engine_agrees(
    ruleset: Ruleset | str,
    moves: Callable[[str], Iterable[str]],
    *,
    lapses: Callable[[str], Iterable[str]] | None = None,
    play: Callable[[str, str], str] | None = None,
) -> type[RuleBasedStateMachine]:
    """A state machine of Hypothesis that plays games and holds an engine against the reference in every position.

    `moves` gives the engine's moves in the position of a FEN, in any notation that can be read; `lapses`, for a
    ruleset with huffing, the turns that break the duty to capture; `play` the FEN after one of the engine's own moves.
    A game begins at the start or in any position, so that what fails shrinks to a position with few pieces; it is
    printed as its FEN, what is missing, extra or unreadable, and the moves played since.

    Its `TestCase` is a test for unittest and pytest.
    """
    by = loaded(ruleset)
    start = by.position().fen()
    # The start is not the simplest: it takes no choices, but has the most pieces.
    first = st.tuples(positions(by), st.sampled_from((False, False, True))).map(
        lambda drawn: start if drawn[1] else drawn[0].fen()
    )

    class EngineAgrees(RuleBasedStateMachine):
        position: Position

        @initialize(position=first)
        def begin(self, position: str) -> None:
            self._look(by.position(position))

        @precondition(lambda self: self.is_over)
        @rule(position=first)
        def begin_again(self, position: str) -> None:
            self._look(by.position(position))

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
            self._look(after)

        def _look(self, position: Position) -> None:
            """Compare the lists; keep the engine's word for each action."""
            self.position, fen = position, position.fen()
            legal = legal_moves(by, position)
            self.words = _compared(fen, moves(fen), legal, legal)
            if lapses is not None:
                self.words |= _compared(fen, lapses(fen), legal.lapses, legal, "lapse ")
            self.is_over = not self.words or outcome(by, position).is_over

    EngineAgrees.__name__ = EngineAgrees.__qualname__ = "EngineAgrees"
    return EngineAgrees


def _compared(
    fen: str, given: Iterable[str], expected: Iterable[Action], legal: LegalMoves, of: str = ""
) -> dict[Action, str]:
    """The engine's word for each action expected. Raises AssertionError where its list is not the one expected."""
    wanted = list(expected)
    words: dict[Action, str] = {}
    wrong = []
    for word in given:
        try:
            action = legal.find(word)
        except InvalidMove:
            wrong.append(f"unreadable {of}{word!r}")
            continue
        except MoveError:
            wrong.append(f"extra {of}{word}")
            continue
        if action in wanted:
            words[action] = word
        else:
            wrong.append(f"extra {of}{word}")
    wrong += [f"missing {of}{action}" for action in wanted if action not in words]
    assert not wrong, f"{fen}: {', '.join(sorted(wrong))}"
    return words


def _reads_as(ruleset: Ruleset, fen: str, position: Position) -> bool:
    try:
        return with_sliders(ruleset.rules, Position.from_fen(fen, position.board)) == position
    except PositionError:
        return False


@cache
def _areas(board: Board) -> tuple[tuple[int, ...], ...]:
    """Squares to put pieces on: the whole board, and windows of six rows and files in which they meet."""
    windows = (
        tuple(
            number
            for number, (column, row) in enumerate(board.places, 1)
            if left <= column < left + 6 and bottom <= row < bottom + 6
        )
        for left in range(0, max(1, board.columns - 5), 2)
        for bottom in range(0, max(1, board.rows - 5), 2)
    )
    return (tuple(range(1, len(board) + 1)), *windows)


@st.composite
def _games(draw: st.DrawFn, ruleset: Ruleset, max_plies: int) -> list[Action]:
    turns, position, actions = ruleset.turns, Position.start(ruleset.rules), list[Action]()
    for _ in range(draw(st.integers(0, max_plies))):
        if outcome(ruleset, position).is_over:
            break
        actions.append(draw(st.sampled_from([*turns.actions(position), *turns.lapses(position)])))
        position = turns.after(position, actions[-1])
    return actions


@st.composite
def _positions(draw: st.DrawFn, ruleset: Ruleset, fewest: int, most: int) -> Position:
    board, trapdoors = ruleset.rules.board, ruleset.rules.trapdoors
    if trapdoors is None:
        fewest = max(1, fewest)
    turn: Side = draw(st.sampled_from(("white", "black")))
    sliders = _sliders(draw, ruleset)
    doors = trapdoors.layout.open_doors(board, sliders) if trapdoors and sliders else 0
    floor = [square for square in range(1, len(board) + 1) if not board.bit(square) & doors]
    areas = [tuple(square for square in area if square in floor) for area in _areas(board)]
    area = draw(st.sampled_from([area for area in areas if len(area) >= max(1, fewest)]))
    pieces = draw(
        st.lists(
            st.tuples(st.sampled_from(area), st.booleans(), st.integers(0, 3)),
            unique_by=lambda piece: piece[0],
            min_size=fewest,
            max_size=min(most, len(area)),
        )
    )
    # In half of the positions each side has rows of its own, by turns: long captures need the squares between.
    by_rows, how_many_kings = draw(st.booleans()), draw(st.integers(0, 4))
    masks: dict[tuple[Side, str], int] = defaultdict(int)
    for square, theirs, rank in pieces:
        side = opponent(turn) if (board.places[square - 1][1] % 2 if by_rows else theirs) else turn
        bit = board.bit(square)
        crowned = rank < how_many_kings or bit & board.nearest_rows(ruleset.rules.promotion.rows, opponent(side))
        masks[side, "king" if crowned else "man"] |= bit
    position = Position(
        board,
        masks["white", "man"],
        masks["white", "king"],
        masks["black", "man"],
        masks["black", "king"],
        turn,
        sliders,
    )
    return _in_a_phase(draw, ruleset, position)


def _sliders(draw: st.DrawFn, ruleset: Ruleset) -> str | None:
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None:
        return None
    if trapdoors.closing == "at-once":
        return trapdoors.layout.closed
    return "".join(draw(st.sampled_from("MLR")) for _ in trapdoors.layout.sliders)


def _in_a_phase(draw: st.DrawFn, ruleset: Ruleset, position: Position) -> Position:
    """The position with something pending that can be, or as it is."""
    spin, huff, turns = ruleset.rules.spin, ruleset.rules.huff, ruleset.turns
    found = [position]
    if spin is not None:
        found += [replace(position, spin=result) for result in (*spin.outcomes, "due")]
    if huff is not None:
        lapses = turns.lapses(position)
        found.append(replace(position, compelled=True))
        found += [turns.after(position, draw(st.sampled_from(lapses)))] if lapses else []
    return draw(st.sampled_from([one for one in found if objection(turns, one) is None]))
