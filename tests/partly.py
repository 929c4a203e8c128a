"""Engines of fakes/partial.py asked in this process: each message is written, held against the schema, and read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import damspec
from damspec import Ruleset, data
from damspec_runner.cases.cases import Case
from damspec_runner.engines import protocol
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.conventions import OURS, Conventions
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import RunConfig, check
from partial import Partial, Refused


class Here(Engine):
    """A fake engine without a process."""

    def __init__(self, way: str | Partial, change: str = "") -> None:
        self._partial = Partial(way, change) if isinstance(way, str) else way
        #: Every question that it was asked.
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def hello(self) -> Hello:
        """What it says of itself."""
        return protocol.hello(self.ask("hello", protocol.hello_params()))

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question."""
        self.asked.append((method, params))
        message = json.loads(protocol.request(1, method, params))
        assert data.schema_problem(message, "protocol", f"{method}.request") is None
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
        try:
            reply["result"] = self._partial.answer(method, dict(message["params"]))
        except (Refused, damspec.DamspecError) as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        return protocol.result(json.dumps(reply), 1, method)

    def close(self) -> None:
        """There is no process to end."""


def able(way: str | Partial, ruleset: Ruleset, change: str = "", conventions: Conventions = OURS) -> CapabilityAdapter:
    """A fake engine with its abilities made up for."""
    return CapabilityAdapter(Here(way, change), ruleset, conventions)


def run(
    way: str | Partial,
    ruleset: Ruleset,
    cases: Sequence[Case],
    change: str = "",
    conventions: Conventions = OURS,
    *,
    preflight: bool = False,
) -> Report:
    """A fake engine checked."""
    run_config = RunConfig(second_asks=0, preflight=preflight)
    return check(ruleset, cases, lambda: able(way, ruleset, change, conventions), label=str(way), run_config=run_config)
