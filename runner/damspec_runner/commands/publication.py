"""The options `--format`, `--output` and `--json` of commands whose output can be published."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from ..document.forms import FORMS, render
from ..document.forms.content import Paper
from .output import OutputTarget, json_option, json_text, output_target

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

    def write(self, text: Callable[[], Iterable[str]], json: Callable[[], Any], paper: Callable[[], Paper]) -> None:
        """Write one of three: lines of text, JSON, or the page in its form. Raises OutputError or NoDocumentError."""
        match self.form:
            case "text":
                written = "".join(f"{line}\n" for line in text())
            case "json":
                written = f"{json_text(json())}\n"
            case _:
                written = render(paper(), next(form for form in FORMS if form == self.form))
        if self.target is None:
            click.echo(written, nl=False)
        else:
            self.target.write(written)
