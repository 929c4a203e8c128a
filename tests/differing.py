"""Whether two rulesets differ in a position, by the public interface alone."""

from __future__ import annotations

import re

import damspec
from damspec import Position, Ruleset


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
