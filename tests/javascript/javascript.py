"""The interpreter in JavaScript as a process, and comparisons of its answers with the reference's."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import damspec
from damspec import DamspecError, Move, Position, Ruleset
from runner_fixtures import node

FOLDER = Path(__file__).parents[2] / "reference" / "javascript"
_ANSWERS = Path(__file__).with_name("answers.mjs")


class Interpreter:
    """A process of Node.js that answers line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **question: Any) -> dict[str, Any]:
        """Return the answer to one question; see answers.mjs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def plays(self, values: Mapping[str, Any]) -> None:
        """Set the rules of the questions that follow."""
        assert self.ask(rules=values) == {"problems": []}


@contextmanager
def interpreter() -> Iterator[Interpreter]:
    """Start an interpreter, and end it."""
    command = [node(), str(_ANSWERS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield Interpreter(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0


def agree(javascript: Interpreter, ruleset: Ruleset, position: Position) -> None:
    """Fail where the two differ about a position: actions with all their paths, what follows, lapses, the outcome."""
    fen = position.fen()
    answer = javascript.ask(fen=fen)
    assert "error" not in answer, (ruleset.id, fen, answer)
    legal = damspec.legal_moves(ruleset, position)
    for mine, theirs in ((legal, answer["moves"]), (legal.lapses, answer["lapses"])):
        expected = {_key(action): damspec.play(ruleset, position, action).fen() for action in mine}
        assert {_key_of(each): each["after"] for each in theirs} == expected, (ruleset.id, fen)
        assert len(theirs) == len(expected), (ruleset.id, fen)
        paths = {_key(move): set(move.paths) for move in mine if isinstance(move, Move)}
        found = {_key_of(each): {tuple(way["path"]) for way in each["paths"]} for each in theirs if each["path"]}
        assert found == paths, (ruleset.id, fen)
    jumps = any(each["path"] and each["captured"] and not each["paths"][0]["slides"] for each in answer["moves"])
    assert answer["canCapture"] or not jumps, (ruleset.id, fen)
    end = damspec.outcome(ruleset, position)
    assert (answer["outcome"]["result"], answer["outcome"]["reason"]) == (end.result, end.reason), (ruleset.id, fen)


def agree_about(javascript: Interpreter, ruleset: Ruleset, fens: Iterable[str]) -> int:
    """`agree` about the positions that a game by these rules can have; return their number."""
    javascript.plays(ruleset.inline_values)
    count = 0
    for fen in fens:
        try:
            position = ruleset.position(fen)
        except DamspecError:
            continue
        agree(javascript, ruleset, position)
        count += 1
    return count


def _key(action: damspec.Action) -> object:
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured), action.promotes)
    return str(action)


def _key_of(answer: Mapping[str, Any]) -> object:
    if answer["path"]:
        return (answer["path"][0], answer["path"][-1], frozenset(answer["captured"]), answer["crowned"])
    return answer["text"]
