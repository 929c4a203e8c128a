"""The pages of the engines: who plays which game how, and what each does wrong."""

from __future__ import annotations

from collections.abc import Iterator

from . import links
from .library import Library
from .links import Link
from .pages import File, Page


def pages(library: Library) -> Iterator[Page]:
    """The table of all engines, and a page for each."""
    above = (Link("Engines", "engines/index.html"),)
    matrix = library.matrix
    yield Page(
        "engines/index.html",
        "engines.html",
        "Engines",
        "Which published engines play which games, how completely, and what is wrong.",
        "implement",
        given={
            "rulesets": matrix.rulesets,
            "rows": [(name, {cell.ruleset: cell for cell in cells}) for name, cells in matrix.by_engine()],
            "abouts": library.abouts,
        },
    )
    for name, cells in matrix.by_engine():
        yield Page(
            links.engine(name),
            "engine.html",
            f"{name} {cells[0].version}",
            f"On which rulesets {name} was checked, and what it does wrong.",
            "implement",
            above,
            given={"name": name, "cells": cells, "about": library.abouts.get(name, "")},
        )


def badges(library: Library) -> Iterator[File]:
    """The badges of every engine on every ruleset."""
    for cell in library.matrix.cells:
        for ending, text in cell.badges().items():
            yield File(links.badge(cell.engine, cell.ruleset, ending), text.encode())
