"""Questions to people about their game, and files of their answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from damspec import FileError, Position, data
from damspec.board import board_of
from damspec.data import FrozenDict, freeze
from damspec.errors import quote_value
from damspec.rules import rule_names

#: Yes, no, or none: the game has nothing to say to the question.
Letter = Literal["y", "n", "-"]


@dataclass(frozen=True)
class Setting:
    """What questions are asked on: the rules of a game that has those of `where` are put on this board."""

    where: Mapping[str, tuple[Any, ...]]
    set: Mapping[str, Any]
    without: tuple[str, ...]

    def placed(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """A game's rule values on this board; None for a game of which the questions are not asked."""
        for rule, wanted in self.where.items():
            if rule not in values or (wanted and values[rule] not in wanted):
                return None
        kept = {rule: value for rule, value in values.items() if not self._leaves_out(rule)}
        return {**kept, **self.set}

    def _leaves_out(self, rule: str) -> bool:
        return rule in self.without or rule.partition(".")[0] in self.without


@dataclass(frozen=True)
class PersonQuestion:
    """A question for yes or no, the rule it is about, and how rules answer it (schemas/questions.schema.json)."""

    id: str
    rule: str
    kind: Literal["legal", "crowned", "outcome", "value"]
    asks: str
    setting: str = ""
    position: str = ""
    move: str = ""
    result: str = ""
    values: tuple[Any, ...] | None = None
    key: str = ""
    also: Mapping[str, tuple[Any, ...]] = field(default_factory=FrozenDict)
    absent: Letter = "-"
    ease: float = 1


@dataclass(frozen=True)
class Belief:
    """How much is believed before anything is answered, what an answer is worth, and how many are enough."""

    ruleset: float
    reading: float
    change: float
    wrong: float
    enough: float
    most: int


@dataclass(frozen=True)
class Questionnaire:
    """The file: the questions in their order, and what the rulesets and their readings answer to all of them."""

    belief: Belief
    settings: Mapping[str, Setting]
    questions: tuple[PersonQuestion, ...]
    answers: Mapping[str, str]

    @cached_property
    def by_id(self) -> Mapping[str, PersonQuestion]:
        """The questions by their ids."""
        return {one.id: one for one in self.questions}

    def board(self, enquiry: PersonQuestion) -> Position | None:
        """The position of a question; None where it has none."""
        if not enquiry.position:
            return None
        return Position.from_fen(enquiry.position, board_of(self.settings[enquiry.setting].set))


def questionnaire_path() -> Path:
    """The file of the questions."""
    return data.root() / "cases" / "questions.yaml"


@cache
def load_questionnaire() -> Questionnaire:
    """The questions that damspec has. Raises FileError."""
    content = data.load_yaml(questionnaire_path())
    data.check(content, "questions", data.path_text(questionnaire_path()))
    _check(content)
    return read_questionnaire(content)


def read_questionnaire(content: Mapping[str, Any]) -> Questionnaire:
    """The questions of a file's content, whose form has been checked."""
    given = freeze(content)
    questions = tuple(PersonQuestion(**each) for each in given["questions"])
    return Questionnaire(
        Belief(**given["belief"]),
        {name: Setting(**each) for name, each in given["settings"].items()},
        questions,
        MappingProxyType(_whole(given["answers"], [each.id for each in questions])),
    )


def _check(content: Mapping[str, Any]) -> None:
    """Raise FileError for what the form of the file does not show."""
    where, questions = data.path_text(questionnaire_path()), content["questions"]
    seen: set[str] = set()
    for each in questions:
        if each["id"] in seen:
            raise FileError(f"{where}: found the question {each['id']!r} twice, expected each once")
        seen.add(each["id"])
        if "setting" in each and each["setting"] not in content["settings"]:
            raise FileError(f"{where}: {each['id']}: no setting {each['setting']!r}")
        if each["rule"] not in rule_names():
            raise FileError(
                f"{where}: {each['id']}: no rule {each['rule']!r}{data.nearest(each['rule'], rule_names())}"
            )
    for game, given in content["answers"].items():
        if isinstance(given, str) and len(given) != len(questions):
            raise FileError(f"{where}: answers.{game}: {len(given)} answers, expected {len(questions)}")


def _whole(answers: Mapping[str, Any], ids: list[str]) -> dict[str, str]:
    """Each game's answers to all questions; a reading's are those of its ruleset but for some."""
    found: dict[str, str] = {}
    for game, given in answers.items():
        if isinstance(given, str):
            found[game] = given
        else:
            words = zip(ids, found[game.partition("?")[0]], strict=True)
            found[game] = "".join(given.get(id, word) for id, word in words)
    return found


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
class AnswersFile:
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


def load_answers_file(path: Path, enquiries: Questionnaire) -> AnswersFile:
    """The answers of a file. Raises FileError, which names the file, the place in it, what was found and expected."""
    return read_answers_file(data.load_yaml(path), data.path_text(path), enquiries)


def read_answers_file(content: Any, where: str, enquiries: Questionnaire) -> AnswersFile:
    """The answers of a file's content; `where` names it. Raises FileError."""
    content = _spelled(content)
    data.check(content, "answers", where)
    for part in ("answers", "notes"):
        for id in content.get(part, ()):
            if id not in enquiries.by_id:
                raise FileError(
                    f"{where}: {part}: no question {quote_value(id)}{data.nearest(id, list(enquiries.by_id))}"
                )
    place = Place(**content["place"]) if "place" in content else None
    given = {name: value for name, value in content.items() if name not in ("damspec", "place")}
    return AnswersFile(place=place, **given)


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
