"""What rules can differ in, and whether they do in a position, compared as cheaply as the rules allow.

Where only the movement of pieces differs, answers are compared as bitboards; turns are worked out in full only for what
is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from damspec import Action, Move, Position, Ruleset
from damspec.position import open_doors, to_mover_view
from damspec.rules import TrapdoorRules
from damspec.tables import Pieces
from damspec.validity import find_invalidity
from damspec.vocabulary import affects

from ..mutants.ruleset_diff import begins_no_capture, changes_turns, ends
from .player import Answer, Played, RulePlayer, compared

_NONE: frozenset[object] = frozenset()


@dataclass(frozen=True)
class PossibleDifferences:
    """What two sets of rules can differ in: captures, other moves, the turn around them, the end of the game.

    `beginnings` is whether one can have a capture where the other has none, `phases` whether it depends on more than
    the pieces which of their moves can be played.
    """

    captures: bool
    quiet: bool
    turns: bool
    ending: bool
    beginnings: bool
    phases: bool

    @classmethod
    def between(cls, one: Ruleset, other: Ruleset) -> PossibleDifferences:
        """The contrast of two rulesets."""
        rules = one.values.keys() | other.values.keys()
        changed = [rule for rule in rules if one.values.get(rule) != other.values.get(rule)]
        about_captures = [rule for rule in changed if "captures" in affects(rule)]
        captures = bool(about_captures)
        ends_in_captures = any(each.values["king.move.slides"] != "once" for each in (one, other))
        return cls(
            captures=captures,
            quiet=(captures and ends_in_captures) or any("quiet" in affects(rule) for rule in changed),
            turns=any(map(changes_turns, changed)),
            ending=any(map(ends, changed)),
            beginnings=not all(map(begins_no_capture, about_captures)),
            phases=any(map(_has_phases, (one, other))),
        )

    def __bool__(self) -> bool:
        return self.captures or self.quiet or self.turns or self.ending


class Sight:
    """Pieces as one player sees them: what moves they have, worked out no further than asked."""

    def __init__(self, player: RulePlayer, pieces: Pieces, side: int, doors: int = 0) -> None:
        self.player = player
        self._seen = pieces, side, doors
        # A cached_property, which takes a lock, would cost as much as finding out that there is no capture.
        self._captures: frozenset[object] | None = None
        self._quiet: frozenset[object] | None = None

    @property
    def captures(self) -> frozenset[object]:
        """The captures, as bitboards."""
        if self._captures is None:
            steps = self.player.turns.movement.generator.captures(*self._seen)
            self._captures = frozenset([step[:4] for step in steps]) if steps else _NONE
        return self._captures

    @property
    def quiet(self) -> frozenset[object]:
        """The moves that begin without a capture, as bitboards."""
        if self._quiet is None:
            steps = self.player.turns.movement.generator.quiet(*self._seen)
            self._quiet = frozenset([step[:4] for step in steps])
        return self._quiet

    @property
    def must_capture(self) -> bool:
        """Whether nothing but captures can be played, whatever the phase."""
        return self.player.ruleset.rules.capture.duty == "compulsory" and bool(self.captures)

    def may_differ(self, other: Sight, contrast: PossibleDifferences) -> bool:
        """Whether answers can differ in a position with these pieces, whatever the phase. That they do not is certain.

        Claims against a lapse are not looked at.
        """
        return contrast.turns or contrast.ending or self._moves_differ(other, contrast)

    def _moves_differ(self, other: Sight, contrast: PossibleDifferences) -> bool:
        """Whether captures, or other moves that can be played, do; nothing is worked out that cannot matter."""
        if contrast.captures and (contrast.beginnings or self.captures) and self.captures != other.captures:
            return True
        return contrast.quiet and not (self.must_capture and other.must_capture) and self.quiet != other.quiet


class View(Sight):
    """A position as one player sees it: what that player answers, worked out no further than asked."""

    def __init__(self, player: RulePlayer, position: Position) -> None:
        self.position = player.fitted(position)
        super().__init__(player, *to_mover_view(self.position), open_doors(player.ruleset.rules, self.position))

    @cached_property
    def played(self) -> tuple[Played, Played]:
        """Moves and lapses with the positions after them."""
        player, position = self.player, self.position
        moves, lapses = player.actions(position), player.lapsing(position)
        return player.played(position, moves), player.played(position, lapses)

    @cached_property
    def answer(self) -> tuple[Answer, Answer]:
        """Moves and lapses with the positions after them, to compare. Sliders in the middle count like no sliders."""
        moves, lapses = map(compared, self.played)
        if self._trapdoors is None:
            return moves, lapses
        closed = self._trapdoors.layout.closed
        return _without(moves, closed), _without(lapses, closed)

    def _answers_differ(self, other: View) -> bool:
        """Whether the answers do; where only one of the two counts runs of kings, what is counted is no difference."""
        if self.answer == other.answer:
            return False
        limits = [view.player.ruleset.rules.king.move_limit for view in (self, other)]
        if (limits[0] is None) == (limits[1] is None):
            return True
        return any(_uncounted(mine) != _uncounted(their) for mine, their in zip(self.answer, other.answer, strict=True))

    @cached_property
    def claims(self) -> list[Action]:
        """What can be done about a lapse."""
        if self.position.huffable is None:
            return []
        return [action for action in self.player.turns.actions(self.position) if not isinstance(action, Move)]

    @cached_property
    def outcome(self) -> str:
        """Whether the game is over, and who has won."""
        return self.player.outcome(self.position)

    @property
    def ongoing(self) -> bool:
        """Whether the game surely goes on: there are enough pieces, no king that ends it, and a quiet move."""
        if self.player.ruleset.rules.ending.first_king and (
            self.position.kings("white") | self.position.kings("black")
        ):
            return False
        white, black = self.position.occupied("white"), self.position.occupied("black")
        enough = white and black and (white & (white - 1) or black & (black - 1))
        run = self.position.run(self.position.turn)
        return bool(enough and self._trapdoors is None and run is None and self.quiet)

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on."""
        return self.ongoing or self.outcome == "ongoing"

    @cached_property
    def possible(self) -> bool:
        """Whether the player's rules can have the position."""
        return find_invalidity(self.player.turns, self.position) is None

    @cached_property
    def _trapdoors(self) -> TrapdoorRules | None:
        return self.player.ruleset.rules.trapdoors

    def differs(self, other: View, contrast: PossibleDifferences) -> bool:
        """Whether the answers differ."""
        moves = contrast.turns
        if not moves and (contrast.captures or contrast.quiet):
            moves = self._moves_differ(other, contrast) or self.claims != other.claims
        if moves and (not (contrast.phases or contrast.turns) or self._answers_differ(other)):
            return True
        return contrast.ending and not (self.ongoing and other.ongoing) and self.outcome != other.outcome


def differing(players: Sequence[RulePlayer], candidates: Iterable[Position]) -> Iterator[Position]:
    """The candidates that are possible for all players and that not all players answer alike.

    None is looked at if the rules differ in nothing that a position shows.
    """
    first, *others = players
    contrasts = [PossibleDifferences.between(first.ruleset, other.ruleset) for other in others]
    told_apart = [(other, contrast) for other, contrast in zip(others, contrasts, strict=True) if contrast]
    for position in candidates if told_apart else ():
        if not all(fits(player, position) for player in players):
            continue
        view = View(first, position)
        if any(_differ(view, other, contrast) for other, contrast in told_apart) and all(
            View(player, position).possible for player in players
        ):
            yield position


def fits(player: RulePlayer, position: Position) -> bool:
    """Whether a player's game has the fields that a position has: open doors, a spin, a lapse to answer."""
    rules = player.ruleset.rules
    if position.board != rules.board:
        return False
    if rules.trapdoors is None:
        return position.spin is None and not (position.sliders or "").strip("M")
    if position.sliders is not None and len(position.sliders) != len(rules.trapdoors.layout.sliders):
        return False
    assert rules.spin is not None
    return position.spin in (None, "due") or position.spin in rules.spin.outcomes


def is_told_apart(view: View, other: RulePlayer, contrast: PossibleDifferences) -> bool:
    """Whether the position of a view is possible for another player too, and answered differently."""
    return is_seen_otherwise(view, other, contrast) is not None


def is_seen_otherwise(view: View, other: RulePlayer, contrast: PossibleDifferences) -> View | None:
    """The position of a view as another player sees it, if it is possible there too, and answered differently."""
    position = view.position
    if not fits(other, position):
        return None
    seen = View(other, position)
    if contrast.turns:  # what the other cannot have it may not even be able to answer
        return seen if seen.possible and view.differs(seen, contrast) else None
    return seen if view.differs(seen, contrast) and seen.possible else None


def _differ(view: View, other: RulePlayer, contrast: PossibleDifferences) -> bool:
    return view.differs(View(other, view.position), contrast)


def _has_phases(ruleset: Ruleset) -> bool:
    """Whether it depends on more than the pieces which of their moves can be played."""
    rules = ruleset.rules
    limited = rules.king.move_limit is not None
    return limited or rules.spin is not None or rules.capture.duty not in ("compulsory", "optional")


def _uncounted(answer: Answer) -> Answer:
    """An answer with no runs in the positions; they are the last two of what a position is made of."""
    return frozenset((key, after[:-2]) for key, after in answer)


def _without(answer: Answer, closed: str) -> Answer:
    return frozenset((key, (*after[:5], None, *after[6:]) if after[5] == closed else after) for key, after in answer)
