"""Any engine as one that lists moves, plays them from any position and tells outcomes, as far as it can be had.

What it cannot do itself is made of what it can: moves of those that it accepts (`offering`), turns of its hops
(`steps`), a position of the moves that lead there (`leading`), an outcome of an empty list (`concluding`). What it
writes in another way is read all the same (`conventions`, `lenient`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from damspec import Game, MoveError, Position, PositionError, Ruleset

from ...engines.process import Engine
from ...engines.protocol import EngineError, Hello, Unsupported, Written
from ..asking import ask_params
from .concluding import NO_OUTCOME, concluded
from .conventions import OURS, Conventions
from .direct import Askable, Direct, Situation
from .leading import Leading, words_for
from .lenient import patiently
from .offering import Offering
from .steps import Steps

#: A position without anything but pieces, as it should be written.
_PLAIN = re.compile(r"[WB]:W(?:(?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?:B(?:(?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?")


class Able(Engine):
    """An engine asked about one ruleset, with its abilities made up for. It is not started before it is asked."""

    def __init__(self, engine: Engine, ruleset: Ruleset, conventions: Conventions = OURS) -> None:
        self.engine, self.ruleset, self.conventions = engine, ruleset, conventions
        self.command, self.timeout = engine.command, engine.timeout
        self._translation = conventions.on(ruleset.rules.board)
        self._hello: Hello | None = None
        self._notes: dict[str, None] = {}
        self._direct: Direct | None = None
        self._top: Askable | None = None
        self._leading: Leading | None = None
        #: Whether it is asked in other words than the runner's.
        self._otherwise = False

    @property
    def restarts_left(self) -> int:
        """How often it may be started again."""
        return self.engine.restarts_left

    @restarts_left.setter
    def restarts_left(self, number: int) -> None:
        self.engine.restarts_left = number

    @property
    def left(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self.engine.left

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        return self.engine.noise

    def hello(self) -> Hello:
        """What can be asked of the engine. Raises EngineError."""
        said = self.engine.hello()
        if self._hello is None or self._direct is None:
            self._hello = self._made_up_for(said)
        return self._hello

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises Unsupported, or EngineError when there is no usable answer."""
        if self._direct is None:
            self.hello()
        assert self._hello is not None
        if self._otherwise or (method == "outcome" and self._hello.concluded):
            return self._asked(method, params)
        answer = self.engine.ask(method, params)
        return self._read(answer) if method in ("start", "play") else answer

    @property
    def next_id(self) -> int:
        """The id of the next question."""
        return self.engine.next_id

    def ask_ahead(self, lines: Written, ahead: int) -> Iterator[Any]:
        """The answers to questions in order; of an engine that is asked in no other words."""
        return self.engine.ask_ahead(lines, ahead)

    def take_notes(self) -> tuple[str, ...]:
        """How the answers since the last time came about."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes

    def close(self) -> None:
        """End it."""
        self.engine.close()

    def _made_up_for(self, said: Hello) -> Hello:
        """What can be asked of an engine that says this of itself."""
        questions = said.questions - {"legal"}
        probed = "legal" in said.questions and "moves" not in said.questions
        questions |= {"moves"} if probed else set()
        if said.steps and "play" not in questions:
            raise EngineError("questions", f"{said.name} lists steps, and does not answer play, which joins them")
        self._otherwise = bool(probed or said.steps or not said.setup or self.conventions)
        direct = self._direct = Direct(self.engine.ask, self.ruleset, ask_params(self.ruleset, said), self.conventions)
        top: Askable = direct
        if probed:
            top = Offering(direct, self.ruleset, ends=said.ends, steps=said.steps)
        if said.steps:
            top = Steps(top, self.ruleset, lambda text: self._translation.side_in(text.strip()[:1]))
        self._top = top
        self._leading = None if said.setup else Leading(top, self.ruleset)
        if "moves" in questions:
            questions |= {"outcome"}
        return replace(
            said,
            questions=frozenset(questions),
            itself=said.questions,
            ahead=1 if self._otherwise else said.ahead,
            manner="probed" if probed else "listed",
        )

    def _asked(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question that cannot be put as it is."""
        assert self._direct is not None
        assert self._hello is not None
        if method == "start":
            return self._read(self.engine.ask(method, params))
        if method == "perft":
            if not self._hello.setup:
                raise Unsupported("cannot be given a position to count from")
            position = self._translation.position_out(params["position"])
            return self.engine.ask(method, {**params, "position": position})
        about = self._situation(params)
        match method:
            case "moves":
                return self._moves(about)
            case "play":
                return self._played(about, params)
            case _ if self._hello.concluded:
                if params.get("moves"):  # a draw by what went before follows from no list of moves
                    raise Unsupported(NO_OUTCOME)
                result = concluded(self.ruleset, about.position, self._moves(about))
                self._notes["concluded"] = None
                return {"outcome": result, "reason": None}
            case _:
                return self._direct.outcome(about)

    def _situation(self, params: Mapping[str, Any]) -> Situation:
        """How the engine is brought to what a question is about."""
        assert self._top is not None
        assert self._hello is not None
        fen, history = params["position"], params.get("moves", ())
        if self._leading is None:
            about = Situation(fen, fen)
        else:
            about = self._leading.to(fen)
            self._notes["led"] = None
        if not history or not (self._hello.steps or self._leading):
            return replace(about, moves=(*about.moves, *history))
        game = Game(self.ruleset, fen)
        for action in history:
            words = words_for(self._top, self.ruleset, about, action)
            about = about.played(*words, to=game.push(action).fen())
        return about

    def _moves(self, about: Situation) -> Mapping[str, Any]:
        assert self._top is not None
        assert self._hello is not None
        if self._hello.manner == "probed":
            self._notes["probed"] = None
        return self._top.moves(about)

    def _played(self, about: Situation, params: Mapping[str, Any]) -> Any:
        assert self._top is not None
        after = self._top.play(about, params["move"])
        if self._leading is not None:
            self._leading.went_on(params["position"], params["move"])
        return self._read({"position": after})

    def _read(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """A position that the engine has written, as damspec writes it; as it is if it cannot be understood."""
        text = answer["position"]
        if _PLAIN.fullmatch(text) and not self.conventions:
            return answer
        board = self.ruleset.rules.board
        try:
            Position.from_fen(text, board)
        except PositionError:
            read = patiently(text, board)
            if read is None:
                return answer
            self._notes["lenient"] = None
            text = read
        if self.conventions:
            with suppress(PositionError, MoveError):
                text = self._translation.position_in(text)
        return {**answer, "position": text}
