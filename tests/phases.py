"""Hypothesis strategies: positions in every phase of a turn, with doors, spins and claims where a game has them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

import damspec
from damspec import DamspecError, Position, Ruleset
from positions import positions


@st.composite
def phases(draw: st.DrawFn, ruleset: Ruleset, *, possible: bool = False) -> Position:
    """A position in any phase of a turn; some that cannot be are among them, unless only possible ones are wanted."""
    position = draw(positions(ruleset.rules))
    trapdoors, huff = ruleset.rules.trapdoors, ruleset.rules.huff
    if trapdoors:
        found = _with_doors(draw, ruleset, position)
        others = [replace(found, spin=None), replace(position, sliders=trapdoors.layout.closed)]
    elif huff:
        found, others = _with_claims(draw, ruleset, position), [position]
    else:
        return position
    return next(one for one in (found, *others) if _can_be(ruleset, one)) if possible else found


def open_doors(ruleset: Ruleset, position: Position) -> int:
    """The open doors, as a bitboard."""
    trapdoors = ruleset.rules.trapdoors
    return trapdoors.layout.open_doors(position.board, position.sliders) if trapdoors and position.sliders else 0


def _can_be(ruleset: Ruleset, position: Position) -> bool:
    try:
        return ruleset.position(position.fen()) == position
    except DamspecError:
        return False


def _with_claims(draw: st.DrawFn, ruleset: Ruleset, position: Position) -> Position:
    match draw(st.sampled_from(("plain", "lapse", "lapse", "any claim", "compelled"))):
        case "lapse":
            lapses = damspec.legal_moves(ruleset, position).lapses
            return damspec.play(ruleset, position, draw(st.sampled_from(lapses))) if lapses else position
        case "any claim":
            squares = st.integers(1, len(position.board))
            crowned = draw(st.sampled_from(("", "", "K")))
            return replace(position, huffable=f"{draw(squares)}-{draw(squares)}{crowned}")
        case "compelled":
            return replace(position, compelled=True)
        case _:
            return position


def _with_doors(draw: st.DrawFn, ruleset: Ruleset, position: Position) -> Position:
    trapdoors, spin = ruleset.rules.trapdoors, ruleset.rules.spin
    assert trapdoors
    assert spin
    shut = trapdoors.closing == "at-once" and draw(st.integers(0, 9)) < 9
    letters = st.just("M") if shut else st.sampled_from("MLR")
    sliders = "".join(draw(letters) for _ in trapdoors.layout.sliders)
    if draw(st.integers(0, 9)) < 9:  # what stood on an open door has fallen
        floor = ~trapdoors.layout.open_doors(position.board, sliders)
        position = Position(
            position.board,
            position.white_men & floor,
            position.white_kings & floor,
            position.black_men & floor,
            position.black_kings & floor,
            position.turn,
        )
    results = [*spin.outcomes, *(["due"] if spin.when == "after-capture" else [])]
    return replace(position, sliders=sliders, spin=draw(st.sampled_from([None, None, *results])))
