"""A position in words, in any of the languages of spec/rulebook/, for readers who do not see the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from damspec import Layout, Position
from damspec.board import Side

from .rulebook import Language, listed


def described(language: Language, position: Position, layout: Layout | None = None) -> str:
    """Who is to move, what each side has where, and how doors and spinner stand."""
    sides = [_side(language, position, side) for side in get_args(Side)]
    return " ".join([language.board(f"{position.turn}-moves"), *sides, *_machine(language, position, layout)])


def _side(language: Language, position: Position, side: Side) -> str:
    kinds = []
    for kind, mask in (("man", position.men(side)), ("king", position.kings(side))):
        numbers = position.board.numbers(mask)
        if numbers:
            kinds.append(f"{language.kind(kind, len(numbers))} {listed(numbers)}")
    return language.board(side).format(pieces=", ".join(kinds) or language.board("nothing"))


def _machine(language: Language, position: Position, layout: Layout | None) -> Iterator[str]:
    if layout is not None:
        standing = zip(layout.sliders, position.sliders or "", strict=False)
        doors = [door for slider, letter in standing if (door := slider.door(letter))]
        yield language.board("doors").format(squares=listed(sorted(doors))) if doors else language.board("shut")
    if position.spin == "due":
        yield language.board("spin")
    elif position.spin:
        yield language.board("spun").format(shown=language.content["phrases"]["spin"][position.spin])
