"""Reading and writing of case files, folders and bundles."""

from __future__ import annotations

import gc
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from damspec import Ruleset, data
from damspec.version import __version__

from .case import TOPICS, Case, Expectation, case_of

_RESULTS = ("ongoing", "white", "black", "draw")
_ID = re.compile(r"[a-z0-9-]+(\+[a-z0-9-]+)*\.[a-z0-9-]+\.[a-z0-9-]+")
_ANSWERS = frozenset({"moves", "lapses", "outcome", "game", "end"})
_CASE = (
    frozenset({"id", "why", "clauses", "position", "history", "readings", "otherwise", "tags", "generated", "reached"})
    | _ANSWERS
)
_IN_BUNDLE = frozenset({"ruleset", "topic", "rulesets"})


def read_case_files(paths: Iterable[Path]) -> list[tuple[Case, tuple[str, ...]]]:
    """Read the cases in files and folders, each with the rulesets a bundle says it is for.

    Raises FileError for what cannot be read or is malformed, and for a duplicate id.
    """
    with _without_gc():
        found = [one for path in paths for file in _files(path) for one in _read(file)]
    seen: dict[str, Case] = {}
    for case, _ in found:
        other = seen.setdefault(case.id, case)
        if other is not case:
            where = data.path_text(case.file)
            raise data.FileError(f"{where}: {case.id}: the id is used twice, in {data.path_text(other.file)} too")
    return found


@contextmanager
def _without_gc() -> Iterator[None]:
    """Pause garbage collection while many long-lived objects are created."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if before:
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


def _read(path: Path) -> Iterator[tuple[Case, tuple[str, ...]]]:
    content = _content(path)
    where = data.path_text(path)
    if isinstance(content, list):
        for one in content:
            if not _is_file(one):
                data.check(one, "cases", where)
            for entry in one["cases"]:
                yield case_of(entry, one, path), ()
        return
    if not _is_bundle(content):
        data.check(content, "bundle", where)
    entries = content["cases"]
    entries.reverse()
    while entries:  # there may be many: free each entry once its case is built
        entry = entries.pop()
        yield case_of(entry, entry, path), _interned(tuple(entry["rulesets"]))


@lru_cache
def _interned(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return one shared instance of equal tuples, of which there are many."""
    return ids


def _content(path: Path) -> Any:
    """Load a file: a bundle, or a list of the documents of case files."""
    where = data.path_text(path)
    if path.suffix == ".json":
        try:
            content = json.loads(path.read_bytes())
        except OSError as error:
            raise data.FileError(f"{where}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise data.FileError(f"{where}: not JSON: {error}") from None
        if isinstance(content, dict) and "positions" in content and "cases" not in content:
            raise data.FileError(
                f"{where}: positions, not cases; write them with --format bundle to check engines with"
            )
        return [content] if isinstance(content, dict) and "ruleset" in content else content
    return data.load_yaml_documents(path)


def _is_bundle(content: Any) -> bool:
    """Return whether the content is certainly a valid bundle; a fast check before the JSON schema."""
    return (
        type(content) is dict
        and content.keys() == {"damspec", "version", "rulesets", "cases"}
        and content["damspec"] == 1
        and type(content["version"]) is str
        and content["version"] != ""
        and type(content["rulesets"]) is dict
        and all(type(values) is dict for values in content["rulesets"].values())
        and type(content["cases"]) is list
        and all(
            type(entry) is dict
            and _is_text(entry.get("ruleset"))
            and entry.get("topic") in TOPICS
            and type(entry.get("rulesets")) is list
            and len(entry["rulesets"]) > 0
            and all(type(id) is str for id in entry["rulesets"])
            and _is_case(entry, _IN_BUNDLE)
            for entry in content["cases"]
        )
    )


def _is_file(content: Any) -> bool:
    """Return whether the content is certainly a valid case file; a fast check before the JSON schema."""
    return (
        type(content) is dict
        and {"ruleset", "cases"} <= content.keys() <= {"ruleset", "topic", "cases"}
        and _is_text(content["ruleset"])
        and content.get("topic", TOPICS[0]) in TOPICS
        and type(content["cases"]) is list
        and len(content["cases"]) > 0
        and all(type(entry) is dict and _is_case(entry) for entry in content["cases"])
    )


def _is_case(entry: Mapping[str, Any], more: frozenset[str] = frozenset()) -> bool:
    why, id, otherwise = entry.get("why"), entry.get("id"), entry.get("otherwise")
    return (
        entry.keys() <= _CASE | more
        and type(id) is str
        and _ID.fullmatch(id) is not None
        and type(why) is str
        and 10 <= len(why) <= 160
        and _are_texts(entry.get("clauses"))
        and _is_text(entry.get("position"))
        and ("readings" not in entry or _are_texts(entry["readings"]))
        and ("tags" not in entry or entry["tags"] == [] or _are_texts(entry["tags"]))
        and ("generated" not in entry or _is_text(entry["generated"]))
        and ("reached" not in entry or _are_actions(entry["reached"]))
        and ("history" not in entry or ("outcome" in entry and _are_actions(entry["history"])))
        and _is_answer(entry)
        and (
            "otherwise" not in entry
            or (
                type(otherwise) is dict
                and len(otherwise) > 0
                and all(type(a) is dict and a.keys() <= _ANSWERS and _is_answer(a) for a in otherwise.values())
            )
        )
    )


def _is_answer(entry: Mapping[str, Any]) -> bool:
    """Return whether exactly one of moves, outcome and game is given, and is valid."""
    if "moves" in entry:
        alone = not ("outcome" in entry or "game" in entry or "end" in entry)
        return alone and _are_moves(entry["moves"]) and ("lapses" not in entry or _are_moves(entry["lapses"]))
    if "lapses" in entry:
        return False
    if "outcome" in entry:
        return not ("game" in entry or "end" in entry) and _is_end(entry["outcome"])
    game = entry.get("game")
    played = type(game) is list and len(game) > 0 and all(_are_moves(step) and len(step) == 1 for step in game)
    return played and _is_end(entry.get("end"))


def _is_end(found: Any) -> bool:
    return (
        type(found) is dict
        and found.keys() <= {"result", "reason"}
        and found.get("result") in _RESULTS
        and ("reason" not in found or _is_text(found["reason"]))
    )


def _are_moves(found: Any) -> bool:
    return type(found) is dict and all(map(_is_text, found.values()))


def _are_texts(found: Any) -> bool:
    return type(found) is list and len(found) > 0 and all(map(_is_text, found)) and len(set(found)) == len(found)


def _are_actions(found: Any) -> bool:
    return type(found) is list and len(found) > 0 and all(map(_is_text, found))


def _is_text(found: Any) -> bool:
    return type(found) is str and found != ""


#: The width of long lists and comments, in columns.
_WIDTH = 120
#: Texts that YAML reads as strings without quotes.
_PLAIN = re.compile(
    r"[1-9][0-9]*([-x][0-9]+)+|(?!(?:yes|no|on|off|true|false|null|y|n)$)[a-z][a-z0-9]*([ =.&-]+[A-Za-z0-9]+)*"
)


def make_bundle(rulesets: Iterable[Ruleset], cases: Iterable[tuple[Case, Iterable[str]]]) -> dict[str, Any]:
    """Build a bundle (schemas/bundle.schema.json): the values of all rules, and the cases with their rulesets."""
    return {
        "damspec": 1,
        "version": __version__,
        "rulesets": {ruleset.base: ruleset.whole for ruleset in rulesets},
        "cases": [case_entry(case) | {"rulesets": list(ids)} for case, ids in cases],
    }


def case_entry(case: Case) -> dict[str, Any]:
    """Return a case as an entry of a bundle, without the rulesets it is for."""
    entry: dict[str, Any] = {
        "id": case.id,
        "ruleset": case.ruleset,
        "topic": case.topic,
        "why": case.why,
        "clauses": list(case.clauses),
        "readings": list(case.readings),
        "position": case.position,
        "history": list(case.history),
        **_expected_entry(case.expected),
        "otherwise": {pair: _expected_entry(given) for pair, given in case.otherwise.items()},
        "tags": list(case.tags),
        "generated": case.generated,
        "reached": list(case.reached),
    }
    return {key: value for key, value in entry.items() if value or key in ("clauses", "moves", "lapses")}


def _expected_entry(expected: Expectation) -> dict[str, Any]:
    if expected.outcome is not None:
        return {"outcome": expected.outcome.as_json()}
    if expected.end is not None:
        return {"game": [{action: after} for action, after in expected.game], "end": expected.end.as_json()}
    lapses = {} if expected.lapses is None else {"lapses": dict(expected.lapses)}
    return {"moves": dict(expected.moves or {}), **lapses}


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
    comments = (line for note in notes for line in wrapped(note, "# ", "#   "))
    lines = [f"  - {first}", *(f"    {line}" for line in (*rest, *comments))]
    return "".join(f"{line}\n" for line in lines)


def _lines(key: str, value: Any) -> Iterator[str]:
    """Yield the lines of an entry of a case."""
    match key, value:
        case "position" | "why" | "id" | "generated", _:
            yield f"{key}: {text_of(value)}"
        case "outcome" | "end", _:
            yield f"{key}: {{{', '.join(f'{name}: {text_of(word)}' for name, word in value.items())}}}"
        case "game", _:
            yield f"{key}:"
            yield from (f"  - {text_of(action)}: {text_of(fen)}" for step in value for action, fen in step.items())
        case "moves" | "lapses", {}:
            yield f"{key}:" if value else f"{key}: {{}}"
            yield from (f"  {text_of(action)}: {text_of(fen)}" for action, fen in value.items())
        case "otherwise", _:
            yield f"{key}:"
            for query, answer in value.items():
                yield f"  {text_of(query)}:"
                yield from (f"    {line}" for what, each in answer.items() for line in _lines(what, each))
        case _:
            yield from wrapped(f"{key}: [{', '.join(map(listed, value))}]", "", "  ")


def listed(text: str) -> str:
    """Return a text as an item of a YAML list in brackets."""
    return json.dumps(text) if set(",[]{}").intersection(text) else text_of(text)


def wrapped(text: str, first: str, further: str) -> list[str]:
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
