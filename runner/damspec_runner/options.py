"""Options of commands as fields of dataclasses: each is named once, with its help, type and default."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any


def option(
    help: str,
    default: Any = None,
    *flags: str,
    section: str = "",
    rare: bool = False,
    least: int | None = None,
    most: int | None = None,
    choices: Callable[[], Iterable[str]] | None = None,
    **click: Any,
) -> Any:
    """Return a dataclass field that is an option of every command which takes the dataclass.

    `flags` are how it is written, if not like the field. `section` is the heading in the help for this option and those
    that follow; a `rare` one is named by `--help-all` only. `least` and `most` are bounds of a number, `choices`
    returns the words that are taken; `click` has what else click is told.
    """
    form = {"help": help, "flags": flags, "section": section, "rare": rare, "click": click}
    return field(default=default, metadata={**form, "least": least, "most": most, "choices": choices})
