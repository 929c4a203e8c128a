"""What a change of a rule can do, derived from what spec/rules.yaml says it affects."""

from __future__ import annotations

from damspec.vocabulary import affects

_MOVEMENT = frozenset(("quiet", "captures"))
#: The rules of captures by which a piece that can capture still can, and one that cannot still cannot.
_AFTER_THE_FIRST_JUMP = frozenset(
    (
        "man.capture.later",
        "king.capture.landing",
        "king.capture.turning",
        "capture.completion",
        "capture.choice",
        "capture.binds",
        "capture.king-weight",
        "capture.removal",
        "capture.origin",
        "promotion.rows",
        "promotion.mid-capture",
        "promotion.return",
        "trapdoors.capture-landing",
    )
)
#: What no position shows: it says how a game begins.
_BEGINNING = frozenset(("setup", "first"))


def begins(rule: str) -> bool:
    """Whether a rule says how a game begins, and nothing of any position."""
    return affects(rule) <= _BEGINNING


def counts_history(rule: str) -> bool:
    """Whether a rule is about what went before: it shows in a game, and in no position."""
    return affects(rule) <= {"history"}


def in_no_position(rule: str) -> bool:
    """Whether no position shows another value of a rule."""
    return begins(rule) or counts_history(rule)


def moves_pieces(rule: str) -> bool:
    """Whether all that a rule can change are the captures there are, and the moves without capture."""
    return affects(rule) <= {*_MOVEMENT, "doors"}


def decides_moves(rule: str) -> bool:
    """Whether a rule has a part in how pieces move: their moves, the board that they move on, and its doors."""
    return moves_pieces(rule) or bool(affects(rule) & {"board", "doors"})


def is_movement(rule: str) -> bool:
    """Whether a rule is one of the movement of pieces, doors or no doors; the duty to capture is among them."""
    return bool(affects(rule) & _MOVEMENT) and "doors" not in affects(rule)


def changes_turns(rule: str) -> bool:
    """Whether turns have to be compared in full, and not only the moves of pieces."""
    return bool(affects(rule) & {"board", "turn"})


def ends(rule: str) -> bool:
    """Whether a rule says how a game ends: another value changes the outcome, and no move."""
    return "outcome" in affects(rule)


def concerns_end(rule: str) -> bool:
    """Whether another value of a rule shows only where the game is over by one of the two."""
    return ends(rule) or rule == "spin.blocked"


def begins_no_capture(rule: str) -> bool:
    """Whether another value of a rule leaves a side captures where it had some, and gives it none where it had none."""
    return rule in _AFTER_THE_FIRST_JUMP


def places_pieces(rule: str) -> bool:
    """Whether a rule says what squares there are or where the men start on them: what goes with a board."""
    return bool(affects(rule) & {"board", "setup"})
