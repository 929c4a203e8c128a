"""Looking for positions whose questions tell sets of rules apart: many at random, few chosen, those made smaller."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from damspec import Move, Position, Ruleset
from damspec.endings import outcome_of_position
from damspec.validity import PLAIN, find_invalidity

from ..positions.sampling import PositionSampler

#: How many pieces the positions have, and how many kings at most.
PIECES, KINGS = (1, 7), 3
#: What one piece more costs, in parts of what a question tells.
_PIECE = 0.12


@dataclass(frozen=True)
class Posed:
    """A question about a position, still without its words, and what it tells: a bit for each pair."""

    position: Position
    kind: str
    move: str
    result: str
    tells: int


@dataclass(frozen=True)
class Pairs:
    """Sets of rules on one board, and which two of them are to be told apart."""

    rulesets: Sequence[Ruleset]
    pairs: Sequence[tuple[int, int]]

    def told(self, answers: Sequence[str]) -> int:
        """The pairs that answer yes and no, as bits."""
        found = 0
        for place, (one, other) in enumerate(self.pairs):
            if answers[one] != answers[other] and "-" not in (answers[one], answers[other]):
                found |= 1 << place
        return found

    def tellings(self, position: Position) -> Iterator[Posed]:
        """Every question about a position that tells some pair apart."""
        every = [_Seen(ruleset, position) for ruleset in self.rulesets]
        for kind, move, result in dict.fromkeys(key for seen in every for key in seen.keys):
            answers = [seen.answer(kind, move, result) for seen in every]
            if "y" in answers and "n" in answers and (tells := self.told(answers)):
                yield Posed(position, kind, move, result, tells)


class _Seen:
    """A position as one set of rules sees it."""

    def __init__(self, ruleset: Ruleset, position: Position) -> None:
        self.possible = find_invalidity(ruleset.turns, position) is None
        self._moves: dict[str, Move] = {}
        self._result = ""
        if self.possible:
            actions = ruleset.turns.actions(position)
            for each in actions:
                if isinstance(each, Move):
                    self._moves |= {replace(each, paths=(path,)).text(): each for path in each.paths}
            self._result = outcome_of_position(ruleset.turns, position, actions).result

    @property
    def keys(self) -> Iterator[tuple[str, str, str]]:
        """The questions to which it says yes."""
        for text, move in self._moves.items():
            yield "legal", text, ""
            if move.promotes:
                yield "crowned", text, ""
        if self._result not in ("", "ongoing"):
            yield "outcome", "", self._result

    def answer(self, kind: str, move: str, result: str) -> str:
        """Its answer to one."""
        if not self.possible:
            return "-"
        if kind == "outcome":
            return "y" if self._result == result else "n"
        made = self._moves.get(move)
        if kind == "legal":
            return "n" if made is None else "y"
        return "-" if made is None else "y" if made.promotes else "n"


def found(pairs: Pairs, rng: random.Random, number: int, tell: Callable[[str], None]) -> list[Posed]:
    """The questions about so many random positions, White to move, that tell some pair apart."""
    samplers = [PositionSampler(ruleset, rng, PIECES, PLAIN) for ruleset in _apart(pairs.rulesets)]
    tellings: list[Posed] = []
    seen = set()
    for place in range(number):
        position = rng.choice(samplers).draw()
        if position is None:
            continue
        position = position if position.turn == "white" else position.mirrored()
        if position in seen or not _is_natural(position):
            continue
        seen.add(position)
        tellings += pairs.tellings(position)
        if place % 100 == 0:
            tell(f"{place:,} of {number:,} positions, {len(tellings):,} questions")
    return tellings


def chosen(pairs: Pairs, tellings: Iterable[Posed], already: Iterable[int], times: int, only: int = -1) -> list[Posed]:
    """As few of the questions as tell each pair apart so many times, as far as any do; those with few pieces first.

    `only` are the pairs that matter, as bits.
    """
    missing = [(1 << len(pairs.pairs)) - 1 & only for _ in range(times)]
    for tells in already:
        _count(missing, tells)
    left = list(tellings)
    picked: list[Posed] = []
    while left:
        wanted = missing[-1]
        values = [(_worth(one, wanted), place) for place, one in enumerate(left)]
        worth, place = max(values, key=lambda each: each[0])
        if worth <= 0:
            break
        best = _smaller(pairs, left.pop(place), wanted)
        picked.append(best)
        _count(missing, best.tells)
        left = [one for one, (worth, _) in zip(left, values, strict=False) if one.tells & missing[-1]]
    return picked


def _worth(posed: Posed, wanted: int) -> float:
    number = (posed.tells & wanted).bit_count()
    return number / (1 + _PIECE * len(posed.position)) if number else 0.0


def _count(missing: list[int], tells: int) -> None:
    """Note what is told: `missing` has the pairs told never, fewer than twice, and so on."""
    for place in range(len(missing) - 1, -1, -1):
        before = missing[place - 1] if place else 0
        missing[place] &= ~tells | before


def _smaller(pairs: Pairs, posed: Posed, wanted: int) -> Posed:
    """The same question with fewer pieces, as long as it tells what is wanted of it."""
    keep = posed.tells & wanted
    for number in posed.position:
        bit = posed.position.board.bit(number)
        masks = {
            name: getattr(posed.position, name) & ~bit
            for name in ("white_men", "white_kings", "black_men", "black_kings")
        }
        position = replace(posed.position, **masks)
        if not _is_natural(position):
            continue
        for other in pairs.tellings(position):
            same = (other.kind, other.move, other.result) == (posed.kind, posed.move, posed.result)
            if same and not keep & ~other.tells:
                return _smaller(pairs, other, wanted)
    return posed


def _is_natural(position: Position) -> bool:
    """Whether a position is one that players can believe: not all kings, and both sides there."""
    kings = (position.white_kings | position.black_kings).bit_count()
    return kings <= KINGS and bool(position.occupied("white") and position.occupied("black"))


def _apart(rulesets: Sequence[Ruleset]) -> list[Ruleset]:
    """Some of the sets of rules, far apart in the list."""
    return list(rulesets[:: max(1, len(rulesets) // 12)])
