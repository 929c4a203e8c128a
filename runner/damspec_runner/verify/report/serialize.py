"""Reports as plain data (schemas/report.schema.json), and back."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import damspec
from damspec import Outcome, Ruleset, data, load_ruleset, load_ruleset_file

from ...cases.adapt import make_case
from ...cases.answer import Question
from ...cases.cases import Case, Expectation, adapted_cases, cases_for
from ...engines import protocol
from ...engines.protocol import Hello
from ..result import (
    LAPSE,
    Deviation,
    Divergence,
    FuzzResult,
    Report,
    Result,
    by_topic,
    describe_divergence,
    is_about,
    map_texts,
    read_answer,
)

#: An action of a game with its place.
_STEP = re.compile(r"([1-9][0-9]*)\. (.*)")
_COUNTED = ("games", "positions", "questions", "unsupported")
_AS_THEY_ARE = ("status", "reading", "message", "kind", "request")
#: The verdicts of an answer.
_ANSWERED = ("passed", "failed", "reading", "unstable")


def as_json(reports: Sequence[Report]) -> dict[str, Any]:
    """Return reports as plain data. `ruleset` is that of the first; each has its own too."""
    return {
        "damspec": damspec.__version__,
        "ruleset": reports[0].ruleset.id,
        "reports": [_entry(report) for report in reports],
    }


def read_reports(content: Any, where: str) -> list[Report]:
    """Return the reports in plain data; `where` names the file in messages.

    A case that is not in the catalogue any more, or asks something else there, is what the report says of it. Raises
    FileError for data of another form, RulesetError for a ruleset that is not there.
    """
    data.check(content, "report", where)
    content = map_texts(protocol.strip_control_characters, content)
    return [_report(entry, entry.get("ruleset", content["ruleset"])) for entry in content["reports"]]


def _entry(report: Report) -> dict[str, Any]:
    entry: dict[str, Any] = {
        **ruleset_entry(report.ruleset),
        "engine": engine_entry(report.label, report.hello),
        "counts": report.counts,
        "topics": dict(by_topic(report.results)),
        "not_asked": report.counts["not-asked"],
        **run_end_entry(report),
        "duplicates": report.duplicates,
        "results": [result_entry(result) for result in report.results],
    }
    if not report.ruleset.shipped:
        cases = adapted_cases(report.ruleset)
        entry |= {"answered_by_reference": list(cases.answered), "set_aside": list(cases.set_aside)}
    entry |= {"interrupted": True} if report.interrupted else {}
    return entry | ({"options": dict(report.options)} if report.options else {})


def _report(entry: Mapping[str, Any], id: str) -> Report:
    ruleset = read_ruleset({**entry, "ruleset": id})
    cases = {case.id: case for case in cases_for(ruleset)}
    label, hello = read_engine(entry["engine"])
    results = tuple(read_result(result, cases, ruleset, hello) for result in entry["results"])
    return Report(
        ruleset,
        label,
        hello,
        results,
        interrupted=entry.get("interrupted", False),
        options=entry.get("options", {}),
        **read_run_end(entry, ruleset, results, hello),
    )


def ruleset_entry(ruleset: Ruleset) -> dict[str, Any]:
    """Return a ruleset as plain data: its id, and its file if it is not a shipped one."""
    by_id = ruleset.source == ruleset.base
    return {"ruleset": ruleset.id} | ({} if by_id else {"ruleset_file": ruleset.source})


def read_ruleset(entry: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that `ruleset_entry` wrote. Raises RulesetError or FileError if it is not there."""
    if "ruleset_file" not in entry:
        return load_ruleset(entry["ruleset"])
    _, mark, query = entry["ruleset"].partition("?")
    return load_ruleset_file(f"{entry['ruleset_file']}{mark}{query}")


def engine_entry(label: str, hello: Hello) -> dict[str, Any]:
    """Return an engine as plain data: its label, and its hello in the words of the protocol."""
    return {
        "label": label,
        "name": hello.name,
        "version": hello.version,
        "rulesets": "*" if hello.rulesets is None else sorted(hello.rulesets),
        "questions": [question for question in protocol.QUESTIONS if question in hello.answers],
        "rules": hello.wants_rules,
        **({"steps": True} if hello.steps else {}),
        **({} if hello.setup else {"setup": False}),
        **({} if hello.manner == "listed" else {"manner": hello.manner}),
        **({"notation": hello.notation} if hello.notation else {}),
    }


def read_engine(entry: Mapping[str, Any]) -> tuple[str, Hello]:
    """Return what `engine_entry` wrote."""
    hello = protocol.hello({"rulesets": "*", "questions": [], **entry})
    return entry["label"], replace(hello, manner=entry.get("manner", hello.manner), notation=entry.get("notation"))


def run_end_entry(report: Report) -> dict[str, Any]:
    """Return as plain data what is known only at the end of a run."""
    entry = {
        "seconds": round(report.seconds, 3),
        "noise": list(report.noise),
        "known": None if report.unexpected is None else [*map(str, report.unexpected)],
        "diagnosis": report.diagnosis,
        "games": report.games and _games_entry(report.games),
        "preflight": report.preflight,
    }
    return {key: value for key, value in entry.items() if value is not None}


def read_run_end(entry: Mapping[str, Any], ruleset: Ruleset, results: Sequence[Result], hello: Hello) -> dict[str, Any]:
    """Return what `run_end_entry` wrote, as arguments of a Report with these results. Raises PositionError."""
    ids = {result.case.id for result in results}
    deviations = tuple(_read_deviation(line, ids) for line in entry.get("known", ()))
    return {
        "seconds": float(entry["seconds"]),
        "noise": tuple(entry.get("noise", ())),
        "unexpected": deviations if "known" in entry else None,
        "diagnosis": entry.get("diagnosis"),
        "games": _read_games(entry["games"], ruleset, hello) if "games" in entry else None,
        "preflight": entry.get("preflight"),
    }


def _read_deviation(line: str, ids: Collection[str]) -> Deviation:
    id, _, how = line.partition(": ")
    return Deviation(id, how) if id in ids else Deviation("", line)


def _games_entry(games: FuzzResult) -> dict[str, Any]:
    entry = {
        **({} if games.seed is None else {"seed": games.seed}),
        **{name: getattr(games, name) for name in _COUNTED},
        "seconds": round(games.seconds, 3),
        "found": [
            {
                **result_entry(each.result),
                "question": each.result.case.question,
                "first": each.first,
                "times": each.times,
                "rules": list(each.rules),
            }
            for each in games.divergences
        ],
    }
    return entry | ({"ended": games.ended} if games.ended else {})


def _read_games(entry: Mapping[str, Any], ruleset: Ruleset, hello: Hello) -> FuzzResult:
    """Return what `_games_entry` wrote, with the answers expected by the reference."""
    seed = entry.get("seed")
    found = []
    for each in entry["found"]:
        case = make_case(ruleset, ruleset.position(each["position"]), each["question"], each["id"], each["topic"])
        case = replace(case, clauses=tuple(each["clauses"]))
        one = Divergence(
            read_result(each, {case.id: case}, ruleset, hello), each["first"], each["times"], tuple(each["rules"])
        )
        found.append(describe_divergence(one, seed))
    counts = {name: entry[name] for name in _COUNTED}
    return FuzzResult(
        seed, **counts, divergences=tuple(found), seconds=float(entry["seconds"]), ended=entry.get("ended")
    )


def result_entry(result: Result) -> dict[str, Any]:
    """Return a result as plain data."""
    entry: dict[str, Any] = {
        "id": result.case.id,
        "topic": result.case.topic,
        "clauses": list(result.case.clauses),
        "position": result.case.position,
        "history": list(result.case.history),
        "status": result.status,
        **result.faults(),
        "duplicates": list(result.duplicates),
        "reading": result.reading,
        "start_told": result.start_told,
        "kind": result.kind,
        "request": result.request,
        "answer": result.reply,
        "notes": list(result.notes),
        "played": result.played,
    }
    always = ("clauses", "position")
    return {key: value for key, value in entry.items() if value or key in always}


def read_result(entry: Mapping[str, Any], cases: Mapping[str, Case], ruleset: Ruleset, hello: Hello) -> Result:
    """Return what `result_entry` wrote; `cases` are those there are, by their ids.

    Raises RulesetError for a reading and PositionError for a position that the ruleset does not have.
    """
    values: dict[str, Any] = {key: entry[key] for key in _AS_THEY_ARE if key in entry}
    if "reading" in values:
        ruleset.readings_in(values["reading"])
    question = Question(_case(entry, cases, ruleset), ruleset)
    answer = (
        read_answer(question, entry, with_successors=hello.gives_successors) if entry["status"] in _ANSWERED else None
    )
    return Result(question, answer=answer, reply=entry.get("answer"), notes=tuple(entry.get("notes", ())), **values)


def _case(entry: Mapping[str, Any], cases: Mapping[str, Case], ruleset: Ruleset) -> Case:
    known = cases.get(entry["id"])
    if known is not None and known.position == entry["position"]:
        return known if is_about(known.expected, entry) else replace(known, expected=_expectation(entry))
    ruleset.position(entry["position"])
    return Case(
        id=entry["id"],
        ruleset=ruleset.base,
        topic=entry["topic"],
        why="",
        clauses=tuple(entry["clauses"]),
        position=entry["position"],
        expected=_expectation(entry),
    )


def _expectation(entry: Mapping[str, Any]) -> Expectation:
    """Return of an expected answer what the faults of a result say of it."""
    fens = {**dict.fromkeys(entry.get("missing", ()), entry["position"])}
    fens |= {move: mismatch["expected"] for move, mismatch in entry.get("after", {}).items()}
    outcome = Outcome(entry["outcome"]["expected"]) if "outcome" in entry else None
    steps = {int(step[1]): (step[2], fen) for text, fen in fens.items() if (step := _STEP.fullmatch(text))}
    if steps:
        unknown = ("pass", entry["position"])
        game = tuple(steps.get(place, unknown) for place in range(1, max(steps) + 1))
        return Expectation(game=game, end=outcome or Outcome("ongoing"))
    if outcome is not None:
        return Expectation(outcome=outcome)
    lapses = {text.removeprefix(LAPSE): fen for text, fen in fens.items() if text.startswith(LAPSE)}
    return Expectation({text: fen for text, fen in fens.items() if not text.startswith(LAPSE)}, lapses or None)
