"""Adapter for the Python package `clatsop` (written for 0.1.0): bit n of its boards is square n + 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, path, read_position, write  # type: ignore[import-not-found]
from clatsop import Turn as State  # type: ignore[import-not-found]
from clatsop import american_ruleset

RULES = american_ruleset()


def state(position: str) -> Any:
    side, on = read_position(position)
    black, white, kings = (sum(1 << (n - 1) for n, piece in on.items() if piece in of) for of in ("bB", "wW", "BW"))
    return State.from_masks(black, white, kings, int(side == "B"))


def fen(turn: Any) -> str:
    masks = {"b": turn.black & ~turn.kings, "B": turn.black & turn.kings}
    masks |= {"w": turn.white & ~turn.kings, "W": turn.white & turn.kings}
    on = {n + 1: piece for piece, mask in masks.items() for n in range(32) if mask >> n & 1}
    return str(write("B" if turn.black_to_move else "W", on))


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    for transition in RULES.legal_transitions(state(position)):
        steps = [RULES[index] for index in transition.rule_indices]
        squares = [steps[0].mover, *(step.is_empty for step in steps)]
        yield path([mask.bit_length() for mask in squares], capture=bool(steps[0].capture)), fen(transition.turn)


if __name__ == "__main__":
    serve("clatsop", ["english", "lb"], {"start": lambda ruleset: fen(State.initial()), **answers(turns)})
