"""Linting of cases, and the ledger of their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

import damspec
from damspec import DamspecError, Game, Outcome, Position, PositionError, Ruleset, data
from damspec.board import opponent
from damspec.errors import quote_value
from damspec.inheritance import check_shipped, is_shipped
from damspec.outcomes import REASONS
from damspec.position import open_doors

from . import perft_tables
from .case_files import read_case_files
from .cases import TOPICS, Case, Expectation, cases_folder, parents, read_cases, set_aside
from .notation import move_effect, unknown_squares
from .perft_tables import lint_published

_WITHDRAWN = " withdrawn: "


def ledger_path() -> Path:
    """Return the ledger's path. It has an id a line, sorted; `withdrawn:` and a reason follow a withdrawn one."""
    return cases_folder() / "ids.txt"


def published_ids() -> dict[str, str]:
    """Return every id ever published, with the reason if it was withdrawn, else an empty text."""
    entries = (line.partition(_WITHDRAWN) for line in ledger_path().read_text(encoding="utf-8").splitlines())
    return {id: reason.strip() for id, _, reason in entries}


def id_complaints(ids: Iterable[str]) -> Iterator[str]:
    """Yield a line for each disagreement between the ids of the cases and the ledger."""
    there, known = set(ids), published_ids()
    for first, second in pairwise(known):
        if first > second:
            yield f"{second}: stands after {first}, expected the ids sorted"
    for id, reason in known.items():
        if id not in there and not reason:
            yield f"{id}: published, but no case has it; if it has to go, write ' withdrawn: ' and why behind it"
        if id in there and reason:
            yield f"{id}: withdrawn, but a case has it"
    for id in sorted(there - known.keys()):
        yield f"{id}: not in the ledger yet: damspec cases publish"


def record_ids(ids: Iterable[str]) -> list[str]:
    """Add the ids of new cases to the ledger; return the new ones."""
    known = published_ids()
    new = sorted(set(ids) - known.keys())
    entries = {**known, **dict.fromkeys(new, "")}
    lines = [id + (_WITHDRAWN + entries[id] if entries[id] else "") + "\n" for id in sorted(entries)]
    ledger_path().write_text("".join(lines), encoding="utf-8")
    return new


_REASONS = {"no-pieces", "no-moves", "first-king", "one-piece", "king-to-man", "both-empty"}


def lint() -> list[str]:
    """Return the problems of the cases and of what they rest on, a line each."""
    found: list[str] = []
    try:
        check_shipped()
        found += lint_sources()
    except DamspecError as error:
        found.append(str(error))
    return [*found, *perft_tables.lint_suites(), *lint_published(), *lint_folder()]


def lint_sources() -> Iterator[str]:
    """Yield where a clause and a reading do not name each other, and which rulesets contradict a reading of theirs."""
    clauses, readings = damspec.load_clauses(), {reading.id: reading for reading in damspec.load_readings()}
    for clause in clauses.values():
        about = [id for id, reading in readings.items() if clause.id in reading.clauses]
        where = f"spec/sources/{clause.document}.yaml: {clause.id}.readings"
        yield from (f"{where}: missing {id}, whose clauses name it" for id in about if id not in clause.readings)
        for id in clause.readings:
            if id not in readings:
                yield f"{where}: no reading {id!r}{data.nearest(id, [*readings])}"
            elif id not in about:
                yield f"{where}: found {id}, whose clauses do not name it"
    for id in damspec.ruleset_ids():
        try:
            _ = damspec.load_ruleset(id).alternatives
        except DamspecError as error:
            yield str(error)


def lint_folder() -> list[str]:
    """Return the problems of the cases in `cases/`."""
    found: list[str] = []
    cases: list[Case] = []
    for path in sorted(path for path in cases_folder().glob("*/*.yaml") if path.parent.name != "generated"):
        try:
            read = read_cases(path)
        except DamspecError as error:
            found.append(str(error))
            continue
        cases += read
        found += [f"{data.path_text(path)}: {line}" for line in _file(path, read)]
    twice = [id for id, times in Counter(case.id for case in cases).items() if times > 1]
    found += [f"{id}: the id is used twice" for id in twice]
    found += _set_aside(cases)
    for case in cases:
        try:
            ruleset = damspec.load_ruleset(case.ruleset)
        except DamspecError as error:
            found.append(f"{data.path_text(case.file)}: {case.id}: {error}")
        else:
            found += [f"{data.path_text(case.file)}: {case.id}: {line}" for line in _case(case, ruleset)]
    return found


def lint_files(paths: Iterable[Path], own: Iterable[Ruleset] = ()) -> list[str]:
    """Return the problems of the cases in other files, which may lie anywhere.

    `own` are rulesets of one's own that some of them are for. Raises FileError for a file that has no cases.
    """
    known = {ruleset.id: ruleset for ruleset in own}
    found: list[str] = []
    for case, _ in read_case_files(paths):
        where = data.path_text(case.file)
        if case.ruleset not in known and not is_shipped(case.ruleset):
            found.append(f"{where}: unknown ruleset {quote_value(case.ruleset)}, expected its file as --ruleset FILE")
        else:
            ruleset = known.get(case.ruleset) or damspec.load_ruleset(case.ruleset)
            found += [f"{where}: {case.id}: {line}" for line in _case(case, ruleset)]
    return [*dict.fromkeys(found)]


def _set_aside(cases: list[Case]) -> Iterator[str]:
    """Yield the problems of the cases set aside: unknown rulesets or cases, ill-formed reasons."""
    path = cases_folder() / "inherited.yaml"
    where = data.path_text(path)
    try:
        entries = [(id, each) for id, several in set_aside(path).items() for each in several]
    except DamspecError as error:
        yield str(error)
        return
    for id, each in entries:
        try:
            of = parents(damspec.load_ruleset(id))
        except DamspecError as error:
            yield f"{where}: without.{id}: {error}"
            continue
        there = [case.id for case in cases if case.ruleset in of]
        for pattern in each.patterns:
            if not any(fnmatchcase(case, pattern) for case in there):
                yield f"{where}: without.{id}: {pattern!r} is no case of a ruleset that {id} extends"
        if not each.because.endswith("."):
            yield f"{where}: without.{id}: {each.because!r} does not end with a full stop"


def _file(path: Path, cases: list[Case]) -> Iterator[str]:
    for what, found, expected in (
        ("ruleset", {cases[0].ruleset}, path.parent.name),
        ("topic", {case.topic for case in cases}, path.stem),
    ):
        for other in sorted(found - {expected}):
            yield f"{what}: found {other!r}, expected {expected!r} as the file's place says"


def _case(case: Case, ruleset: Ruleset) -> Iterator[str]:
    if case.topic not in TOPICS:
        yield f"found the topic {case.topic!r} in the id, expected one of {', '.join(TOPICS)}"
    if not case.id.startswith(f"{case.ruleset}.{case.topic}."):
        yield f"found id {case.id!r}, expected it to begin with '{case.ruleset}.{case.topic}.'"
    yield from _wording(case, ruleset)
    yield from _sources(case, ruleset)
    yield from _check_reachable(case, ruleset)
    yield from _history(case, ruleset)
    yield from _expectation(case, ruleset, case.expected)
    for query, expected in case.otherwise.items():
        try:
            chosen = ruleset.readings_in(query)
            under = ruleset.with_reading(query)
        except DamspecError as error:
            yield f"otherwise: {error}"
            continue
        for reading, _ in chosen:
            if reading.id not in case.readings:
                yield f"otherwise: {query!r} is a reading of {reading.id}, which the case does not name"
        for line in _expectation(case, under, expected):
            yield f"otherwise {query}: {line}"


def _wording(case: Case, ruleset: Ruleset) -> Iterator[str]:
    if "\n" in case.why.strip():
        yield "why: expected one line"
    for square in unknown_squares(case.why, ruleset.rules.board):
        yield f"why: found {square!r}, which reads like a square and is none of the board"
    if not case.why.rstrip().endswith((".", "!", "?")):
        yield f"why: {case.why!r} does not end with a full stop"


def _sources(case: Case, ruleset: Ruleset) -> Iterator[str]:
    if not case.clauses and is_shipped(case.ruleset):  # rules of one's own need no clauses
        yield "clauses: found none, expected at least one"
    for id in case.clauses:
        clause = damspec.load_clauses().get(id)
        if clause is None:
            yield f"clauses: no clause {id!r}{data.nearest(id, list(damspec.load_clauses()))}"
        elif clause.document not in ruleset.documents:
            yield f"clauses: {id} is a clause of {clause.document}, expected one of {', '.join(ruleset.documents)}"
    about = {reading.id for reading in ruleset.readings}
    for id in case.readings:
        if id not in about:
            yield f"readings: {case.ruleset} has no reading {id!r}"


def _check_reachable(case: Case, ruleset: Ruleset) -> Iterator[str]:
    """Check that the actions said to lead to the position do."""
    position = ruleset.position()
    for place, action in enumerate(case.reached, 1):
        try:
            position = damspec.play(ruleset, position, action)
        except DamspecError as error:
            yield f"reached, {place}: {error}"
            return
    with suppress(DamspecError):  # reported elsewhere
        if case.reached and position != ruleset.position(case.position):
            yield f"reached: the actions lead to {position.fen()}, expected {case.position}"


def _history(case: Case, ruleset: Ruleset) -> Iterator[str]:
    """Check that the history can be played from the position, and that an outcome is asked for after it."""
    if case.history and any(each.outcome is None for each in (case.expected, *case.otherwise.values())):
        yield "history: expected it with an outcome alone"
    with suppress(PositionError):  # reported elsewhere
        game = Game(ruleset, case.position)
        for place, action in enumerate(case.history, 1):
            try:
                game.push(action)
            except DamspecError as error:
                yield f"history, {place}: {error}"
                return


def _expectation(case: Case, ruleset: Ruleset, expected: Expectation) -> Iterator[str]:
    try:
        position = ruleset.position(case.position)
    except DamspecError as error:
        yield str(error)
        return
    if expected.outcome is not None:
        yield from _outcome(ruleset, expected.outcome)
    elif expected.end is not None:
        yield from _game(ruleset, position, expected.game)
        yield from _outcome(ruleset, expected.end)
    else:
        yield from _moves(ruleset, position, expected.moves or {})
        yield from _moves(ruleset, position, expected.lapses or {})


def _outcome(ruleset: Ruleset, outcome: Outcome) -> Iterator[str]:
    by_history = (reason for rule, reason in REASONS.items() if rule in ruleset.values)
    reasons = {*_REASONS, *ruleset.rules.ending.draws, *by_history}
    if outcome.is_over and outcome.reason not in reasons:
        yield f"outcome: found reason {outcome.reason!r}, expected one of {', '.join(sorted(reasons))}"
    if not outcome.is_over and outcome.reason:
        yield "outcome: an ongoing game has no reason"


def _game(ruleset: Ruleset, position: Position, game: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for place, (action, fen) in enumerate(game, 1):
        yield from (f"game, {place}: {line}" for line in _moves(ruleset, position, {action: fen}))
        try:
            position = ruleset.position(fen)
        except DamspecError:
            return  # reported above


def _moves(ruleset: Ruleset, position: Position, moves: Mapping[str, str]) -> Iterator[str]:
    seen = []
    for text, fen in moves.items():
        try:
            key = move_effect(position, text)
            after = ruleset.position(fen)
        except DamspecError as error:
            yield f"moves: {text}: {error}"
            continue
        if key is None:
            yield f"moves: {text}: not every jump passes over an enemy piece, or some with nothing between"
            continue
        if (key, fen) in seen:
            yield f"moves: {text}: the same move is listed before, by another path"
        seen.append((key, fen))
        if not isinstance(key, str):
            yield from _bookkeeping(ruleset, position, text, after, key)


def _bookkeeping(
    ruleset: Ruleset, position: Position, text: str, after: Position, key: tuple[int, int, frozenset[int]]
) -> Iterator[str]:
    """Check that only the moved and captured pieces changed; a piece that lands on an open door is gone."""
    start, end, captured = key
    board, side = position.board, position.turn
    enemy = opponent(side)
    if after.turn != enemy and after.spin != "due":
        yield f"moves: {text}: {after.fen()} has {after.turn} to move, expected {enemy}"
    own = position.occupied(side)
    if not board.bit(start) & own:
        yield f"moves: {text}: no {side} piece on {start}"
        return
    stays = board.bit(end) & ~open_doors(ruleset.rules, position)
    if after.occupied(side) != own ^ board.bit(start) | stays:
        yield f"moves: {text}: the {side} pieces of {after.fen()} do not follow from the move"
    gone = board.mask(captured)
    if (after.men(enemy), after.kings(enemy)) != (position.men(enemy) & ~gone, position.kings(enemy) & ~gone):
        yield f"moves: {text}: the {enemy} pieces of {after.fen()} do not follow from the move"
