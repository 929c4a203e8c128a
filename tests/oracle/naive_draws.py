"""The draws by what went before, written from the sentences of spec/rules.yaml alone and sharing no code with the rest.

A game is told from its beginning to its end, and all counts are kept on the way. Nothing is worked out from the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from naive import Cell, NaivePosition, Rules, cells, enemy_of, read

NEVER = 10**9


@dataclass
class Counts:
    """For each thing that lasts how many moves each side has made meanwhile.

    `kings` is what kings alone have made, `peace` what has been made since the pieces became fewer.
    """

    kings: Counter[str] = field(default_factory=Counter)
    peace: Counter[str] = field(default_factory=Counter)
    endings: dict[str, Counter[str]] = field(default_factory=dict)
    balance: dict[str, Counter[str]] = field(default_factory=dict)
    road: dict[str, Counter[str]] = field(default_factory=dict)
    river: dict[str, Counter[str]] = field(default_factory=dict)

    def copied(self) -> Counts:
        groups = ({key: Counter(made) for key, made in group.items()} for group in self.groups)
        return Counts(Counter(self.kings), Counter(self.peace), *groups)

    @property
    def groups(self) -> tuple[dict[str, Counter[str]], ...]:
        return self.endings, self.balance, self.road, self.river

    def add(self, colour: str) -> None:
        for made in (self.kings, self.peace, *(made for group in self.groups for made in group.values())):
            made[colour] += 1


def draws(rules: Rules, fens: Sequence[str], actions: Sequence[str]) -> list[str | None]:
    """The word of the first draw that there is after each action of a game; None where there is none."""
    counts, stack, found = Counts(), list[Counts](), list[str | None]()
    stood = Counter(fens[:1])
    watch(rules, read(fens[0]), counts)
    for action, fen, then in zip(actions, fens, fens[1:], strict=False):
        was, now = read(fen), read(then)
        stood[then] += 1
        if action == "retract":
            counts = stack.pop() if stack else Counts()
        else:
            stack.append(counts.copied())
            follow(was, now, action, counts)
        watch(rules, now, counts)
        found.append(word(rules, now, counts, stood[then]))
    return found


def follow(was: NaivePosition, now: NaivePosition, action: str, counts: Counts) -> None:
    """Count a move, and begin again what it puts an end to."""
    progress = False
    if action[0].isdigit():
        counts.add(was.turn)
        progress = was.pieces[int(action.replace("x", "-").split("-")[0])][1] == "man"
    if Counter(was.pieces.values()) != Counter(now.pieces.values()):
        counts.balance, progress = {}, True
    if len(was.pieces) != len(now.pieces):
        counts.peace = Counter()
    if progress:
        counts.kings = Counter()


def watch(rules: Rules, position: NaivePosition, counts: Counts) -> None:
    """Keep the counts of what the position still is, begin those of what it is now, drop the others."""
    kings = {colour for colour, kind in position.pieces.values() if kind == "king"}
    named = (
        {key for key in rules.get("draws.endings", {}) if any(weaker_sides(key, position))},
        {key for key in rules.get("draws.balance", {}) if len(position.pieces) in totals(key) and len(kings) == 2},
        {key for key in rules.get("draws.main-road", {}) if holds_the_road(rules, key, position)},
        {
            key
            for key in rules.get("draws.river", {})
            if takes_the_river(rules, key, position) or (key in counts.river and any(weaker_sides(key, position)))
        },
    )
    for group, keys in zip(counts.groups, named, strict=True):
        for gone in set(group) - keys:
            del group[gone]
        for key in keys - set(group):
            group[key] = Counter()


def word(rules: Rules, position: NaivePosition, counts: Counts, stood: int) -> str | None:
    if stood >= rules.get("draws.repetition", NEVER):
        return "repetition"
    if fewer(counts.peace) >= rules.get("draws.no-capture", NEVER):
        return "no-capture"
    owners = Counter(colour for colour, _ in position.pieces.values())
    crowded = max(owners.values()) > rules.get("draws.king-moves-pieces", NEVER)
    if fewer(counts.kings) >= rules.get("draws.king-moves", NEVER) and not crowded and not counts.river:
        return "king-moves"
    rest = (("ending", "endings"), ("balance", "balance"), ("main-road", "main-road"), ("river", "river"))
    for (said, rule), group in zip(rest, counts.groups, strict=True):
        for key, made in group.items():
            number = fewer(made) if rule == "balance" else counted(rules, key, position, made)
            if number >= rules[f"draws.{rule}"][key]:
                return said
    return None


def counted(rules: Rules, key: str, position: NaivePosition, made: Counter[str]) -> int:
    """How many moves count in the endgame of a key."""
    weaker = weaker_sides(key, position)
    if len(weaker) == 2 or "draws.counted-side" not in rules:
        return fewer(made)
    return made[weaker[0] if rules["draws.counted-side"] == "weaker" else enemy_of(weaker[0])]


def fewer(made: Counter[str]) -> int:
    return min(made["white"], made["black"])


@cache
def totals(key: str) -> set[int]:
    numbers = [int(number) for number in key.split("-")]
    return set(range(numbers[0], numbers[-1] + 1))


def weaker_sides(key: str, position: NaivePosition) -> list[str]:
    """The colours that have the weaker part of one of the endgames of a key."""
    return [
        colour
        for colour in ("white", "black")
        for strong, weak in (name.split("v") for name in key.split(" "))
        if letters(position, colour) == sorted(weak) and letters(position, enemy_of(colour)) == sorted(strong)
    ]


def letters(position: NaivePosition, colour: str) -> list[str]:
    return sorted(kind[0].upper() for owner, kind in position.pieces.values() if owner == colour)


def holds_the_road(rules: Rules, key: str, position: NaivePosition) -> bool:
    road = corner_to_corner(tuple(cells(rules)))
    return any(
        all(number in road for number, (colour, _) in position.pieces.items() if colour == weaker)
        for weaker in weaker_sides(key, position)
    )


def takes_the_river(rules: Rules, key: str, position: NaivePosition) -> bool:
    """Whether something of the stronger side is on the road, and nothing of the weaker."""
    road = corner_to_corner(tuple(cells(rules)))
    there = {colour for number, (colour, _) in position.pieces.items() if number in road}
    return any(there == {enemy_of(weaker)} for weaker in weaker_sides(key, position))


@cache
def corner_to_corner(there: tuple[Cell, ...]) -> set[int]:
    """The numbers of the squares of each diagonal that joins two corners of the board, if it is one of the game's."""
    width, height = max(column for column, _ in there), max(row for _, row in there)
    found = set()
    for number, (column, row) in enumerate(there, 1):
        rising, falling = column == row, column + row == width
        if width == height and ((rising and (0, 0) in there) or (falling and (0, height) in there)):
            found.add(number)
    return found
