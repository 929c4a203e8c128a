"""Rules as an engine that speaks Hub. It does not search: what it plays is any of the legal moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TextIO

from damspec import DamspecError, Move, Position, Ruleset
from damspec.version import __version__

from . import hub
from .hub import Said, variants

#: Characters of a line that are read; a longer one is refused.
LIMIT = 1024 * 1024
_MOVES_SEEN = 64


class HubServer:
    """Answers lines of Hub by the rules of each variant.

    `rules` gives those of a value of the parameter; `values` are the values it takes.
    """

    def __init__(self, rules: Callable[[str], Ruleset], values: Sequence[str]) -> None:
        self._rules, self._values = rules, tuple(values)
        self._variant = variants().default if variants().default in self._values else self._values[0]
        self._position: Position | None = None
        self._moves = lru_cache(maxsize=_MOVES_SEEN)(self._legal)
        self._read = lru_cache(maxsize=_MOVES_SEEN)(self._read_position)

    def serve(self, lines: TextIO, answers: TextIO) -> None:
        """Answer each line until `quit` or the end; what is written is flushed by whoever reads `lines`."""
        while line := lines.readline(LIMIT + 1):
            if len(line) > LIMIT and not line.endswith("\n"):
                while (rest := lines.readline(LIMIT)) and not rest.endswith("\n"):
                    pass
                answers.write(_error(f"a line of more than {LIMIT} characters") + "\n")
                continue
            try:
                said = hub.read(line)
            except ValueError as error:
                answers.write(_error(str(error)) + "\n")
                continue
            if said.command == "quit":
                break
            answers.writelines(f"{answer}\n" for answer in self.respond(said))
        answers.flush()

    def respond(self, said: Said) -> Iterator[str]:
        """The lines that answer a line; a command that it does not know has none."""
        try:
            match said.command:
                case "hub":
                    yield from self._hello()
                case "set-param":
                    self._set(said.values.get("name", ""), said.values.get("value", ""))
                case "init":
                    yield "ready"
                case "ping":
                    yield "pong"
                case "pos":
                    self._place(said.values.get("pos"), said.values.get("moves", "").split())
                case "go":
                    yield from self._play()
        except (DamspecError, ValueError) as error:
            yield _error(str(error))

    def _hello(self) -> Iterator[str]:
        yield hub.written("id", name="damspec", version=__version__, author="the damspec authors")
        values = " ".join(self._values)
        yield hub.written("param", name=variants().parameter, value=self._variant, type="enum", values=values)
        yield "wait"

    def _set(self, name: str, value: str) -> None:
        if name != variants().parameter:
            raise ValueError(f"found the parameter {name!r}, expected {variants().parameter}")
        if value not in self._values:
            raise ValueError(f"{name}: found {value!r}, expected one of {', '.join(self._values)}")
        self._variant, self._position = value, None

    def _place(self, text: str | None, moves: Sequence[str]) -> None:
        """Set up a position and make moves in it, those before one that is illegal."""
        ruleset = self._rules(self._variant)
        position = Position.start(ruleset.rules) if text is None else self._read(self._variant, text)
        self._position = position
        for move in moves:
            start, end, captured = hub.read_move(move)
            legal = self._moves(self._variant, position)
            found = legal.get((start, end, captured))
            if found is None:
                raise ValueError(f"illegal move {move}")
            self._position = position = ruleset.turns.after(position, found)

    def _play(self) -> Iterator[str]:
        """Some legal move, the same in the same position."""
        if self._position is None:
            raise ValueError("there is no position")
        legal = self._moves(self._variant, self._position)
        if not legal:
            yield "done"
            return
        start, end, captured = random.Random(self._position.fen()).choice(sorted(legal, key=str))
        move = hub.move_text(start, end, captured)
        yield hub.written("info", depth="1", nodes=str(len(legal)), pv=move)
        yield hub.written("done", move=move)

    def _legal(self, variant: str, position: Position) -> dict[hub.Squares, Move]:
        turns = self._rules(variant).turns
        moves = (action for action in turns.actions(position) if isinstance(action, Move))
        return {(move.start, move.end, frozenset(move.captured)): move for move in moves}

    def _read_position(self, variant: str, text: str) -> Position:
        return hub.read_position(text, self._rules(variant).rules.board)


def _error(message: str) -> str:
    return hub.written("error", message=message)
