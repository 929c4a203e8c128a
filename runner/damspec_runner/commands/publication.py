"""The options `--format`, `--output` and `--json` of commands whose output can be published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from ..document.explain import MOST
from ..document.forms import FORMS, render
from ..document.forms.terminal import as_text
from ..document.view import View
from ..document.view_json import as_json
from .output import OutputTarget, console, json_option, json_text, output_target

Command = TypeVar("Command", bound=Callable[..., Any])


def publication_options(command: Command) -> Command:
    """Add `--format`, `--output` and `--json`; the command takes them as `form`, `output` and `as_json`."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice(("text", "json", *FORMS)),
        default="text",
        show_default=True,
        help="The format to print; bibtex is the documents cited.",
    )
    output = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
    return form(output(json_option(command)))


@dataclass(frozen=True)
class Publication:
    """Where the output of a command goes, and in which format."""

    form: str
    target: OutputTarget | None

    @classmethod
    def of(cls, form: str, output: Path | None, *, as_json: bool) -> Publication:
        """Return it for the options. Raises UsageError if the file could not be written."""
        return cls("json" if as_json else form, output_target("--output", output))

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
            case _:
                written = render(view.paper(), next(form for form in FORMS if form == self.form))
        if self.target is None:
            click.echo(written, nl=False)
        else:
            self.target.write(written)
