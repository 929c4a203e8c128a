"""The mistakes of engines that `spec/faults.yaml` lists, each with every value it can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import permutations, product
from typing import Any, Literal

from damspec import Board, Position, Ruleset, data
from damspec.board import DIRECTIONS, opponent
from damspec.rules import CaptureRules, Rules
from damspec.turn import ActionGenerator

from . import faulty_actions
from .capture_faults import (
    WORST,
    EndsBehindLast,
    FirstDirectionOnly,
    MiscountedPrecedence,
    NoEdgeLanding,
    NotAgainstFirstJump,
    PrecedencePerPiece,
    ReversedPrecedence,
    ShortJumps,
    ShortLookahead,
    ShortNewKing,
    past_own_pieces,
    precedence_without,
    with_jump_search,
    with_precedence,
)
from .faulty_turns import (
    CachedGenerator,
    EdgeWrap,
    FaultyGenerator,
    LeftoverPiece,
    Leg,
    MergedMoves,
    PieceLimit,
    PreviousPosition,
    SkippedAnswer,
    SwappedSquares,
    TotalPieceLimit,
    TruncatedList,
    UnrestoredCaptures,
    WrongCacheKey,
    WrongSideToMove,
    captures_up_to,
    first_pieces_only,
    kind_left_standing,
    left_standing,
    lost_at_home,
    not_when_crowded,
    possible_legs,
    taken_only,
    without_crowning,
    without_legs,
    without_part,
    without_piece,
)
from .form_faults import NamingFault, ReadingFault, faults_in_form
from .outcome_faults import (
    ImmediateEndingDraw,
    MisreadHistory,
    NoKingLimit,
    OutcomeFault,
    OutOfTurn,
    SameKindDraw,
    since,
    unchanged_by,
)

#: What makes turns with a fault of the right ones, of the fault's values.
Make = Callable[[ActionGenerator, Mapping[str, Any]], ActionGenerator]

#: The faults in moves, those that only explain failures, and those in how a game stands.
CataloguePart = Literal["faults", "further", "outcomes"]
#: The parts with which cases are measured.
MEASURED: tuple[CataloguePart, ...] = ("faults", "outcomes")

#: Of how many directions all orders are tried.
_ORDERED = 4
_PLACES = {"first": 0, "last": -1}
_EDGES: dict[str, Callable[[Board, int, int], bool]] = {
    "left": lambda board, column, row: column == 0,
    "right": lambda board, column, row: column == board.columns - 1,
    "top": lambda board, column, row: row == board.rows - 1,
    "bottom": lambda board, column, row: row == 0,
}


@dataclass(frozen=True)
class Fault:
    """A fault of an engine with its values, such as "lists at most 10 moves"."""

    id: str
    title: str
    values: Mapping[str, Any] = field(hash=False)
    name: str
    #: The engine in which it was seen, if it was.
    seen: str = ""

    def turns(self, right: ActionGenerator) -> ActionGenerator:
        """Return the right turns with this fault. Those of an engine that remembers begin with nothing to remember."""
        lost = _missed_legs(self.id, self.values, right.rules.board)
        return without_legs(right, lost) if lost else _MAKERS[self.id](right, self.values)


@dataclass(frozen=True)
class Greatest:
    """The greatest numbers that were found by search, each with a position that has it."""

    moves: int
    moves_position: str
    captured: int
    captured_position: str


@cache
def faults(ruleset: Ruleset, *parts: CataloguePart) -> tuple[Fault, ...]:
    """Return every fault with every value that can show by these rules, in the order of the catalogue.

    `parts` are those of the catalogue; without any, the faults in moves and in the positions after them.
    """
    return tuple(fault for part in parts or ("faults",) for fault in _faults(ruleset, part))


def greatest(ruleset: Ruleset) -> Greatest:
    """Return the greatest numbers on record for a ruleset, for the one it extends, or of all."""
    found = {id: _greatest(entry) for entry in _catalogue()["greatest"] for id in entry["rulesets"]}
    for id in (ruleset.base, *reversed(ruleset.family)):
        if id in found:
            return found[id]
    moves = max(found.values(), key=lambda each: each.moves)
    captured = max(found.values(), key=lambda each: each.captured)
    return Greatest(moves.moves, moves.moves_position, captured.captured, captured.captured_position)


def _greatest(entry: Mapping[str, Any]) -> Greatest:
    moves, captured = entry["moves"], entry["captured"]
    return Greatest(moves["number"], moves["position"], captured["number"], captured["position"])


def _faults(ruleset: Ruleset, part: CataloguePart) -> Iterator[Fault]:
    possible = tuple(possible_legs(ruleset))
    for entry in _catalogue()[part]:
        ranges = [_range(words, ruleset, possible) for words in entry["parameters"].values()]
        for chosen in product(*ranges):
            values = dict(zip(entry["parameters"], chosen, strict=True))
            if _can_show(entry["id"], values, ruleset, possible):
                shown = {**values, "next": values["square"] + 1} if "square" in values else values
                yield Fault(entry["id"], entry["title"], values, entry["says"].format(**shown), entry.get("seen", ""))


@cache
def _catalogue() -> Mapping[str, Any]:
    path = data.root() / "spec" / "faults.yaml"
    content: Mapping[str, Any] = data.load_yaml(path)
    data.check(content, "faults", data.path_text(path))
    return content


def _range(words: str | tuple[str | int, ...], ruleset: Ruleset, possible: tuple[Leg, ...]) -> Sequence[Any]:
    """Return the values of a parameter: a list as it is, or what a word of `_RANGES` stands for."""
    if not isinstance(words, str):
        return words
    return range(1, max(leg.length for leg in possible)) if words == "steps" else _RANGES[words](ruleset)


def _pieces_of_a_side(ruleset: Ruleset) -> int:
    start = Position.start(ruleset.rules)
    return max(start.occupied("white").bit_count(), start.occupied("black").bit_count())


def _doors(ruleset: Ruleset) -> list[int]:
    trapdoors = ruleset.rules.trapdoors
    return sorted(door for each in trapdoors.layout.sliders for door in (each.left, each.right)) if trapdoors else []


def _orders_of_directions(ruleset: Ruleset) -> list[str]:
    ways = ruleset.rules.king.capture_directions
    return [", ".join(order) for order in permutations(ways)] if len(ways) <= _ORDERED else []


#: What the words stand for that name the values of a parameter in the catalogue, beside `steps`.
_RANGES: dict[str, Callable[[Ruleset], Sequence[Any]]] = {
    "side": lambda ruleset: ("white", "black"),
    "direction": lambda ruleset: tuple(DIRECTIONS),
    "edge": lambda ruleset: tuple(_EDGES),
    "square": lambda ruleset: range(1, len(ruleset.rules.board) + 1),
    "next": lambda ruleset: range(1, len(ruleset.rules.board)),
    "moves": lambda ruleset: range(1, greatest(ruleset).moves),
    "captured": lambda ruleset: range(1, greatest(ruleset).captured),
    "nth": lambda ruleset: range(1, greatest(ruleset).captured + 1),
    "pieces": lambda ruleset: range(1, _pieces_of_a_side(ruleset)),
    "board": lambda ruleset: range(1, len(Position.start(ruleset.rules))),
    "slider": lambda ruleset: faulty_actions.slider_names(ruleset.rules.trapdoors) if ruleset.rules.trapdoors else (),
    "push": lambda ruleset: tuple(faulty_actions.WAYS),
    "door": _doors,
    "order": _orders_of_directions,
    "outcome": lambda ruleset: tuple(ruleset.rules.spin.outcomes) if ruleset.rules.spin else (),
}


def _can_show(id: str, values: Mapping[str, Any], ruleset: Ruleset, possible: tuple[Leg, ...]) -> bool:
    """Return whether there is a step, a jump, a crown or an action of a game by these rules that a fault is about."""
    rules = ruleset.rules
    lost = _missed_legs(id, values, rules.board)
    if lost:
        return any(map(lost, possible))
    match id:
        case "edge-open":
            return rules.board.squares == "all" or rules.board.columns % 2 == 0
        case "lost-at-home":
            return rules.capture.origin == "empty"
        case "not-crowned":
            promotion_row = rules.board.nearest_rows(rules.promotion.rows, opponent(values["side"]))
            ends = {
                leg.end for leg in possible if (leg.side, leg.piece, leg.way) == (values["side"], "men", values["way"])
            }
            return values["square"] in ends and bool(rules.board.bit(values["square"]) & promotion_row)
        case "turn-wrong":
            return values["action"] in _actions(ruleset)
        case "recalls":
            return values["what"] != "what is pending" or bool(rules.huff or rules.spin)
        case _ if id in _OF_SPINS:
            return bool(rules.spin) and _OF_SPINS[id](values, ruleset)
        case _ if id in _OF_HUFFS:
            return bool(rules.huff) and _OF_HUFFS[id](values, ruleset)
        case "action-missing":
            return _is_missed(values, ruleset)
        case "looks-short":
            return values["n"] > 1 and any(_LOST["sight-short"](leg, values, rules.board) for leg in possible)
        case "lands-short":
            by_rule = 1 if rules.king.capture_finish else 2  # within-two goes without king.capture.finish only
            return values["n"] > by_rule and any(_LOST["landing-short"](leg, values, rules.board) for leg in possible)
        case "taken-only":
            return any(leg.over and not _TAKEN[values["where"]](leg) for leg in possible)
        case _ if id in _OF_CHOICES:
            return _OF_CHOICES[id](values, rules.capture)
        case _ if id in _OF_JUMPS:
            return _OF_JUMPS[id](rules)
        case _ if id in _OF_OUTCOMES:
            return _OF_OUTCOMES[id](values, rules)
        case _ if id.startswith(("run-", "runs-", "limit-")):
            return rules.king.move_limit is not None
        case _:
            return True


def _actions(ruleset: Ruleset) -> set[str]:
    """Return what a turn can be by some rules, in the words of the catalogue."""
    spin, huff = ruleset.rules.spin, ruleset.rules.huff
    found = {"a move", "a capture", "a promotion"}
    if spin:
        found |= {"a spin", "a push of a slider", *(["a pass"] if spin.slide == "may-decline" else [])}
    if huff:
        remedies = {"huff": "a huff", "retract": "a move taken back"}
        found |= {"a lapse", *(remedies[remedy] for remedy in huff.remedies)}
    return found


def _is_missed(values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Return whether the game has an action, and no change of one rule takes it from both sides."""
    spin, huff = ruleset.rules.spin, ruleset.rules.huff
    both = values["side"] == "either side"
    match values["action"]:
        case "spin" | "push a slider":
            return spin is not None
        case "pass":
            return spin is not None and spin.slide == "may-decline" and not both
        case action:
            remedy = {"huff": "huff", "take a move back": "retract"}[action]
            return huff is not None and remedy in huff.remedies and not (both and len(huff.remedies) > 1)


def _stays_open(ruleset: Ruleset) -> bool:
    """Return whether doors can be open when a turn is over."""
    return ruleset.rules.trapdoors is not None and ruleset.rules.trapdoors.closing != "at-once"


def _slider_stays(values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Return whether a slider so pushed comes to stand elsewhere; out of the middle `trapdoors.closing` says that."""
    trapdoors, way = ruleset.rules.trapdoors, values["way"]
    if trapdoors is None or ("any slider", way) not in faulty_actions.pushes(ruleset):
        return False
    return trapdoors.closing == "optional" or (trapdoors.closing == "stays-open" and way != "out of the middle")


def _falls_missing(values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    falls = ruleset.rules.trapdoors and ruleset.rules.trapdoors.falls
    return values["piece"] not in {"men": ["men"], "opponents": ["pieces of the other side"]}.get(str(falls), [])


def _carries(values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Return whether men or kings can move onto an open door, or capture so."""
    trapdoors = ruleset.rules.trapdoors
    if trapdoors is None or not _stays_open(ruleset) or (values["piece"] == "kings" and trapdoors.passing == "blocked"):
        return False
    return values["way"] == "capture" or trapdoors.quiet_landing == "falls"


#: Which values of the faults of spins and sliders can show, where there is a spin.
_OF_SPINS: dict[str, Callable[[Mapping[str, Any], Ruleset], bool]] = {
    "push-missing": lambda v, ruleset: (
        (v["slider"], v["way"]) in faulty_actions.pushes(ruleset)
        and (v["slider"], v["way"]) != ("any slider", "anywhere")
    ),
    "spin-with-capture": lambda v, ruleset: True,
    "move-without-spin": lambda v, ruleset: True,
    "slider-stays": _slider_stays,
    "wrong-push": lambda v, ruleset: True,
    "sliders-miswritten": lambda v, ruleset: _stays_open(ruleset),
    "sliders-reset": lambda v, ruleset: (
        _stays_open(ruleset) and v["action"] in _actions(ruleset) | {"a push of another"}
    ),
    "fall-missing": _falls_missing,
    "door-missing": lambda v, ruleset: True,
    "both-doors": lambda v, ruleset: True,
    "stands-on-door": _carries,
    "spin-forgotten": lambda v, ruleset: True,
    "spin-mistaken": lambda v, ruleset: v["outcome"] != v["other"],
    "spin-kept": lambda v, ruleset: v["action"] in _actions(ruleset),
}

#: Which values of the faults of huffing can show, where a lapse can be huffed or taken back.
_OF_HUFFS: dict[str, Callable[[Mapping[str, Any], Ruleset], bool]] = {
    "lapses-missing": lambda v, ruleset: v["which"] != "of men" or _kings_lapse(ruleset),
    "lapses-extra": lambda v, ruleset: v["when"] == "nothing can be captured" or _compels(ruleset),
    "lapses-as-moves": lambda v, ruleset: True,
    "huff-missing": lambda v, ruleset: (
        "a huff" in _actions(ruleset)
        and (_huffs_able(ruleset) or v["piece"] not in ("the piece that moved", "a piece that did not move"))
    ),
    "huffs-merged": lambda v, ruleset: "a huff" in _actions(ruleset) and _huffs_able(ruleset),
    "huffs-judged-late": lambda v, ruleset: "a huff" in _actions(ruleset) and _huffs_able(ruleset),
    "claim-missing": lambda v, ruleset: (
        v["lapses"] not in ("lapses of men", "lapses of kings") or _kings_lapse(ruleset)
    ),
    "claim-miswritten": lambda v, ruleset: v["how"] != "without what it captured" or _captures_lapse(ruleset),
    "claim-kept": lambda v, ruleset: v["action"] in _actions(ruleset),
    "claim-extra": lambda v, ruleset: True,
    "still-compelled": lambda v, ruleset: _compels(ruleset),
    "compelled-wrongly": lambda v, ruleset: v["action"] in _actions(ruleset),
    "wrong-piece-huffed": lambda v, ruleset: (
        "a huff" in _actions(ruleset) and (_huffs_able(ruleset) or v["what"] == "nothing")
    ),
    "wrongly-taken-back": lambda v, ruleset: "a move taken back" in _actions(ruleset),
}


#: Which values of the faults of the choice among captures can show.
_OF_CHOICES: dict[str, Callable[[Mapping[str, Any], CaptureRules], bool]] = {
    "chosen-apart": lambda v, capture: bool(capture.choice),
    "choice-uncounted": lambda v, capture: "most-pieces" in capture.choice,
    "count-begins-again": lambda v, capture: _counts_pieces(capture) and v["n"] > 1,
    "count-stops": lambda v, capture: _counts_pieces(capture) and v["n"] > 1,
    "choice-turned-round": lambda v, capture: WORST[v["captures"]] in capture.choice,
}


#: Where the faults of the search for captures can show.
_OF_JUMPS: dict[str, Callable[[Rules], bool]] = {
    "own-passed": lambda rules: rules.king.capture_reach == "any",
    "short-of-edge": lambda rules: True,
    "ends-behind": lambda rules: rules.king.capture_landing != "behind",
    "looks-nearby": lambda rules: rules.king.capture_finish == "continuing",
    "new-king-short": lambda rules: (
        rules.promotion.mid_capture in ("as-king", "as-man-else-king")
        and (rules.king.capture_reach == "any" or rules.king.capture_landing != "behind")
    ),
    "one-way": lambda rules: len(rules.king.capture_directions) > 1,
    "turns-by-first": lambda rules: rules.king.capture_turning == "not-back",
}


#: The counts of moves in the words of the catalogue: the field of `DrawRules`, what begins the count again, and what
#: may wrongly do so. A class of endings without a man is left by each of its moves but those of kings.
_COUNTS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "moves of kings alone": ("king_moves", ("a move of a man", "a capture"), ()),
    "moves without a capture": ("no_capture", ("a capture",), ("a move of a man", "a promotion")),
    "moves of an ending": ("endings", ("a capture", "a promotion"), ("a move of a man", "a promotion")),
    "moves at a balance": ("balance", ("a capture", "a promotion"), ("a move of a man",)),
    "moves on the main road": (
        "main_road",
        ("a capture", "a promotion", "a move onto the main road"),
        ("a move of a man", "a promotion"),
    ),
    "moves of the river": (
        "river",
        ("a capture", "a promotion", "a move onto the main road"),
        ("a move of a man", "a promotion"),
    ),
}

#: Where the faults of outcomes can show.
_OF_OUTCOMES: dict[str, Callable[[Mapping[str, Any], Rules], bool]] = {
    "one-each-only": lambda v, rules: any(draw.startswith("one-piece-each") for draw in rules.ending.draws),
    "ending-at-once": lambda v, rules: _draws_by(rules, "endings"),
    "blocked-out-of-turn": lambda v, rules: True,
    "men-counted": lambda v, rules: _draws_by(rules, "king_moves"),
    "first-left-out": lambda v, rules: _draws_by(rules, "repetition"),
    "first-only": lambda v, rules: _draws_by(rules, "repetition"),
    "looks-back-short": lambda v, rules: _draws_by(rules, "repetition"),
    # By single steps the rows of all pieces add up to odd and even in turn: the side to move follows from the pieces.
    "repetition-blind": lambda v, rules: (
        _draws_by(rules, "repetition")
        and {
            "the side to move": rules.king.move_reach != 1,
            "the kind of a piece": True,
            "what is pending": bool(rules.huff or rules.spin or rules.king.move_limit),
        }[v["what"]]
    ),
    "count-goes-on": lambda v, rules: _draws_by(rules, _COUNTS[v["moves"]][0]) and v["event"] in _COUNTS[v["moves"]][1],
    # Where only the moves of the stronger side count, that of the weaker one onto the main road does not.
    "count-too-early": lambda v, rules: (
        _OF_OUTCOMES["count-goes-on"](v, rules)
        and (
            (v["moves"], v["event"]) != ("moves on the main road", "a move onto the main road")
            or getattr(rules.draws, "counted_side", None) is None
        )
    ),
    "count-restarts": lambda v, rules: (
        _draws_by(rules, _COUNTS[v["moves"]][0])
        and v["event"] in _COUNTS[v["moves"]][2]
        and (
            v["moves"] in ("moves without a capture", "moves at a balance")
            or "M" in str(getattr(rules.draws, _COUNTS[v["moves"]][0]))
        )
    ),
    "count-one-side": lambda v, rules: _draws_by(rules, _COUNTS[v["moves"]][0]),
    "count-one-colour": lambda v, rules: _draws_by(rules, _COUNTS[v["moves"]][0]),
}


def _draws_by(rules: Rules, field: str) -> bool:
    """Return whether a rule of draws by history is there."""
    return getattr(rules.draws, field, None) is not None


def _counts_pieces(capture: CaptureRules) -> bool:
    """Return whether the number of captured pieces decides, whatever they are."""
    return "most-pieces" in capture.choice and capture.king_weight is None


def _kings_lapse(ruleset: Ruleset) -> bool:
    return ruleset.rules.huff is not None and ruleset.rules.huff.offence != "man-forward"


def _captures_lapse(ruleset: Ruleset) -> bool:
    return ruleset.rules.huff is not None and ruleset.rules.huff.offence in (
        "no-capture-or-unfinished",
        "no-capture-or-less",
    )


def _huffs_able(ruleset: Ruleset) -> bool:
    return ruleset.rules.huff is not None and ruleset.rules.huff.piece == "able"


def _compels(ruleset: Ruleset) -> bool:
    return ruleset.rules.huff is not None and ruleset.rules.huff.compels


# --- what each fault of the catalogue does

#: Where an engine looks for the piece that a jump captures.
_TAKEN: dict[str, Callable[[Leg], bool]] = {
    "in the middle of the jump": lambda leg: 2 * leg.reach == leg.length,
    "next to where the jump begins": lambda leg: leg.reach == 1,
    "next to where the jump ends": lambda leg: leg.length == leg.reach + 1,
}


def _missed_legs(id: str, v: Mapping[str, Any], board: Board) -> Callable[[Leg], bool] | None:
    """Return the steps and jumps that a fault does not find; None for one that is about something else."""
    lost = _LOST.get(id)
    return (lambda leg: lost(leg, v, board)) if lost else None


def _is_of(leg: Leg, v: Mapping[str, Any]) -> bool:
    """Return whether a step or jump is of the side, the pieces, the way and the direction that are named."""
    return all(getattr(leg, name) == v[name] for name in ("side", "piece", "way", "direction") if name in v)


_LOST: dict[str, Callable[[Leg, Mapping[str, Any], Board], bool]] = {
    "direction-missing": lambda leg, v, board: _is_of(leg, v),
    "edge-missing": lambda leg, v, board: _is_of(leg, v) and _EDGES[v["edge"]](board, *board.places[leg.end - 1]),
    "line-short": lambda leg, v, board: (
        leg.piece == "kings" and _is_of(leg, v) and not board.step(board.bit(leg.end), leg.direction, leg.side)
    ),
    "reach-short": lambda leg, v, board: leg.piece == "kings" and not leg.over and leg.length > v["n"],
    "sight-short": lambda leg, v, board: leg.piece == "kings" and leg.reach > v["n"],
    "landing-short": lambda leg, v, board: leg.piece == "kings" and leg.over > 0 and leg.length - leg.reach > v["n"],
    "never-leaves": lambda leg, v, board: leg.start == v["square"],
    "never-enters": lambda leg, v, board: leg.end == v["square"],
    "never-takes": lambda leg, v, board: leg.over == v["square"],
}

_MAKERS: dict[str, Make] = {
    "list-full": lambda right, v: TruncatedList(right, v["n"]),
    "capture-too-long": lambda right, v: captures_up_to(right, v["n"]),
    "captured-full": lambda right, v: left_standing(right, lambda jumped: jumped[v["n"] :]),
    "pieces-full": lambda right, v: PieceLimit(right, v["n"]),
    "board-full": lambda right, v: TotalPieceLimit(right, v["n"], white_first=v["order"] == "White's before Black's"),
    "crowded": lambda right, v: not_when_crowded(right, v["way"], v["n"]),
    "pieces-unmoved": lambda right, v: first_pieces_only(right, v["n"]),
    "piece-forgotten": lambda right, v: without_piece(right, _PLACES[v["which"]]),
    "own-passed": lambda right, v: past_own_pieces(right, "kings", captured=False),
    "own-captured": lambda right, v: past_own_pieces(right, v["piece"], captured=True),
    "edge-open": lambda right, v: EdgeWrap(right, v["way"], v["edge"]),
    "moves-merged": lambda right, v: MergedMoves(right, starts_count=v["ends"] == "start and end"),
    "capture-not-undone": lambda right, v: UnrestoredCaptures(right, any_piece=v["scope"] == "any piece"),
    "action-missing": lambda right, v: faulty_actions.action_missing(right, v["side"], v["action"]),
    "push-missing": lambda right, v: faulty_actions.push_missing(right, v["slider"], v["way"]),
    "spin-with-capture": lambda right, v: faulty_actions.spins_with_captures(
        right, alone=v["how"] == "in the place of"
    ),
    "move-without-spin": lambda right, v: faulty_actions.moves_without_spin(right, alone=v["how"] == "in the place of"),
    "lapses-missing": lambda right, v: faulty_actions.lapses_missing(right, v["which"]),
    "lapses-extra": lambda right, v: faulty_actions.lapses_extra(right, v["when"]),
    "lapses-as-moves": lambda right, v: faulty_actions.lapses_as_moves(right, instead=v["how"] == "instead"),
    "huff-missing": lambda right, v: faulty_actions.huff_missing(right, v["piece"]),
    "huffs-merged": lambda right, v: faulty_actions.huffs_merged(right, _PLACES[v["which"]]),
    "huffs-judged-late": lambda right, v: faulty_actions.huffs_judged_late(right),
    "limit-too-wide": lambda right, v: faulty_actions.limit_too_wide(right, v["what"]),
    "limit-unknown": lambda right, v: NoKingLimit(right),
    "limit-ignored": lambda right, v: faulty_actions.limit_ignored(right, v["side"]),
    "left-standing": lambda right, v: left_standing(right, lambda jumped: jumped[v["n"] - 1 : v["n"]]),
    "kind-left-standing": lambda right, v: kind_left_standing(right, v["piece"], v["which"]),
    "lost-at-home": lambda right, v: lost_at_home(right),
    "not-crowned": lambda right, v: without_crowning(right, v["side"], v["way"], v["square"]),
    "turn-wrong": lambda right, v: WrongSideToMove(right, v["action"]),
    "slider-stays": lambda right, v: faulty_actions.slider_stays(right, v["way"]),
    "wrong-push": lambda right, v: faulty_actions.wrong_push(right, v["what"]),
    "sliders-miswritten": lambda right, v: faulty_actions.sliders_miswritten(right, v["how"]),
    "sliders-reset": lambda right, v: faulty_actions.sliders_reset(right, v["action"]),
    "fall-missing": lambda right, v: faulty_actions.fall_missing(right, v["piece"]),
    "door-missing": lambda right, v: faulty_actions.door_missing(right, v["door"]),
    "both-doors": lambda right, v: faulty_actions.both_doors(right),
    "stands-on-door": lambda right, v: faulty_actions.stands_on_door(right, v["piece"], v["way"]),
    "spin-forgotten": lambda right, v: faulty_actions.spin_forgotten(right, v["outcome"]),
    "spin-mistaken": lambda right, v: faulty_actions.spin_mistaken(right, v["outcome"], v["other"]),
    "spin-kept": lambda right, v: faulty_actions.spin_kept(right, v["action"]),
    "claim-missing": lambda right, v: faulty_actions.claim_missing(right, v["lapses"]),
    "claim-miswritten": lambda right, v: faulty_actions.claim_miswritten(right, v["how"]),
    "claim-kept": lambda right, v: faulty_actions.claim_kept(right, v["action"]),
    "claim-extra": lambda right, v: faulty_actions.claim_extra(right, v["action"]),
    "still-compelled": lambda right, v: faulty_actions.still_compelled(right),
    "compelled-wrongly": lambda right, v: faulty_actions.compelled_wrongly(right, v["action"]),
    "wrong-piece-huffed": lambda right, v: faulty_actions.wrong_piece_huffed(right, v["what"]),
    "wrongly-taken-back": lambda right, v: faulty_actions.wrongly_taken_back(right, v["how"]),
    "run-missing": lambda right, v: faulty_actions.run_missing(right, v["whose"]),
    "run-miscounted": lambda right, v: faulty_actions.run_miscounted(right, v["how"]),
    "run-goes-on": lambda right, v: faulty_actions.run_goes_on(right, v["event"]),
    "run-counts-too-much": lambda right, v: faulty_actions.run_counts_too_much(right, v["event"]),
    "run-forgotten": lambda right, v: faulty_actions.run_forgotten(right, v["action"]),
    "runs-exchanged": lambda right, v: faulty_actions.runs_exchanged(right),
    "run-outlives": lambda right, v: faulty_actions.run_outlives(right, v["event"]),
    "squares-swapped": lambda right, v: SwappedSquares(right, v["square"], v["square"] + 1),
    "taken-only": lambda right, v: taken_only(right, _TAKEN[v["where"]]),
    "one-each-only": lambda right, v: SameKindDraw(right, v["piece"]),
    "ending-at-once": lambda right, v: ImmediateEndingDraw(right),
    "blocked-out-of-turn": lambda right, v: OutOfTurn(right),
    "first-left-out": lambda right, v: MisreadHistory(right, "repetition", lambda game: (game[0][1:], game[1][1:])),
    "first-only": lambda right, v: MisreadHistory(
        right, "repetition", lambda game: game if game[0][-1] == game[0][0] else (game[0][-1:], ())
    ),
    "looks-back-short": lambda right, v: MisreadHistory(right, "repetition", lambda game: (game[0][-9:], game[1][-8:])),
    "repetition-blind": lambda right, v: MisreadHistory(
        right, "repetition", lambda game: ([without_part(each, v["what"]) for each in game[0]], game[1])
    ),
    "men-counted": lambda right, v: MisreadHistory(
        right, "king_moves", lambda game: unchanged_by("a move of a man", game, counted=True)
    ),
    "count-goes-on": lambda right, v: MisreadHistory(
        right, _COUNTS[v["moves"]][0], lambda game: unchanged_by(v["event"], game, counted=False)
    ),
    "count-too-early": lambda right, v: MisreadHistory(
        right,
        _COUNTS[v["moves"]][0],
        lambda game: unchanged_by(v["event"], since(v["event"], game, skip=0), counted=True),
    ),
    "count-restarts": lambda right, v: MisreadHistory(
        right, _COUNTS[v["moves"]][0], lambda game: since(v["event"], game)
    ),
    # As if the other side had answered the last move without changing the pieces.
    "count-one-side": lambda right, v: MisreadHistory(
        right,
        _COUNTS[v["moves"]][0],
        lambda game: (
            game
            if game[0][-1].turn == v["side"]
            else ([*game[0], replace(game[0][-1], turn=v["side"])], [*game[1], *game[1][-1:]])
        ),
    ),
    "count-one-colour": lambda right, v: MisreadHistory(
        right,
        _COUNTS[v["moves"]][0],
        lambda game: game if 2 * game[0][-1].occupied(v["side"]).bit_count() > len(game[0][-1]) else (game[0][-1:], ()),
    ),
    "short-of-edge": lambda right, v: with_jump_search(right, NoEdgeLanding(right.rules, v["piece"])),
    "ends-behind": lambda right, v: with_jump_search(right, EndsBehindLast(right.rules)),
    "looks-nearby": lambda right, v: with_jump_search(right, ShortLookahead(right.rules)),
    "looks-short": lambda right, v: with_jump_search(right, ShortJumps(right.rules, "reach", v["n"])),
    "lands-short": lambda right, v: with_jump_search(right, ShortJumps(right.rules, "landing", v["n"])),
    "new-king-short": lambda right, v: with_jump_search(right, ShortNewKing(right.rules)),
    "one-way": lambda right, v: with_jump_search(right, FirstDirectionOnly(right.rules, v["order"].split(", "))),
    "turns-by-first": lambda right, v: with_jump_search(right, NotAgainstFirstJump(right.rules)),
    "chosen-apart": lambda right, v: with_precedence(right, PrecedencePerPiece(right.rules, v["whose"])),
    "choice-uncounted": lambda right, v: with_precedence(right, precedence_without(right.rules, v["piece"])),
    "count-begins-again": lambda right, v: with_precedence(
        right, MiscountedPrecedence(right.rules, lambda step, _: step.captured.bit_count() % v["n"])
    ),
    "count-stops": lambda right, v: with_precedence(
        right, MiscountedPrecedence(right.rules, lambda step, _: min(step.captured.bit_count(), v["n"]))
    ),
    "choice-turned-round": lambda right, v: with_precedence(
        right, ReversedPrecedence(right.rules, WORST[v["captures"]])
    ),
    "one-late": lambda right, v: PreviousPosition(right),
    "not-tidied": lambda right, v: LeftoverPiece(right, _PLACES[v["which"]]),
    "goes-silent": lambda right, v: SkippedAnswer(right, v["n"]),
    "recalls": lambda right, v: WrongCacheKey(right, v["what"]),
}


__all__ = [
    "MEASURED",
    "CachedGenerator",
    "Fault",
    "FaultyGenerator",
    "Greatest",
    "NamingFault",
    "OutcomeFault",
    "ReadingFault",
    "faults",
    "faults_in_form",
    "greatest",
]
