"""`damspec diff --endings`: which endings change their value by other rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from damspec import Ruleset

from ..mutants.ruleset_diff import on_common_board
from .solve import check_kernel

if TYPE_CHECKING:
    from ..solve.compare import SectionChange, Won

#: Endings with so many pieces are compared, and these materials; those of which a sentence tells.
_PIECES, _FURTHER = 3, "KKKvK"
_WINNERS = {"KKvK": "Two kings to move", "KKKvK": "Three kings to move"}


def compare_rulesets(names: Sequence[str], rulesets: Sequence[Ruleset]) -> list[SectionChange]:
    """Return what becomes of the endings of one ruleset by another, on a common board.

    Raises UsageError without the compiled kernel or for more than two rulesets, RulesetError for rules that cannot be
    solved and where there is no common board.
    """
    if len(names) != 2:
        raise click.UsageError(f"--endings: found {len(names)} rulesets, expected two")
    check_kernel("--endings")
    from damspec.kernel.retrograde import Retrograde

    from ..solve.compare import SolvedCodes, compare_endings, without_doors
    from ..solve.material import Materials

    one, other = on_common_board([without_doors(ruleset) for ruleset in rulesets])
    few = [material.name for material in Materials(Retrograde(one.rules), _PIECES)]
    codes, others = (SolvedCodes(each, _PIECES + 1, {*few, _FURTHER}) for each in (one, other))
    return [*compare_endings(codes, others)]


def text(names: Sequence[str], rulesets: Sequence[Ruleset], changes: Sequence[SectionChange]) -> Iterator[str]:
    """Yield what becomes of the endings, in lines."""
    yield f"Endings of up to three pieces, and three kings against one, by {names[0]} > by {names[1]}"
    yield "  (values are the side's to move, which is named first: KKvM is two kings to move against a man)"
    for line in _left_out(names, rulesets):
        yield f"  {line}"
    changed = [each for each in changes if each.changed]
    for each in changed:
        said = ", ".join(f"{number:,} {before} > {after}" for (before, after), number in each.changes.items())
        yield f"  {each.sides}: {each.changed:,} of {each.won.positions:,} change: {said}"
    same = [each.sides for each in changes if not each.changed]
    if same:
        yield f"  {'all' if not changed else ', '.join(same)}: no ending changes"
    if changed:
        smallest = changed[0]
        assert smallest.values
        yield f"  the smallest that changes: {smallest.example}, {' > '.join(smallest.values)}"
    for each in changes:
        if each.sides in _WINNERS:
            yield from (f"  {line}" for line in _sentences(names, each))


def _left_out(names: Sequence[str], rulesets: Sequence[Ruleset]) -> Iterator[str]:
    """Yield what the comparison leaves out of the rules."""
    for name, ruleset in zip(names, rulesets, strict=True):
        if ruleset.rules.trapdoors is not None or ruleset.rules.spin is not None:
            yield f"{name} is compared without its trapdoors and spinner"
        if ruleset.rules.huff is not None:
            yield f"{name} is compared without huffing: every capture that is due is made"


def _sentences(names: Sequence[str], change: SectionChange) -> Iterator[str]:
    """Yield who wins a material, if that is not the same by both."""
    for where, won in (
        (" against one", change.won),
        (" against one that is alone on the main road", change.on_main_road),
    ):
        if won is not None and won.by_one != won.by_other:
            one, other = (_in_words(won, number) for number in (won.by_one, won.by_other))
            yield f"{_WINNERS[change.sides]} win{where} in {one} by {names[0]}, in {other} by {names[1]}."


def _in_words(won: Won, number: int) -> str:
    if number in (0, won.positions):
        return f"{'all' if number else 'none'} of {won.positions:,} positions"
    return f"{number:,} of {won.positions:,} positions"


def as_json(names: Sequence[str], changes: Sequence[SectionChange]) -> Mapping[str, Any]:
    """Return what becomes of the endings in the form of schemas/diff.schema.json."""
    smallest = next((each for each in changes if each.changed), None)
    return {
        "between": list(names),
        "smallest": _example(smallest) if smallest else None,
        "materials": [
            {
                "sides": each.sides,
                "won": _won(each.won),
                "on_main_road": _won(each.on_main_road) if each.on_main_road else None,
                "changed": each.changed,
                "changes": [{"values": [*values], "positions": number} for values, number in each.changes.items()],
                "example": _example(each) if each.changed else None,
            }
            for each in changes
        ],
    }


def _won(won: Won) -> Mapping[str, Any]:
    return {"positions": won.positions, "by": [won.by_one, won.by_other]}


def _example(change: SectionChange) -> Mapping[str, Any]:
    assert change.values
    return {"position": change.example, "values": [*change.values]}
