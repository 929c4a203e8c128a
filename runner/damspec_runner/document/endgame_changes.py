"""Which endgames change their value by other rules, as it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from damspec import Ruleset

from ..solve.endgame_change import ChangedEndgame, MaterialChange, WonPositions
from .view import Block, Heading, Items, Paragraph

#: The materials of which a sentence tells who wins, by the sides, the first of which is to move.
_WINNERS: Mapping[str, str] = {"KKvK": "Two kings to move", "KKKvK": "Three kings to move"}


@dataclass(frozen=True)
class EndgameChanges:
    """What becomes of endgames of up to three pieces, and of three kings against one; `notes` says what is left out."""

    between: tuple[str, str]
    smallest: ChangedEndgame | None
    materials: tuple[MaterialChange, ...]
    notes: tuple[str, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks that show it."""
        one, other = self.between
        yield Heading((f"Endgames of up to three pieces, and three kings against one, by {one} > by {other}",))
        yield Paragraph(
            ("(values are the side's to move, which is named first: KKvM is two kings to move against a man)",)
        )
        yield Items(tuple((0, (line,)) for line in (*self.notes, *self._lines())))

    def _lines(self) -> Iterator[str]:
        changed = [each for each in self.materials if each.changed]
        for each in changed:
            said = ", ".join(f"{change.positions:,} {' > '.join(change.values)}" for change in each.changes)
            yield f"{each.sides}: {each.changed:,} of {each.won.positions:,} change: {said}"
        if same := [each.sides for each in self.materials if not each.changed]:
            yield f"{', '.join(same) if changed else 'all'}: no endgame changes"
        if self.smallest:
            yield f"the smallest that changes: {self.smallest.position}, {' > '.join(self.smallest.values)}"
        for each in self.materials:
            if each.sides in _WINNERS:
                yield from self._sentences(each)

    def _sentences(self, of: MaterialChange) -> Iterator[str]:
        """Yield who wins a material, if that is not the same by both."""
        alone = "one that is alone on the main road"
        for against, won in (("one", of.won), (alone, of.on_main_road)):
            if won and won.by[0] != won.by[1]:
                one, other = (
                    f"{_in_words(won, number)} by {name}" for number, name in zip(won.by, self.between, strict=True)
                )
                yield f"{_WINNERS[of.sides]} win against {against} in {one}, in {other}."


def _in_words(won: WonPositions, number: int) -> str:
    if number in (0, won.positions):
        return f"{'all' if number else 'none'} of {won.positions:,} positions"
    return f"{number:,} of {won.positions:,} positions"


def view_changes(
    names: tuple[str, str], rulesets: Sequence[Ruleset], changes: Sequence[MaterialChange]
) -> EndgameChanges:
    """Return what is to be shown of the endgames of two rulesets."""
    smallest = next((each.example for each in changes if each.example), None)
    return EndgameChanges(names, smallest, tuple(changes), tuple(_left_out(names, rulesets)))


def _left_out(names: Sequence[str], rulesets: Sequence[Ruleset]) -> Iterator[str]:
    for name, ruleset in zip(names, rulesets, strict=True):
        if ruleset.rules.trapdoors is not None or ruleset.rules.spin is not None:
            yield f"{name} is compared without its trapdoors and spinner"
        if ruleset.rules.huff is not None:
            yield f"{name} is compared without huffing: every capture that is due is made"
