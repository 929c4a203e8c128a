"""The interpreter in JavaScript, asked for all it says, and whether that is what the reference says."""

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
_TOLD = Path(__file__).with_name("told.mjs")


class Interpreter:
    """A process of Node.js that answers line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer to one question; see told.mjs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def plays(self, values: Mapping[str, Any]) -> None:
        """From here on it is asked about a game by these rules."""
        assert self.ask(rules=values) == {"problems": []}


@contextmanager
def interpreter() -> Iterator[Interpreter]:
    """A fresh one."""
    command = [node(), str(_TOLD)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield Interpreter(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0


def agree(asked: Interpreter, ruleset: Ruleset, position: Position) -> None:
    """Fail where the two differ about a position: actions with all their paths, what follows, lapses, the outcome."""
    fen = position.fen()
    said = asked.ask(fen=fen)
    assert "error" not in said, (ruleset.id, fen, said)
    legal = damspec.legal_moves(ruleset, position)
    for mine, theirs in ((legal, said["moves"]), (legal.lapses, said["lapses"])):
        expected = {_key(action): damspec.play(ruleset, position, action).fen() for action in mine}
        assert {_key_of(each): each["after"] for each in theirs} == expected, (ruleset.id, fen)
        assert len(theirs) == len(expected), (ruleset.id, fen)
        paths = {_key(move): set(move.paths) for move in mine if isinstance(move, Move)}
        found = {_key_of(each): {tuple(way["path"]) for way in each["paths"]} for each in theirs if each["path"]}
        assert found == paths, (ruleset.id, fen)
    end = damspec.outcome(ruleset, position)
    assert (said["outcome"]["result"], said["outcome"]["reason"]) == (end.result, end.reason), (ruleset.id, fen)


def agree_about(asked: Interpreter, ruleset: Ruleset, fens: Iterable[str]) -> int:
    """`agree` about positions that a game by these rules can have; how many there were."""
    asked.plays(ruleset.whole)
    count = 0
    for fen in fens:
        try:
            position = ruleset.position(fen)
        except DamspecError:
            continue
        agree(asked, ruleset, position)
        count += 1
    return count


def _key(action: damspec.Action) -> object:
    if isinstance(action, Move):
        return (action.start, action.end, frozenset(action.captured), action.promotes)
    return str(action)


def _key_of(told: Mapping[str, Any]) -> object:
    if told["path"]:
        return (told["path"][0], told["path"][-1], frozenset(told["captured"]), told["crowned"])
    return told["text"]
