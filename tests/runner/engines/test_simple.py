"""Engines that play for a program, over each protocol: the reference is the engine."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable

import pytest

import damspec
from damspec_runner.engines.dxp import accept, listen
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.serve import DxpPlayer
from damspec_runner.engines.simple import AsyncEngine, Limit, SimpleEngine
from refusals import refusal

SERVE = [sys.executable, "-m", "damspec_runner", "serve"]
#: For each protocol of a process an engine.
ENGINES: dict[str, Callable[[], SimpleEngine]] = {
    "hub": lambda: SimpleEngine.hub([*SERVE, "--hub"]),
    "json": lambda: SimpleEngine.json(SERVE, seed=1),
    "lines": lambda: SimpleEngine.lines([*SERVE, "--lines"], seed=1),
}


@pytest.mark.parametrize("protocol", ENGINES)
def test_an_engine_plays_on(protocol: str) -> None:
    game = damspec.Game("international")
    with ENGINES[protocol]() as engine:
        assert engine.name
        for limit in (None, Limit(time=0.05), Limit(depth=1), Limit(nodes=5)):
            move = engine.play(game, limit)
            assert move in game.legal_moves
            game.push(move)
    assert game.ply == 4


def test_a_frisian_game_is_led_to_by_its_moves() -> None:
    """A king that has moved is a part of the position that Hub cannot write, so the moves are sent."""
    game = damspec.Game("frisian", "W:WK46,50:B2,6")
    for move in ("46-41", "6-11"):
        game.push(move)
    assert game.position.white_run
    with ENGINES["hub"]() as engine:
        assert engine.play(game) in game.legal_moves


def test_what_hub_does_not_know_is_found_or_said() -> None:
    """The engine answers 32x14 and the squares captured, the game knows the whole move 32x23x14."""
    with ENGINES["hub"]() as engine:
        assert str(engine.play(damspec.Game("international", "W:W32:B28,19"))) == "32x23x14"
        assert "Hub has no word for where the sliders are" in refusal(
            damspec.ArgumentError, engine.play, damspec.Game("nl-trapdoor")
        )
        assert "where white has no move" in refusal(
            damspec.ArgumentError, engine.play, damspec.Game("international", "W:W:B1")
        )
    assert "several limits" in refusal(damspec.ArgumentError, Limit, time=1, depth=2)
    assert "found 0, expected more than 0" in refusal(damspec.ArgumentError, Limit, depth=0)


def test_an_engine_that_cannot_start() -> None:
    with pytest.raises(EngineError, match="cannot start"), SimpleEngine.json(["no-such-engine"]):
        pass


def test_a_player_of_dxp() -> None:
    with listen("127.0.0.1", 0) as place:
        international = damspec.load_ruleset("international")
        player = threading.Thread(
            target=lambda: DxpPlayer(international, accept(place, time.monotonic() + 20.0), patience=20.0).play()
        )
        player.start()
        game = damspec.Game("international", "W:W32:B28,19")
        with SimpleEngine.dxp(port=place.getsockname()[1]) as engine:
            assert str(engine.play(game, Limit(time=1))) == "32x23x14"
            assert "DXP knows no other" in refusal(damspec.ArgumentError, engine.play, game, Limit(depth=1))
        player.join(20.0)
        assert not player.is_alive()


def test_two_engines_at_once_by_asyncio() -> None:
    async def both() -> list[damspec.Action]:
        game = damspec.Game("english")
        async with AsyncEngine(ENGINES["json"]()) as one, AsyncEngine(ENGINES["lines"]()) as other:
            return [*await asyncio.gather(one.play(game), other.play(game))]

    assert all(move in damspec.legal_moves("english", "start") for move in asyncio.run(both()))
