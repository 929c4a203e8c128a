"""The pages of the families: a game and those that extend it, with what each of these adds or changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damspec import Ruleset

from .. import apart
from ..family import Member, families
from . import links
from .arranging import Arranged, often
from .comparisons import Comparisons, Differing, Disagreement, Stance
from .pages import SECTIONS, Page


@dataclass(frozen=True)
class Descent:
    """From a game to one that extends it: what is different about the board, and all else in the order it is told."""

    parent: Ruleset
    member: Member
    boards: list[Differing]
    arranged: Arranged
    share: float | None

    @property
    def joined(self) -> tuple[Ruleset, ...]:
        """The other games that it extends as well."""
        return self.member.parents[1:]

    @property
    def often(self) -> str:
        """How often the two answer differently, in words."""
        return often(self.share) if self.share is not None else ""

    def was(self, each: Differing) -> Stance:
        """What the parent says."""
        return next(side for side in each.sides if side.ruleset is self.parent)

    def now(self, each: Differing) -> Stance:
        """What the child says."""
        return next(side for side in each.sides if side.ruleset is not self.parent)

    def shown(self, each: Differing) -> Disagreement | None:
        """The position that shows it, the parent on the left."""
        found = each.disagreement
        return found.turned() if found and each.sides[0].ruleset is not self.parent else found


def pages(comparisons: Comparisons) -> Iterator[Page]:
    """A page for each family."""
    for id, tree in families().items():
        steps = {child.ruleset.id: _step(comparisons, above, child) for above in tree.all() for child in above.children}
        name = tree.ruleset.name
        yield Page(
            links.family(id),
            "family.html",
            f"The family of {name}",
            f"What each game that builds on {name} adds or changes, with positions that show it.",
            "compare",
            (SECTIONS["compare"],),
            given={"tree": tree, "steps": steps, "outside": _outside(tree)},
        )


def _step(comparisons: Comparisons, above: Member, child: Member) -> Descent:
    one, other = sorted((above.ruleset, child.ruleset), key=lambda ruleset: ruleset.id)
    pair = one.id, other.id
    return Descent(
        above.ruleset,
        child,
        comparisons.boards(pair),
        Arranged(one, other, comparisons.pairs[pair]),
        apart.share(*pair),
    )


def _outside(tree: Member) -> tuple[str, str] | None:
    """The nearest game that is not of the family, and how often the two answer differently."""
    inside = {member.ruleset.id for member in tree.all()}
    known = {id: apart.share(tree.ruleset.id, id) for id in apart.measured() if id not in inside}
    near = min(((share, id) for id, share in known.items() if share is not None), default=None)
    return (near[1], often(near[0])) if near else None
