"""Faults in actions other than plain moves: spins, slider pushes, falls, lapses and huffs, king runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from damspec import Action, Huff, Move, Pass, Position, Retract, SliderPush, Spin
from damspec.board import opponent
from damspec.huffing import HuffableOffence, lapse_of
from damspec.king_runs import is_at_limit
from damspec.layout import Slider
from damspec.position import KingRun, slider_letters, with_side, without
from damspec.rules import TrapdoorRules

from .faults import FaultyGenerator, Values, after, hook, keeps
from .turn_faults import PLACES, action_words, put_back

#: The ways to push a slider, by the letters of where it stands before and after.
WAYS: Mapping[str, Callable[[str, str], bool]] = {
    "anywhere": lambda before, to: True,
    "to the left": lambda before, to: to == "L" or (before, to) == ("R", "M"),
    "to the right": lambda before, to: to == "R" or (before, to) == ("L", "M"),
    "out of the middle": lambda before, to: before == "M",
    "back to the middle": lambda before, to: to == "M",
    "from the middle to the left": lambda before, to: (before, to) == ("M", "L"),
    "from the middle to the right": lambda before, to: (before, to) == ("M", "R"),
    "from the left to the middle": lambda before, to: (before, to) == ("L", "M"),
    "from the right to the middle": lambda before, to: (before, to) == ("R", "M"),
}
COLOURS = {"any green slider": "green", "any orange slider": "orange"}
_DOING: Mapping[str, type] = {
    "spin": Spin,
    "push a slider": SliderPush,
    "pass": Pass,
    "huff": Huff,
    "take a move back": Retract,
}


def slider_names(trapdoors: TrapdoorRules) -> tuple[str, ...]:
    """Return the names of sliders in the catalogue: any, those of a colour, and each."""
    return ("any slider", *COLOURS, *(slider.id for slider in trapdoors.layout.sliders))


def _letters(turns: FaultyGenerator, position: Position) -> str:
    assert turns.rules.trapdoors
    return slider_letters(turns.rules.trapdoors.layout, position)


def _pushed(turns: FaultyGenerator, position: Position, push: SliderPush) -> tuple[int, Slider, str]:
    """Return the place of a pushed slider among the letters, the slider, and its letter."""
    assert turns.rules.trapdoors
    sliders = turns.rules.trapdoors.layout.sliders
    place = next(place for place, slider in enumerate(sliders) if slider.id == push.slider)
    return place, sliders[place], _letters(turns, position)[place]


# --- what is listed


keeps("action-missing", of=object)(
    lambda v, turns, position, action: (
        not isinstance(action, _DOING[v["action"]]) or v["side"] not in (position.turn, "either side")
    )
)


@keeps("push-missing", of=SliderPush)
def push_missing(v: Values, turns: FaultyGenerator, position: Position, push: SliderPush) -> bool:
    _, slider, letter = _pushed(turns, position, push)
    named = v["slider"] in ("any slider", slider.id) or slider.colour == COLOURS.get(v["slider"])
    return not (named and WAYS[v["way"]](letter, push.to))


@hook("actions", "spin-with-capture")
def spin_with_capture(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    spin = turns.rules.spin
    if position.spin is not None or spin is None or not any(isinstance(action, Move) for action in listed):
        return listed
    return [*(listed if v["how"] == "beside" else []), *map(Spin, spin.outcomes)]


@hook("actions", "move-without-spin")
def move_without_spin(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    if position.spin is not None or not any(isinstance(action, Spin) for action in listed):
        return listed
    return [*turns.movement.legal(position), *(listed if v["how"] == "beside" else [])]


@hook("lapses", "lapses-missing")
def lapses_missing(v: Values, turns: FaultyGenerator, position: Position, listed: list[Move]) -> list[Move]:
    able = {step.start for step in turns.movement.captures(position)} if listed else set()

    def is_missing(move: Move) -> bool:
        start = position.board.bit(move.start)
        missing = {
            "at all": True,
            f"of {position.turn}": True,
            "of men": bool(start & position.men(position.turn)),
            "of pieces that could capture": start in able,
            "of pieces that could not capture": start not in able,
            "that crown a man": move.promotes,
        }
        return missing.get(v["which"], False)

    return [move for move in listed if not is_missing(move)]


@hook("lapses", "lapses-extra")
def lapses_extra(v: Values, turns: FaultyGenerator, position: Position, listed: list[Move]) -> list[Move]:
    compelled = v["when"] == "a capture is compelled"
    if not turns.rules.huff or position.compelled != compelled or (not compelled and turns.movement.captures(position)):
        return listed
    return turns.movement.moves(position, turns.movement.quiet(position))


hook("actions", "lapses-as-moves")(lambda v, turns, position, listed: [*listed, *turns.right.lapses(position)])
hook("lapses", "lapses-as-moves")(lambda v, turns, position, listed: [] if v["how"] == "instead" else listed)


@keeps("huff-missing", of=Huff)
def huff_missing(v: Values, turns: FaultyGenerator, position: Position, huff: Huff) -> bool:
    king = bool(position.board.bit(huff.square) & position.kings(opponent(position.turn)))
    moved = huff.square == HuffableOffence.of(position).end
    missing = {"men": not king, "kings": king, "the piece that moved": moved, "a piece that did not move": not moved}
    return not missing[v["piece"]]


@hook("actions", "huffs-merged")
def huffs_merged(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    huffs = [action for action in listed if isinstance(action, Huff)]
    return [action for action in listed if action not in huffs or action == huffs[PLACES[v["which"]]]]


@hook("actions", "huffs-judged-late")
def huffs_judged_late(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    others = [action for action in listed if not isinstance(action, Huff)]
    if len(others) == len(listed) or HuffableOffence.of(position).captured:
        return listed
    turned = replace(position, turn=opponent(position.turn), huffable=None)
    able = {position.board.number(step.start) for step in turns.movement.captures(turned)}
    return [*others, *map(Huff, sorted(able))]


@keeps("limit-too-wide")
def limit_too_wide(v: Values, turns: FaultyGenerator, position: Position, move: Move) -> bool:
    king, start = is_at_limit(turns.rules.king.move_limit, position), position.board.bit(move.start)
    barred = {
        "every king": not move.captured and bool(start & position.kings(position.turn)),
        "captures by that king": bool(move.captured) and start == king,
        "every move without capture": not move.captured,
    }
    return not king or not barred[v["what"]]


@hook("actions", "limit-ignored")
def limit_ignored(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    side = position.turn
    return turns.right.actions(position.with_run(side, None)) if side == v["side"] else listed


# --- the position after a push


@after("slider-stays", of=SliderPush)
def slider_stays(v: Values, turns: FaultyGenerator, position: Position, push: SliderPush, right: Position) -> Position:
    *_, letter = _pushed(turns, position, push)
    return replace(right, sliders=_letters(turns, position)) if WAYS[v["way"]](letter, push.to) else right


@after("wrong-push", of=SliderPush)
def wrong_push(v: Values, turns: FaultyGenerator, position: Position, push: SliderPush, right: Position) -> Position:
    if v["what"] == "it to the other side":
        return turns.right.after(position, replace(push, to={"L": "R", "R": "L"}.get(push.to, push.to)))
    place, slider, _ = _pushed(turns, position, push)
    assert turns.rules.trapdoors
    sliders = turns.rules.trapdoors.layout.sliders
    others = [one for one in (*sliders[place + 1 :], *sliders[:place]) if one.colour == slider.colour]
    return turns.right.after(position, replace(push, slider=others[0].id)) if others else right


@after("sliders-miswritten", of=object)
def sliders_miswritten(
    v: Values, turns: FaultyGenerator, position: Position, action: Action, right: Position
) -> Position:
    if not turns.rules.trapdoors:
        return right
    letters = _letters(turns, right)
    mixed = v["how"] == "with left and right mixed up"
    return replace(right, sliders=letters.translate(str.maketrans("LR", "RL")) if mixed else letters[::-1])


@after("sliders-reset", of=object)
def sliders_reset(v: Values, turns: FaultyGenerator, position: Position, action: Action, right: Position) -> Position:
    kind = "a push of a slider" if v["action"] == "a push of another" else v["action"]
    trapdoors = turns.rules.trapdoors
    if not trapdoors or kind not in action_words(turns, position, action):
        return right
    pushed = _pushed(turns, position, action)[0] if isinstance(action, SliderPush) else -1
    letters = enumerate(zip(_letters(turns, right), trapdoors.layout.middle_letters, strict=True))
    return replace(right, sliders="".join(now if place == pushed else reset for place, (now, reset) in letters))


@after("fall-missing", of=SliderPush)
def fall_missing(v: Values, turns: FaultyGenerator, position: Position, push: SliderPush, right: Position) -> Position:
    white, black = position.occupied("white"), position.occupied("black")
    stays = {
        "pieces": white | black,
        "men": position.men("white") | position.men("black"),
        "pieces of the other side": position.occupied(opponent(position.turn)),
        "white pieces": white,
        "black pieces": black,
    }
    return put_back(position, right, stays[v["piece"]])


after("door-missing", of=SliderPush)(
    lambda v, turns, position, push, right: put_back(position, right, position.board.bit(v["door"]))
)


@after("both-doors", of=SliderPush)
def both_doors(v: Values, turns: FaultyGenerator, position: Position, push: SliderPush, right: Position) -> Position:
    _, slider, _ = _pushed(turns, position, push)
    return without(right, position.board.mask((slider.left, slider.right)))


@after("stands-on-door")
def stands_on_door(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    side, end = position.turn, position.board.bit(move.end)
    man = bool(position.board.bit(move.start) & position.men(side))
    kind = "men" if man else "kings", "capture" if move.captured else "move"
    if right.occupied(side) & end or kind != (v["piece"], v["way"]):
        return right
    men, kings = right.men(side), right.kings(side)
    return with_side(right, side, men | end if man else men, kings if man else kings | end)


# --- the position after a spin, and what is left of it


after("spin-forgotten", of=Spin)(
    lambda v, turns, position, spin, right: replace(right, spin=position.spin) if spin == Spin(v["outcome"]) else right
)
after("spin-mistaken", of=Spin)(
    lambda v, turns, position, spin, right: replace(right, spin=v["other"]) if spin == Spin(v["outcome"]) else right
)
after("spin-kept", of=object)(
    lambda v, turns, position, action, right: (
        replace(right, spin=position.spin) if v["action"] in action_words(turns, position, action) else right
    )
)


# --- the position after a lapse, a huff, a move taken back


@after("claim-missing")
def claim_missing(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    king = bool(position.board.bit(move.start) & position.kings(position.turn))
    forgotten = {
        "lapses": True,
        "lapses of men": not king,
        "lapses of kings": king,
        "lapses that crown a man": move.promotes,
    }
    return replace(right, huffable=None) if forgotten[v["lapses"]] else right


@after("claim-miswritten")
def claim_miswritten(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    if right.huffable is None:
        return right
    lapse = lapse_of(position, move)
    match v["how"]:
        case "with its squares exchanged":
            lapse = lapse._replace(start=lapse.end, end=lapse.start)
        case "without the crown":
            lapse = lapse._replace(crowned=False)
        case _:  # without what it captured
            lapse = lapse._replace(men=(), kings=())
    return replace(right, huffable=str(lapse))


@after("claim-kept", of=object)
def claim_kept(v: Values, turns: FaultyGenerator, position: Position, action: Action, right: Position) -> Position:
    if position.huffable is None or v["action"] not in action_words(turns, position, action):
        return right
    lapse = HuffableOffence.of(position)
    restored = position.board.mask((lapse.start, *lapse.captured))
    stands = right.occupied("white") | right.occupied("black")
    # where pieces now stand, none can be put back to see what could be huffed; a compelled side cannot huff at all
    return right if restored & stands and not right.compelled else replace(right, huffable=position.huffable)


@after("claim-extra")
def claim_extra(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    wrongly = turns.rules.huff and v["action"] in action_words(turns, position, move)
    return replace(right, huffable=str(lapse_of(position, move))) if wrongly else right


after("still-compelled")(lambda v, turns, position, move, right: replace(right, compelled=position.compelled))
after("compelled-wrongly", of=object)(
    lambda v, turns, position, action, right: (
        replace(right, compelled=True)
        if turns.rules.huff and v["action"] in action_words(turns, position, action)
        else right
    )
)


@after("wrong-piece-huffed", of=Huff)
def wrong_piece_huffed(v: Values, turns: FaultyGenerator, position: Position, huff: Huff, right: Position) -> Position:
    board = position.board
    if v["what"] == "every piece that could be huffed":
        return without(right, board.mask(one.square for one in turns.right.actions(position) if isinstance(one, Huff)))
    moved = board.bit(HuffableOffence.of(position).end) if v["what"] == "the piece that moved" else 0
    return without(put_back(position, right, board.bit(huff.square)), moved)


@after("wrongly-taken-back", of=Retract)
def wrongly_taken_back(
    v: Values, turns: FaultyGenerator, position: Position, retract: Retract, right: Position
) -> Position:
    lapse, side = HuffableOffence.of(position), opponent(position.turn)
    if v["how"] == "where it went":
        return with_side(right, side, position.men(side), position.kings(side))
    start = position.board.bit(lapse.start) if lapse.crowned else 0
    return with_side(right, side, right.men(side) & ~start, right.kings(side) | start)


# --- the runs of kings after a move


@after("run-missing")
def run_missing(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    side = position.turn
    return right.with_run(side, None) if v["whose"] in (f"{side} kings", "kings") else right


@after("run-miscounted")
def run_miscounted(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    run, last = right.run(position.turn), position.run(position.turn)
    if run is None:
        return right
    moves = {
        "without the first": run.moves - 1,
        "up to 1 and no further": 1,
        "two for one": run.moves + 1 if last and last.square == move.start else 2,
    }[v["how"]]
    return right.with_run(position.turn, run._replace(moves=moves) if moves else None)


@after("run-goes-on")
def run_goes_on(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    side, run = position.turn, position.run(position.turn)
    if run is None or not right.men(side):
        return right
    king, itself = bool(position.board.bit(move.start) & position.kings(side)), move.start == run.square
    happened = {
        "a capture by the king": bool(move.captured) and itself,
        "a capture by another piece": bool(move.captured) and not itself,
        "a move of a man": not move.captured and not king,
        "a move of another king": not move.captured and king and not itself,
    }
    return right.with_run(side, run._replace(square=move.end) if itself else run) if happened[v["event"]] else right


@after("run-counts-too-much")
def run_counts_too_much(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    side, run, moves = position.turn, position.run(position.turn), 1
    king, men = bool(position.board.bit(move.start) & position.kings(side)), bool(right.men(side))
    match v["event"]:
        case "captures by kings":
            counts = bool(move.captured) and king and men
            moves = run.moves + 1 if run and run.square == move.start else 1
        case "moves of another king":
            counts = not move.captured and king and right.run(side) is not None
            moves = run.moves + 1 if run else 1
        case "a move that crowns a man":
            counts = move.promotes and men
        case _:  # moves of a side that has kings only
            counts = not move.captured and not position.men(side)
    limited = turns.rules.king.move_limit is not None
    return right.with_run(side, KingRun(move.end, moves)) if counts and limited else right


@after("run-forgotten")
def run_forgotten(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    forgotten = v["action"] in action_words(turns, position, move)
    return right.with_run(opponent(position.turn), None) if forgotten else right


after("runs-exchanged")(
    lambda v, turns, position, move, right: replace(right, white_run=right.black_run, black_run=right.white_run)
)


@after("run-outlives")
def run_outlives(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    other = opponent(position.turn)
    run = position.run(other)
    if run is None:
        return right
    captured, men = run.square in move.captured, bool(right.men(other))
    # Where both are captured at once either end is enough.
    happened = captured and men if v["event"] == "its king is captured" else not captured and not men
    return right.with_run(other, run) if happened else right
