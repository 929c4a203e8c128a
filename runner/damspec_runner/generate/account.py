"""What a search says of itself: how many positions it found and how many are apart, what it tried, what is proved."""

from __future__ import annotations

from typing import Any

import damspec

from .search import Hunt


def summary(hunt: Hunt) -> str | None:
    """What was found, in a line; None if there is nothing to say, since it was one position that was asked for."""
    found = len(hunt.positions)
    if hunt.ordered:
        return everything(hunt)
    said = []
    if found < hunt.number:
        said.append(f"{found:,} of {hunt.number:,} found, {hunt.apart:,} apart: {tried(hunt)}")
    elif found > 1:
        said.append(f"{found:,} positions, {hunt.apart:,} apart: {tried(hunt)}")
    if said and hunt.walked_from:
        said.append(f"it is rare, so the search went on from {hunt.walked_from:,} positions of the cases")
    if hunt.few:
        said.append(fewest(hunt))
    return "; ".join(said) or None


def everything(hunt: Hunt) -> str:
    """Whether all positions there are were found."""
    first, last = hunt.wanted.pieces
    pieces = _pieces(first, last)
    found = len(hunt.positions)
    if hunt.complete:
        return f"all there are: {found:,} positions, {hunt.apart:,} apart, out of {hunt.tried:,} with {pieces}"
    return f"not all there are: {found:,} positions, {hunt.apart:,} apart: {tried(hunt)}"


def fewest(hunt: Hunt) -> str:
    """Whether fewer pieces would do."""
    least = len(hunt.positions[0].position)
    if least <= hunt.proved_below:
        below = sum(one.positions for one in hunt.exhausted if one.pieces < least)
        whole = f"all {below:,} positions with fewer were tried" if below else "fewer were not asked for"
        return f"minimal: {_number(least)}, {whole}"
    partly = [one for one in hunt.exhausted if one.doors is not None]
    doors = "".join(
        f"; with {_number(one.pieces)} and {'at most one door open' if one.doors else 'all doors shut'} none either"
        for one in partly
    )
    none = f"none with fewer than {hunt.proved_below}, all tried" if hunt.exhausted else "nothing exhausted"
    return f"fewest found: {_number(least)}, {hunt.tried:,} positions tried; {none}{doors}"


def tried(hunt: Hunt) -> str:
    """How far was looked."""
    first, last = hunt.wanted.pieces
    if hunt.complete:
        return f"all {hunt.tried:,} positions with {_pieces(first, last)} were tried"
    said = f"{hunt.tried:,} positions with {_pieces(first, last)} tried"
    whole = [one.pieces for one in hunt.exhausted if one.doors is None]
    return said + (f", among them all with up to {max(whole)}" if whole else "")


def about(hunt: Hunt) -> dict[str, Any]:
    """What is known of a search, as JSON has it."""
    known: dict[str, Any] = {
        "damspec": damspec.__version__,
        "ruleset": hunt.wanted.ruleset.id,
        "seed": hunt.seed,
        "goals": [goal.says for goal in hunt.wanted.goals],
        "tried": hunt.tried,
        "apart": hunt.apart,
        "complete": hunt.complete,
    }
    if hunt.few and hunt.positions:
        least = len(hunt.positions[0].position)
        known["minimal"] = {"pieces": least, "proved": least <= hunt.proved_below, "says": fewest(hunt)}
    if hunt.ordered:
        known["all"] = {"proved": hunt.complete, "says": everything(hunt)}
    return known


def _pieces(first: int, last: int) -> str:
    return _number(last) if first == last else f"{first} to {last} pieces"


def _number(pieces: int) -> str:
    return "1 piece" if pieces == 1 else f"{pieces} pieces"
