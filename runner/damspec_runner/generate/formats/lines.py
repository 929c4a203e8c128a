"""Positions as data: FEN, lines with the answer, JSON, and JSON lines (schemas/generate.schema.json)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from damspec import Action

from ..answered import Answered
from ..otherwise import Deviation, Other


def fen(answered: Iterable[Answered]) -> str:
    """A FEN on each line, and behind it the game that leads there if there is one."""
    return "".join(f"{with_game(one)}\n" for one in answered)


def with_game(answered: Answered) -> str:
    """A FEN, and the game that leads there: `W:W17,22,...; game "21-17, 9-14";`."""
    return answered.fen if answered.game is None else f"{answered.fen}; {_game(answered.game)}"


def epd(answered: Iterable[Answered]) -> str:
    """On each line a FEN and what is known of it, each a word and a text in quotes: `W:W22:B18; moves "22x15";`."""
    return "".join(f"{one.fen}; {' '.join(_operations(one))}\n" for one in answered)


def jsonl(answered: Iterable[Answered]) -> str:
    """On each line a position as JSON, with its ruleset."""
    lines = ({"ruleset": one.ruleset.id, **entry(one)} for one in answered)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def entry(answered: Answered) -> dict[str, Any]:
    """A position with its answers, as plain data."""
    what: dict[str, Any] = {
        "position": answered.fen,
        "pieces": len(answered.position),
        "shows": answered.rules,
        "moves": answered.moves,
        "lapses": answered.lapses,
        "outcome": answered.outcome.as_json(),
    }
    if answered.by.values:
        what["otherwise"] = [_other(other) for other in answered.others]
    if answered.game is not None:
        what["game"] = [str(action) for action in answered.game]
    return what


def _other(other: Other) -> dict[str, Any]:
    what: dict[str, Any] = {
        "values": [{"rule": rule, "value": value} for mutant in other.mutants for rule, value in mutant.changes]
    }
    if other.moves is not None:
        what["moves"] = other.moves
    if other.lapses is not None:
        what["lapses"] = other.lapses
    if other.outcome is not None:
        what["outcome"] = other.outcome.as_json()
    return what


def _operations(answered: Answered) -> Iterable[str]:
    yield _operation("id", f"{answered.ruleset.id}.{answered.digest}")
    yield _operation("shows", ", ".join(answered.rules))
    yield _operation("moves", ", ".join(answered.moves))
    if answered.lapses:
        yield _operation("lapses", ", ".join(answered.lapses))
    yield _operation("outcome", str(answered.outcome))
    if answered.game is not None:
        yield _game(answered.game)
    for other in answered.others:
        yield _operation("otherwise", f"{', '.join(other.names)}: {_answer(other)}")


def _game(actions: Iterable[Action]) -> str:
    return _operation("game", ", ".join(map(str, actions)))


def _operation(word: str, text: str) -> str:
    quoted = text.replace('"', "'")
    return f'{word} "{quoted}";'


def _answer(other: Other) -> str:
    """Another answer in full: only what is another than usual."""
    said = []
    if other.moves is not None:
        said.append(f"moves {_actions(other.moves, other.moved)}")
    if other.lapses is not None:
        said.append(f"lapses {_actions(other.lapses, other.lapsed)}")
    if other.outcome is not None:
        said.append(f"outcome {other.outcome}")
    return " and ".join(said)


def _actions(actions: Mapping[str, str], change: Deviation) -> str:
    """Actions, with the position after those that lead elsewhere than usual."""
    return ", ".join(f"{text} > {fen}" if text in change.elsewhere else text for text, fen in actions.items()) or "none"
