"""The strategy for positions: what is asked for, and how it is come by."""

from __future__ import annotations

from hypothesis import strategies as st

from ..errors import expect, expect_number
from ..position import Position
from ..ruleset import Ruleset, loaded
from .asked import Asked, exercised, known_phase, piece_range
from .laying import laid
from .varying import varied


def positions(
    ruleset: Ruleset | str,
    *,
    exercise: str | None = None,
    phase: str | None = None,
    captures: bool | int | None = None,
    pieces: int | tuple[int, int] = (0, 12),
    both_sides: bool = True,
) -> st.SearchStrategy[Position]:
    """Positions that a game by the ruleset can have: doors open or shut, spun or not, after a lapse, compelled.

    `ruleset` is a ruleset or its id. They shrink to few pieces, with nothing pending. What can be asked for:

    - `exercise`: a rule such as `promotion.mid-capture`, or `rule=value`: the answer, which is legal moves with what
      they lead to, lapses and who has won, would be another if the rule had any other value, or that one;
    - `phase` of a turn: `plain`, `spin=green`, `huffable`, `compelled`, as for `damspec generate`;
    - `captures`: whether a capture is possible, or how many pieces some capture takes at least;
    - `pieces`: how many, or the fewest and the most, as far as these can be; no side has more than it begins with;
    - `both_sides`: each side has a piece; False has positions too in which one has lost all.

    Raises RulesetError for a rule, a value or a phase that the ruleset does not have, ArgumentError for numbers that
    cannot be, and NoPosition, which is one too, where no position shows a rule, and why.
    """
    by = loaded(ruleset)
    expect(exercise, "exercise", str | None, "a rule, or rule=value")
    expect(phase, "phase", str | None, "a phase of a turn")
    if captures is not None:
        expect_number(captures, "captures", 0)
    asked = Asked(
        by,
        piece_range(by, pieces, both_sides=both_sides),
        both_sides,
        None if phase is None else known_phase(by, phase),
        captures,
        exercise,
        () if exercise is None else exercised(by, exercise),
    )
    return laid(asked) if exercise is None else varied(asked)
