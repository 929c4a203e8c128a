"""`damspec ask`: one question to an engine and its answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from damspec import DamspecError, data, from_values
from damspec.ruleset import load_source
from damspec.safe_yaml import read_json

from ..engines import registry
from ..engines.process import Engine
from ..engines.process_tree import adopt_orphans
from ..engines.protocol import QUESTIONS, EngineError, UnsupportedError
from ..options import option
from ..verify.exchange import NO_HISTORY, ask_params
from .options import EngineOptions, WithCommand, command_words
from .output import say
from .parameters import check_usage, with_options


@click.command(cls=WithCommand)
@click.argument("ruleset", required=False, metavar="[RULESET")
@click.argument("position", required=False, metavar="POSITION]")
@with_options
def ask(
    ruleset: str | None,
    position: str | None,
    *,
    move: str | None = option(
        "Ask for the position after this move, as the engine lists it.", section="The question", metavar="MOVE"
    ),
    outcome: bool = option("Ask who has won.", False),
    history: tuple[str, ...] = option(
        "With --outcome: after this move, and those given next.", (), "--after", metavar="MOVE"
    ),
    line: str | None = option(
        "The question as a line of the protocol, as reports have it.", None, "--request", metavar="JSON"
    ),
    name: str | None = option(
        "A named engine (`damspec engines`).", None, "--engine", section="The engine", metavar="NAME"
    ),
    engine_options: EngineOptions,
) -> None:
    """Put one question to an engine and print its answer.

    The question is what the moves in POSITION are, unless an option says something else; with RULESET alone it is where
    a game starts. Without RULESET it is a --request, or requests are read from standard input, a line each.

    \b
      damspec ask lb W:W21,22:B10,17,18 -- python my_engine.py
      damspec ask lb W:W21,22:B10,17,18 --move 22x13 -- python my_engine.py

    Exit status: 0 answered, 1 the engine does not answer that, 2 usage, 3 no usable answer.
    """
    command = command_words() or ()
    check_usage(
        (
            sum(map(bool, (command, name, engine_options.protocol.opponent))) != 1,
            "no engine: give --engine NAME or a command after --, one of both",
        ),
        (line is not None and (ruleset or move or outcome), "--request: the question is in it, expected no other"),
        (
            (move is not None or outcome) and (position is None or (move is not None and outcome)),
            "--move, --outcome: expected a POSITION and one of both",
        ),
        (history and not outcome, "--after: expected it with --outcome"),
    )
    words, environment = registry.named_command(name) if name else (list(command), {})
    asked = [_parse_request(line)] if line is not None else None
    chosen = load_source(ruleset) if ruleset else None
    where = None if chosen is None or position is None else chosen.read_position(position).fen()
    click.get_current_context().with_resource(adopt_orphans())
    engine_options = engine_options.for_engine(name) if name else engine_options
    about = chosen or (load_source(asked[0][1]["ruleset"]) if asked and not engine_options.can_list_moves else None)
    engine = engine_options.process(words, environment, about)
    try:
        with engine:
            if chosen is not None:
                hello = engine_options.adapt(engine, chosen).hello()
                if history and not hello.history:
                    raise UnsupportedError(NO_HISTORY)
                params = ask_params(chosen, hello, where)
                if where is None:
                    asked = [("start", params)]
                elif move is not None:
                    asked = [("play", {**params, "move": _parse_move(move)})]
                else:
                    played = {"moves": list(history)} if history else {}
                    method = "outcome" if outcome else "plays" if hello.manner == "played" else "moves"
                    asked = [(method, {**params, **played})]
            for method, given in asked if asked is not None else _read_requests():
                asking = _adapted_engine(engine, given, engine_options)
                click.echo(json.dumps(asking.ask(method, given), ensure_ascii=False))
    except UnsupportedError as reason:
        say(f"not supported: {reason}")
        sys.exit(1)
    except EngineError as error:
        say(f"engine {' '.join(words)!r}: {error}")
        sys.exit(3)
    finally:
        engine.close()


def _adapted_engine(engine: Engine, params: Mapping[str, Any], engine_options: EngineOptions) -> Engine:
    """Return the engine adapted to the rules of a question, or unchanged if those rules cannot be loaded."""
    id = params["ruleset"]
    try:
        ruleset = from_values(params["rules"], id) if "rules" in params else load_source(id)
    except DamspecError:
        return engine
    return engine_options.adapt(engine, ruleset)


def _parse_move(text: str) -> Any:
    """Parse a move: text, or a JSON object for engines that list objects. Raises UsageError."""
    if not text.startswith("{"):
        return text
    try:
        return read_json(text)
    except ValueError as error:
        raise click.UsageError(f"--move: not JSON: {error}") from None


def _read_requests() -> Iterator[tuple[str, Mapping[str, Any]]]:
    return (_parse_request(line) for line in sys.stdin if line.strip())


def _parse_request(line: str) -> tuple[str, Mapping[str, Any]]:
    """Parse a request into its method and parameters. Raises UsageError."""
    try:
        message = read_json(line)
    except ValueError as error:
        raise click.UsageError(f"--request: not JSON: {error}") from None
    method = message.get("method") if isinstance(message, dict) else None
    if method not in QUESTIONS:
        raise click.UsageError(f"--request: method: found {data.quote(method)}, expected one of {', '.join(QUESTIONS)}")
    if wrong := data.schema_problem(message, "protocol", f"{method}.request"):
        raise click.UsageError(f"--request: {wrong}")
    params: Mapping[str, Any] = message["params"]
    return method, params
