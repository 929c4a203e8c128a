"""A whole test of Hypothesis: games through which an engine has to list the legal moves of the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from ..action import Action
from ..errors import ArgumentTypeError, InvalidMove, MoveError, PositionError, shown
from ..game import LegalMoves, legal_moves, outcome
from ..position import Position
from ..ruleset import Ruleset, loaded
from ..trapdoors import with_sliders
from .positions import positions


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
    for name, function in (("moves", moves), ("lapses", lapses), ("play", play)):
        if not callable(function) and (function is not None or name == "moves"):
            raise ArgumentTypeError(f"{name}: found {shown(function)}, expected a function")
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
