"""Engines that play for a program: by Hub, by DXP, or by damspec's own protocol, with limits and for asyncio.

    with SimpleEngine.hub(["scan", "hub"]) as engine:
        while not game.is_over:
            game.push(engine.play(game, Limit(time=0.1)))

It is in the runner and not in `damspec`: it needs what starts processes and ends them, and imports point down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any, Self

from damspec import Action, ArgumentError, DamspecError, Game, Move
from damspec.errors import expect
from damspec.other_names import OtherNames

from .dxp import DxpEngine, Opponent
from .hub import HubEngine, LeadIn, Squares, move_squares
from .position_parts import HUB, TEN, lost_parts
from .process import Engine, SubprocessEngine
from .protocol import EngineError, UnsupportedError, move_notation, read_level


@dataclass(frozen=True)
class Limit:
    """How long an engine thinks about a move: seconds, plies, or nodes. At most one; DXP knows only time."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.time, self.depth, self.nodes) if value is not None]
        if len(given) > 1:
            raise ArgumentError("limit: found several limits, expected one of time, depth and nodes")
        for value in given:
            expect(value, "limit", (int, float), "a number")
            if value <= 0:
                raise ArgumentError(f"limit: found {value}, expected more than 0")

    def level(self) -> str:
        """Return the limit as a level of Hub."""
        if self.depth is not None:
            return f"depth={self.depth}"
        if self.nodes is not None:
            return f"nodes={self.nodes}"
        return f"move-time={self.time or 0.1:.6f}"


class SimpleEngine(metaclass=OtherNames):
    """An engine that plays a move whenever it is asked for one.

    Made by `hub`, `dxp`, `json` or `lines`, and used as a context manager: at its end the process is ended, or the
    connection closed. `timeout` is in seconds, and is added to the time to think. Every failure is an EngineError.
    """

    def __init__(self, engine: Engine, choose: Callable[[Game, Limit], Any]) -> None:
        self._engine, self._choose = engine, choose

    @classmethod
    def hub(cls, command: Sequence[str], *, timeout: float = 10.0, **parameters: str) -> Self:
        """Return an engine that speaks Hub; `parameters` are set before it plays."""
        game: list[Game] = []
        (board,) = TEN
        engine = HubEngine(
            command, board, None, lead_ins=lambda position: _lead_in(game[-1]), timeout=timeout, parameters=parameters
        )

        def choose(now: Game, limit: Limit) -> Any:
            if not (hello := engine.hello()).plays(now.ruleset.id):
                played = ", ".join(sorted(hello.rulesets or ()))
                raise ArgumentError(f"game: found {now.ruleset.id}, and {hello.name} plays {played or 'nothing'}")
            game[:], engine.board = [now], now.ruleset.rules.board
            engine.set_level(limit.level())
            return engine.ask("plays", _question(now))["move"]

        return cls(engine, choose)

    @classmethod
    def dxp(cls, host: str = "127.0.0.1", port: int = 27531, *, listens: bool = False, timeout: float = 10.0) -> Self:
        """Return a player of DXP that listens there, or that will connect if `listens`."""
        (board,) = TEN
        engine = DxpEngine(Opponent(host, port, listens), board, timeout=timeout)

        def choose(game: Game, limit: Limit) -> Any:
            if limit.depth is not None or limit.nodes is not None:
                raise ArgumentError("limit: found depth or nodes, expected time: DXP knows no other")
            if game.ruleset.rules.board not in TEN:
                raise ArgumentError(
                    f"game: found {game.ruleset.id}, expected a ruleset on the dark squares of a 10x10 board, as DXP"
                    " has it"
                )
            engine.set_seconds(limit.time or 0.1)
            return engine.ask("plays", _question(game))["move"]

        return cls(engine, choose)

    @classmethod
    def json(cls, command: Sequence[str], *, timeout: float = 10.0, seed: int | None = None) -> Self:
        """Return an engine that speaks damspec's protocol (docs/protocol.md).

        One that does not answer `plays` prefers no move: it plays one of those that it lists, by lot, whatever the
        limit; `seed` repeats what it plays.
        """
        return cls._of_engine(SubprocessEngine(command, timeout=timeout), seed)

    @classmethod
    def lines(cls, command: Sequence[str], *, timeout: float = 10.0, seed: int | None = None) -> Self:
        """Return an engine that speaks damspec's line protocol, and plays like one of `json`."""
        return cls._of_engine(SubprocessEngine(command, timeout=timeout, lines=True), seed)

    @classmethod
    def _of_engine(cls, engine: Engine, seed: int | None) -> Self:
        rng = Random(seed)

        def choose(game: Game, limit: Limit) -> Any:
            question: dict[str, Any] = {**_question(game)}
            if engine.hello().wants_rules:
                question["rules"] = game.ruleset.inline_values
            if "plays" in engine.hello().questions:
                return engine.ask("plays", {**question, "level": read_level(limit.level())})["move"]
            moves = engine.ask("moves", question)["moves"]
            return rng.choice(moves) if moves else None

        return cls(engine, choose)

    @property
    def name(self) -> str:
        """What the engine calls itself. It is started if it is not running."""
        return self._engine.hello().name

    def play(self, game: Game, limit: Limit | None = None) -> Action:
        """Return the move that the engine plays in a game, which stays as it is.

        Raises EngineError if there is no answer or no legal one, and ArgumentError for a game or a limit that its
        protocol cannot express.
        """
        expect(game, "game", Game, "a Game")
        limit = Limit() if limit is None else limit
        expect(limit, "limit", Limit, "a Limit")
        if not game.legal_moves:
            raise ArgumentError(f"game: found {game.fen()}, where {game.turn} has no move")
        try:
            answer = self._choose(game, limit)
        except UnsupportedError as reason:
            raise ArgumentError(f"game: {reason}") from None
        if answer is None:
            raise EngineError("illegal", f"plays no move in {game.fen()}")
        return _action(game, answer)

    def close(self) -> None:
        """End the process or the connection."""
        if isinstance(self._engine, DxpEngine):
            self._engine.hang_up()
        self._engine.close()

    def __enter__(self) -> Self:
        try:
            self._engine.hello()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncEngine:
    """A `SimpleEngine` for asyncio, which waits in a thread of its own.

    async with AsyncEngine(SimpleEngine.hub(["scan", "hub"])) as engine:
        move = await engine.play(game, Limit(time=0.1))
    """

    def __init__(self, engine: SimpleEngine) -> None:
        self.engine = engine

    async def play(self, game: Game, limit: Limit | None = None) -> Action:
        """Return the move that the engine plays, as `SimpleEngine.play` does, in a copy of the game."""
        return await asyncio.to_thread(self.engine.play, game.copy(), limit)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.engine.__enter__)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.engine.close)


def _question(game: Game) -> dict[str, str]:
    return {"ruleset": game.ruleset.id, "position": game.fen()}


def _action(game: Game, answer: Any) -> Action:
    """Return the legal action that an engine answered: a text, or an object with the squares that it captures."""
    try:
        return game.legal_moves.find(answer)
    except DamspecError as error:
        raise EngineError("illegal", f"plays {move_notation(answer)}: {error}") from None


def _lead_in(game: Game) -> LeadIn | None:
    """Return the last position of a game that Hub can express, and the moves since."""
    actions: list[Squares] = []
    back = game.copy()
    while back.ply:
        action = back.pop()
        if not isinstance(action, Move):
            return None
        actions.insert(0, move_squares(action))
        if not lost_parts(HUB, back.position):
            return back.position, actions
    return None
