"""Families of rulesets: those that extend others, as a tree from the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import damspec
from damspec import Ruleset


@dataclass(frozen=True)
class Member:
    """A ruleset of a family: what it extends itself, the first of which it stands under, and what stands under it."""

    ruleset: Ruleset
    parents: tuple[Ruleset, ...]
    children: tuple[Member, ...]

    def all(self) -> Iterator[Member]:
        """It and all under it, in the order of the tree."""
        yield self
        for child in self.children:
            yield from child.all()


def root(id: str) -> str:
    """The ruleset that a ruleset's family begins with: itself, if it extends none."""
    return (*damspec.load_ruleset(id).family, id)[0]


def families() -> dict[str, Member]:
    """Every ruleset that others extend and that extends none, with its family."""
    trees = {id: _member(id) for id in damspec.ruleset_ids() if root(id) == id}
    return {id: tree for id, tree in trees.items() if tree.children}


def _member(id: str) -> Member:
    children = tuple(_member(other) for other in damspec.ruleset_ids() if id in _parents(other)[:1])
    return Member(damspec.load_ruleset(id), tuple(map(damspec.load_ruleset, _parents(id))), children)


def _parents(id: str) -> list[str]:
    """What a ruleset extends itself, and not only by another."""
    family = damspec.load_ruleset(id).family
    return [parent for parent in family if not any(parent in damspec.load_ruleset(other).family for other in family)]
