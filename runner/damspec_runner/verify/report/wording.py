"""Sentences that the formats of a report share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

import damspec

from ...cases.answer import Question
from ...cases.cases import Case, Expectation, adapted_cases
from ...engines.protocol import Manner
from ..result import FAILING, Report, Result, Status

#: Each verdict as the counts of a report name it.
COUNTED_AS: dict[Status, str] = {
    "passed": "passed",
    "failed": "failed",
    "reading": "explained by another reading",
    "error": "errors",
    "unsupported": "unsupported",
    "timeout": "timed out",
    "unstable": "unstable",
    "not-asked": "not asked",
}
#: The verdicts of what is wrong, those that show it best first.
_CLEAR: tuple[Status, ...] = ("failed", "unstable", "error", "timeout", "reading")
#: Clauses shown as what failures have in common.
_COMMON_SHOWN = 5
#: Characters of the moves shown of each kind that is wrong in a case.
_MOVES_LENGTH = 400


def engine(report: Report) -> str:
    """Return the engine's name and version, and how its moves are known if it does not list them."""
    known = "" if report.hello.manner == "listed" else f" ({report.hello.manner}, not listed)"
    return f"{report.hello.name} {report.hello.version}".strip() + known


def counts_in_words(report: Report) -> list[tuple[Status, str]]:
    """Return the counts in words; those of 0 are left out except passed and failed."""
    counts = report.counts
    return [
        (status, f"{counts[status]} {'error' if (status, counts[status]) == ('error', 1) else words}")
        for status, words in COUNTED_AS.items()
        if counts[status] or status in ("passed", "failed")
    ]


def warnings(report: Report) -> list[str]:
    """Return the warnings, on which only a strict run fails: duplicate moves, lapses left out."""
    found = [_count(report.duplicates, "duplicate move")] if report.duplicates else []
    return found + ([f"lapses left out in {_count(report.without_lapses, 'case')}"] if report.without_lapses else [])


def counts_line(report: Report) -> str:
    """Return the counts and the warnings in one line."""
    return ", ".join([words for _, words in counts_in_words(report)] + warnings(report))


def statuses_shown(report: Report) -> list[Status]:
    """Return the verdicts that a table has columns for."""
    return [status for status, _ in counts_in_words(report)]


def wrong(report: Report) -> list[Result]:
    """Return the results to show one by one, those of games last; failures that are expected are only counted."""
    expected = report.expected
    found = report.with_status("reading", *FAILING) + list(report.answers[len(report.results) :])
    return [result for result in found if result not in expected] if expected else found


def expectation(report: Report) -> str:
    """Return how a run compares with its baseline, in a sentence; "" without one."""
    if report.unexpected is None:
        return ""
    number = sum(result.status in FAILING for result in report.expected)
    known = _count(number, "failure")
    if report.unexpected:
        return f"Not as expected, {len(report.unexpected)} times, beside {known} that the baseline has:"
    if not number:
        return "As expected: no failure."
    return f"As expected: the {known} that the baseline has, and no other."


def clearest_first(report: Report) -> list[Result]:
    """Return the results to show one by one, the clearest first, the others in the order of the cases."""
    found = wrong(report)
    first = clearest(found) if found else None
    return sorted(found, key=lambda result: result is not first)


def clearest(results: Sequence[Result]) -> Result:
    """Return the wrong answer with the fewest pieces and the shortest list of faults; a mere reading comes last."""

    def unclear(result: Result) -> tuple[int, int, int]:
        return _CLEAR.index(result.status), result.case.position.count(","), len(str(result.faults()))

    return min(results, key=unclear)


def clause(id: str) -> str:
    """Return the text of a clause; "" for one that is not in the catalogue."""
    known = damspec.load_clauses().get(id)
    return known.says if known else ""


def reading(report: Report, result: Result) -> str:
    """Return what the ruleset chooses instead of the reading that an answer is right under."""
    return ", ".join(
        f"{reading.id}: here {reading.chosen}, confidence {reading.confidence}"
        for reading, _ in report.ruleset.readings_in(result.reading or "")
    )


def in_common(report: Report) -> list[tuple[str, str]]:
    """Return the clauses that most wrong answers are about, each after their number; none for a single answer.

    Cases without a usable answer do not count.
    """
    answers = [result for result in report.with_status("failed", "reading") if result not in report.expected]
    found = Counter(clause for result in answers for clause in result.case.clauses)
    of_all = [(f"{number} of {len(answers)}", id) for id, number in found.most_common(_COMMON_SHOWN)]
    return of_all if len(answers) > 1 else []


def not_asked(report: Report) -> list[str]:
    """Return why cases were not asked, each reason after their number."""
    reasons = Counter(result.message or "for no reason given" for result in report.with_status("not-asked"))
    return [f"{number} not asked: {reason}" for reason, number in reasons.items()]


def games(report: Report) -> list[str]:
    """Return lines on what was compared beyond the cases, if anything was."""
    compared = report.games
    if compared is None:
        return []
    kinds, found = len(compared.divergences), sum(each.times for each in compared.divergences)
    where = "given" if compared.seed is None else f"in {_count(compared.games, 'game')} of seed {compared.seed}"
    in_games = "games" in report.options or "seconds" in report.options
    if report.hello.manner == "played" and compared.seed is not None and not in_games:
        where = f"drawn with seed {compared.seed}"
    unsupported = f", {compared.unsupported} unsupported" if compared.unsupported else ""
    differ = f"{_count(kinds, 'disagreement')}{f', seen {found} times' if found > kinds else ''}"
    line = (
        f"{_count(compared.positions, 'position')} {where}, {_count(compared.questions, 'question')}{unsupported}:"
        f" {differ if kinds else 'no disagreement'} in {compared.seconds:.1f} s"
    )
    return [line, *([f"not all was compared: {compared.ended}"] if compared.ended else [])]


def nothing_found(report: Report) -> list[Result]:
    """Return a comparison beyond the cases that found nothing as a result, for formats that are lists."""
    compared = report.games
    if compared is None or compared.divergences:
        return []
    what = "positions" if compared.seed is None else "games"
    case = Case(what, report.ruleset.base, what, "; ".join(games(report)), (), "start", Expectation())
    compared_none = compared.ended is not None and not compared.positions
    question = Question(case, report.ruleset)
    return [Result(question, "not-asked" if report.interrupted or compared_none else "passed", message=compared.ended)]


def points(report: Report) -> list[Result]:
    """Return the results for formats that are lists: those of cases, and of what was compared beyond them."""
    return [*report.answers, *nothing_found(report)]


def reason(result: Result) -> str | None:
    """Return why a result is neither a pass nor a failure; None for one that is."""
    match result.status:
        case "reading":
            return f"right under the reading {result.reading}"
        case "unsupported":
            return result.message or ""
        case "not-asked":
            return f"not asked: {result.message or ''}"
        case _:
            return None


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


#: The notes of results in words, after their number.
_NOTES = {
    "probed": "answered by moves that were probed, not listed: it says of a move whether it is legal, no more",
    "led": "asked after moves from the start: it cannot be given a position",
    "by-moves": "asked after moves from another position: the protocol has no word for the moves a king has made",
    "keeps-turn": "where it keeps the turn after a move that leaves the other side without one; taken as the end of the"
    " turn (a warning)",
    "concluded": "concluded: it tells no outcomes, and who cannot move has lost, won or drawn as the rules say",
    "lenient": "answered with a position that is not written as it should be, and was read all the same (a warning)",
    "ambiguous": "with a capture that is possible as it is listed, and was taken so; if it is short for a longer one,"
    " list every square, or answer play",
}
_CONVENTIONS = ("numbering", "rotate", "swap-colours", "full-stop", "notation")


def remarks(report: Report) -> list[str]:
    """Return lines on unusual ways of asking the engine, and on how the cases were adapted."""
    found = [f"preflight: it {report.preflight}"] if report.preflight else []
    used = [f"--{name}" for name in _CONVENTIONS if name in report.options]
    if used:
        found.append(f"asked by other conventions than those of damspec: {' '.join(used)}")
    vertical, horizontal, *down = report.ruleset.rules.board.numbering.split("-")
    if "hub" in report.options and (vertical, horizontal, *down) != ("top", "left"):
        along = " along the columns" if down else ""
        found.append(f"asked by Hub with squares in the order of the game: from the {vertical} {horizontal}{along}")
    if report.hello.steps:
        found.append("it lists single steps and jumps, which were joined into turns")
    if report.hello.manner == "played":
        legal = [result for result in report.results if result.status == "passed" and result.played]
        forced = sum(len(result.case.expected.moves or ()) == 1 for result in legal)
        shown = f": in {_count(len(legal), 'case')} its move is legal, and the only one in {forced} of them"
        found.append(f"it plays and lists no moves{shown * bool(legal)}; that it knows every legal move is not shown")
    counts = Counter(note for result in report.results for note in result.notes)
    found += [f"{_count(counts[note], 'case')} {words}" for note, words in _NOTES.items() if counts[note]]
    return found + _adaptation(report)


def _adaptation(report: Report) -> list[str]:
    """Return a line on how the cases of a ruleset file were adapted; nothing for a shipped ruleset."""
    if report.ruleset.shipped:
        return []
    cases = adapted_cases(report.ruleset)
    number = len(cases.cases) - cases.own + len(cases.set_aside)
    line = (
        f"{len(cases.answered)} of {number} inherited cases have other answers by these rules: taken from the reference"
    )
    return [line + (f"; {len(cases.set_aside)} set aside: they cannot be by these rules" if cases.set_aside else "")]


def listings(result: Result, manner: Manner) -> list[tuple[str, tuple[str, ...], str]]:
    """Return `Result.listings` for a reader: of many moves only the first, and how many more there are."""
    shown = []
    for word, moves, meaning in result.listings(manner):
        lengths = accumulate(len(move) + 2 for move in moves)
        number = max(1, sum(length <= _MOVES_LENGTH for length in lengths))
        more = f"and {len(moves) - number} more, " if len(moves) > number else ""
        shown.append((word, moves[:number], more + meaning))
    return shown


def faults(result: Result) -> list[str]:
    """Return what is wrong in a case, a line each."""
    lines = [result.message] if result.message else []
    lines += [f"{word} {', '.join(moves)}" for word, moves, _ in result.listings() if word != "duplicate"]
    return lines + [f"{what}: expected {d.expected}, got {d.got}" for what, d in result.mismatches()]
