"""Checks all hostile programs and prints what was said of each, a JSON object a line; the last has this process's size.

`drive.py MARKER` gives each program the variable HOSTILE, the marker and its name, to know it by.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import damspec
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.engines.process_tree import adopt_orphans
from damspec_runner.engines.protocol import LIMITS, AnswerLimits, EngineError
from damspec_runner.engines.sandbox import SandboxConfig
from damspec_runner.verify.run import RunConfig, check
from programs import PROGRAMS, Hostile

LB = damspec.load_ruleset("lb")
#: Two men with three captures between them.
CAPTURES = Case(
    "lb.choice.three",
    "lb",
    "choice",
    "Three captures.",
    ("lb-038",),
    "W:W21,22:B10,17,18",
    Expectation({"21x14x7": "B:W7,22:B18", "22x13": "B:W13,21:B10,18", "22x15x6": "B:W6,21:B17"}),
)
#: Python as it starts quickest.
QUICKLY = [sys.executable, "-S", "-E", str(Path(__file__).with_name("programs.py"))]


def driven(name: str, hostile: Hostile, marker: str) -> dict[str, Any]:
    """What is said of a program, in how many seconds."""
    confined = dict(hostile.confined)
    limits = AnswerLimits(answer=confined.pop("answer", LIMITS.answer))
    command = hostile.command or [*QUICKLY, name]
    engines: list[Engine] = []

    def start() -> Engine:
        engines.append(
            SubprocessEngine(
                command,
                timeout=hostile.timeout,
                environment={"HOSTILE": f"{marker}-{name}"},
                limits=limits,
                sandbox=SandboxConfig(**confined),
            )
        )
        return engines[-1]

    began = time.monotonic()
    kind = ""
    try:
        report = check(LB, [CAPTURES] * 12, start, label=name, run_config=RunConfig(second_asks=2))
        said = sorted({result.message or result.status for result in report.results})
        said += sorted({text for result in report.results for text in (*result.extra, *result.unparsable)})
        said += sorted({difference.got for result in report.results for difference in result.after.values()})
        noise = sum(map(len, report.noise))
    except EngineError as error:
        kind, said, noise = error.kind, [str(error)], 0
    return {
        "name": name,
        "kind": kind,
        "said": said,
        "noise": noise,
        "left": [id for engine in engines for id in engine.stray_processes],
        "seconds": time.monotonic() - began,
    }


def main(marker: str, names: list[str]) -> None:
    """Check the programs named, or all."""
    with adopt_orphans(), ThreadPoolExecutor(6) as pool:
        for found in pool.map(lambda name: driven(name, PROGRAMS[name], marker), names or PROGRAMS):
            print(json.dumps(found), flush=True)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    print(json.dumps({"peak": int(status["VmHWM"].split()[0]), "files": len(list(Path("/proc/self/fd").iterdir()))}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
