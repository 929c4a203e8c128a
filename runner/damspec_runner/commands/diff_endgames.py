"""`damspec diff --endgames`: which endgames change their value by other rules."""

from __future__ import annotations

from collections.abc import Sequence

import click

from damspec import Ruleset

from ..document.endgame_changes import EndgameChanges, view_changes
from ..mutants.ruleset_diff import on_common_board
from .solve import check_kernel

#: Endgames with so many pieces are compared, and these materials.
_PIECES, _FURTHER = 3, "KKKvK"


def compare_rulesets(names: Sequence[str], rulesets: Sequence[Ruleset]) -> EndgameChanges:
    """Return what becomes of the endgames of one ruleset by another, on a common board.

    Raises UsageError without the compiled kernel or for more than two rulesets, RulesetError for rules that cannot be
    solved and where there is no common board.
    """
    if len(names) != 2:
        raise click.UsageError(f"--endgames: found {len(names)} rulesets, expected two")
    check_kernel("--endgames")
    from damspec.kernel.retrograde import Retrograde

    from ..solve.compare import SolvedCodes, compare_endgames, without_doors
    from ..solve.material import Materials

    one, other = on_common_board([without_doors(ruleset) for ruleset in rulesets])
    few = [material.name for material in Materials(Retrograde(one.rules), _PIECES)]
    codes, others = (SolvedCodes(each, _PIECES + 1, {*few, _FURTHER}) for each in (one, other))
    return view_changes((names[0], names[1]), rulesets, [*compare_endgames(codes, others)])
