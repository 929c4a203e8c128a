"""The interpreter in JavaScript and what it plays, as classic scripts: a page in a folder may load no modules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from damspec import data

from .library import Library
from .pages import File

#: Where the modules lie, from the root of the data.
FOLDER = "reference/javascript"

_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function) (\w+))", re.MULTILINE)


def files(library: Library) -> Iterator[File]:
    """The scripts that play: the interpreter, the opponent, and the rules of every game."""
    yield _script("damspec", "interpreter")
    yield _script("opponent", "opponent")
    rulesets = {id: {"name": each.name, "values": each.whole} for id, each in library.rulesets.items()}
    text = json.dumps(rulesets, ensure_ascii=False, separators=(",", ":"))
    yield File("assets/rulesets.js", f"var damspecRulesets = {text};\n".encode())


def _script(module: str, name: str) -> File:
    """A module as a script: a function that returns what it exports, whose source a worker can be made of.

    `damspecModule()` returns `rules` and the rest, `opponentModule()` `think`. What they return is added to the one
    global name of the site: `damspec.rules(values)`, `damspec.think(game, position, options)`.
    """
    source = (data.root() / FOLDER / f"{module}.js").read_text(encoding="utf-8")
    exported = ", ".join(found[1] for found in _EXPORT.finditer(source))
    function = f"{module}Module"
    body = f'function {function}() {{\n"use strict";\n{_EXPORT.sub("", source)}\nreturn {{ {exported} }};\n}}\n'
    return File(f"assets/{name}.js", f"{body}Object.assign(damspec, {function}());\n".encode())
