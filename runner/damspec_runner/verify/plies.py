"""A ply of a random game as a question whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from damspec import Position, Ruleset

from ..answers.player import key
from ..cases.adapt import AboutIt
from ..cases.answer import Answer, Positions, Question
from ..cases.case import Case, Expectation
from ..positions.random_games import Ply
from .exchange import Ask, Request, is_same_text, request_key


@dataclass(frozen=True, eq=False)
class PlyQuestion(Question):
    """What is legal at a ply and where the move that is played leads, or how the game stands."""

    ply: Ply = field(kw_only=True)

    @cached_property
    def position(self) -> Position:
        """The position."""
        return self.ply.position

    @cached_property
    def expected(self) -> Answer:
        """The expected answer, which has the text of the one position after a move that is asked for."""
        ply, turns = self.ply, self.ruleset.turns
        if self.wanted.outcome is not None:
            return Answer(outcome=ply.outcome.result)
        moves, lapses = ({key(one): str(one) for one in some} for some in (ply.actions, ply.lapses))
        actions = {key(one): one for one in (*ply.actions, *ply.lapses)}
        texts = {} if ply.chosen is None or ply.after is None else {key(ply.chosen): ply.after.fen()}
        return Answer(moves, lapses, Positions(actions, lambda one: turns.after(ply.position, one)), texts=texts)


def ply_question(ruleset: Ruleset, ply: Ply, about: AboutIt) -> PlyQuestion:
    """Return one of the two questions about a ply."""
    wanted = Expectation(moves={}) if about == "moves" else Expectation(outcome=ply.outcome)
    return PlyQuestion(Case(about, ruleset.base, "games", "", (), ply.position.fen(), wanted), ruleset, ply=ply)


@dataclass
class AskedPly:
    """A ply, the requests about it with the replies that are right as they are written, and the replies so far."""

    ply: Ply
    requests: Sequence[tuple[AboutIt, Request, Mapping[str, Any]]]
    replies: dict[object, Any] = field(default_factory=dict)
    #: The kind of error with which the engine broke when these requests were in flight.
    error: str | None = None

    def add(self, request: Request, reply: Any) -> None:
        """Add the reply to a request, or the exception in its place."""
        self.replies[request_key(*request)] = reply

    def reply(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the reply to a request, None if there is none yet. Raises the exception in its place."""
        reply = self.replies.get(request_key(method, params))
        if isinstance(reply, Exception):
            raise reply
        return reply

    def text_matches(self, about: AboutIt, ask: Ask) -> bool:
        """Return whether the replies to a question are right as they are written: then nothing need be read."""
        for kind, request, right in self.requests:
            if kind == about:
                reply = ask(*request)
                self.add(request, reply)
                if not is_same_text(reply, right):
                    return False
        return True


def ply_requests(
    questions: frozenset[str], params: Mapping[str, Any], ply: Ply, fen: str, after: str | None
) -> list[tuple[AboutIt, Request, Mapping[str, Any]]]:
    """Return the requests about a ply to an engine that answers these questions; `fen` and `after` its positions."""
    about = {**params, "position": fen}
    found: list[tuple[AboutIt, Request, Mapping[str, Any]]] = []
    if "moves" in questions:
        right = {"moves": sorted(map(str, ply.actions)), "lapses": sorted(map(str, ply.lapses))}
        found.append(("moves", ("moves", about), right))
        if "play" in questions and after is not None:
            found.append(("moves", ("play", {**about, "move": str(ply.chosen)}), {"position": after}))
    if "outcome" in questions:
        found.append(("outcome", ("outcome", about), {"outcome": ply.outcome.result}))
    return found
