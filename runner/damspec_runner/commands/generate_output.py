"""The options of `damspec generate` that say how positions are written, and writing them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import click

from damspec import Ruleset
from damspec.extras import import_extra

from ..cases.bundle import bundle_text
from ..generate.annotate import AnnotatedPosition, Annotator
from ..generate.diversity import Coverage, coverage
from ..generate.goal import FoundPosition, SearchGoal
from ..options import option
from . import interruption
from .output import OutputTarget, check_new_folder, console, json_text, progress_bar, say, write_file, write_folder

Format = Literal["cases", "bundle", "json", "jsonl", "fen", "epd", "pdn", "svg", "png", "html"]
#: The formats that can be a folder of files, each with how the name of a single file ends.
_FOLDERS = {"cases": (".yaml", ".yml"), "svg": (".svg",), "png": (".png",)}
#: The formats that say which rule values change an answer.
_TELLING = ("cases", "json", "jsonl", "epd", "html")


@dataclass(frozen=True)
class Writing:
    """How positions are written.

    With `coverage` None a table of what they cover is printed on a terminal if there are several.
    """

    format: Format = option(
        f"How they are written: {', '.join(get_args(Format))}.",
        "cases",
        section="Output",
        metavar="FORMAT",
    )
    output: Path | None = option(
        "The file to write; cases, svg and png go to a new folder unless the name has their extension.",
        None,
        "-o",
        "--output",
        type=click.Path(path_type=Path),
    )
    no_otherwise: bool = option("Skip which rule values would change each answer; faster.", False, rare=True)
    coverage: bool | None = option(
        "Print what the positions cover.  [default: on a terminal]", None, "--coverage/--no-coverage", rare=True
    )
    as_json: bool = option("The same as --format json.", False, "--json")

    @property
    def form(self) -> str:
        """The format."""
        return "json" if self.as_json else self.format

    @property
    def names_changes(self) -> bool:
        """Whether the output says which rule values change an answer, which takes long to find out."""
        return not self.no_otherwise and (self.form in _TELLING or bool(self.coverage))

    def check(self, ruleset: Ruleset, number: int) -> None:
        """Raise UsageError if a result could not be written; existing files are not overwritten."""
        form, output = self.form, self.output
        if form in ("cases", "bundle") and "?" in ruleset.id:
            raise click.UsageError(f"{ruleset.id}: cases are written for the readings chosen; take another --format")
        if form == "png":
            self._check_png(number)
        if output is None:
            return
        if self._is_folder:
            check_new_folder("-o", output, form)
        elif output.is_dir():
            raise click.UsageError(f"-o: {str(output)!r} is a folder, expected a file for {form}")
        else:
            OutputTarget("-o", output)

    def write(self, wanted: SearchGoal, found: Sequence[FoundPosition], about: Mapping[str, Any]) -> None:
        """Write positions; `about` is the summary of the search, as JSON data.

        If interrupted while answers are worked out, write those known by then and exit. Raises OutputError.
        """
        err = console(stderr=True)
        shows = len(found) > 1 and (err.is_terminal if self.coverage is None else self.coverage)
        telling = not self.no_otherwise and (self.form in _TELLING or shows)
        answering = Annotator(wanted, otherwise=telling)
        answered = [answering.annotate(one) for one in found]
        if telling:
            answered = _worked_out(answered)
        covered = cache(lambda: coverage(answering, answered))
        self._write_content(answered, covered, about)
        if shows:
            from ..generate.formats import show_table

            show_table(covered(), wanted.ruleset.rules.board, err)
        if len(answered) < len(found):
            sys.exit(interruption.report_interruption(f": {len(answered)} of {len(found)} written"))

    @property
    def _is_folder(self) -> bool:
        output = self.output
        return output is not None and self.form in _FOLDERS and output.suffix not in _FOLDERS[self.form]

    def _check_png(self, number: int) -> None:
        from ..generate.pictures import MOST_IN_PNG

        import_extra("resvg_py", "--format png", "damspec[pictures]")
        if self.output is None and console().is_terminal:
            raise click.UsageError("--format png: is no text for a terminal, expected -o FILE.png or -o FOLDER")
        if not self._is_folder and number > MOST_IN_PNG:
            raise click.UsageError(
                f"--format png: one picture shows up to {MOST_IN_PNG} positions, found {number}: take -o FOLDER"
            )

    def _write_content(
        self, answered: Sequence[AnnotatedPosition], covered: Callable[[], Coverage], about: Mapping[str, Any]
    ) -> None:
        content = self._content(answered, covered, about)
        if self.output is None:
            assert not isinstance(content, Mapping)
            click.echo(content, nl=False)
        elif isinstance(content, Mapping):
            write_folder("-o", self.output, content)
        else:
            write_file("-o", self.output, content)

    def _content(
        self, answered: Sequence[AnnotatedPosition], covered: Callable[[], Coverage], about: Mapping[str, Any]
    ) -> str | bytes | Mapping[str, str | bytes]:
        from ..generate import formats, pictures

        match self.form:
            case "cases":
                head = "".join(f"# {line}\n" for line in _remarks(about))
                if self._is_folder:
                    return {name: head + text for name, text in formats.case_files_of(answered).items()}
                text = formats.one_file(answered)
                if formats.too_long(text):
                    say("one file of cases this long is not read again: take -o FOLDER")
                return head + text
            case "bundle":
                return bundle_text(formats.bundle(answered[0].ruleset, answered))
            case "json":
                entries = [formats.entry(one) for one in answered]
                return json_text({**about, "positions": entries, "coverage": covered().as_json()}) + "\n"
            case "svg" | "png" if self._is_folder:
                drawn = pictures.picture_files(answered).items()
                if self.form == "svg":
                    return {f"{name}.svg": picture + "\n" for name, picture in drawn}
                return {f"{name}.png": pictures.as_png(picture) for name, picture in drawn}
            case "svg":
                return pictures.sheet(answered) + "\n"
            case "png":
                self._check_png(len(answered))  # how many there are is not always known before
                return pictures.as_png(pictures.sheet(answered))
            case "html":
                from ..generate.pictures import gallery_page

                return gallery_page(answered, covered(), about)
            case "jsonl":
                return formats.jsonl(answered)
            case "epd":
                return formats.epd(answered)
            case "pdn":
                return formats.pdn(answered)
            case _:
                return formats.fen(answered)


def _worked_out(answered: Sequence[AnnotatedPosition]) -> list[AnnotatedPosition]:
    """Work out which rule values change the answers, showing progress on a terminal.

    Returns all positions, or those finished before an interruption.
    """
    done: list[AnnotatedPosition] = []
    with suppress(KeyboardInterrupt), progress_bar("answers", len(answered)) as tell:
        for one in answered:
            _ = one.others
            done.append(one)
            tell(completed=len(done))
    return done


def _remarks(about: Mapping[str, Any]) -> list[str]:
    """Return the comments at the head of a file of cases."""
    return [about[what]["says"] for what in ("minimal", "all") if what in about]
