"""Cases written down: as bundles, and as files like those in `cases/`, where each answer has a line of its own.

Such a file is put together here and not by a YAML library, which takes a minute for a thousand cases.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from damspec import Ruleset
from damspec.version import __version__

from .case import Case, Expectation

#: Columns that a list of many words, or a comment, may have.
_WIDTH = 120
#: What YAML can read as nothing but text.
_PLAIN = re.compile(
    r"[1-9][0-9]*([-x][0-9]+)+|(?!(?:yes|no|on|off|true|false|null|y|n)$)[a-z][a-z0-9]*([ =.&-]+[A-Za-z0-9]+)*"
)


def bundled(rulesets: Iterable[Ruleset], cases: Iterable[tuple[Case, Iterable[str]]]) -> dict[str, Any]:
    """A bundle (schemas/bundle.schema.json): the values of all rules, and the cases, each with those it is for."""
    return {
        "damspec": 1,
        "version": __version__,
        "rulesets": {ruleset.base: ruleset.whole for ruleset in rulesets},
        "cases": [case_entry(case) | {"rulesets": list(ids)} for case, ids in cases],
    }


def case_entry(case: Case) -> dict[str, Any]:
    """A case as a bundle has it, but for the rulesets it is for."""
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
    """The text of a file of cases, all of one ruleset; `notes` are comments below a case, by its id.

    The file names its topic if all are of one; else each id does.
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
    """An entry of a case."""
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
    """A text as YAML has it in a list in brackets."""
    return json.dumps(text) if set(",[]{}").intersection(text) else text_of(text)


def wrapped(text: str, first: str, further: str) -> list[str]:
    """A text in lines that are not too wide where they stand, in a case."""
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
    """A text as YAML: positions in quotes, others where it has to be."""
    if _PLAIN.fullmatch(text):
        return text
    if re.fullmatch("[WB]:[^'\n]*", text):
        return f"'{text}'"
    written: str = yaml.safe_dump(text, allow_unicode=True, width=1 << 20)
    return written.removesuffix("...\n").rstrip("\n")
