"""The held-out sets put to `damspec check`: which faults it finds, and whether it says what is wrong."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from damspec.safe_yaml import read_yaml

HERE = Path(__file__).parent
#: What a user adds to `damspec check RULESET`.
OPTIONS = ("--show", "0", "--games", "1000", "--seconds", "3")
#: Lines of an explanation that claim no cause: what is unexplained and its failures, and counts of answers.
NO_CLAIM = re.compile(
    r"unexplained\b|\d+ (wrong )?answers? (was|were) right when asked alone|[WB]:[WB]|smallest failures?\b|$",
    re.IGNORECASE,
)
#: A line that says that those before it, so many, are alternatives.
ALTERNATIVES = re.compile(r"these (\d+) cannot be told apart")
#: Words by which a line says that it may be wrong.
HEDGE = re.compile(r"\b(perhaps|possibly|might|may be|may have|consistent with)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    """A mistake in an engine; faults.yaml says what the fields mean."""

    id: str
    engine: str
    ruleset: str
    kind: str
    does: str
    described: tuple[str, ...]
    also: tuple[str, ...] = ()
    shut: bool = False
    strict: bool = False

    def is_described(self, lines: Sequence[str]) -> bool:
        """Return whether a line says what is wrong; ids of cases and counts of them say nothing."""
        return any(all(re.search(word, self._words(line), re.IGNORECASE) for word in self.described) for line in lines)

    def allows(self, line: str) -> bool:
        """Return whether a line is true of the engine though it does not name the mistake."""
        return any(re.search(word, self._words(line), re.IGNORECASE) for word in self.also)

    def _words(self, line: str) -> str:
        return re.sub(rf"\b{re.escape(self.ruleset)}\.[\w.-]+|\(explains [^)]*\)", "", line)


@dataclass(frozen=True)
class FaultSet:
    """Engines and the faults that can be put into them."""

    folder: Path
    #: The rulesets that each engine plays.
    played: Mapping[str, tuple[str, ...]]
    #: What `damspec check` is told of an engine besides its command.
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of faults.yaml."""
        text = (self.folder / "faults.yaml").read_text(encoding="utf-8")
        listed: list[dict[str, Any]] = read_yaml(text)["faults"]
        tuples: list[dict[str, Any]] = [
            {key: tuple(value) if isinstance(value, list) else value for key, value in one.items()} for one in listed
        ]
        return tuple(Fault(**one) for one in tuples)

    def command(self, engine: str, program: Path, *words: str) -> list[str]:
        """Return the command of an engine, with its ruleset and fault; `program` is the one in C."""
        match engine:
            case "c":
                return [str(program), *words]
            case "python":
                return [sys.executable, str(self.folder / "engine.py"), *words]
            case "javascript":
                return ["node", str(self.folder / "engine.mjs"), *words]
        raise ValueError(f"engine '{engine}': expected c, python or javascript")

    def build(self, folder: Path) -> Path:
        """Compile the engine in C into a folder."""
        program = folder / "engine"
        words = [compiler() or "cc", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
        subprocess.run([*words, str(self.folder / "engine.c")], check=True)
        return program

    def try_fault(self, fault: Fault, program: Path) -> Trial:
        """Check an engine with a fault as a user would, in a process of its own."""
        engine = self.command(fault.engine, program, fault.ruleset, fault.id)
        strict = ("--strict",) if fault.strict else ()
        options = (*OPTIONS, *strict, *self.options.get(fault.engine, ()))
        words = [sys.executable, "-m", "damspec_runner", "check", fault.ruleset, *options, "--", *engine]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            printed = output.read()
        verdicts, _, explanation = printed.partition("\nExplanation\n")
        counted = re.search(r": (\d+) passed.* of (\d+) cases", verdicts)
        missed = int(counted[2]) - int(counted[1]) if counted else 0
        summary = verdicts.splitlines()[-1]
        indented = itertools.takewhile(lambda line: line.startswith("  "), explanation.splitlines())
        lines = tuple(line.strip() for line in indented)
        return Trial(fault, process.returncode, missed, summary, usage.ru_utime + usage.ru_stime, lines)


FIRST = FaultSet(
    HERE,
    {"c": ("english", "lb", "international", "vl"), "python": ("russian", "brazilian", "international", "lb")},
)
SECOND = FaultSet(
    HERE / "second",
    {
        "c": ("english", "international", "brazilian", "pool"),
        "python": ("vl", "frisian", "italian", "turkish", "international"),
        "javascript": ("de", "nl-trapdoor", "fr-trapdoor", "russian"),
    },
    {"c": ("--lines",)},
)


class Verdict(StrEnum):
    """What a check of an engine with a fault comes to."""

    #: The check finds nothing.
    MISSED = "not found"
    #: The explanation claims a cause that is none.
    WRONG = "wrong"
    #: It names the mistake, and claims nothing else.
    RIGHT = "right"
    #: It claims something, and says that this may be wrong.
    HEDGED = "hedged"
    #: It claims nothing.
    UNEXPLAINED = "unexplained"


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
        """Whether it says what is wrong, whatever else it says."""
        return self.found and self.fault.is_described(self.lines)

    @property
    def claims(self) -> tuple[str, ...]:
        """The lines that claim a cause, but for alternatives of one that names the mistake."""
        claims: list[str] = []
        for line in self.lines:
            if told := ALTERNATIVES.match(line):
                alternatives = claims[-int(told[1]) :]
                if self.fault.is_described(alternatives):
                    claims[-int(told[1]) :] = [one for one in alternatives if self.fault.is_described([one])]
            elif not NO_CLAIM.match(line):
                claims.append(line)
        return tuple(claims)

    @property
    def false_claims(self) -> tuple[str, ...]:
        """The claims that neither name the mistake nor are true of the engine besides, by what faults.yaml says."""
        unhedged = (line for line in self.claims if not HEDGE.search(line))
        return tuple(line for line in unhedged if not (self.fault.is_described([line]) or self.fault.allows(line)))

    @property
    def verdict(self) -> Verdict:
        if not self.found:
            return Verdict.MISSED
        if self.false_claims:
            return Verdict.WRONG
        if self.described:
            return Verdict.RIGHT
        return Verdict.HEDGED if self.claims else Verdict.UNEXPLAINED


def compiler() -> str | None:
    """Return the C compiler, if there is one."""
    return shutil.which("cc")
