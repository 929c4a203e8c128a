"""Generation: positions whose answer depends on a rule, or tells rulesets apart, found by search or by exhaustion.

Answers are compared as cheaply as the rules allow: where only the movement of pieces differs, as bitboards; turns are
worked out in full only for what is left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import comb

from damspec import Action, Position, Ruleset
from damspec.board import opponent
from damspec.rules import TrapdoorRules

from . import sampling
from .equivalence import placements
from .judge import Answer, Player
from .sampling import PLAIN, Sampler

#: Rules that only the moves without capture depend on, only the captures, and both; by their beginnings.
_QUIET = ("man.move.", "king.move.directions", "king.move.reach", "trapdoors.quiet-landing")
_CAPTURES = ("man.capture.", "king.capture.", "capture.", "trapdoors.capture-landing")
_BOTH = ("king.move.slides", "promotion.", "trapdoors.passing")
#: Rules that say nothing of a position.
_START = ("start.",)

#: About how many comparisons of moves an exhaustion may cost; comparing whole turns costs so many times as much.
_AFFORDABLE = 1_500_000
_WHOLE_TURNS = 8
#: Up to so many pieces all positions are tried where chance finds nothing more.
_TINY = 2


@dataclass(frozen=True)
class Contrast:
    """What two sets of rules can differ in: captures, other moves, the turn around them, the end of the game."""

    captures: bool
    quiet: bool
    turns: bool
    ending: bool

    @classmethod
    def between(cls, one: Ruleset, other: Ruleset) -> Contrast:
        """The contrast of two rulesets."""
        rules = one.values.keys() | other.values.keys()
        changed = [rule for rule in rules if one.values.get(rule) != other.values.get(rule)]
        turns = [r for r in changed if r == "capture.duty" or not r.startswith((*_QUIET, *_CAPTURES, *_BOTH, *_START))]
        return cls(
            captures=any(rule.startswith((*_CAPTURES, *_BOTH)) for rule in changed),
            quiet=any(rule.startswith((*_QUIET, *_BOTH)) for rule in changed),
            turns=any(not rule.startswith("ending.") for rule in turns),
            ending=any(rule.startswith("ending.") for rule in turns),
        )

    def __bool__(self) -> bool:
        return self.captures or self.quiet or self.turns or self.ending


class View:
    """A position as one player sees it: what that player answers, worked out no further than asked."""

    def __init__(self, player: Player, position: Position) -> None:
        self.player, self.position = player, player.fitted(position)

    @cached_property
    def captures(self) -> frozenset[object]:
        """The captures, as bitboards."""
        return frozenset(step[:4] for step in self.player.turns.generator.captures(*self._seen))

    @cached_property
    def quiet(self) -> frozenset[object]:
        """The moves that begin without a capture, as bitboards."""
        return frozenset(step[:4] for step in self.player.turns.generator.quiet(*self._seen))

    @cached_property
    def answer(self) -> tuple[Answer, Answer]:
        """Moves and lapses with the positions after them; closed sliders are as good as none."""
        moves, lapses = self.player.moves(self.position), self.player.lapses(self.position)
        if self._trapdoors is None:
            return moves, lapses
        closed = self._trapdoors.layout.closed
        return _without(moves, closed), _without(lapses, closed)

    @cached_property
    def outcome(self) -> str:
        """Whether the game is over, and who has won."""
        return self.player.outcome(self.position)

    @property
    def ongoing(self) -> bool:
        """Whether it is plain to see that the game goes on: pieces enough and a move."""
        white, black = self.position.pieces("white"), self.position.pieces("black")
        enough = white and black and (white & (white - 1) or black & (black - 1))
        return bool(enough and self._trapdoors is None and (self.captures or self.quiet))

    @cached_property
    def possible(self) -> bool:
        """Whether the player's rules can have the position."""
        return self.player.turns.objection(self.position) is None

    @cached_property
    def _seen(self) -> tuple[tuple[int, int, int, int], int, int]:
        p = self.position
        trapdoors = self._trapdoors
        doors = trapdoors.layout.open_doors(p.board, p.sliders) if trapdoors and p.sliders else 0
        if p.turn == "white":
            return (p.white_men, p.white_kings, p.black_men, p.black_kings), 0, doors
        return (p.black_men, p.black_kings, p.white_men, p.white_kings), 1, doors

    @cached_property
    def _trapdoors(self) -> TrapdoorRules | None:
        return self.player.rules.rules.trapdoors

    def may_differ(self, other: View, contrast: Contrast) -> bool:
        """Whether answers can differ in this position or in one that differs from it in the phase only.

        That they do not is certain. Claims against a lapse are not looked at.
        """
        if contrast.turns or contrast.ending:
            return True
        return (contrast.captures and self.captures != other.captures) or (contrast.quiet and self.quiet != other.quiet)

    def differs(self, other: View, contrast: Contrast) -> bool:
        """Whether the answers differ."""
        moves = contrast.turns
        if not moves and (contrast.captures or contrast.quiet):
            moves = (
                self.position.huffable is not None
                or (contrast.captures and self.captures != other.captures)
                or (contrast.quiet and self.quiet != other.quiet)
            )
        if moves and self.answer != other.answer:
            return True
        return contrast.ending and not (self.ongoing and other.ongoing) and self.outcome != other.outcome


def differing(players: Sequence[Player], candidates: Iterable[Position]) -> Iterator[Position]:
    """Those of the candidates that all players can have and that not all of them answer alike."""
    first, *others = players
    contrasts = [Contrast.between(first.rules, other.rules) for other in others]
    told_apart = [(other, contrast) for other, contrast in zip(others, contrasts, strict=True) if contrast]
    for position in candidates:
        if not all(fits(player, position) for player in players):
            continue
        view = View(first, position)
        if any(_differ(view, other, contrast) for other, contrast in told_apart) and all(
            View(player, position).possible for player in players
        ):
            yield position


def fits(player: Player, position: Position) -> bool:
    """Whether a player has the fields that a position has: doors that are not shut, a spin, a claim."""
    rules = player.rules.rules
    if position.board != rules.board:
        return False
    if rules.trapdoors is None:
        return position.spin is None and not (position.sliders or "").strip("M")
    if position.sliders is not None and len(position.sliders) != len(rules.trapdoors.layout.sliders):
        return False
    assert rules.spin is not None
    return position.spin in (None, "due") or position.spin in rules.spin.outcomes


def _differ(view: View, other: Player, contrast: Contrast) -> bool:
    return view.differs(View(other, view.position), contrast)


def _without(answer: Answer, closed: str) -> Answer:
    return frozenset((key, (*after[:5], None, *after[6:]) if after[5] == closed else after) for key, after in answer)


# --- what is wanted ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """The answer has to differ from that of one of these rulesets. `rule` is the one that they have changed, if it is
    one; `says` puts it in words.
    """

    says: str
    others: tuple[Ruleset, ...]
    rule: str | None = None


@dataclass(frozen=True)
class Wanted:
    """What positions are looked for; `pieces` and `moves` are the fewest and the most, `goals` are to be met all."""

    rules: Ruleset
    goals: tuple[Goal, ...] = ()
    pieces: tuple[int, int] = (1, 12)
    moves: tuple[int, int] | None = None
    phase: str | None = None

    @cached_property
    def player(self) -> Player:
        """The rules as a player."""
        return Player(self.rules)

    @cached_property
    def _others(self) -> list[list[tuple[Player, Contrast]]]:
        return [
            [
                (Player(other), contrast)
                for other in goal.others
                if other.rules.board == self.rules.rules.board and (contrast := Contrast.between(self.rules, other))
            ]
            for goal in self.goals
        ]

    @property
    def hopeless(self) -> Goal | None:
        """A goal that no position can meet, since the rules differ in none that a position shows."""
        return next((goal for goal, others in zip(self.goals, self._others, strict=True) if not others), None)

    @property
    def whole_turns(self) -> bool:
        """Whether turns have to be compared in full."""
        return any(contrast.turns for others in self._others for _, contrast in others)

    def may_meet(self, position: Position) -> bool:
        """Whether the goals can be met in the position in any phase but after a lapse. That they cannot is certain."""
        view = View(self.player, position)
        return all(
            any(
                contrast.turns or (fits(player, position) and view.may_differ(View(player, position), contrast))
                for player, contrast in others
            )
            for others in self._others
        )

    def met(self, position: Position) -> bool:
        """Whether a position is one that is wanted. It has to be one that the ruleset can have."""
        if self.phase is not None and sampling.phase_of(position) != self.phase:
            return False
        if not self.pieces[0] <= count(position) <= self.pieces[1]:
            return False
        view = View(self.player, position)
        for others in self._others:
            if not any(told_apart(view, player, contrast) for player, contrast in others):
                return False
        return self.moves is None or self.moves[0] <= len(self.player.turns.actions(position)) <= self.moves[1]


def told_apart(view: View, other: Player, contrast: Contrast) -> bool:
    """Whether another player can have the position of a view too, and answers it otherwise."""
    position = view.position
    if not fits(other, position):
        return False
    seen = View(other, position)
    if contrast.turns:  # what the other cannot have it may not even be able to answer
        return seen.possible and view.differs(seen, contrast)
    return view.differs(seen, contrast) and seen.possible


@dataclass(frozen=True)
class Found:
    """A position, and the actions that lead to it from the start if that was asked for."""

    position: Position
    game: tuple[Action, ...] | None = None


def count(position: Position) -> int:
    """The number of pieces."""
    return (position.pieces("white") | position.pieces("black")).bit_count()


# --- the search -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exhausted:
    """All positions with so many pieces tried: how many, and with how many doors open at most (None: any number)."""

    pieces: int
    doors: int | None
    positions: int


@dataclass
class Hunt:
    """A search for wanted positions, the same for the same seed. It ends when `tries` in a row found nothing new.

    `tell` is told now and then how many positions were tried and found. `few` has the best found by a search for the
    fewest pieces that is not over yet.
    """

    wanted: Wanted
    seed: int = 0
    tries: int = 200_000
    tell: Callable[[int, int], None] = lambda tried, found: None
    tried: int = 0
    exhausted: list[Exhausted] = field(default_factory=list)
    few: dict[Position, Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self._found: dict[Position, Found] = {}
        self._last = 0

    def anywhere(self) -> Iterator[Found]:
        """Wanted positions among random ones and, where they are rare, among those much like the ones found.

        At last, where chance finds no more, all positions with the fewest pieces.
        """
        for position in self._search(self.wanted):
            yield from self._new(Found(position))
        for number in range(self._lowest, min(_TINY, self.wanted.pieces[1]) + 1):
            if self._affordable_doors(number) is None:
                yield from self._exhaust(number, None)

    def reached(self) -> Iterator[Found]:
        """Wanted positions out of random games."""
        for position, game in sampling.games(self.wanted.rules, self._rng):
            if not self._goes_on():
                return
            if position not in self._found and self.wanted.met(position):
                yield from self._new(Found(position, game))

    def fewest(self) -> Iterator[Found]:
        """Wanted positions with the fewest pieces: by exhaustion as long as that can be afforded, then by search."""
        for number in range(self._lowest, self.wanted.pieces[1] + 1):
            doors = self._affordable_doors(number)
            if doors != -1:
                found = len(self._found)
                yield from self._exhaust(number, doors)
                if len(self._found) > found:
                    return
            if doors is not None:
                yield from self._few(number)
                return

    def fewest_reached(self) -> Iterator[Found]:
        """Wanted positions out of random games, those with the fewest pieces found."""
        least = self.wanted.pieces[1] + 1
        for position, game in sampling.games(self.wanted.rules, self._rng):
            if not self._goes_on():
                break
            if count(position) <= least and position not in self.few and self.wanted.met(position):
                if count(position) < least:
                    least, self.few, self._last = count(position), {}, self.tried
                self.few[position] = Found(position, game)
        yield from self.few.values()

    @property
    def proved_below(self) -> int:
        """The number of pieces below which every position was tried."""
        return max([self._lowest, *(one.pieces + 1 for one in self.exhausted if one.doors is None)])

    # --- by search ----------------------------------------------------------------------------

    def _count(self) -> None:
        """Count a position tried."""
        self.tried += 1
        if self.tried % 512 == 0:
            self.tell(self.tried, len(self._found))

    def _goes_on(self) -> bool:
        """Count a try; False when there were enough without success."""
        self._count()
        return self.tried - self._last <= self.tries

    def _new(self, found: Found) -> Iterator[Found]:
        """What was found, if it was not found before."""
        if found.position not in self._found:
            self._found[found.position] = found
            self._last = self.tried
            yield found

    def _search(self, wanted: Wanted, known: Iterable[Position] = ()) -> Iterator[Position]:
        sampler = Sampler(wanted.rules, self._rng, wanted.pieces, wanted.phase)
        hits = list(known)
        self._last = drawn = self.tried
        while self._goes_on():
            rare = len(hits) * 50 < self.tried - drawn
            around = bool(hits) and rare and self._rng.random() < 0.6
            position = sampler.near(self._rng.choice(hits)) if around else sampler.draw()
            if position is not None and position not in self._found and wanted.met(position):
                hits.append(position)
                yield position

    def _few(self, lowest: int) -> Iterator[Found]:
        """Positions with few pieces: found by search, and pieces taken off as long as they stay wanted."""
        least = self.wanted.pieces[1] + 1
        fewer = True
        while fewer:
            fewer = False
            wanted = replace(self.wanted, pieces=(lowest, min(least, self.wanted.pieces[1])))
            for position in self._search(wanted, self.few):
                position = self._thinned(position, lowest)
                fewer = count(position) < least
                if fewer:
                    least, self.few = count(position), {position: Found(position)}
                    break
                if count(position) == least:
                    self.few[position] = Found(position)
                if least == lowest == self.proved_below:
                    for found in list(self.few.values()):
                        yield from self._new(found)
        for found in self.few.values():
            yield from self._new(found)

    def _thinned(self, position: Position, lowest: int) -> Position:
        """The position with pieces taken off, none of which can be taken off too."""
        for bit in self.wanted.rules.rules.board.bits:
            fewer = replace(
                position,
                white_men=position.white_men & ~bit,
                white_kings=position.white_kings & ~bit,
                black_men=position.black_men & ~bit,
                black_kings=position.black_kings & ~bit,
            )
            if fewer == position or count(fewer) < lowest or self.wanted.player.turns.objection(fewer):
                continue
            if self.wanted.met(fewer):
                return self._thinned(fewer, lowest)
        return position

    @property
    def _lowest(self) -> int:
        return max(self.wanted.pieces[0], 1 if self.wanted.rules.rules.trapdoors is None else 0)

    # --- by exhaustion ------------------------------------------------------------------------

    def _exhaust(self, number: int, doors: int | None) -> Iterator[Found]:
        """Wanted positions among all with so many pieces."""
        before = self.tried
        for position in self._everywhere(number, doors):
            self._count()
            if self.wanted.met(position):
                yield from self._new(Found(position))
                if self._sides == ("white",) and not (position.sliders or position.huffable):
                    yield from self._new(Found(position.mirrored()))
        self.exhausted.append(Exhausted(number, doors, self.tried - before))

    def _affordable_doors(self, number: int) -> int | None:
        """With how many doors open all positions of so many pieces can be tried: None any, -1 not at all."""
        size = comb(len(self.wanted.rules.rules.board), number) * 4**number * len(self._sides)
        size *= _WHOLE_TURNS if self.wanted.whole_turns or self.wanted.rules.rules.huff else 1
        for doors in (None, 1, 0):
            if size * len(self._sliders(doors)) <= _AFFORDABLE:
                return doors
        return -1

    def _sliders(self, doors: int | None) -> list[str | None]:
        """The positions of the sliders, those with the fewest open doors first."""
        trapdoors = self.wanted.rules.rules.trapdoors
        if trapdoors is None:
            return [None]
        letters = "M" if trapdoors.closing == "at-once" else "MLR"
        every = ["".join(one) for one in product(letters, repeat=len(trapdoors.layout.sliders))]
        every.sort(key=lambda one: -one.count("M"))
        return [one for one in every if doors is None or len(one) - one.count("M") <= doors]

    @cached_property
    def _sides(self) -> tuple[str, ...]:
        """Who is to move: White alone where the game is the same turned round."""
        return ("white",) if same_turned_round(self.wanted.rules) else ("white", "black")

    def _everywhere(self, number: int, doors: int | None) -> Iterator[Position]:
        """Every position with so many pieces, in every phase, that the goals can be met in."""
        wanted, rules = self.wanted, self.wanted.rules.rules
        board, heads = rules.board, (0, 0)
        if rules.promotion.return_ != "not-crowned":
            rows = rules.promotion.rows
            heads = board.nearest_rows(rows, "black"), board.nearest_rows(rows, "white")
        turns = wanted.player.turns
        for sliders in self._sliders(doors):
            for pieces in placements(board, number, heads):
                for side in self._sides:
                    position = Position(board, *pieces, "white" if side == "white" else "black", sliders)
                    if rules.huff is None and not wanted.may_meet(position):
                        self._count()
                        continue
                    for one in self._in_phases(position):
                        if not turns.objection(one):
                            yield one

    def _in_phases(self, position: Position) -> Iterator[Position]:
        """The pieces in every phase, and those after each lapse of the other side if it were to move."""
        for phase in sampling.phases(self.wanted.rules):
            if phase == PLAIN:
                yield position
            elif phase == "compelled":
                yield replace(position, compelled=True)
            elif phase == "huffable":
                turns = self.wanted.player.turns
                before = replace(position, turn=opponent(position.turn))
                yield from (turns.after(before, lapse) for lapse in turns.lapses(before))
            else:
                yield replace(position, spin=phase.removeprefix("spin="))


def same_turned_round(rules: Ruleset) -> bool:
    """Whether a position and the one with the colours changed and the board turned round have the same answers."""
    board, trapdoors = rules.rules.board, rules.rules.trapdoors
    turned = [(board.columns - 1 - column, board.rows - 1 - row) for column, row in reversed(board.places)]
    if turned != list(board.places):
        return False
    if trapdoors is None:
        return True
    doors = {(slider.colour, frozenset((slider.left, slider.right))) for slider in trapdoors.layout.sliders}
    return doors == {(colour, frozenset(len(board) + 1 - door for door in pair)) for colour, pair in doors}
