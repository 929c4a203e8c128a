"""The ruleset that games in PDN fit, where no tag names one or the tag is likely to be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.errors import list_some
from damspec.pdn.games import find_orientation, replay
from damspec.pdn.notation import GameType, claims, movement_rules
from damspec.pdn.record import WrittenGame, WrittenMove

#: How many games every candidate is tried on; only those that do well are tried on the others.
_SAMPLE = 12
#: How many other rulesets that fit as well are named.
_MOST_NAMED = 4
_NUMBER = re.compile("[0-9]+")
_LETTERED = re.compile("(?<![0-9])([A-WYZa-wyz])([0-9]+)")


@dataclass(frozen=True)
class RulesetFit:
    """A ruleset by which most of some games are legal to their ends, `complete` of them in all their variations too.

    `others` are as good.
    """

    ruleset: Ruleset
    legal: int
    games: int
    others: tuple[str, ...] = ()
    complete: int = 0

    def __str__(self) -> str:
        others = list_some(self.others, _MOST_NAMED)
        return f"fits {self.ruleset.id}: {self.legal} of {self.games}" + (f" (so does {others})" if others else "")


def find_ruleset(records: Sequence[WrittenGame], *, but: Ruleset | None = None) -> RulesetFit | None:
    """Return the ruleset by which most of some games are legal to their ends, if that is more than half of them.

    Of several those count by which most of these games are legal in their variations too, and of these the first in the
    order of the numbers in PDN. `but` is left out, and so are boards with other squares than its own.
    """
    played = [record for record in records if any(isinstance(item, WrittenMove) for item in record.body)]
    if not played:
        return _find_ruleset_of_positions(records) if but is None else None
    letters = any(_LETTERED.search(text) for text in _move_texts(played))
    able = [
        ruleset
        for ruleset in candidates(letters=letters)
        if _has_squares(ruleset.rules.board, played)
        and (but is None or (ruleset != but and ruleset.rules.board.places == but.rules.board.places))
    ]
    sample = played[:_SAMPLE]
    alike: dict[object, Ruleset] = {}  # the first ruleset with the same moves
    for ruleset in able:
        alike.setdefault(_moves_key(ruleset), ruleset)
    firsts = [*alike.values()]
    counts = {ruleset: _count_legal(ruleset, sample) for ruleset in firsts}
    best = max(counts.values(), default=_LegalGames(0, 0))
    if 2 * best.whole <= len(sample):
        return _find_turned_ruleset(able, sample, len(played)) if but is None else None
    firsts = [ruleset for ruleset in firsts if counts[ruleset].whole >= best.whole - 1]
    if len(played) > len(sample):
        counts = {ruleset: _count_legal(ruleset, played) for ruleset in firsts}
    best = max(counts[ruleset] for ruleset in firsts)
    first, *others = (r for r in able if counts.get(alike[_moves_key(r)], 0) == best and alike[_moves_key(r)] in firsts)
    if 2 * best.whole <= len(played):
        return None
    return RulesetFit(first, best.whole, len(played), tuple(other.id for other in others), best.with_variations)


@cache
def _moves_key(ruleset: Ruleset) -> str:
    """Return a key that rulesets with the same board, first position and moves share."""
    return repr((ruleset.position("start").fen(), sorted(movement_rules(ruleset.values).items()), ruleset.rules.board))


def _find_ruleset_of_positions(records: Sequence[WrittenGame]) -> RulesetFit | None:
    """Return the ruleset of the smallest board on which most positions of games without moves can be."""
    able = sorted(candidates(letters=False), key=lambda ruleset: len(ruleset.rules.board))
    sample = records[:_SAMPLE]
    counts = {ruleset: _count_legal(ruleset, sample, plies=0) for ruleset in able}
    best = max(counts.values())
    first, *others = (ruleset for ruleset in able if counts[ruleset] == best)
    legal, games = _count_legal(first, records, plies=0).whole, len(records)
    return RulesetFit(first, legal, games, tuple(other.id for other in others)) if 2 * legal > games else None


def _find_turned_ruleset(able: Sequence[Ruleset], sample: Sequence[WrittenGame], games: int) -> RulesetFit | None:
    """Return the first ruleset by which most of the games are legal with squares from another side."""
    for ruleset in able:
        if ruleset.gametype and (found := find_orientation(sample, ruleset, starts=True)):
            return RulesetFit(ruleset, found.legal, min(games, len(sample)))
    return None


@cache
def candidates(*, letters: bool) -> tuple[Ruleset, ...]:
    """Return the rulesets without spinner or huffing, likeliest first.

    First come those that have a number in PDN, by their numbers, and of them those whose games are written in letters,
    or not, and whose tag is that of the standard.
    """

    def rank(id: str) -> tuple[bool, bool, int]:
        tag = claims()[id]
        return (tag.notation == "A") != letters, str(tag) != str(GameType.of_text(tag.known.full)), tag.number

    numbered = sorted(claims(), key=rank)
    every = (load_ruleset(id) for id in dict.fromkeys([*numbered, *ruleset_ids()]))
    return tuple(ruleset for ruleset in every if ruleset.turns.plain)


class _LegalGames(NamedTuple):
    """How many games are legal to their ends, and how many of these in all their variations."""

    whole: int
    with_variations: int


def _count_legal(ruleset: Ruleset, records: Sequence[WrittenGame], *, plies: int = 1) -> _LegalGames:
    """Count the games of at least so many plies that are legal to their ends."""
    replayed = (replay(record, ruleset, is_terse=True) for record in records)
    whole = [game for game in replayed if game.is_whole and game.plies >= plies]
    return _LegalGames(len(whole), sum(all(problem.kind == "form" for problem in game.problems) for game in whole))


def _has_squares(board: Board, records: Sequence[WrittenGame]) -> bool:
    """Return whether a board has all squares of the games' moves."""
    for text in _move_texts(records):
        if lettered := _LETTERED.findall(text):
            column = max(ord(letter.lower()) - 96 for letter, _ in lettered)
            if column > board.columns or max(int(row) for _, row in lettered) > board.rows:
                return False
        elif not text.isdecimal() and max(map(int, _NUMBER.findall(text)), default=0) > len(board):
            return False
    return True


def _move_texts(records: Sequence[WrittenGame]) -> Iterator[str]:
    for record in records[:_SAMPLE]:
        yield from (item.text for item in record.body if isinstance(item, WrittenMove))
