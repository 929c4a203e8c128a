"""Runs as JSON lines, resumed; saved reports read."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import damspec
from damspec import DamspecError, Ruleset, data
from damspec.safe_yaml import read_json

from ..cases.answer import Question
from ..cases.case_files import case_entry
from ..cases.cases import Case, cases_for
from ..engines.protocol import Hello, strip_control_characters
from ..tasks.journal import as_line, digest, read_lines
from .report.serialize import (
    engine_entry,
    read_engine,
    read_reports,
    read_result,
    read_ruleset,
    read_run_end,
    result_entry,
    ruleset_entry,
    run_end_entry,
)
from .result import Report, Result, map_texts

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


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Raise errors of damspec as FileErrors that begin with a place; those that are FileErrors have one already."""
    try:
        yield
    except data.FileError:
        raise
    except DamspecError as error:
        raise data.FileError(f"{place}: {error}") from None


def read_journal(content: bytes, where: str) -> list[Report]:
    """Return the reports in a journal; `where` names it in messages.

    Raises FileError, which names the line, for one that is none of a journal's, and for a ruleset, a reading or a
    position that there is not.
    """
    return [section.report() for section in read_sections(content, where)]


@dataclass
class JournalSection:
    """An engine on a ruleset, as a journal has it: its entries, and the place of each in the file."""

    header: Mapping[str, Any]
    place: str
    #: The last result of each case, by its id, and its place; None of one that has none.
    results: dict[str, tuple[str, Mapping[str, Any]] | None]
    #: None if the run was cut off.
    footer: Mapping[str, Any] | None = None

    def report(self, chosen: Sequence[Case] | None = None) -> Report:
        """Return the section as a report; without cases that were `chosen` they are the ruleset's. Raises FileError.

        A case without a result was not asked; a section without a footer was interrupted.
        """
        with errors_at(self.place):
            ruleset = read_ruleset(self.header)
            label, hello = read_engine(self.header["engine"])
            cases = {case.id: case for case in (cases_for(ruleset) if chosen is None else chosen)}
        results = []
        for id, found in self.results.items():
            place, entry = found or (self.place, None)
            with errors_at(place):
                if entry is not None:
                    results.append(read_result(entry, cases, ruleset, hello))
                elif id in cases:
                    results.append(Result(Question(cases[id], ruleset), "not-asked", message=CUT_OFF))
                else:
                    raise DamspecError(f"no case {id!r} in {ruleset.id}; is it of another version?")
        footer = self.footer or {"end": "interrupted", "seconds": 0.0}
        return Report(
            ruleset,
            label,
            hello,
            tuple(results),
            interrupted=footer["end"] == "interrupted",
            options=self.header.get("options", {}),
            **read_run_end(footer, ruleset, results, hello),
        )


def read_sections(content: bytes, where: str) -> list[JournalSection]:
    """Return the sections of a journal. Raises FileError, which names the line, for one that is none of a journal's.

    A last line that was cut off is left out.
    """
    sections: list[JournalSection] = []
    for place, line in read_lines(content, where):
        entry = map_texts(strip_control_characters, line)
        kind = "header" if "damspec" in entry else "footer" if "end" in entry else "result"
        if kind != "header" and (not sections or sections[-1].footer is not None):
            raise data.FileError(f"{place}: found {data.quote(entry)}, expected a header, with the key 'damspec'")
        data.check(entry, "journal", place, definition=kind)
        if kind == "header":
            sections.append(JournalSection(entry, place, dict.fromkeys(entry["cases"])))
        elif kind == "footer":
            sections[-1].footer = entry
        elif entry["id"] in sections[-1].results:
            sections[-1].results[entry["id"]] = place, entry
        else:
            found = data.quote(entry["id"])
            raise data.FileError(f"{place}: id: found {found}, expected a case that the header names")
    if not sections:
        raise data.FileError(f"{where}: found no line, expected a journal's header")
    return sections


def is_cut_header(content: bytes) -> bool:
    """Return whether a file has nothing but the beginning of a journal's header, or nothing at all."""
    beginning = f'{{"damspec": {json.dumps(damspec.__version__)}, "ruleset": '.encode()
    return b"\n" not in content and content[: len(beginning)] == beginning[: len(content)]


def is_journal(content: bytes) -> bool:
    """Return whether a file begins with the header of a journal, or has only a part of one."""
    is_complete = b"\n" in content and data.schema_problem(_first_entry(content), "journal", "header") is None
    return is_complete or is_cut_header(content)


def _first_entry(content: bytes) -> Any:
    """Return the value on the first line, None if there is none."""
    with suppress(ValueError):
        return read_json(content.lstrip().partition(b"\n")[0].decode())


def is_unfinished(content: bytes) -> bool:
    """Return whether the run of a journal has begun and not finished."""
    return not is_cut_header(content) and not content.splitlines()[-1].startswith(b'{"end": "finished"')


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
    return {"end": "interrupted" if report.interrupted else "finished", **run_end_entry(report)}


#: The largest report, or file of positions, that is read, in bytes.
LIMIT = 64 * 1024 * 1024


def load_reports(name: str) -> list[Report]:
    """Return the reports in a file, or on standard input if the name is `-`.

    Raises FileError, which names the file, for what cannot be read or has another form, and for a ruleset, a reading
    or a position that there is not.
    """
    where = "standard input" if name == "-" else name
    content = _text(read_content(name, "a report"), where).encode()
    first = _first_entry(content)
    with errors_at(where):
        # A report is one value, on one line or on many.
        if isinstance(first, dict) and "damspec" in first and "reports" not in first:
            return read_journal(content, where)
        return read_reports(_json(content.decode(), where), where)


def read_content(name: str, what: str) -> bytes:
    """Return the content of a file, or standard input if the name is `-`. Raises FileError; `what` says what it has."""
    where = "standard input" if name == "-" else name
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            content = file.read(LIMIT + 1)
    except OSError as error:
        raise data.FileError(f"cannot read {where!r}: {error.strerror}") from None
    if len(content) > LIMIT:
        raise data.FileError(f"{where}: longer than the {LIMIT // 2**20} MB that {what} may have")
    return content


def _text(content: bytes, where: str) -> str:
    """Decode text in whichever Unicode encoding a shell has written it. Raises FileError."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise data.FileError(f"{where}: byte {error.start + 1}: not {error.encoding} text: {error.reason}") from None


def _json(text: str, where: str) -> Any:
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        raise data.FileError(f"{where}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except ValueError as error:  # what `read_json` refuses beyond what is no JSON
        raise data.FileError(f"{where}: not JSON: {error}") from None
