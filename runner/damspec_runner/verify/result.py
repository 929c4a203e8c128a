"""Results of checking an engine: one for each case, and the report of a run.

Every chosen case has one result, and every result one of eight verdicts: the counts of a report always add up to its
cases, however the run ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from damspec import Ruleset

from ..cases.cases import Case
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
#: The topic of cases about positions that were drawn to be played in.
DRAWN = "drawn"


#: The message of a case about lapses if the engine's answer has no list of them, not even an empty one.
NO_LAPSES = "does not list lapses"
#: The messages of a flaky case that a fresh process answered right, and of any other.
RIGHT_ALONE = "right when asked alone: it keeps state from earlier questions, or answers by chance"
DIFFERS = "answers differ when asked again"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What was expected, and what the engine gave."""

    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an engine in one case.

    `reading` is the reading, `key=alternative`, under which a wrong answer would be right: if that reading is open
    (chosen with low or medium confidence) the status is `reading`, else `failed`. `message` is one line: an error's, or
    why the case is unsupported, unstable or was not asked; `kind` is the kind of error (`died`, `json`, ...). `start`
    says how the engine's start is wrong, `start_told` whether it gave one at all. `request` is the question that was
    answered wrong, as a JSON line, and `answer` the answer, cut by `truncate_answer`. `notes` say how the answers came
    about if the engine did not simply give them (`probed`, `led`, `by-moves`, `concluded`, `lenient`). `played` is the
    move that the engine played, if it was asked for that and not for a list. `seconds` is how long the run waited for
    the answer; it is not saved, and None if it is not known.
    """

    case: Case
    status: Status
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    start: Mismatch | None = None
    after: Mapping[str, Mismatch] = field(default_factory=dict)
    outcome: Mismatch | None = None
    reading: str | None = None
    message: str | None = None
    start_told: bool = False
    kind: str | None = None
    request: str | None = None
    answer: str | None = None
    notes: tuple[str, ...] = ()
    played: str | None = None
    seconds: float | None = field(default=None, compare=False)

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


def describe_divergence(found: Divergence, seed: int | None) -> Divergence:
    """Return a divergence with a case that says what is in doubt and where it came up; `seed` is that of the games."""
    case = found.result.case
    place, _, ply = case.id.partition("-")[2].removesuffix(".outcome").partition(".")
    in_games = seed is not None and case.topic != DRAWN
    where = f"game {place} of seed {seed}, after {ply or 0} actions" if in_games else f"line {place}"
    where = f"position {place} drawn with seed {seed}" if case.topic == DRAWN else where
    often = "" if found.times == 1 else f", and in {found.times - 1} more {'games' if in_games else 'positions'}"
    doubt = f"In doubt: {', '.join(found.rules)}. " if found.rules else ""
    first = "" if found.first == case.position else f" First seen in {found.first}."
    case = replace(case, why=f"{doubt}Came up in {where}{often}.{first}")
    return replace(found, result=replace(found.result, case=case))


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
class Report:
    """A run of one engine on one ruleset: the engine's hello, and a result for every case, in order.

    `noise` is the end of the engine's standard error, `seconds` how long the run took, `interrupted` whether it was
    ended from outside, `stray_processes` the ids of processes of the engine that could not be ended. `unexpected` has a
    line for each difference from the baseline (None without a baseline), `diagnosis` the explanation of the failures as
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
    unexpected: tuple[str, ...] | None = None
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
    def leading(self) -> bool:
        """Whether the engine was asked where its moves lead; assumed if the report has no questions."""
        return "play" in self.hello.questions or not self.hello.questions

    @property
    def counts(self) -> dict[str, int]:
        """How many cases ended in each status; together they are all cases."""
        return count_statuses(self.results)

    @property
    def expected(self) -> tuple[Result, ...]:
        """The failures that are as the baseline has them, and what is right under other readings; none without one."""
        if self.unexpected is None:
            return ()
        new = {line.partition(":")[0] for line in self.unexpected}
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


def count_statuses(results: Iterable[Result]) -> dict[str, int]:
    """Return how many results have each status."""
    found = Counter(result.status for result in results)
    return {status: found[status] for status in STATUSES}


def by_topic(results: Sequence[Result]) -> Iterator[tuple[str, dict[str, int]]]:
    """For each topic that occurs, how many cases ended in each status."""
    found = Counter((result.case.topic, result.status) for result in results)
    for topic in dict.fromkeys(topic for topic, _ in found):
        yield topic, {status: found[topic, status] for status in STATUSES}
