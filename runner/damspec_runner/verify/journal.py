"""Runs as JSON lines, resumed; saved reports read."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import damspec
from damspec import DamspecError, Ruleset, data
from damspec.safe_yaml import read_json

from ..answers.answer import Question
from ..cases.case_files import case_entry
from ..cases.cases import Case, cases_for
from ..engines.protocol import Hello
from ..tasks.journal import as_line, digest, read_lines
from .report.serialize import (
    ending_entry,
    engine_entry,
    printable,
    read_ending,
    read_engine,
    read_reports,
    read_result,
    read_ruleset,
    result_entry,
    ruleset_entry,
)
from .result import Report, Result

CUT_OFF = "the journal ends before it"


def resume_size(complete: bytes) -> int:
    """Return how many bytes of a journal a resumed run keeps: all but the line that says it was interrupted."""
    last = complete.rfind(b"\n", 0, max(len(complete) - 1, 0)) + 1
    return last if complete.startswith(b'{"end": "interrupted"', last) else len(complete)


def as_jsonl(reports: Sequence[Report]) -> str:
    """Return reports as the journal that their runs would have left."""
    lines = []
    for report in reports:
        cases = [result.case for result in report.results]
        lines.append(header_entry(report.ruleset, report.label, report.hello, cases, report.options))
        lines += [result_entry(result) for result in report.results]
        lines.append(footer_entry(report))
    return "".join(map(as_line, lines))


def read_journal(
    content: bytes, where: str, catalogue: Callable[[Ruleset], Sequence[Case]] = cases_for
) -> list[Report]:
    """Return the reports in a journal; `where` names it in messages, `catalogue` has the cases that there are.

    Of several results of a case the last one counts. A case without one was not asked; a section without a footer was
    interrupted; a last line that was cut off is left out. Raises FileError, which names the line, for one that is none
    of a journal's, and for a ruleset, a reading or a position that there is not.
    """
    sections: list[_Section] = []
    for place, entry in read_lines(content, where):
        try:
            _add_line(sections, printable(entry), place, catalogue)
        except data.FileError:
            raise
        except damspec.DamspecError as error:
            raise data.FileError(f"{place}: {error}") from None
    if not sections:
        raise data.FileError(f"{where}: found no line, expected a journal's header")
    return [section.report() for section in sections]


@dataclass
class _Section:
    header: Mapping[str, Any]
    place: str
    ruleset: Ruleset
    cases: Mapping[str, Case]
    ids: frozenset[str]
    results: dict[str, Result] = field(default_factory=dict)
    footer: Mapping[str, Any] | None = None

    @cached_property
    def engine(self) -> tuple[str, Hello]:
        """The engine's label and what it says of itself."""
        return read_engine(self.header["engine"])

    def add(self, entry: Mapping[str, Any], place: str) -> None:
        """Add a result. Raises FileError."""
        if entry["id"] not in self.ids:
            raise data.FileError(f"{place}: id: found {data.quote(entry['id'])}, expected a case that the header names")
        self.results[entry["id"]] = read_result(entry, self.cases, self.ruleset, self.engine[1])

    def report(self) -> Report:
        """Return the section as a report. Raises FileError."""
        footer = self.footer or {"end": "interrupted", "seconds": 0.0}
        return Report(
            self.ruleset,
            *self.engine,
            tuple(self.results.get(id) or self._not_asked(id) for id in self.header["cases"]),
            interrupted=footer["end"] == "interrupted",
            options=self.header.get("options", {}),
            **read_ending(footer, self.ruleset, self.engine[1]),
        )

    def _not_asked(self, id: str) -> Result:
        if id not in self.cases:
            raise data.FileError(f"{self.place}: no case {id!r} in {self.ruleset.id}; is it of another version?")
        return Result(Question(self.cases[id], self.ruleset), "not-asked", message=CUT_OFF)


def _add_line(
    sections: list[_Section], entry: Mapping[str, Any], place: str, catalogue: Callable[[Ruleset], Sequence[Case]]
) -> None:
    if "damspec" in entry:
        data.check(entry, "journal", place, definition="header")
        sections.append(_section(entry, place, catalogue))
    elif not sections or sections[-1].footer is not None:
        raise data.FileError(f"{place}: found {data.quote(entry)}, expected a header, with the key 'damspec'")
    elif "end" in entry:
        data.check(entry, "journal", place, definition="footer")
        sections[-1].footer = entry
    else:
        data.check(entry, "journal", place, definition="result")
        sections[-1].add(entry, place)


def _section(header: Mapping[str, Any], place: str, catalogue: Callable[[Ruleset], Sequence[Case]]) -> _Section:
    ruleset = read_ruleset(header)
    cases = {case.id: case for case in catalogue(ruleset)}
    return _Section(header, place, ruleset, cases, frozenset(header["cases"]))


def is_cut_header(content: bytes) -> bool:
    """Return whether a file has nothing but the beginning of a journal's header, or nothing at all."""
    beginning = f'{{"damspec": {json.dumps(damspec.__version__)}, "ruleset": '.encode()
    return b"\n" not in content and content[: len(beginning)] == beginning[: len(content)]


def is_journal(content: bytes) -> bool:
    """Return whether a file begins with the header of a journal, or has only a part of one."""
    if is_cut_header(content):
        return True
    first, newline, _ = content.partition(b"\n")
    try:
        entry = read_json(first.decode())
    except ValueError:
        return False
    return (
        bool(newline)
        and isinstance(entry, dict)
        and "damspec" in entry
        and data.schema_problem(entry, "journal") is None
    )


def is_unfinished(content: bytes) -> bool:
    """Return whether the run of a journal has begun and not finished."""
    return not is_cut_header(content) and not content.splitlines()[-1].startswith(b'{"end": "finished"')


def read_headers(content: bytes, where: str) -> Iterator[Mapping[str, Any]]:
    """Yield the headers in a journal. Raises FileError for a line that is none of a journal's."""
    for place, entry in read_lines(content, where):
        if "damspec" in entry:
            data.check(entry, "journal", place, definition="header")
            yield printable(entry)


def digests(ruleset: Ruleset, cases: Sequence[Case]) -> dict[str, str]:
    """Return digests that tell whether rules and cases are the same, whatever the version is called."""
    entries = json.dumps([case_entry(case) for case in cases], sort_keys=True)
    return {"rules": digest(ruleset), "cases": hashlib.sha256(entries.encode()).hexdigest()}


def header_entry(
    ruleset: Ruleset, label: str, hello: Hello, cases: Sequence[Case], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the line that begins a section: an engine on a ruleset, with the cases that were chosen."""
    return {
        "damspec": damspec.__version__,
        **ruleset_entry(ruleset),
        "engine": engine_entry(label, hello),
        "cases": [case.id for case in cases],
        "digests": digests(ruleset, cases),
        **({"options": dict(options)} if options else {}),
    }


def footer_entry(report: Report) -> dict[str, Any]:
    """Return the line that ends a section: what is known at the end of a run."""
    return {"end": "interrupted" if report.interrupted else "finished", **ending_entry(report)}


#: The largest report that is read, in bytes.
LIMIT = 64 * 1024 * 1024


def load_reports(name: str, limit: int = LIMIT) -> list[Report]:
    """Return the reports in a file, or on standard input if the name is `-`.

    Raises FileError, which names the file, for what cannot be read or has another form, and for a ruleset, a reading
    or a position that there is not.
    """
    where = "standard input" if name == "-" else name
    text = _text(_content(name, where, limit), where)
    try:
        return read_journal(text.encode(), where) if _is_journal(text) else read_reports(_json(text, where), where)
    except data.FileError:
        raise
    except DamspecError as error:
        raise data.FileError(f"{where}: {error}") from None


def _content(name: str, where: str, limit: int) -> bytes:
    try:
        if name == "-":
            content = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(limit + 1)
    except OSError as error:
        raise data.FileError(f"cannot read {where!r}: {error.strerror}") from None
    if len(content) > limit:
        raise data.FileError(f"{where}: longer than the {limit // 2**20} MB that a report may have")
    return content


def _text(content: bytes, where: str) -> str:
    """Decode text in whichever Unicode encoding a shell has written it. Raises FileError."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise data.FileError(f"{where}: byte {error.start + 1}: not {error.encoding} text: {error.reason}") from None


def _is_journal(text: str) -> bool:
    """Return whether the first line is a journal's header. A report is one value, on one line or on many."""
    first = text.lstrip().partition("\n")[0]
    try:
        entry = read_json(first)
    except ValueError:
        return False
    return isinstance(entry, dict) and "damspec" in entry and "reports" not in entry


def _json(text: str, where: str) -> Any:
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        raise data.FileError(f"{where}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except ValueError as error:  # what `read_json` refuses beyond what is no JSON
        raise data.FileError(f"{where}: not JSON: {error}") from None
