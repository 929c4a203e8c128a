"""Questions about a game that people play, and files of their answers."""

from __future__ import annotations

import json
import re
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

#: What a statement about rules says: that all rules of a topic are as in a game, or the rest of them; that a rule and
#: those told in the same sentence are, or have certain values; that a rule's value has a part, or begins or ends with
#: it; that all that is known is so.
Kind = Literal["all-as", "rest-as", "as", "is", "has", "begins", "ends", "recap"]
#: The kinds that name a game, and those that name a value.
GAME_KINDS: tuple[Kind, ...] = ("all-as", "rest-as", "as")
VALUE_KINDS: tuple[Kind, ...] = ("is", "has", "begins", "ends")
#: The id of the statement that is everything together.
RECAP = "recap"

#: What the id of a statement begins with that is put once more, each time.
AGAIN = "again-"
_STATEMENT = re.compile(rf"(?:{AGAIN})*(.+?)-({'|'.join((*GAME_KINDS, *VALUE_KINDS))})-(.+)")

#: Yes, no, or not applicable to the game.
Letter = Literal["y", "n", "-"]


@dataclass(frozen=True)
class Setting:
    """A board for questions, which are asked of the games that have the rule values of `where`."""

    where: Mapping[str, tuple[Any, ...]]
    set: Mapping[str, Any]
    without: tuple[str, ...]

    def place(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a game's rule values on this board; None for a game to which the questions do not apply."""
        for rule, wanted in self.where.items():
            if rule not in values or (wanted and values[rule] not in wanted):
                return None
        kept = {rule: value for rule, value in values.items() if not self._leaves_out(rule)}
        return {**kept, **self.set}

    def _leaves_out(self, rule: str) -> bool:
        return rule in self.without or rule.partition(".")[0] in self.without


@dataclass(frozen=True)
class PersonQuestion:
    """A yes-or-no question, the rule it is about, and how rules answer it (schemas/questions.schema.json)."""

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
    sure: bool = False
    ease: float = 1

    @property
    def subject(self) -> str:
        """What it is about, so that who does not know one thing about it may not know another: `draws`, `man`."""
        return self.rule.partition(".")[0]


@dataclass(frozen=True)
class Belief:
    """The numbers by which questions are chosen and answers weighed (schemas/questions.schema.json)."""

    ruleset: float
    reading: float
    same: float
    wrong: float
    sure: float
    certain: float
    settled: float
    unknown: float
    applies: float
    slight: float
    doubt: float
    likely: float
    common: float
    twice: int
    others: int
    spare: int
    plain: int
    most: int
    always: str

    def slip(self, question: PersonQuestion) -> float:
        """Return the probability that an answer to a question is a slip."""
        return self.sure if question.sure else self.wrong


def slug(text: Any) -> str:
    """Return a text as a part of an id.

    >>> slug("vl?king-counts=two")
    'vl-king-counts-two'
    """
    return re.sub("[^a-z0-9]+", "-", str(text).lower()).strip("-")


@dataclass(frozen=True, eq=False)
class Questionnaire:
    """The questions in order, and the answers of the rulesets and their readings to all of them.

    `topics` are what is asked in words: by topic the rules that go together in a sentence.
    """

    belief: Belief
    topics: Mapping[str, tuple[tuple[str, ...], ...]]
    settings: Mapping[str, Setting]
    questions: tuple[PersonQuestion, ...]
    answers: Mapping[str, str]

    @cached_property
    def by_id(self) -> Mapping[str, PersonQuestion]:
        """The questions by id."""
        return {one.id: one for one in self.questions}

    def is_in_words(self, question: PersonQuestion) -> bool:
        """Return whether topics ask it in a game's own words: it says several rules at once, or counts to a draw."""
        return bool(question.also) or self.topic_of.get(question.rule) == self.belief.always

    @cached_property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """The rules that go together in a sentence, of all topics."""
        return tuple(unit for units in self.topics.values() for unit in units)

    @cached_property
    def topic_of(self) -> Mapping[str, str]:
        """The topic of each rule that is asked about in words."""
        return {rule: topic for topic, units in self.topics.items() for unit in units for rule in unit}

    @cached_property
    def _heads(self) -> Mapping[str, str]:
        return {slug(name): name for name in (*self.topics, *self.topic_of)}

    @cached_property
    def _games(self) -> Mapping[str, str]:
        return {slug(id): id for id in self.answers}

    def split_statement(self, id: str) -> tuple[str, Kind, str] | None:
        """Return the topic or rule, the kind, and the game or token of a statement's id; None if it is none."""
        if id == RECAP:
            return "", "recap", ""
        if (found := _STATEMENT.fullmatch(id)) is None:
            return None
        head, kind, last = self._heads.get(found[1], ""), found[2], found[3]
        of_game = kind.endswith("-as") or kind == "as"
        last = self._games.get(last, "") if of_game else last
        is_whole = kind.endswith("-as")
        return (head, kind, last) if head and last and is_whole == (head in self.topics) else None  # type: ignore[return-value]

    def board(self, enquiry: PersonQuestion) -> Position | None:
        """Return the position of a question, if it has one."""
        if not enquiry.position:
            return None
        return Position.from_fen(enquiry.position, board_of(self.settings[enquiry.setting].set))


def questionnaire_path() -> Path:
    """Return the file of the questions."""
    return data.root() / "cases" / "generated" / "questions.yaml"


@cache
def load_questionnaire() -> Questionnaire:
    """Load the shipped questions. Raises FileError."""
    content = data.load_yaml(questionnaire_path())
    data.check(content, "questions", data.path_text(questionnaire_path()))
    _check(content)
    return read_questionnaire(content)


def read_questionnaire(content: Mapping[str, Any]) -> Questionnaire:
    """Build a questionnaire from validated content."""
    given = freeze(content)
    questions = tuple(PersonQuestion(**each) for each in given["questions"])
    return Questionnaire(
        Belief(**given["belief"]),
        {topic: tuple(tuple(unit.split()) for unit in units) for topic, units in given["topics"].items()},
        {name: Setting(**each) for name, each in given["settings"].items()},
        questions,
        MappingProxyType(_complete_answers(given["answers"], [each.id for each in questions])),
    )


def _check(content: Mapping[str, Any]) -> None:
    """Raise FileError for mistakes that the schema does not catch."""
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


def _complete_answers(answers: Mapping[str, Any], ids: list[str]) -> dict[str, str]:
    """Return each game's answers to all questions; those of a reading are completed from its ruleset."""
    found: dict[str, str] = {}
    for game, given in answers.items():
        if isinstance(given, str):
            found[game] = given
        else:
            words = zip(ids, found[game.partition("?")[0]], strict=True)
            found[game] = "".join(given.get(id, word) for id, word in words)
    return found


Saying = Literal["yes", "no", "unknown"]

#: Words that YAML reads as truth values, among them Norway's country code.
_BOOLEAN_WORDS = {True: "yes", False: "no"}
_NORWAY = "NO"


@dataclass(frozen=True)
class Place:
    """A place where a game is played this way."""

    name: str
    country: str = ""
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True)
class AnswersFile:
    """Answers in the order given, the place and time they are about, who told them and who recorded them."""

    answers: Mapping[str, Saying]
    notes: Mapping[str, str] = field(default_factory=dict)
    place: Place | None = None
    year: int | str | None = None
    told: str = ""
    by: str = ""

    def to_yaml(self) -> str:
        """Return the text of the file."""
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
    """Load a file of answers. Raises FileError."""
    return read_answers_file(data.load_yaml(path), data.path_text(path), enquiries)


def read_answers_file(content: Any, where: str, enquiries: Questionnaire) -> AnswersFile:
    """Build the answers from a file's content; `where` names it in errors. Raises FileError."""
    content = _undo_booleans(content)
    data.check(content, "answers", where)
    for part in ("answers", "notes"):
        for id in content.get(part, ()):
            if id not in enquiries.by_id and not enquiries.split_statement(id):
                raise FileError(
                    f"{where}: {part}: no question {quote_value(id)}{data.nearest(id, list(enquiries.by_id))}"
                )
    place = Place(**content["place"]) if "place" in content else None
    given = {name: value for name, value in content.items() if name not in ("damspec", "place")}
    return AnswersFile(place=place, **given)


def _undo_booleans(content: Any) -> Any:
    """Return the content with YAML's truth values turned back into the words they were written as."""
    if not isinstance(content, dict):
        return content
    found = dict(content)
    if isinstance(answers := found.get("answers"), dict):
        found["answers"] = {
            id: _BOOLEAN_WORDS[said] if isinstance(said, bool) else said for id, said in answers.items()
        }
    if isinstance(place := found.get("place"), dict) and place.get("country") is False:
        found["place"] = {**place, "country": _NORWAY}
    return found


def _mapping(name: str, entries: Mapping[str, str]) -> list[str]:
    return [f"{name}:", *(f"  {id}: {text}" for id, text in entries.items())] if entries else [f"{name}: {{}}"]


def _scalar(value: Any) -> str:
    """Return a number or a text as a scalar that is valid YAML and JSON."""
    return json.dumps(value, ensure_ascii=False)
