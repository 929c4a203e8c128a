"""The naive generator and the reference, asked the same questions and answering in the same words.

Rules are bare values, positions and what they lead to are FEN. A move is written `22-17`, or `22x8(11,18)` with its
captures, and `=K` behind it if it crowns; other actions as both of them write them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import pytest

import damspec
import naive
import naive_turns

Rules = dict[str, Any]


class Implementation(Protocol):
    """What the tables worked out by hand are held against."""

    def moves(self, rules: Rules, fen: str) -> list[str]:
        """The moves of pieces, without their paths, sorted."""

    def actions(self, rules: Rules, fen: str) -> dict[str, str]:
        """What the side to move can do, and the position after each."""

    def lapses(self, rules: Rules, fen: str) -> dict[str, str]:
        """The turns that leave a capture undone and can be played all the same, and the position after each."""

    def outcome(self, rules: Rules, fen: str) -> tuple[str, str | None]:
        """Who has won and by what."""

    def possible(self, rules: Rules, fen: str) -> bool:
        """Whether a game can have this position."""


class Naive:
    """The naive generator."""

    def moves(self, rules: Rules, fen: str) -> list[str]:
        return sorted(_text(move) for move in naive.moves(rules, naive.read(fen)))

    def actions(self, rules: Rules, fen: str) -> dict[str, str]:
        return self._told(naive_turns.actions(rules, naive.read(fen)))

    def lapses(self, rules: Rules, fen: str) -> dict[str, str]:
        return self._told(naive_turns.lapses(rules, naive.read(fen)))

    def outcome(self, rules: Rules, fen: str) -> tuple[str, str | None]:
        return naive_turns.outcome(rules, naive.read(fen))

    def possible(self, rules: Rules, fen: str) -> bool:
        return naive_turns.possible(rules, naive.read(fen))

    def _told(self, found: list[naive_turns.NaiveAction]) -> dict[str, str]:
        return _unique((action.text, naive.write(action.after)) for action in found)


class Reference:
    """The reference, of the same rules."""

    def moves(self, rules: Rules, fen: str) -> list[str]:
        return sorted(_text(move) for move in damspec.legal_moves(self._ruleset(rules), fen).moves)

    def actions(self, rules: Rules, fen: str) -> dict[str, str]:
        return self._told(rules, fen, damspec.legal_moves(self._ruleset(rules), fen))

    def lapses(self, rules: Rules, fen: str) -> dict[str, str]:
        return self._told(rules, fen, damspec.legal_moves(self._ruleset(rules), fen).lapses)

    def outcome(self, rules: Rules, fen: str) -> tuple[str, str | None]:
        end = damspec.outcome(self._ruleset(rules), fen)
        return end.result, end.reason

    def possible(self, rules: Rules, fen: str) -> bool:
        try:
            damspec.legal_moves(self._ruleset(rules), fen)
        except damspec.PositionError:
            return False
        return True

    def _ruleset(self, rules: Rules) -> damspec.Ruleset:
        return damspec.from_values(rules, "by hand")

    def _told(self, rules: Rules, fen: str, found: Iterable[damspec.Action]) -> dict[str, str]:
        ruleset = self._ruleset(rules)
        return _unique((str(action), damspec.play(ruleset, fen, action).fen()) for action in found)


def _text(move: naive.NaiveMove | damspec.Move) -> str:
    taken = ",".join(map(str, sorted(move.captured)))
    shown = f"{move.start}x{move.end}({taken})" if taken else f"{move.start}-{move.end}"
    return shown + ("=K" if move.promotes else "")


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    listed = list(pairs)
    assert len(dict(listed)) == len(listed), "an action is listed twice"
    return dict(listed)


each_implementation = pytest.mark.parametrize("implementation", [Naive(), Reference()], ids=["naive", "reference"])
