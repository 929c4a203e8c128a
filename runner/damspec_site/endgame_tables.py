"""The table of endgames of a game: who wins with which pieces, and the longest wins to play through."""

from __future__ import annotations

from dataclasses import dataclass

from damspec import Ruleset
from damspec_runner.document.endgames import load_record, load_table, share
from damspec_runner.document.rulebook import Language

from . import pages


@dataclass(frozen=True)
class EndgameLine:
    """A material with the side to move named first: the shares won, drawn and lost, and the longest win.

    `moves` is its length in moves of the winner, 0 if there is none, and `line` where it can be played through; empty
    where the board cannot show it.
    """

    sides: str
    won: str
    drawn: str
    lost: str
    moves: int
    line: str


@dataclass(frozen=True)
class EndgameTable:
    """The endgames of a game, and whether trapdoors and spinner, or huffing, are left out of them."""

    lines: tuple[EndgameLine, ...]
    without_doors: bool
    without_huffing: bool


def endgame_table(ruleset: Ruleset, language: Language) -> EndgameTable | None:
    """Return the endgames of up to three pieces, and of three kings against one; None if there are none on record."""
    game = load_record()["games"].get(ruleset.id)
    if game is None:
        return None
    wins = {win["sides"]: win for win in game["wins"]}
    lines = []
    for row in load_table()[ruleset.id]:
        if row.pieces > 3 and {*row.sides.split("v")} != {"K", "KKK"}:
            continue
        win = None if game["without"] else wins.get(row.sides)
        won, drawn, lost = (_share_text(number, row.positions, language) for number in (row.won, row.drawn, row.lost))
        sides = language.in_own_words(" – ".join(_force(side, language) for side in row.sides.split("v")), ruleset)
        line = pages.play(ruleset.id, win["position"], moves=win["moves"], language=language.tag) if win else ""
        lines.append(EndgameLine(sides, won, drawn, lost, ((row.longest or 0) + 1) // 2, line))
    return EndgameTable(tuple(lines), game["without"] is not None, ruleset.rules.huff is not None)


def _force(side: str, language: Language) -> str:
    counts = ((kind, side.count(letter)) for kind, letter in (("king", "K"), ("man", "M")))
    return ", ".join(f"{number} {language.kind(kind, number)}" for kind, number in counts if number)


def _share_text(number: int, of: int, language: Language) -> str:
    said = share(number, of)
    if language.tag == "en":
        return said
    space = "" if language.tag == "nl" else "\N{NARROW NO-BREAK SPACE}"
    return said.replace(".", ",").replace("%", f"{space}%")
