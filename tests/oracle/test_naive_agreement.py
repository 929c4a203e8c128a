"""The reference against the naive generator of naive.py on positions made by Hypothesis: moves with all their
paths, the positions after them, and the outcome."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damspec
import naive
import naive_turns
from positions import positions
from runs import RARE, SELDOM
from variants import DIAGONAL, ORTHOGONAL, VARIANTS, but

SHIPPED = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
#: Those where a turn is one move of a piece, under every reading too; the other games are in test_turn_agreement.
PLAIN = [ruleset.id for ruleset in SHIPPED if not ruleset.rules.spin and not ruleset.rules.huff]
#: Each under every reading that rules can express.
UNDER_READINGS = [
    f"{id}?{reading.key}={word}"
    for reading in damspec.load_readings()
    for id in PLAIN
    if id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]

#: Two readings at a time, where one changes what the other does.
TOGETHER = [
    "vl?arrival=goes-on&return=not-crowned",
    "vl?completion=may-stop&arrival=goes-on",
    "vl?removal=at-once&binds=piece",
]

#: Rule values that neither a shipped ruleset nor its readings have.
UNUSUAL: dict[str, dict[str, Any]] = {
    "optional": but(VARIANTS["brazilian"], capture__duty="optional"),
    "over their own": but(
        VARIANTS["frisian"],
        board__size="8x8",
        start__men=3,
        man__move__over_own=DIAGONAL + ORTHOGONAL,
        man__move__reach="any",
    ),
    "optional, may stop": but(
        VARIANTS["russian"],
        capture__duty="optional",
        capture__completion="may-stop",
        king__capture__finish=None,
    ),
    "all squares": but(
        VARIANTS["frisian"],
        board__size="7x6",
        board__squares="all",
        start__men=2,
        man__move__directions=["forward-left", "forward", "forward-right", "left"],
        king__move__directions=["forward", "backward", "left", "forward-left"],
    ),
    "reach any, one-sided": but(
        VARIANTS["english"],
        man__move__reach="any",
        man__move__directions=["forward-left", "forward", "right"],
        man__capture__first=["forward-left", "right"],
        man__capture__later=["forward-right", "left", "backward"],
    ),
    "at once, origin occupied": but(
        VARIANTS["frisian"],
        board__size="8x8",
        start__men=3,
        capture__removal="at-once",
        capture__origin="occupied",
    ),
    "three rows": but(VARIANTS["brazilian"], promotion__rows=3, promotion__return="not-crowned", start__men=2),
    "two rows, as king": but(VARIANTS["russian"], promotion__rows=2, start__men=2),
    "kings only some ways": but(
        VARIANTS["italian"],
        king__capture__reach="any",
        king__capture__directions=["forward-left", "backward-right", "left"],
    ),
    "bottom right": but(VARIANTS["spanish"], board__numbering="bottom-right", capture__binds="piece"),
    "odd board": but(VARIANTS["brazilian"], board__size="9x7", start__men=2, draws__main_road=None),
    "mixed": but(
        VARIANTS["international"],
        board__size="9x9",
        start__men=3,
        capture__choice=["multiple-when-mixed", "with-king"],
    ),
    "several, king first": but(
        VARIANTS["brazilian"], capture__choice=["multiple-before-single", "most-kings", "king-first"]
    ),
    "king first": but(VARIANTS["brazilian"], capture__choice=["king-first"]),
    "men only, within two": but(
        VARIANTS["russian"],
        capture__duty="compulsory-for-men",
        king__capture__landing="within-two",
        king__capture__finish=None,
    ),
    "the best for men": but(VARIANTS["frisian"], board__size="8x8", start__men=3, capture__duty="compulsory-for-men"),
    "a king is a multiple": but(
        VARIANTS["brazilian"], capture__choice=["multiple-before-single", "with-king"], capture__king_weight=2
    ),
    "mixed, and a king is a multiple": but(
        VARIANTS["brazilian"], capture__choice=["multiple-when-mixed"], capture__king_weight=3
    ),
    "ends": but(VARIANTS["thai"], ending__no_pieces="wins", ending__no_moves="draws"),
    "kings stand still soon": but(VARIANTS["frisian"], king__move__limit=1, capture__duty="optional"),
    "kings slide twice, but not twice in a row": but(
        VARIANTS["brazilian"], king__move__limit=1, king__move__slides="twice"
    ),
    "kings slide twice, and the origin is occupied": but(
        VARIANTS["brazilian"], king__move__slides="twice", capture__origin="occupied"
    ),
    "draws first": but(
        VARIANTS["pool"],
        ending__draws=["one-piece-each-no-capture", "one-piece-each-same-kind"],
        ending__order="draws-first",
    ),
}


Answers = dict[tuple[int, int, frozenset[int], bool], tuple[frozenset[tuple[int, ...]], str]]


def answers(ruleset: damspec.Ruleset, position: damspec.Position) -> Answers:
    """The reference's moves: all ways to make each, and the position after it."""
    moves = damspec.legal_moves(ruleset, position).moves
    found = {
        (move.start, move.end, frozenset(move.captured), move.promotes): (
            frozenset(move.paths),
            damspec.play(ruleset, position, move).fen(),
        )
        for move in moves
    }
    assert len(found) == len(moves)
    return found


def naive_answers(ruleset: damspec.Ruleset, position: naive.NaivePosition) -> Answers:
    """The same of the naive generator."""
    return {
        (move.start, move.end, move.captured, move.promotes): (move.paths, naive.write(move.position))
        for move in naive.moves(ruleset.values, position)
    }


def agree(ruleset: damspec.Ruleset, position: damspec.Position) -> None:
    """Fail where the two differ."""
    fen = position.fen()
    plain = naive.read(fen)
    assert answers(ruleset, position) == naive_answers(ruleset, plain), fen
    assert damspec.perft(ruleset, position, 1) == len(damspec.legal_moves(ruleset, position)), fen
    end = damspec.outcome(ruleset, position)
    assert (end.result, end.reason) == naive_turns.outcome(ruleset.values, plain), fen


def search(ruleset: damspec.Ruleset, examples: int) -> None:
    """Look for a position where the two differ."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def look(data: st.DataObject) -> None:
        agree(ruleset, data.draw(positions(ruleset.rules)))

    look()


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        *((name, 10) for name in PLAIN if name not in RARE or name not in SELDOM),
        *(pytest.param(name, 40, marks=pytest.mark.thorough) for name in PLAIN if name not in RARE),
        *(pytest.param(name, 10_000, marks=pytest.mark.slow) for name in PLAIN),
    ],
)
def test_shipped(name: str, examples: int) -> None:
    search(damspec.load_ruleset(name), examples)


#: A usual run takes the readings of the rulesets of every day, a thorough one some of all, with more positions.
USUAL = [name for name in UNDER_READINGS if name.partition("?")[0] not in SELDOM]


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        *((name, 6) for name in USUAL),
        *(pytest.param(name, 10, marks=pytest.mark.thorough) for name in [*UNDER_READINGS[::8], *TOGETHER[::2]]),
        *(pytest.param(name, 6_000, marks=pytest.mark.slow) for name in [*UNDER_READINGS, *TOGETHER]),
    ],
)
def test_readings(name: str, examples: int) -> None:
    search(damspec.load_ruleset(name), examples)


@pytest.mark.parametrize("examples", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name: str, examples: int) -> None:
    search(damspec.from_values(VARIANTS[name], name), examples)


@pytest.mark.parametrize("examples", [6, pytest.param(6_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_rules(name: str, examples: int) -> None:
    search(damspec.from_values(UNUSUAL[name], name), examples)
