"""The options `--format`, `--output` and `--json` of commands whose output can be published."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from ..document.explain import MOST
from ..document.forms import Form, render
from ..document.forms.terminal import as_text
from ..document.view import View
from ..document.view_json import as_json
from ..options import option
from .output import OutputTarget, console, json_field, json_text, output_field, output_target, write_output


@dataclass(frozen=True)
class Publication:
    """Where the output of a command goes, and in which format. Raises UsageError if it could not be written there."""

    format: Literal["text", "json", Form] = option("The format to print; bibtex is the documents cited.", "text")
    output: Path | None = output_field()
    as_json: bool = json_field()

    def __post_init__(self) -> None:
        _ = self.target

    @cached_property
    def target(self) -> OutputTarget | None:
        """The file to write, if it is not standard output."""
        return output_target("--output", self.output)

    @property
    def form(self) -> Literal["text", "json", Form]:
        """The format."""
        return "json" if self.as_json else self.format

    def write(self, view: View, *, boards: bool = True, most: int | None = MOST) -> None:
        """Write a view, as text with at most so many clauses of a reading, and without its boards if asked.

        Raises OutputError or NoDocumentError.
        """
        match self.form:
            case "text":
                screen = console()
                width = screen.width if screen.is_terminal and self.target is None else None
                written = as_text(view.paper(most), width, boards=boards)
            case "json":
                written = f"{json_text(as_json(view))}\n"
            case form:
                written = render(view.paper(), form)
        write_output(self.target, written)
