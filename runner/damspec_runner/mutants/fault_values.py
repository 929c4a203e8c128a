"""Which values of a fault can show by the rules of a game, on some board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from damspec import Board, Ruleset
from damspec.board import Side, opponent
from damspec.layout import Slider
from damspec.rules import CaptureRules, Reach, Rules
from damspec.tables import landing_squares

from .action_faults import COLOURS, WAYS, slider_names
from .capture_faults import WORST
from .faults import HOOKS, FaultyGenerator
from .legs import BOTH, Leg, Mover, make_leg
from .turn_faults import TAKEN


@cache
def pushes(ruleset: Ruleset) -> Mapping[tuple[str, str], frozenset[tuple[str, str, str]]]:
    """Return the pushes of a game for each name of sliders and each way: slider, and the letters before and after.

    What is the same as one before it, and what has no push, is left out.
    """
    trapdoors, spin = ruleset.rules.trapdoors, ruleset.rules.spin
    if trapdoors is None or spin is None:
        return {}
    layout, colours = (
        trapdoors.layout,
        frozenset(colour for allowed in spin.outcomes.values() for colour in _allowed_colours(allowed)),
    )
    every = {
        (layout.sliders[place].id, letter, to)
        for letter in ("M" if trapdoors.closing == "at-once" else "LMR")
        for place, to in layout.steps(letter * len(layout.sliders), colours, through=trapdoors.step == "through")
    }
    sliders = {slider.id: slider for slider in layout.sliders}
    found: dict[tuple[str, str], frozenset[tuple[str, str, str]]] = {}
    for name in slider_names(trapdoors):
        for way, goes in WAYS.items():
            some = frozenset(one for one in every if _is_named(sliders[one[0]], name) and goes(*one[1:]))
            if some and some not in found.values():
                found[name, way] = some
    return found


def _allowed_colours(allowed: str) -> tuple[str, ...]:
    match allowed:
        case "green-slider":
            return ("green",)
        case "orange-slider":
            return ("orange",)
        case "any-slider":
            return ("green", "orange")
        case _:  # a piece
            return ()


def _is_named(slider: Slider, name: str) -> bool:
    return name in ("any slider", slider.id) or slider.colour == COLOURS.get(name)


@cache
def possible_legs(ruleset: Ruleset) -> tuple[Leg, ...]:
    """Return every leg that a piece could have by the rules of directions and reach, with no other piece in the way.

    No legal move has another one.
    """
    return (*_legs_of(ruleset),)


def _legs_of(ruleset: Ruleset) -> Iterator[Leg]:
    board, man, king = ruleset.rules.board, ruleset.rules.man, ruleset.rules.king
    landing = landing_squares(ruleset.rules)
    jumps = tuple(dict.fromkeys((*man.capture_first, *man.capture_later)))
    goes_on_as_king = ruleset.rules.promotion.mid_capture in ("as-king", "as-man-else-king")
    sides: tuple[Side, Side] = ("white", "black")
    for side in sides:
        for start in range(1, len(board) + 1):
            yield from _slides(board, side, "men", start, man.move_directions, man.move_reach)
            for direction in man.move_over_own or ():
                for end in _ray(board, start, direction, side)[1:2]:
                    yield make_leg(board, side, "men", start, 0, end)
            yield from _slides(board, side, "kings", start, king.move_directions, king.move_reach)
            yield from _jumps(board, side, "men", start, jumps, 1, 1)
            for piece in BOTH if goes_on_as_king else BOTH[1:]:
                yield from _jumps(board, side, piece, start, king.capture_directions, king.capture_reach, landing)


def _slides(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach
) -> Iterator[Leg]:
    for direction in directions:
        for end in _ray(board, start, direction, side)[: None if reach == "any" else reach]:
            yield make_leg(board, side, piece, start, 0, end)


def _jumps(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach, landing: int
) -> Iterator[Leg]:
    for direction in directions:
        ray = _ray(board, start, direction, side)
        for place, over in enumerate(ray[: None if reach == "any" else reach], 1):
            for end in ray[place : place + landing]:
                yield make_leg(board, side, piece, start, over, end)


def _ray(board: Board, start: int, direction: str, side: Side) -> list[int]:
    return [board.number(bit) for bit in board.ray(board.bit(start), direction, side)]


def can_show(id: str, values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Return whether there is a step, a jump, a crown or an action of a game by these rules that a fault is about."""
    rules, possible = ruleset.rules, possible_legs(ruleset)
    if HOOKS[id].keys() == {"legs"}:
        return any(map(_finds_no(id, values, ruleset), possible))
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
            return values["n"] > 1 and any(map(_finds_no("sight-short", values, ruleset), possible))
        case "lands-short":
            by_rule = 1 if rules.king.capture_finish else 2  # within-two goes without king.capture.finish only
            return values["n"] > by_rule and any(map(_finds_no("landing-short", values, ruleset), possible))
        case "taken-only":
            return any(leg.over and not TAKEN[values["where"]](leg) for leg in possible)
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


def _finds_no(id: str, values: Mapping[str, Any], ruleset: Ruleset) -> Callable[[Leg], bool]:
    """Return which steps and jumps a fault does not find."""
    return partial(HOOKS[id]["legs"], values, FaultyGenerator(ruleset.turns, {}))


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
    if trapdoors is None or ("any slider", way) not in pushes(ruleset):
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
        (v["slider"], v["way"]) in pushes(ruleset) and (v["slider"], v["way"]) != ("any slider", "anywhere")
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
