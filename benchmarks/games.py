"""How fast random games are compared: by the runner and a bare loop with `damspec serve` as the engine, and others.

    python -m benchmarks.games [--json] [--games N] [--repeats N] [--ruleset ID ...]

By the runner the engine is a process that takes questions ahead, as in `damspec check RULESET --games N`. The bare loop
writes the same questions, a game at once, reads a line for each and parses it; it plays no games and compares nothing.
In one process the reference answers itself. A fast engine, `echo.c`, knows all answers by heart and has moves in
another order; it is compiled with `cc`, and left out where there is none. All take the same games; processor time
counts, and of a process both its own and that of the one that asks it. The best of some runs is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import damspec
from damspec import Ruleset
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import hello_params, request
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.games import FuzzConfig, fuzz, game_origins

from .measure import (
    HELLO_ECHO,
    QUESTIONS,
    bare_loop,
    compile_echo,
    echo_table,
    options,
    processor_time,
    run,
    verdict,
)

SERVE = [sys.executable, "-m", "damspec_runner", "serve"]
#: Positions that have to be asked in a second of processor time, of an engine as fast as the reference.
TARGET = 2000


class Noted(InProcessEngine):
    """The reference in this process, which notes what it is asked, and what `echo.c` is to answer."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.asked: list[tuple[str, Mapping[str, Any], Any]] = [("hello", hello_params(), HELLO_ECHO)]

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question."""
        answer = super().ask(method, params)
        noted = {**answer, "moves": answer["moves"][::-1]} if method == "moves" else answer
        self.asked.append((method, params, noted))
        return answer


def measured(name: str, number: int, repeats: int, folder: Path) -> dict[str, object]:
    """Positions in a second of processor time, by each way."""
    ruleset = damspec.load_ruleset(name)
    scope, begun = FuzzConfig(games=number), game_origins(ruleset, cases_for(ruleset))
    noted = Noted(ruleset)
    games = fuzz(ruleset, lambda: noted, HELLO, scope, begun)
    with SubprocessEngine(SERVE) as engine:
        hello = engine.hello()
    lines = [request(id, method, params) for id, (method, params, _) in enumerate(noted.asked) if id]
    _, starting = processor_time(lambda: bare_loop(SERVE, []))
    ways: dict[str, Callable[[], object]] = {
        "runner": lambda: fuzz(ruleset, lambda: SubprocessEngine(SERVE), hello, scope, begun),
        "bare loop": lambda: bare_loop(SERVE, lines, at_once=250),
        "one process": lambda: fuzz(ruleset, lambda: InProcessEngine(ruleset), HELLO, scope, begun),
    }
    if (folder / "echo").exists():
        (folder / name).write_text(echo_table(noted.asked))
        echo = [str(folder / "echo"), str(folder / name)]
        ahead = replace(HELLO, questions=frozenset(QUESTIONS), max_in_flight=256)
        ways["fast engine"] = lambda: fuzz(ruleset, lambda: SubprocessEngine(echo), ahead, scope, begun)
    taken = {way: [processor_time(do) for _ in range(repeats)] for way, do in ways.items()}
    best = {way: min(times, key=sum) for way, times in taken.items()}
    found: dict[str, object] = {"ruleset": name, "positions": games.positions, "questions": games.questions}
    for way, (own, theirs) in best.items():
        engine_alone = max(theirs - starting, 0.0)
        found[way] = round(games.positions / (own + engine_alone))
        if way == "runner":
            found["runner alone"] = round(games.positions / own)
            found["engine alone"] = round(games.positions / engine_alone)
    return found


def main() -> None:
    """Measure and print."""
    chosen = options(
        __doc__,
        games=(150, "how many games"),
        repeats=(3, "the best of so many runs counts"),
        ruleset=(["english", "international"], "the games"),
    ).parse_args()
    with TemporaryDirectory() as folder:
        with suppress(FileNotFoundError):
            compile_echo(Path(folder))
        results = [measured(name, chosen.games, chosen.repeats, Path(folder)) for name in chosen.ruleset]
    if chosen.json:
        print(json.dumps(results, indent=2))
        return
    for found in results:
        speed = {key: value for key, value in found.items() if isinstance(value, int)}
        print(f"{found['ruleset']}: {speed['positions']:,} positions, {speed['questions']:,} questions")
        for way in ("runner", "bare loop", "one process", *(["fast engine"] if "fast engine" in speed else [])):
            print(f"  {way:14}{speed[way]:>8,} positions a second, {speed['runner'] / speed[way]:.2f} times")
        print(f"  of the runner, it alone {speed['runner alone']:,}, the engine alone {speed['engine alone']:,}")
        print(f"  target {TARGET:,} by the runner alone: {verdict(speed['runner alone'] >= TARGET)}")


if __name__ == "__main__":
    run(main)
