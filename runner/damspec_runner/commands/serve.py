"""`damspec serve` and `bridge`: the reference, or an engine with a protocol of its own, as an engine."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from io import BufferedReader, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from damspec import Action, Position, PositionError, Ruleset, RulesetError, load_ruleset, ruleset_ids
from damspec.alphabeta import search_positions
from damspec.data import FileError
from damspec.kernel import is_available
from damspec.outcomes import outcome_of_position

from ..engines.protocol import read_level
from ..options import option
from ..solve.place import MOST, endgames_path
from .arguments import ADDRESS, RulesetParam, TextParam
from .output import say
from .parameters import Command, check_usage, with_options

if TYPE_CHECKING:
    from ..engines.serve import BestAction, HubServer
    from ..solve.lookup import Endgames
    from ..solve.place import Value

#: The timeout for connecting to a player, in seconds.
_CONNECT_TIMEOUT = 10.0
#: How long a move is thought about where nothing says so.
_LEVEL = "move-time=1"
#: The most rulesets whose endgames are kept open.
_RULESETS = 8


@click.command(cls=Command)
@with_options
def serve(
    *,
    lines: bool = option("Speak plain lines of text (docs/lines.md), not JSON.", False),
    hub: bool = option("Speak Hub (docs/hub.md).", False),
    dxp: tuple[str, int] | None = option(
        "Listen for a DXP player, by the rules of --ruleset; port 0 takes a free one.",
        type=ADDRESS,
        metavar="[HOST:]PORT",
    ),
    dxp_connect: tuple[str, int] | None = option(
        "Connect to a DXP player that listens there.", type=ADDRESS, metavar="HOST:PORT"
    ),
    ruleset: Ruleset | None = option("With DXP: the rules to play by.", type=RulesetParam()),
    level: Mapping[str, float] | None = option(
        f"How long it thinks about a move if it is not told: move-time=SECONDS, depth=N, nodes=N.  [default: {_LEVEL}]",
        type=TextParam("level", read_level),
        metavar="LEVEL",
    ),
) -> None:
    """Run the reference as an engine, on standard input and output.

    It speaks the engine protocol (docs/protocol.md), so it is checked like any other engine:

    \b
      damspec check lb -- damspec serve

    Asked for a move it plays the best one that it finds, with the endgames that `damspec solve` has solved. With
    --level and damspec[fast] it compiles a game before its first move, once, which takes some seconds.
    """
    place, best = dxp or dxp_connect, Player(level).best
    check_usage(
        (
            sum(map(bool, (lines, hub, dxp, dxp_connect))) > 1,
            "--lines, --hub, --dxp, --dxp-connect: expected one of them",
        ),
        (
            bool(place) != bool(ruleset),
            "--ruleset: expected it with --dxp or --dxp-connect, and these with it",
        ),
    )
    if place and ruleset:
        _play(place, ruleset, best, waits=dxp is not None)
        return
    from ..engines.serve import serve as answer

    if hub:
        _hub_server(best).serve(flushing_input(), sys.stdout)
    else:
        answer(flushing_input(), sys.stdout, plain=lines, best=best)


class Player:
    """The best moves by search, and by the endgames that are solved in the user's data folder.

    Without a `level` of its own it thinks a second unless it is told, and compiles nothing.
    """

    def __init__(self, level: Mapping[str, float] | None = None) -> None:
        self._level, self._may_compile = level or read_level(_LEVEL), level is not None
        self._endgames = lru_cache(_RULESETS)(self._open)

    def best(
        self, ruleset: Ruleset, positions: Sequence[Position], level: Mapping[str, float]
    ) -> tuple[Action, Value | None] | None:
        """Return the best action after some positions of a game, and what it comes to if it is solved.

        None where chance has the turn, or a draw does not end the game.
        """
        endgames = self._endgames(ruleset) if is_available() and endgames_path(ruleset).is_dir() else None
        solved = self._solved(endgames, ruleset, positions[-1]) if endgames else None
        if solved:
            return solved
        limits = level or self._level
        found = search_positions(
            ruleset.turns,
            positions,
            depth=_whole(limits.get("depth")),
            seconds=limits.get("move-time"),
            nodes=_whole(limits.get("nodes")),
            probe=endgames.probe if endgames else None,
            may_compile=self._may_compile,
        )
        return (found.action, None) if found.action else None

    @staticmethod
    def _solved(endgames: Endgames, ruleset: Ruleset, position: Position) -> tuple[Action, Value] | None:
        """Return the best action of a position and what it comes to; None where it is in no file."""
        if not 2 <= len(position) <= MOST:
            return None
        try:
            if outcome_of_position(ruleset.turns, position).is_over:
                return None
            moves = endgames.moves(position)
        except (FileError, PositionError):
            return None
        return (moves[0][0], moves[0][1].value) if moves else None

    def _open(self, ruleset: Ruleset) -> Endgames | None:
        from ..solve.lookup import Endgames, check_solvable_exactly
        from ..solve.solve import Folder

        try:
            check_solvable_exactly(ruleset)
            return Endgames(Folder(ruleset))
        except RulesetError:
            return None


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def flushing_input() -> TextIO:
    """Return standard input, which flushes standard output before it waits for more."""
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    if not isinstance(raw, RawIOBase):  # not a file descriptor
        return sys.stdin
    from ..engines.serve import FlushingInput

    questions = BufferedReader(FlushingInput(raw, sys.stdout))
    return TextIOWrapper(questions, encoding="utf-8", errors="replace", newline="\n")


def _play(place: tuple[str, int], ruleset: Ruleset, best: BestAction, *, waits: bool) -> None:
    """Play by DXP; with `waits`, listen and play one player after another."""
    from ..engines.dxp import DxpTimeoutError, accept, connect, listen
    from ..engines.serve import PATIENCE, DxpPlayer

    try:
        if not waits:
            DxpPlayer(ruleset, connect(*place, time.monotonic() + _CONNECT_TIMEOUT), best=best).play()
            return
        with listen(*place) as there:
            say("waiting for a player of DXP at {}:{}".format(*there.getsockname()[:2]))
            while True:
                with suppress(DxpTimeoutError):
                    DxpPlayer(ruleset, accept(there, time.monotonic() + PATIENCE), best=best).play()
    except (OSError, DxpTimeoutError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "nobody answers"
        raise click.UsageError(
            f"cannot {'wait at' if waits else 'connect to'} {place[0]}:{place[1]}: {reason}"
        ) from None


def _hub_server(best: BestAction) -> HubServer:
    from ..engines.hub import variants
    from ..engines.serve import HubServer

    of = variants().of
    ruleset_of = {of.get(id, id): id for id in reversed(ruleset_ids())}
    values = [value for value in variants().values if value in ruleset_of]
    values += [value for value in ruleset_of if value not in values]
    return HubServer(lambda value: load_ruleset(ruleset_of[value]), values, best)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def bridge(file: Path) -> None:
    """Ask an engine in its own protocol, or a web service, as FILE says.

    It is checked like any other engine. FILE is YAML and says what to send and how to read the answers
    (docs/bridge.md); a command in it is run in its folder:

    \b
      damspec check english -- damspec bridge engine.yaml
    """
    from ..engines.bridge import BridgeFile, bridge_engine, request_handler
    from ..engines.serve import serve

    described = BridgeFile.load(file)
    os.chdir(file.resolve().parent)
    engine = bridge_engine(described)
    try:
        serve(flushing_input(), sys.stdout, handler=request_handler(described, engine))
    finally:
        engine.close()
