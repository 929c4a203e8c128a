"""The questions put to people who know a game, and what each known game answers (cases/questions.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from damspec import FileError, Position, data
from damspec.board import board_of
from damspec.frozen import FrozenDict, frozen
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
class Enquiry:
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
class Enquiries:
    """The file: the questions in their order, and what the rulesets and their readings answer to all of them."""

    belief: Belief
    settings: Mapping[str, Setting]
    questions: tuple[Enquiry, ...]
    answers: Mapping[str, str]

    @cached_property
    def by_id(self) -> Mapping[str, Enquiry]:
        """The questions by their ids."""
        return {one.id: one for one in self.questions}

    def board(self, enquiry: Enquiry) -> Position | None:
        """The position of a question; None where it has none."""
        if not enquiry.position:
            return None
        return Position.from_fen(enquiry.position, board_of(self.settings[enquiry.setting].set))


def path() -> Path:
    """The file of the questions."""
    return data.root() / "cases" / "questions.yaml"


@cache
def enquiries() -> Enquiries:
    """The questions that damspec has. Raises FileError."""
    content = data.load_yaml(path())
    data.check(content, "questions", data.shown(path()))
    _check(content)
    return read(content)


def read(content: Mapping[str, Any]) -> Enquiries:
    """The questions of a file's content, whose form has been checked."""
    given = frozen(content)
    questions = tuple(Enquiry(**each) for each in given["questions"])
    return Enquiries(
        Belief(**given["belief"]),
        {name: Setting(**each) for name, each in given["settings"].items()},
        questions,
        MappingProxyType(_whole(given["answers"], [each.id for each in questions])),
    )


def _check(content: Mapping[str, Any]) -> None:
    """Raise FileError for what the form of the file does not show."""
    where, questions = data.shown(path()), content["questions"]
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
