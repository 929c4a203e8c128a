"""Games played, written as records of PDN 3.0. What PDN has no notation for is a comment, and is read from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..action import Action
from ..draws import standing
from ..errors import PdnError
from ..move import Move
from ..position import Position
from ..ruleset import Ruleset
from ..tables import SIDES
from .gametype import GameType, gametype_of, ruleset_of
from .notation import notation_of
from .record import Comment, Element, GameRecord, Noted
from .replay import Count


def record_of(
    ruleset: Ruleset, start: Position, actions: Iterable[Action], tags: Mapping[str, str] | None = None
) -> GameRecord:
    """A game as a record: the tags given, then those that its result, ruleset and first position need.

    A game that begins as its type does has no tag FEN: some readers take a game with one for something else.
    """
    if tags is not None:
        tags = GameRecord(tags, ()).tags
    actions = list(actions)
    body = list(_body(ruleset, start, actions))
    notation, gametype = notation_of(ruleset), gametype_of(ruleset)
    meant = _meant(gametype)
    positions = [start, *(after for _, after in body)]
    needed = {
        "Result": notation.known.result(standing(ruleset.turns, positions, actions).result),
        "GameType": str(gametype) if gametype else "",
        "Ruleset": "" if meant == ruleset else ruleset.id,
        "FEN": "" if meant and Position.start(meant.rules).fen() == start.fen() else notation.fen(start),
    }
    known = {name: value for name, value in needed.items() if value}
    return GameRecord({**(tags or {}), **known, **(tags or {})}, tuple(element for element, _ in body))


def _meant(gametype: GameType | None) -> Ruleset | None:
    """The ruleset that a tag alone leads back to."""
    try:
        return ruleset_of(str(gametype)) if gametype else None
    except PdnError:
        return None


def _body(ruleset: Ruleset, position: Position, actions: Iterable[Action]) -> Iterator[tuple[Element, Position]]:
    """What stands among the moves, each with the position after it."""
    notation, count, told = notation_of(ruleset), Count(SIDES.index(ruleset.rules.start.first)), False
    for action in actions:
        before, position = position, ruleset.turns.after(position, action)
        if isinstance(action, Move):
            side = SIDES.index(before.turn)
            count.counted(side, "")
            number = count.before if side == count.first or not told else ""
            yield Noted(notation.written(before, action), number), position
        else:
            yield Comment(str(action)), position
        told = isinstance(action, Move)
