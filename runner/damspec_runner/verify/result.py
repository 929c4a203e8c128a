"""Results of checking an engine: one for each case, and the report of a run.

Every chosen case has one result, and every result one of eight verdicts: the counts of a report always add up to its
cases, however the run ended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, get_args

from damspec import DamspecError, Position, Ruleset

from ..cases.adapt import AboutIt
from ..cases.answer import LISTS, After, Answer, Difference, ListName, Positions, Question, read_key
from ..cases.cases import Case, Expectation
from ..cases.notation import Key
from ..engines.protocol import Hello, Manner, strip_control_characters

#: The verdicts: `passed`; `failed`; `reading`, right under another open reading; `error`, no usable answer;
#: `unsupported`, as the engine says itself; `timeout`; `unstable`, answered differently when asked again, or right when
#: asked alone of a fresh process; `not-asked`.
Status = Literal["passed", "failed", "reading", "error", "unsupported", "timeout", "unstable", "not-asked"]
STATUSES: tuple[Status, ...] = get_args(Status)
#: The verdicts that fail a run; `reading` does so only in a strict run.
FAILING: frozenset[Status] = frozenset({"failed", "error", "timeout", "unstable"})
#: The verdicts of the kinds of error that are more than an error of one case.
VERDICTS: Mapping[str, Status] = {"timeout": "timeout", "gone": "not-asked"}
#: Characters of an engine's answer that a result keeps.
ANSWER_KEPT = 2000

#: The message of a case about lapses if the engine's answer has no list of them, not even an empty one.
NO_LAPSES = "does not list lapses"
#: The prefix of a lapse in a report.
LAPSE = "lapse "
_SIGNS: Mapping[ListName, str] = {"moves": "", "lapses": LAPSE}
#: The messages of a flaky case that a fresh process answered right, and of any other.
RIGHT_ALONE = "right when asked alone: it keeps state from earlier questions, or answers by chance"
DIFFERS = "answers differ when asked again"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What was expected, and what the engine gave."""

    expected: str
    got: str


@dataclass(frozen=True)
class Result:
    """The result of an engine in one case.

    `answer` is what it said, None if it gave no usable answer, or passed by what is expected as it is written; what
    is wrong about that is made from the question when it is shown. `reading` is the reading, `key=alternative`,
    under which a wrong answer would be right: if that reading is open (chosen with low or medium confidence) the
    status is `reading`, else `failed`. `message` is one line: an error's, or why the case is unsupported, unstable
    or was not asked; `kind` is the kind of error (`died`, `json`, ...). `request` is the question that was answered
    wrong, as a JSON line, and `reply` the answer to it, cut by `truncate_answer`. `notes` say how the answers came
    about if the engine did not simply give them (`probed`, `led`, `by-moves`, `concluded`, `lenient`). `seconds` is
    how long the run waited for the answer; it is not saved, and None if it is not known.
    """

    question: Question
    status: Status
    answer: Answer | None = None
    reading: str | None = None
    message: str | None = None
    kind: str | None = None
    request: str | None = None
    reply: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float | None = field(default=None, compare=False)

    @property
    def case(self) -> Case:
        """The case."""
        return self.question.case

    @property
    def said(self) -> Answer | None:
        """What the engine said; None if it gave no usable answer."""
        return self.question.expected if self.answer is None and self.status == "passed" else self.answer

    def with_case(self, case: Case) -> Result:
        """Return the same result under another description of the case."""
        return replace(self, question=replace(self.question, case=case))

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """In what the answer differs from the expected one."""
        return self.question.expected.differs(self.answer) if self.answer else ()

    def has_same_faults(self, other: Result) -> bool:
        """Return whether another result of the case has the same faults: moves by any of their paths, in any order."""
        if self.message != other.message or self.case.expected != other.case.expected:
            return False
        if self.answer is None or other.answer is None:
            return not self.differences and not other.differences
        return self.answer.agrees(other.answer)

    def _wrong(self, what: str) -> Iterator[tuple[Key | None, str, Answer, Answer]]:
        """Yield of each difference of a kind its move, how reports name that, and what was expected and given there."""
        answers = (self.question.expected, self.answer or Answer()) if self.differences else ()
        for each in self.differences:
            if each.what == what:
                expected, given = (one.game[each.step - 1] if each.step else one for one in answers)
                named = {**(expected.moves or {}), **(expected.lapses or {})}
                named |= getattr(given, each.among) or {} if what == "extra" else {}
                sign = f"{each.step}. " if each.step else _SIGNS[each.among]
                yield each.key, f"{sign}{named.get(each.key or '')}", expected, given

    @property
    def is_right_alone(self) -> bool:
        """Whether a wrong answer was right when a fresh process was asked nothing else."""
        return self.status == "unstable" and RIGHT_ALONE in (self.message or "")

    @property
    def missing(self) -> tuple[str, ...]:
        """The legal moves that were not listed; if none was to be listed, the one that had to be played."""
        forced = tuple(self.case.expected.moves or ())
        if any(self._wrong("played")):
            return forced if len(forced) == 1 else ()
        return tuple(text for _, text, _, _ in self._wrong("missing"))

    @property
    def extra(self) -> tuple[str, ...]:
        """The moves that are not legal."""
        played = [(key, text) for _, _, _, given in self._wrong("played") for key, text in (given.played or {}).items()]
        extra = ((key, text) for key, text, _, _ in self._wrong("extra"))
        return tuple(text for key, text in (*played, *extra) if key not in self.unparsable)

    @property
    def unparsable(self) -> tuple[str, ...]:
        """What is no notation of a move."""
        return self.answer.unparsable if self.answer else ()

    @property
    def duplicates(self) -> tuple[str, ...]:
        """What was listed again."""
        return self.answer.duplicates if self.answer else ()

    @property
    def played(self) -> str | None:
        """The move that the engine played, if it was asked for that and not for a list."""
        return next(iter(((self.answer and self.answer.played) or {}).values()), None)

    @property
    def start_told(self) -> bool:
        """Whether the engine said where its game starts."""
        return self.answer is not None and self.answer.start is not None

    @property
    def start(self) -> Mismatch | None:
        """How the engine's start is wrong."""
        for _, _, _, given in self._wrong("start"):
            return Mismatch(self.question.position.fen(), _said(given.start, given.start_text))
        return None

    @property
    def after(self) -> dict[str, Mismatch]:
        """The positions after moves that are wrong, by the move."""
        return {
            text: Mismatch(expected.texts[key], _said(given.after[key], given.texts.get(key)))
            for key, text, expected, given in self._wrong("after")
            if key is not None
        }

    @property
    def outcome(self) -> Mismatch | None:
        """How the outcome is wrong."""
        for _, _, expected, given in self._wrong("outcome"):
            return Mismatch(str(expected.outcome), str(given.outcome))
        return None

    def listings(self, manner: Manner = "listed") -> list[tuple[str, tuple[str, ...], str]]:
        """Return what is wrong with the moves listed, or known in another manner.

        Each is a word, the moves it is about, and what the word means.
        """
        known = {"listed": "listed", "probed": "taken when offered", "played": "played"}[manner]
        kinds = (
            ("missing", self.missing, f"legal, not {known}"),
            ("extra", self.extra, f"{known}, not legal"),
            ("unparsable", self.unparsable, "no move notation"),
            ("duplicate", self.duplicates, "the same move listed again"),
        )
        return [kind for kind in kinds if kind[1]]

    def mismatches(self) -> list[tuple[str, Mismatch]]:
        """Return what else is wrong: where the game starts, positions after moves, the outcome."""
        found = [
            ("start", self.start),
            *((f"after {move}", mismatch) for move, mismatch in self.after.items()),
            ("outcome", self.outcome),
        ]
        return [(what, mismatch) for what, mismatch in found if mismatch]

    def faults(self) -> dict[str, Any]:
        """Return what is wrong, as plain data; empty if nothing is. Equal faults mean the same reason."""
        found: dict[str, Any] = {
            "missing": sorted(self.missing),
            "extra": sorted(self.extra),
            "unparsable": sorted(self.unparsable),
            "start": asdict(self.start) if self.start else None,
            "after": {move: asdict(mismatch) for move, mismatch in sorted(self.after.items())},
            "outcome": asdict(self.outcome) if self.outcome else None,
            "message": self.message,
        }
        return {key: value for key, value in found.items() if value}


def _said(position: After | None, text: str | None) -> str:
    """Return a position as it was written, or what was said instead."""
    if isinstance(position, Position):
        return position.fen() if text is None else strip_control_characters(text)
    return str(position)


#: A move with its captured squares, as reports write it.
_TAKING = re.compile(r"(\S+) \(takes ([0-9, ]+|nothing)\)")


def is_about(expected: Expectation, entry: Mapping[str, Any]) -> bool:
    """Return whether faults can be those of an answer, where another one may have been expected of the case before."""
    own = {*(expected.moves or ()), *(expected.lapses or ()), *(f"{LAPSE}{text}" for text in expected.lapses or ())}
    own |= {f"{place}. {text}" for place, (text, _) in enumerate(expected.game, 1)}
    ends = [end.result for end in (expected.outcome, expected.end) if end is not None]
    if "outcome" in entry and entry["outcome"]["expected"] not in ends:
        return False
    return own.issuperset((*entry.get("missing", ()), *entry.get("after", ())))


def read_answer(question: Question, entry: Mapping[str, Any], *, with_successors: bool = True) -> Answer:
    """Return the answer with these faults, as a saved report or a baseline has them (`Result.faults`).

    Unless `with_successors`, the engine was not asked where its moves lead.
    """
    expected = question.expected
    kept: dict[str, Any] = {word: tuple(entry.get(word, ())) for word in ("unparsable", "duplicates")}
    if "start" in entry:
        text = entry["start"]["got"]
        kept |= {"start": _read_said(question, text), "start_text": text}
    elif entry.get("start_told"):
        kept["start"] = expected.start
    if "played" in entry:
        return Answer(played={reported_key(question.position, entry["played"]): entry["played"]}, **kept)
    if entry.get("status") == "failed" and "message" in entry:
        return Answer(played={}, **kept)
    if expected.outcome is not None:
        kept["outcome"] = entry["outcome"]["got"] if "outcome" in entry else expected.outcome
    if expected.moves is None:
        steps = (_read_lists(question, one, entry, f"{place}. ") for place, one in enumerate(expected.game, 1))
        return Answer(game=tuple(steps), **kept)
    return replace(_read_lists(question, expected, entry, "", with_successors=with_successors), **kept)


def _read_lists(
    question: Question, expected: Answer, entry: Mapping[str, Any], prefix: str, *, with_successors: bool = True
) -> Answer:
    """Return lists with their faults; in a game the one action has its place as a prefix."""
    missing, after, lists = entry.get("missing", ()), entry.get("after", {}), dict[ListName, dict[Key, str]]()
    texts: dict[Key, str] = {}
    for among, sign in _SIGNS.items():
        for key, right in (getattr(expected, among) or {}).items():
            if f"{prefix}{sign}{right}" not in missing:
                lists.setdefault(among, {})[key] = str(right)
            if wrong := after.get(f"{prefix}{right}"):
                texts[key] = wrong["got"]
            elif with_successors and key in lists.get(among, {}):
                texts[key] = expected.texts[key]
    for text in () if prefix else entry.get("extra", ()):
        move = text.removeprefix(LAPSE)
        among = "moves" if move == text else "lapses"
        lists.setdefault(among, {})[reported_key(question.position, move)] = move
    for text in () if prefix else entry.get("unparsable", ()):  # as it was written, whatever it begins with
        lists.setdefault("moves", {})[text] = text
    moves, lapses = (None if getattr(expected, one) is None else lists.get(one, {}) for one in LISTS)
    return Answer(moves, lapses, Positions(texts, partial(_read_said, question)), texts=texts)


def _read_said(question: Question, text: str) -> After:
    """Return the position that a report has, or what it has instead."""
    try:
        return question.parse_position(text)
    except DamspecError:
        return text


def reported_key(position: Position, text: str) -> Key:
    """Return the move that `move_text` wrote; the text of what is none or leaves open what it captures."""
    taking = _TAKING.fullmatch(text)
    if taking is None:
        return read_key(position, text)
    captured = [] if taking[2] == "nothing" else [int(square) for square in taking[2].split(", ")]
    return read_key(position, {"move": taking[1], "captured": captured})


def map_texts(change: Callable[[str], str], value: Any) -> Any:
    """Return plain data with its texts changed, keys too."""
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [map_texts(change, item) for item in value]
        case Mapping():
            return {change(key): map_texts(change, item) for key, item in value.items()}
        case _:
            return value


def truncate_answer(text: str) -> str:
    """Return an engine's answer without control characters, and cut to a bound that says how much is missing."""
    kept = strip_control_characters(text[:ANSWER_KEPT])
    more = len(text) - ANSWER_KEPT
    return f"{kept}... and {more} characters more" if more > 0 else kept


@dataclass(frozen=True)
class Divergence:
    """A position outside the cases in which an engine and the reference differ.

    `result` is about the smallest position found that shows it; the id of its case says in which game, or on which line
    of given positions, it came up. `first` is the position in which it did, `times` in how many games or given
    positions. `rules` are the rules in doubt: a change of one of them gives the engine's answers.
    """

    result: Result
    first: str
    times: int = 1
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a position beyond the cases came up: a `game` and how many actions before it, the line of a given
    `position`, or the number of a `drawn` one. A report has it as the id of the case, with numbers of any length.
    """

    kind: str
    number: int | str
    ply: int | str = 0

    @property
    def topic(self) -> str:
        """The topic of the cases about what came up here."""
        return self.kind if self.kind == "drawn" else f"{self.kind}s"

    def id(self, about: AboutIt) -> str:
        """Return the id of the case about what came up here."""
        place = f"{self.number}.{self.ply}" if self.kind == "game" else self.number
        return f"{self.kind}-{place}{'.outcome' if about == 'outcome' else ''}"

    @classmethod
    def of(cls, id: str) -> Origin:
        """Return the origin that an id was written from."""
        kind, *numbers = re.split("[-.]", id.removesuffix(".outcome"))
        return cls(kind, *numbers)


def describe_divergence(found: Divergence, seed: int | None) -> Divergence:
    """Return a divergence with a case that says what is in doubt and where it came up; `seed` is that of the games."""
    case, origin = found.result.case, Origin.of(found.result.case.id)
    where = {
        "game": f"game {origin.number} of seed {seed}, after {origin.ply} actions",
        "position": f"line {origin.number}",
        "drawn": f"position {origin.number} drawn with seed {seed}",
    }[origin.kind]
    more = "games" if origin.kind == "game" else "positions"
    often = "" if found.times == 1 else f", and in {found.times - 1} more {more}"
    doubt = f"In doubt: {', '.join(found.rules)}. " if found.rules else ""
    first = "" if found.first == case.position else f" First seen in {found.first}."
    case = replace(case, why=f"{doubt}Came up in {where}{often}.{first}")
    return replace(found, result=found.result.with_case(case))


@dataclass(frozen=True)
class FuzzResult:
    """An engine compared with the reference beyond the cases, in random games or given positions.

    `seed` is that of the games or drawn positions, None for given positions; `games` is how many were played.
    `positions` is how many were compared, `questions` how many the engine was asked, `unsupported` in how many
    positions it declined a question. `ended` says why not everything was compared. If any answer was wrong, `sample`
    has some answers, wrong and right, for the explanation; it is in no report.
    """

    seed: int | None
    games: int = 0
    positions: int = 0
    questions: int = 0
    unsupported: int = 0
    divergences: tuple[Divergence, ...] = ()
    seconds: float = 0.0
    ended: str | None = None
    sample: tuple[Result, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Deviation:
    """How a run differs from its baseline, in a case that has this id; "" is of the engine itself."""

    case: str
    how: str

    def __str__(self) -> str:
        return f"{self.case}: {self.how}" if self.case else self.how


@dataclass(frozen=True)
class Report:
    """A run of one engine on one ruleset: the engine's hello, and a result for every case, in order.

    `noise` is the end of the engine's standard error, `seconds` how long the run took, `interrupted` whether it was
    ended from outside, `stray_processes` the ids of processes of the engine that could not be ended. `unexpected` has
    the differences from the baseline (None without a baseline), `diagnosis` the explanation of the failures as
    plain data (None if none was looked for). `options` has the options of the run, as plain data. `preflight` is what
    the first questions show of the engine's conventions.
    """

    ruleset: Ruleset
    label: str
    hello: Hello
    results: tuple[Result, ...]
    noise: tuple[str, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False
    unexpected: tuple[Deviation, ...] | None = None
    diagnosis: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    stray_processes: tuple[int, ...] = ()
    games: FuzzResult | None = None
    preflight: str | None = None

    @property
    def answers(self) -> tuple[Result, ...]:
        """The results of the cases, and what was found beyond them."""
        return self.results + tuple(each.result for each in (self.games.divergences if self.games else ()))

    @property
    def counts(self) -> dict[str, int]:
        """How many cases ended in each status; together they are all cases."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in STATUSES}

    @property
    def expected(self) -> tuple[Result, ...]:
        """The failures that are as the baseline has them, and what is right under other readings; none without one."""
        if self.unexpected is None:
            return ()
        new = {deviation.case for deviation in self.unexpected}
        return tuple(result for result in self.with_status("reading", *FAILING) if result.case.id not in new)

    @property
    def duplicates(self) -> int:
        """How many moves were listed more than once, over all cases."""
        return sum(len(result.duplicates) for result in self.results)

    @property
    def without_lapses(self) -> int:
        """In how many cases the engine left out the lapses that they are about."""
        return sum(result.status == "unsupported" and result.message == NO_LAPSES for result in self.results)

    @property
    def explanation(self) -> tuple[str, ...]:
        """The diagnosis in sentences."""
        return tuple((self.diagnosis or {}).get("lines", ()))

    def with_status(self, *statuses: Status) -> list[Result]:
        """Return the results that ended in one of these."""
        return [result for result in self.results if result.status in statuses]

    def clean(self, strict: bool = False) -> bool:
        """Return whether every case was asked and nothing failed.

        Where it is `strict`, answers that are right only under an open reading count as failures, and so do moves
        listed twice and lapses left out.
        """
        if strict and (self.duplicates or self.without_lapses):
            return False
        spoilt = FAILING | {"not-asked"} | ({"reading"} if strict else set())
        return not any(result.status in spoilt for result in self.answers)

    def fails(self, strict: bool = False) -> bool:
        """Return whether the run fails; with a baseline, whether by other failures than those, or beyond the cases."""
        if self.unexpected is None:
            return not self.clean(strict)
        others = replace(self, results=tuple(self.with_status("passed", "unsupported")))
        return bool(self.unexpected) or not others.clean(strict)


def by_topic(results: Sequence[Result]) -> Iterator[tuple[str, dict[str, int]]]:
    """For each topic that occurs, how many cases ended in each status."""
    found = Counter((result.case.topic, result.status) for result in results)
    for topic in dict.fromkeys(topic for topic, _ in found):
        yield topic, {status: found[topic, status] for status in STATUSES}
