"""Runs as JSON lines, resumed; saved reports read."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import damspec
from damspec import DamspecError, Ruleset, data
from damspec.safe_yaml import read_json

from ..cases.case_files import case_entry
from ..cases.cases import Case, cases_for
from ..engines.protocol import Hello
from ..tasks.journal import JsonLinesFile, as_line, digest
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


class Journal:
    """A journal being written. Every line is on its way to the disk when the method that writes it returns.

    A file that is there is gone on with; a last line that was cut off is taken away first. Raises OSError, and
    LockedError where another process is writing it.
    """

    def __init__(self, path: Path) -> None:
        self._lines = JsonLinesFile(path)

    @property
    def content(self) -> bytes:
        """What was in the file when it was opened."""
        return self._lines.content

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def close(self) -> None:
        """End the writing."""
        self._lines.close()

    def resume(self) -> None:
        """Go on with the last run: that it was interrupted is taken away with the next line that is written."""
        size = self.content.rfind(b"\n") + 1
        last = self.content.rfind(b"\n", 0, max(size - 1, 0)) + 1
        self._lines.keep(last if self.content.startswith(b'{"end": "interrupted"', last) else size)

    def restart(self) -> None:
        """Replace all that is there with the next line that is written."""
        self._lines.keep(0)

    def begin(
        self,
        ruleset: Ruleset,
        label: str,
        hello: Hello,
        cases: Sequence[Case],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin a section: an engine on a ruleset, with the cases that were chosen."""
        self._lines.write(_header(ruleset, label, hello, cases, options or {}))

    def add(self, result: Result) -> None:
        """Write a result down. Where a case has several, the last one counts."""
        self._lines.write(result_entry(result))

    def end(self, report: Report) -> None:
        """End a section with what is known at the end of a run."""
        self._lines.write(_footer(report))


def as_jsonl(reports: Sequence[Report]) -> str:
    """Reports as the journal that their runs would have left."""
    lines = []
    for report in reports:
        cases = [result.case for result in report.results]
        lines.append(_header(report.ruleset, report.label, report.hello, cases, report.options))
        lines += [result_entry(result) for result in report.results]
        lines.append(_footer(report))
    return "".join(map(as_line, lines))


def read_journal(text: str, where: str, catalogue: Callable[[Ruleset], Sequence[Case]] = cases_for) -> list[Report]:
    """The reports in a journal; `where` names it in messages, `catalogue` has the cases that there are.

    Cases that have no result were not asked; a section without a footer was interrupted; a last line that was cut off
    is left out. Raises FileError, which names the line, for one that is none of a journal's, and for a ruleset, a
    reading or a position that there is not.
    """
    sections: list[_Section] = []
    for place, entry in _entries(text, where):
        try:
            _take_in(sections, entry, place, catalogue)
        except data.FileError:
            raise
        except damspec.DamspecError as error:
            raise data.FileError(f"{place}: {error}") from None
    if not sections:
        raise data.FileError(f"{where}: found no line, expected a journal's header")
    return [section.report() for section in sections]


@dataclass
class _Section:
    """A section of a journal as far as it is read."""

    header: Mapping[str, Any]
    place: str
    ruleset: Ruleset
    cases: Mapping[str, Case]
    ids: frozenset[str]
    results: dict[str, Result] = field(default_factory=dict)
    footer: Mapping[str, Any] | None = None

    def add(self, entry: Mapping[str, Any], place: str) -> None:
        """Take in a result."""
        if entry["id"] not in self.ids:
            raise data.FileError(f"{place}: id: found {data.quote(entry['id'])}, expected a case that the header names")
        self.results[entry["id"]] = read_result(entry, self.cases, self.ruleset)

    def report(self) -> Report:
        """The section as a report."""
        footer = self.footer or {"end": "interrupted", "seconds": 0.0}
        return Report(
            self.ruleset,
            *read_engine(self.header["engine"]),
            tuple(self.results.get(id) or self._not_asked(id) for id in self.header["cases"]),
            interrupted=footer["end"] == "interrupted",
            options=self.header.get("options", {}),
            **read_ending(footer, self.ruleset),
        )

    def _not_asked(self, id: str) -> Result:
        if id not in self.cases:
            raise data.FileError(f"{self.place}: no case {id!r} in {self.ruleset.id}; is it of another version?")
        return Result(self.cases[id], "not-asked", message=CUT_OFF)


def _take_in(
    sections: list[_Section], entry: Mapping[str, Any], place: str, catalogue: Callable[[Ruleset], Sequence[Case]]
) -> None:
    """Add what a line says to the sections."""
    if "damspec" in entry:
        data.check(entry, "journal", place, definition="header")
        sections.append(_section(entry, place, catalogue))
    elif not sections or sections[-1].footer is not None:
        raise data.FileError(f"{place}: found {data.quote(entry)}, expected a header, with the key 'damspec'")
    elif "end" in entry:
        data.check(entry, "journal", place, definition="footer")
        sections[-1].footer = entry
    else:
        if not _is_passed(entry):
            data.check(entry, "journal", place, definition="result")
        sections[-1].add(entry, place)


def _section(header: Mapping[str, Any], place: str, catalogue: Callable[[Ruleset], Sequence[Case]]) -> _Section:
    ruleset = read_ruleset(header)
    cases = {case.id: case for case in catalogue(ruleset)}
    return _Section(header, place, ruleset, cases, frozenset(header["cases"]))


def _is_passed(entry: Mapping[str, Any]) -> bool:
    """Whether a line is certainly the result of a case that passed, as most are: said without the schema."""
    texts = (entry.get("id"), entry.get("topic"), entry.get("position"))
    clauses = entry.get("clauses")
    return (
        entry.keys() == {"id", "topic", "clauses", "position", "status"}
        and entry["status"] == "passed"
        and type(clauses) is list
        and all(type(text) is str and text != "" for text in (*texts, *clauses))
    )


def is_cut_header(content: bytes) -> bool:
    """Whether a file has nothing but the beginning of a journal's header, or nothing at all."""
    beginning = f'{{"damspec": {json.dumps(damspec.__version__)}, "ruleset": '.encode()
    return b"\n" not in content and content[: len(beginning)] == beginning[: len(content)]


def is_journal(content: bytes) -> bool:
    """Whether a file begins with the header of a journal, or with nothing but a part of it."""
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
    """Whether a journal is of a run that has begun and has not come to its end."""
    return not is_cut_header(content) and not content.splitlines()[-1].startswith(b'{"end": "finished"')


def read_headers(text: str, where: str) -> Iterator[Mapping[str, Any]]:
    """The headers in a journal. Raises FileError for a line that is none of a journal's."""
    for place, entry in _entries(text, where):
        if "damspec" in entry:
            data.check(entry, "journal", place, definition="header")
            yield entry


def digests(ruleset: Ruleset, cases: Sequence[Case]) -> dict[str, str]:
    """What says of rules and cases that they are the same, whatever a version is called."""
    entries = json.dumps([case_entry(case) for case in cases], sort_keys=True)
    return {"rules": digest(ruleset), "cases": hashlib.sha256(entries.encode()).hexdigest()}


def _entries(text: str, where: str) -> Iterator[tuple[str, Any]]:
    """Each line's place and content."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        place = f"{where}:{number}"
        if not line.strip():
            continue
        try:
            entry = read_json(line)
        except ValueError as error:
            if number == len(lines):
                return
            raise data.FileError(f"{place}: not JSON: {error}") from None
        if not isinstance(entry, dict):
            raise data.FileError(f"{place}: found {data.quote(entry)}, expected an object")
        yield place, printable(entry)


def _header(
    ruleset: Ruleset, label: str, hello: Hello, cases: Sequence[Case], options: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "damspec": damspec.__version__,
        **ruleset_entry(ruleset),
        "engine": engine_entry(label, hello),
        "cases": [case.id for case in cases],
        "digests": digests(ruleset, cases),
        **({"options": dict(options)} if options else {}),
    }


def _footer(report: Report) -> dict[str, Any]:
    return {"end": "interrupted" if report.interrupted else "finished", **ending_entry(report)}


#: Bytes of a report that are read; more is refused.
LIMIT = 64 * 1024 * 1024


def load_reports(name: str) -> list[Report]:
    """The reports in a file, or on standard input where the name is `-`.

    Raises FileError, which names the file, for what cannot be read or has another form, and for a ruleset, a reading
    or a position that there is not.
    """
    where = "standard input" if name == "-" else name
    text = _text(_content(name, where), where)
    try:
        return read_journal(text, where) if _is_journal(text) else read_reports(_json(text, where), where)
    except data.FileError:
        raise
    except DamspecError as error:
        raise data.FileError(f"{where}: {error}") from None


def _content(name: str, where: str) -> bytes:
    try:
        if name == "-":
            content = sys.stdin.buffer.read(LIMIT + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(LIMIT + 1)
    except OSError as error:
        raise data.FileError(f"cannot read {where!r}: {error.strerror}") from None
    if len(content) > LIMIT:
        raise data.FileError(f"{where}: longer than the {LIMIT // 2**20} MB that a report may have")
    return content


def _text(content: bytes, where: str) -> str:
    """The text, in whichever Unicode a shell has written it."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise data.FileError(f"{where}: byte {error.start + 1}: not {error.encoding} text: {error.reason}") from None


def _is_journal(text: str) -> bool:
    """Whether the first line is a journal's header. A report is one value, on one line or on many."""
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
