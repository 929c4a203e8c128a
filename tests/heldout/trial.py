"""The held-out set put to `damspec check`: which faults it finds, and whether it says what is wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
#: What a user adds to `damspec check RULESET`.
OPTIONS = ("--show", "0", "--games", "1000", "--seconds", "3")
#: The rulesets that each engine plays.
PLAYED = {"c": ("english", "lb", "international", "vl"), "python": ("russian", "brazilian", "international", "lb")}


@dataclass(frozen=True)
class Fault:
    """A mistake in an engine; faults.yaml says what the fields mean."""

    id: str
    engine: str
    ruleset: str
    kind: str
    does: str
    described: tuple[str, ...]

    def is_described(self, lines: Sequence[str]) -> bool:
        """Whether an explanation has a line that says what is wrong; ids of cases and counts of them say nothing."""
        said = [re.sub(rf"\b{self.ruleset}\.[\w.-]+|\(explains [^)]*\)", "", line) for line in lines]
        return any(all(re.search(word, line, re.IGNORECASE) for word in self.described) for line in said)


@dataclass(frozen=True)
class Trial:
    """What a check says of a fault: the cases not passed, the seconds of processor time, the lines of its explanation.

    The time is that of all its processes: what it takes on a machine that does nothing else.
    """

    fault: Fault
    status: int
    missed: int
    summary: str
    seconds: float
    lines: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the check says that the engine is wrong."""
        return self.status == 1

    @property
    def described(self) -> bool:
        """Whether it says what is wrong."""
        return self.found and self.fault.is_described(self.lines)


def faults() -> tuple[Fault, ...]:
    """The held-out set."""
    listed: list[dict[str, Any]] = yaml.safe_load((HERE / "faults.yaml").read_text(encoding="utf-8"))["faults"]
    return tuple(Fault(**{**one, "described": tuple(one["described"])}) for one in listed)


def compiler() -> str | None:
    """The C compiler, if there is one."""
    return shutil.which("cc")


def built(folder: Path) -> Path:
    """The engine in C, compiled into a folder."""
    program = folder / "engine"
    words = [compiler() or "cc", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
    subprocess.run([*words, str(HERE / "engine.c")], check=True)
    return program


def command(engine: str, program: Path, *words: str) -> list[str]:
    """The command of an engine, with its ruleset and fault; `program` is the one in C."""
    return [str(program), *words] if engine == "c" else [sys.executable, str(HERE / "engine.py"), *words]


def tried(fault: Fault, program: Path) -> Trial:
    """Check an engine with a fault as a user would, in a process of its own."""
    engine = command(fault.engine, program, fault.ruleset, fault.id)
    words = [sys.executable, "-m", "damspec_runner", "check", fault.ruleset, *OPTIONS, "--", *engine]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read()
    told, _, explanation = printed.partition("\nExplanation\n")
    counted = re.search(r": (\d+) passed.* of (\d+) cases", told)
    missed = int(counted[2]) - int(counted[1]) if counted else 0
    summary = told.splitlines()[-1]
    lines = tuple(line.strip() for line in explanation.splitlines())
    return Trial(fault, process.returncode, missed, summary, usage.ru_utime + usage.ru_stime, lines)
