"""Perft suites (`cases/perft/ID.yaml`): positions with their perft by depth, and what each is the first to tell.

A suite is read from its file, written as one, and written as the lines that chess engines know: `FEN ;D1 7 ;D2 49`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damspec import DamspecError, FileError, Ruleset, data, load_ruleset, ruleset_ids

from .writing import listed, text_of, wrapped

#: Stands for a blank where a line is not to be broken.
_UNBROKEN = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class CountedPosition:
    """A position with its perft at depth 1, 2, ..., and the wrong rules and faults that it is the first to tell.

    `tells` has them by depth: no position tells them at a smaller one, and none before this at the same.
    """

    position: str
    nodes: tuple[int, ...]
    tells: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Suite:
    """The perft suite of a ruleset; `untold` says why it does not tell some wrong rules or faults, by their names."""

    ruleset: str
    positions: tuple[CountedPosition, ...]
    untold: Mapping[str, str] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, Any]:
        """It as its file has it (schemas/suite.schema.json)."""
        return {
            "ruleset": self.ruleset,
            "positions": [_entry(one) for one in self.positions],
            "untold": [{"name": name, "because": because} for name, because in self.untold.items()],
        }


def folder() -> Path:
    """Where the suites are."""
    return data.root() / "cases" / "perft"


def suite_of(ruleset: Ruleset) -> Suite:
    """The suite shipped for a ruleset. Raises FileError if there is none."""
    path = folder() / f"{ruleset.base}.yaml"
    if not ruleset.shipped or ruleset.id != ruleset.base or not path.exists():
        raise FileError(
            f"no perft suite of {ruleset.id}; make one: damspec generate {ruleset.id} --perft 4 -o FILE.yaml,"
            " and give it: --cases FILE.yaml"
        )
    return read_suite(path)


def read_suite(path: Path) -> Suite:
    """The suite in a file, its form checked. Raises FileError."""
    content = data.load_yaml(path)
    data.check(content, "suite", data.shown(path))
    return Suite(
        content["ruleset"],
        tuple(
            CountedPosition(
                entry["fen"],
                tuple(entry["nodes"]),
                {int(depth): tuple(names) for depth, names in entry.get("tells", {}).items()},
            )
            for entry in content["positions"]
        ),
        {entry["name"]: entry["because"] for entry in content.get("untold", ())},
    )


def lint_suites() -> Iterator[str]:
    """What is wrong with the suites, a line each. Their numbers are not looked at."""
    for path in sorted(folder().glob("*.yaml")):
        where = data.shown(path)
        try:
            found = read_suite(path)
        except DamspecError as error:
            yield str(error)
            continue
        yield from (f"{where}: {line}" for line in _complaints(found, path))
    for id in ruleset_ids():
        if not (folder() / f"{id}.yaml").exists():
            yield f"{data.shown(folder())}: no suite of {id}: damspec generate {id} --perft 4"


def _complaints(suite: Suite, path: Path) -> Iterator[str]:
    try:
        ruleset = load_ruleset(suite.ruleset)
    except DamspecError as error:
        yield f"ruleset: {error}"
        return
    if suite.ruleset != path.stem:
        yield f"ruleset: found {suite.ruleset!r}, expected {path.stem!r} as the file's name says"
    seen: set[str] = set()
    told: set[str] = set(suite.untold)
    for place, one in enumerate(suite.positions, 1):
        where = f"positions, {place}"
        try:
            fen = ruleset.position(one.position).fen()
            if fen != one.position:
                yield f"{where}: found {one.position!r}, expected it written {fen!r}"
        except DamspecError as error:
            yield f"{where}: {error}"
        if one.position in seen:
            yield f"{where}: {one.position} is there before"
        seen.add(one.position)
        for depth, names in one.tells.items():
            if depth > len(one.nodes):
                yield f"{where}: tells {names[0]!r} at depth {depth}, which it is not counted to"
            for name in names:
                if name in told:
                    yield f"{where}: {name!r} is told before, or said to be told by none"
                told.add(name)


# --- as text ----------------------------------------------------------------------------------


def suite_file(suite: Suite) -> str:
    """The text of a suite's file."""
    lines = [f"ruleset: {suite.ruleset}", "positions:"]
    for one in suite.positions:
        lines += [f"  - fen: {text_of(one.position)}", f"    nodes: [{', '.join(map(str, one.nodes))}]"]
        if one.tells:
            lines.append("    tells:")
        for depth, names in one.tells.items():
            unbroken = ", ".join(listed(name).replace(" ", _UNBROKEN) for name in names)
            told = wrapped(f"'{depth}': [{unbroken}]", "      ", "        ")
            lines += [line.replace(_UNBROKEN, " ") for line in told]
        lines.append("")
    if suite.untold:
        lines.append("untold:")
    for name, because in suite.untold.items():
        lines += [f"  - name: {text_of(name)}", f"    because: {text_of(because)}"]
    return "\n".join(lines).rstrip("\n") + "\n"


def suite_lines(suite: Suite) -> str:
    """A line for each position: the FEN, then `;D` with each depth and the number of nodes there."""
    return "".join(
        one.position + "".join(f" ;D{depth} {nodes}" for depth, nodes in enumerate(one.nodes, 1)) + "\n"
        for one in suite.positions
    )


def _entry(one: CountedPosition) -> dict[str, Any]:
    tells = {str(depth): list(names) for depth, names in one.tells.items()}
    return {"fen": one.position, "nodes": list(one.nodes), **({"tells": tells} if tells else {})}
