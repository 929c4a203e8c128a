"""What positions of a ruleset can be like: with how many pieces, and in which phases of a turn."""

from __future__ import annotations

from .position import Position
from .ruleset import Ruleset

#: The phase in which nothing is pending: no result of a spin to play, no lapse to answer, nobody compelled, no run.
PLAIN = "plain"


def fewest_pieces(ruleset: Ruleset) -> int:
    """The fewest pieces a position can have: 0 only where the last pieces of both sides can fall at once."""
    return 1 if ruleset.rules.trapdoors is None else 0


def material(ruleset: Ruleset) -> tuple[int, int]:
    """The most pieces that White and Black can have: as many as they begin with, a king counts for one."""
    start = Position.start(ruleset.rules)
    return start.occupied("white").bit_count(), start.occupied("black").bit_count()


def within(material: tuple[int, int], position: Position) -> bool:
    """Whether a position has no more pieces of White and of Black than so many."""
    white, black = position.occupied("white"), position.occupied("black")
    return white.bit_count() <= material[0] and black.bit_count() <= material[1]


def phases(ruleset: Ruleset) -> tuple[str, ...]:
    """The phases of a turn that a position can be in, named by the field of its text; the first is `plain`.

    `run` is that a king has moved several times in a row, where that is limited.
    """
    spin, huff = ruleset.rules.spin, ruleset.rules.huff
    found = [PLAIN]
    if spin is not None:
        found += [f"spin={result}" for result in spin.outcomes]
        found += ["spin=due"] if spin.when == "after-capture" else []
    if huff is not None:
        found += ["huffable"]
        found += ["compelled"] if huff.retracted == "must-capture" else []
    if ruleset.rules.king.move_limit is not None:
        found += ["run"]
    return tuple(found)


def phase_of(position: Position) -> str:
    """The phase of a turn that a position is in."""
    if position.spin is not None:
        return f"spin={position.spin}"
    if position.white_run or position.black_run:
        return "run"
    return "huffable" if position.huffable else "compelled" if position.compelled else PLAIN
