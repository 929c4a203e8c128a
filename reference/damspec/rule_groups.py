"""The rules of one game by group: a dataclass for each, with a field for each rule.

`ManRules.capture_first` is `man.capture.first`. Written by `python tools/rules.py` from spec/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .layout import Layout


@dataclass(frozen=True, kw_only=True)
class StartRules:
    """The start."""

    #: Where do the men stand when the game begins?
    men: int | Mapping[str, tuple[int, ...]]
    #: Who moves first?
    first: Literal["white", "black"]


@dataclass(frozen=True, kw_only=True)
class ManRules:
    """Men."""

    #: In which directions does a man move without capturing?
    move_directions: tuple[str, ...]
    #: How many steps does a man go without capturing?
    move_reach: Literal[1, "any"]
    #: In which directions may a man jump over a piece of its own side?
    move_over_own: tuple[str, ...] | None = None
    #: In which directions may the first jump of a man's capture go?
    capture_first: tuple[str, ...]
    #: In which directions may a man's second and every further jump of the same capture go?
    capture_later: tuple[str, ...]
    #: How many empty squares have to lie between a man and the piece that it captures?
    capture_gap: Literal[1] | None = None
    #: Does a man capture kings?
    capture_takes: Literal["any", "men"]


@dataclass(frozen=True, kw_only=True)
class KingRules:
    """Kings."""

    #: In which directions does a king move without capturing?
    move_directions: tuple[str, ...]
    #: How many steps does a king go without capturing?
    move_reach: Literal[1, 2, "any"]
    #: Is a king's quiet move one straight line, or may it be two?
    move_slides: Literal["once", "twice"]
    #: How many quiet moves may one king make in a row?
    move_limit: int | None = None
    #: In which directions may a king's jumps go?
    capture_directions: tuple[str, ...]
    #: In which directions may a king's second and every further jump of the same capture go?
    capture_later: tuple[str, ...] | None = None
    #: In which of its directions does a king capture kings only?
    capture_kings_only: tuple[str, ...] | None = None
    #: How far away may the piece be that a king captures?
    capture_reach: Literal[1, "any"]
    #: How many pieces can a king take with one jump?
    capture_pieces: Literal["any"] | None = None
    #: On which of the squares behind the captured piece may a king's jump land?
    capture_landing: Literal["behind", "within-two", "any"]
    #: On which of the squares that a king's jump can reach may its capture finish?
    capture_finish: Literal["continuing", "behind-last-king", "behind-last"] | None = None
    #: How may a king turn from one jump of a capture to the next?
    capture_turning: Literal["straight", "not-back"] | None = None


@dataclass(frozen=True, kw_only=True)
class CaptureRules:
    """Capturing."""

    #: Does a side that can capture have to?
    duty: Literal["compulsory", "compulsory-for-men", "huffing", "optional"]
    #: Does a capture have to go on as long as it can?
    completion: Literal["whole", "may-stop", "one"]
    #: Which captures are best, where there are several?
    choice: tuple[str, ...]
    #: Must a best capture be made, or only the piece be taken that could make one?
    binds: Literal["path", "piece"] | None = None
    #: How many men does a captured king count, where captured pieces are counted?
    king_weight: float | None = None
    #: When does a jumped piece leave the board?
    removal: Literal["at-once", "at-end"]
    #: Is the square that the capturing piece came from empty during its capture?
    origin: Literal["empty", "occupied"]


@dataclass(frozen=True, kw_only=True)
class PromotionRules:
    """Promotion."""

    #: How many rows at the opponent's side are promotion rows?
    rows: Literal[1, 2, 3]
    #: What becomes of a man that reaches the promotion row by a jump?
    mid_capture: Literal["stops", "as-man", "as-king", "as-man-else-king"]
    #: Is a man crowned that passed the promotion row in a capture and ends that same capture on it?
    return_: Literal["crowned", "not-crowned"] | None = None


@dataclass(frozen=True, kw_only=True)
class HuffRules:
    """Huffing."""

    #: Which turns are a lapse?
    offence: Literal["no-capture", "no-capture-or-unfinished", "no-capture-or-less", "man-forward"]
    #: What may the opponent do about a lapse?
    remedies: tuple[str, ...]
    #: Which piece does a huff remove?
    piece: Literal["able", "moved"]
    #: Does a huff cost the turn?
    turn: Literal["kept", "spent"]
    #: What may the offender do after `retract`?
    retracted: Literal["must-capture", "free", "turn-lost"]


@dataclass(frozen=True, kw_only=True)
class TrapdoorRules:
    """Trapdoors."""

    #: On which squares are the doors, and which sliders open them?
    layout: Layout
    #: May a slider be pushed from one end to the other in a turn?
    step: Literal["one", "through"]
    #: What falls when a door opens under it?
    falls: Literal["any", "men", "opponents"]
    #: May a quiet move end on an open door?
    quiet_landing: Literal["falls", "forbidden"]
    #: What happens when a jump lands on an open door?
    capture_landing: Literal["ends", "only-last"]
    #: May a king pass over an open door, and may it land on one?
    passing: Literal["over", "blocked", "falls"]
    #: Does a door that was opened stay open?
    closing: Literal["stays-open", "at-once", "optional"]


@dataclass(frozen=True, kw_only=True)
class SpinRules:
    """Spin."""

    #: Which results does the spinner have, and what does each allow?
    outcomes: Mapping[str, str]
    #: Which turns have a spin, and when in the turn?
    when: Literal["no-capture", "after-capture"]
    #: Does a side with pieces but no move of a piece still spin?
    blocked: Literal["loses", "spins"]
    #: Does a coloured result have to be played?
    slide: Literal["compulsory", "may-decline"]


@dataclass(frozen=True, kw_only=True)
class EndingRules:
    """Ending."""

    #: What becomes of a side without pieces?
    no_pieces: Literal["loses", "wins"]
    #: What becomes of a side that has pieces and is to move but cannot?
    no_moves: Literal["loses", "wins", "draws"]
    #: Which side counts as one that is to move but cannot, where there is huffing?
    blocked: Literal["no-action", "no-piece-move", "no-step"] | None = None
    #: What becomes of a side that gets a king?
    first_king: Literal["wins"] | None = None
    #: What becomes of a side that has one piece left?
    one_piece: Literal["loses"] | None = None
    #: Which positions are drawn?
    draws: tuple[str, ...]
    #: What is a position that is lost as well as drawn?
    order: Literal["losses-first", "draws-first"] | None = None
    #: What becomes of a single king against a single man?
    king_to_man: Literal["wins"] | None = None
    #: Who wins when the last pieces of both sides leave the board in one turn?
    both_empty: Literal["mover-wins", "draw", "mover-loses"] | None = None


@dataclass(frozen=True, kw_only=True)
class DrawRules:
    """Draws by what went before."""

    #: How many times may a position stand before the game is drawn?
    repetition: int | None = None
    #: After how many moves without a capture is the game drawn?
    no_capture: int | None = None
    #: After how many moves by kings alone, with no capture, is the game drawn?
    king_moves: int | None = None
    #: At most how many pieces may each side have where moves by kings alone draw the game?
    king_moves_pieces: int | None = None
    #: Which endgames are drawn after how many moves?
    endings: Mapping[str, int] | None = None
    #: Where both sides have kings, after how many moves without a change of the pieces is the game drawn?
    balance: Mapping[str, int] | None = None
    #: Which endgames are drawn after how many moves, if the weaker side holds the main road?
    main_road: Mapping[str, int] | None = None
    #: Which endgames are drawn after how many moves, once the stronger side has come to stand on the main road?
    river: Mapping[str, int] | None = None
    #: Whose moves count where endgames with few pieces are drawn after so many?
    counted_side: Literal["stronger", "weaker"] | None = None
