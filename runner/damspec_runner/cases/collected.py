"""Files of answers: how a game is played in one place, as somebody told it (schemas/answers.schema.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from damspec import FileError, data
from damspec.errors import quoted

from .enquiries import Enquiries

Saying = Literal["yes", "no", "unknown"]

#: YAML reads some words as truth values, among them Norway's letters.
_SPELLED = {True: "yes", False: "no"}
_NORWAY = "NO"


@dataclass(frozen=True)
class Place:
    """Where a game is played so."""

    name: str
    country: str = ""
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True)
class Collected:
    """The answers in the order they were given, and of where and when they tell, who told them and who wrote them."""

    answers: Mapping[str, Saying]
    notes: Mapping[str, str] = field(default_factory=dict)
    place: Place | None = None
    year: int | str | None = None
    told: str = ""
    by: str = ""

    def written(self) -> str:
        """The text of the file."""
        lines = ["damspec: 1"]
        if self.place:
            given = {name: value for name, value in vars(self.place).items() if value not in ("", None)}
            lines.append(f"place: {{{', '.join(f'{name}: {_scalar(value)}' for name, value in given.items())}}}")
        for name in ("year", "told", "by"):
            if value := getattr(self, name):
                lines.append(f"{name}: {_scalar(value)}")
        lines += _mapping("answers", self.answers)
        lines += _mapping("notes", {id: _scalar(note) for id, note in self.notes.items()}) if self.notes else []
        return "".join(f"{line}\n" for line in lines)


def load(path: Path, enquiries: Enquiries) -> Collected:
    """The answers of a file. Raises FileError, which names the file, the place in it, what was found and expected."""
    return read(data.load_yaml(path), data.shown(path), enquiries)


def read(content: Any, where: str, enquiries: Enquiries) -> Collected:
    """The answers of a file's content; `where` names it. Raises FileError."""
    content = _spelled(content)
    data.check(content, "answers", where)
    for part in ("answers", "notes"):
        for id in content.get(part, ()):
            if id not in enquiries.by_id:
                raise FileError(f"{where}: {part}: no question {quoted(id)}{data.nearest(id, list(enquiries.by_id))}")
    place = Place(**content["place"]) if "place" in content else None
    given = {name: value for name, value in content.items() if name not in ("damspec", "place")}
    return Collected(place=place, **given)


def _spelled(content: Any) -> Any:
    """The content with the words that YAML reads as truth values."""
    if not isinstance(content, dict):
        return content
    found = dict(content)
    if isinstance(answers := found.get("answers"), dict):
        found["answers"] = {id: _SPELLED[said] if isinstance(said, bool) else said for id, said in answers.items()}
    if isinstance(place := found.get("place"), dict) and place.get("country") is False:
        found["place"] = {**place, "country": _NORWAY}
    return found


def _mapping(name: str, entries: Mapping[str, str]) -> list[str]:
    return [f"{name}:", *(f"  {id}: {text}" for id, text in entries.items())] if entries else [f"{name}: {{}}"]


def _scalar(value: Any) -> str:
    """A number or a text as YAML and as JSON."""
    return json.dumps(value, ensure_ascii=False)
