"""Reading of case files, folders and bundles, and writing of case files."""

from __future__ import annotations

import gc
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from damspec import data
from damspec.safe_yaml import read_json

from .case import Case, Expectation, case_of


def read_case_files(paths: Iterable[Path]) -> list[tuple[Case, tuple[str, ...]]]:
    """Read the cases in files and folders, each with the rulesets a bundle says it is for.

    Raises FileError for what cannot be read or is malformed, and for a duplicate id.
    """
    with pause_collection():
        found = [one for path in paths for file in _files(path) for one in _read_file(file)]
        gc.freeze()
    seen: dict[str, Case] = {}
    for case, _ in found:
        other = seen.setdefault(case.id, case)
        if other is not case:
            where = data.path_text(case.file)
            raise data.FileError(f"{where}: {case.id}: the id is used twice, in {data.path_text(other.file)} too")
    return found


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pause garbage collection while many long-lived objects are created."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for pattern in ("*.yaml", "*.yml", "*.json") for file in path.rglob(pattern))
    files = [file for file in files if not _is_record(file.resolve())]
    if not files:
        raise data.FileError(f"{data.path_text(path)}: a folder without a .yaml or .json file, expected cases")
    return files


def _is_record(path: Path) -> bool:
    """Whether a file lies among the cases shipped without being one of theirs."""
    return path.is_relative_to(data.root() / "cases") and (
        path.parent == (data.root() / "cases") or path.is_relative_to((data.root() / "cases") / "generated")
    )


def _read_file(path: Path) -> Iterator[tuple[Case, tuple[str, ...]]]:
    content = _content(path)
    where = data.path_text(path)
    if isinstance(content, list):
        for one in content:
            data.check(one, "cases", where)
            for entry in one["cases"]:
                yield case_of(entry, one, path), ()
        return
    data.check(content, "bundle", where)
    entries = content["cases"]
    entries.reverse()
    while entries:  # there may be many: free each entry once its case is built
        entry = entries.pop()
        if "reading" in entry:  # the case before has it under `otherwise`
            continue
        yield case_of(entry, entry, path), _intern(tuple(entry["rulesets"]))


@lru_cache
def _intern(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return one shared instance of equal tuples, of which there are many."""
    return ids


def _content(path: Path) -> Any:
    """Load a file: a bundle, or a list of the documents of case files."""
    where = data.path_text(path)
    if path.suffix == ".json":
        try:
            content = read_json(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise data.FileError(f"{where}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise data.FileError(f"{where}: not JSON: {error}") from None
        if isinstance(content, dict) and "positions" in content and "cases" not in content:
            raise data.FileError(
                f"{where}: positions, not cases; write them with --format bundle to check engines with"
            )
        return [content] if isinstance(content, dict) and "ruleset" in content else content
    return data.load_yaml_documents(path)


#: The width of long lists and comments, in columns.
_WIDTH = 120
#: Texts that YAML reads as strings without quotes.
_PLAIN = re.compile(
    r"[1-9][0-9]*([-x][0-9]+)+|(?!(?:yes|no|on|off|true|false|null|y|n)$)[a-z][a-z0-9]*([ =.&-]+[A-Za-z0-9]+)*"
)


def case_entry(case: Case) -> dict[str, Any]:
    """Return a case as an entry of a file."""
    entry: dict[str, Any] = {
        "id": case.id,
        "ruleset": case.ruleset,
        "topic": case.topic,
        "why": case.why,
        "clauses": list(case.clauses),
        "readings": list(case.readings),
        "position": case.position,
        "history": list(case.history),
        **answer_entry(case.expected),
        "otherwise": {pair: answer_entry(given) for pair, given in case.otherwise.items()},
        "tags": list(case.tags),
        "generated": case.generated,
        "reached": list(case.reached),
    }
    return {key: value for key, value in entry.items() if value or key in ("clauses", "moves", "lapses")}


def answer_entry(expected: Expectation, position: Callable[[str], str] = str) -> dict[str, Any]:
    """Return an expected answer as a part of an entry, with its positions as `position` writes them."""

    def after(actions: Iterable[tuple[str, str]]) -> dict[str, str]:
        return {action: position(fen) for action, fen in actions}

    if expected.outcome is not None:
        return {"outcome": expected.outcome.as_json()}
    if expected.end is not None:
        return {"game": [after([step]) for step in expected.game], "end": expected.end.as_json()}
    lapses = {} if expected.lapses is None else {"lapses": after(expected.lapses.items())}
    return {"moves": after((expected.moves or {}).items()), **lapses}


# --- as text ----------------------------------------------------------------------------------


def case_file(cases: Sequence[Case], notes: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the text of a file of cases, all of one ruleset; `notes` are comments below a case, by its id.

    The file states its topic if all cases have the same; else each id does.
    """
    topics = {case.topic for case in cases}
    head = [f"ruleset: {text_of(cases[0].ruleset)}", *(f"topic: {topic}" for topic in topics if len(topics) == 1)]
    notes = notes or {}
    return "\n".join([*head, "cases:", "\n".join(_case(case, notes.get(case.id, ())) for case in cases)])


def _case(case: Case, notes: Iterable[str]) -> str:
    entry = {key: value for key, value in case_entry(case).items() if key not in ("ruleset", "topic")}
    first, *rest = [line for key, value in entry.items() for line in _lines(key, value)]
    comments = (line for note in notes for line in wrap_text(note, "# ", "#   "))
    lines = [f"  - {first}", *(f"    {line}" for line in (*rest, *comments))]
    return "".join(f"{line}\n" for line in lines)


def _lines(key: str, value: Any) -> Iterator[str]:
    """Yield the lines of an entry of a case."""
    match key, value:
        case _, str():
            yield f"{text_of(key)}: {text_of(value)}"
        case "outcome" | "end", _:
            yield f"{key}: {{{', '.join(f'{name}: {text_of(word)}' for name, word in value.items())}}}"
        case "game", _:
            yield f"{key}:"
            yield from (f"  - {text_of(action)}: {text_of(fen)}" for step in value for action, fen in step.items())
        case _, {}:
            yield f"{text_of(key)}:" if value else f"{key}: {{}}"
            yield from (f"  {line}" for what, each in value.items() for line in _lines(what, each))
        case _:
            yield from wrap_text(f"{key}: [{', '.join(map(yaml_list_item, value))}]", "", "  ")


def yaml_list_item(text: str) -> str:
    """Return a text as an item of a YAML list in brackets."""
    return json.dumps(text) if set(",[]{}").intersection(text) else text_of(text)


def wrap_text(text: str, first: str, further: str) -> list[str]:
    """Wrap a text to the width it has inside a case."""
    return textwrap.wrap(
        text,
        _WIDTH - 4,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


@lru_cache(4096)
def text_of(text: str) -> str:
    """Return a text as a YAML scalar: positions quoted, others where necessary."""
    if _PLAIN.fullmatch(text):
        return text
    if re.fullmatch("[WB]:[^'\n]*", text):
        return f"'{text}'"
    written: str = yaml.safe_dump(text, allow_unicode=True, width=1 << 20)
    return written.removesuffix("...\n").rstrip("\n")
