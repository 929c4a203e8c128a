"""Faults in actions other than plain moves: spins, slider pushes, falls, lapses and huffs, king runs.

An action is not listed, or is listed where it is not legal; or the position after one is wrong in one part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from damspec import Action, Huff, Move, Pass, Position, Retract, Ruleset, SliderPush, Spin
from damspec.board import opponent
from damspec.huffing import HuffableOffence, lapse_of
from damspec.king_runs import is_at_limit
from damspec.layout import Slider
from damspec.position import KingRun, slider_letters, with_side, without
from damspec.rules import TrapdoorRules
from damspec.turn import ActionGenerator

from .faulty_turns import FaultyGenerator, FilteredList, SuccessorFault, after_moves, fault_kinds, filtered_moves

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
_COLOURS = {"any green slider": ("green",), "any orange slider": ("orange",)}
_DOING: Mapping[str, type] = {
    "spin": Spin,
    "push a slider": SliderPush,
    "pass": Pass,
    "huff": Huff,
    "take a move back": Retract,
}


def slider_names(trapdoors: TrapdoorRules) -> tuple[str, ...]:
    """Return the names of sliders in the catalogue: any, those of a colour, and each."""
    return ("any slider", *_COLOURS, *(slider.id for slider in trapdoors.layout.sliders))


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
    return name in ("any slider", slider.id) or slider.colour in _COLOURS.get(name, ())


def _trapdoors(turns: ActionGenerator) -> TrapdoorRules:
    assert turns.rules.trapdoors
    return turns.rules.trapdoors


def _slider(turns: ActionGenerator, slide: SliderPush) -> tuple[int, Slider]:
    """Return the place of a pushed slider among the letters, and the slider."""
    sliders = _trapdoors(turns).layout.sliders
    return next((place, slider) for place, slider in enumerate(sliders) if slider.id == slide.slider)


def _letters(turns: ActionGenerator, position: Position) -> str:
    return slider_letters(_trapdoors(turns).layout, position)


# --- what is listed


class ReplacedLists(FaultyGenerator):
    """The list of actions, or of lapses, is made by a function of the position."""

    invents = True

    def __init__(
        self,
        right: ActionGenerator,
        actions: Callable[[Position], list[Action]] | None = None,
        lapses: Callable[[Position], list[Move]] | None = None,
    ) -> None:
        super().__init__(right)
        self._actions, self._lapses = actions or right.actions, lapses or right.lapses

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self._actions(position)

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self._lapses(position)


def action_missing(right: ActionGenerator, side: str, action: str) -> ActionGenerator:
    """A kind of action is not listed, for one side or for either."""
    lost = _DOING[action]
    return FilteredList(
        right, lambda position, one: not isinstance(one, lost) or side not in (position.turn, "either side")
    )


def push_missing(right: ActionGenerator, name: str, way: str) -> ActionGenerator:
    """Pushes of some sliders in some way are not listed."""

    def passes(position: Position, action: Action) -> bool:
        if not isinstance(action, SliderPush):
            return True
        place, slider = _slider(right, action)
        return not (_is_named(slider, name) and WAYS[way](_letters(right, position)[place], action.to))

    return FilteredList(right, passes)


def spins_with_captures(right: ActionGenerator, *, alone: bool) -> ActionGenerator:
    """Where a turn is a capture spins are listed too, or alone."""

    def wrong_list(position: Position) -> list[Action]:
        actions, spin = right.actions(position), right.rules.spin
        if position.spin is not None or spin is None or not any(isinstance(action, Move) for action in actions):
            return actions
        return [*([] if alone else actions), *map(Spin, spin.outcomes)]

    return ReplacedLists(right, wrong_list)


def moves_without_spin(right: ActionGenerator, *, alone: bool) -> ActionGenerator:
    """Where a turn begins with a spin moves are listed too, or alone."""

    def wrong_list(position: Position) -> list[Action]:
        actions = right.actions(position)
        if position.spin is not None or not any(isinstance(action, Spin) for action in actions):
            return actions
        return [*right.movement.legal(position), *([] if alone else actions)]

    return ReplacedLists(right, wrong_list)


def lapses_missing(right: ActionGenerator, which: str) -> ActionGenerator:
    """Lapses are not listed: all of them, or those of some pieces."""

    def is_lost(position: Position, move: Move) -> bool:
        start = position.board.bit(move.start)
        match which:
            case "at all":
                return True
            case "of white" | "of black":
                return which.endswith(position.turn)
            case "of men":
                return bool(start & position.men(position.turn))
            case "of pieces that could capture":
                return _can_capture(right, position, start)
            case "of pieces that could not capture":
                return not _can_capture(right, position, start)
            case _:  # that crown a man
                return move.promotes

    return ReplacedLists(
        right, lapses=lambda position: [move for move in right.lapses(position) if not is_lost(position, move)]
    )


def _can_capture(turns: ActionGenerator, position: Position, piece: int) -> bool:
    return any(step.start == piece for step in turns.movement.captures(position))


def lapses_extra(right: ActionGenerator, when: str) -> ActionGenerator:
    """Moves without capture are listed as lapses where they are none, or where they cannot be played."""

    def wrong_list(position: Position) -> list[Move]:
        compelled = when == "a capture is compelled"
        if position.compelled != compelled or (not compelled and right.movement.captures(position)):
            return right.lapses(position)
        return right.movement.moves(position, right.movement.quiet(position))

    return ReplacedLists(right, lapses=wrong_list)


def lapses_as_moves(right: ActionGenerator, *, instead: bool) -> ActionGenerator:
    """Lapses are listed as legal moves too, or as nothing else."""
    return ReplacedLists(
        right,
        lambda position: [*right.actions(position), *right.lapses(position)],
        (lambda position: []) if instead else None,
    )


def huff_missing(right: ActionGenerator, piece: str) -> ActionGenerator:
    """Some pieces are not huffed."""

    def passes(position: Position, action: Action) -> bool:
        if not isinstance(action, Huff):
            return True
        lapse, kings = HuffableOffence.of(position), position.kings(opponent(position.turn))
        match piece:
            case "men":
                return bool(position.board.bit(action.square) & kings)
            case "kings":
                return not position.board.bit(action.square) & kings
            case "the piece that moved":
                return action.square != lapse.end
            case _:  # a piece that did not move
                return action.square == lapse.end

    return FilteredList(right, passes)


def huffs_merged(right: ActionGenerator, place: int) -> ActionGenerator:
    """Of several huffs one is listed, the first or the last."""

    def wrong_list(position: Position) -> list[Action]:
        actions = right.actions(position)
        huffs = [action for action in actions if isinstance(action, Huff)]
        return [action for action in actions if not isinstance(action, Huff) or action == huffs[place]]

    return ReplacedLists(right, wrong_list)


def huffs_judged_late(right: ActionGenerator) -> ActionGenerator:
    """Those are huffed that can capture after the lapse, not those that could before it."""

    def wrong_list(position: Position) -> list[Action]:
        actions = right.actions(position)
        if not any(isinstance(action, Huff) for action in actions) or HuffableOffence.of(position).captured:
            return actions
        turned = replace(position, turn=opponent(position.turn), huffable=None)
        able = {position.board.number(step.start) for step in right.movement.captures(turned)}
        others = [action for action in actions if not isinstance(action, Huff)]
        return [*others, *map(Huff, sorted(able))]

    return ReplacedLists(right, wrong_list)


def limit_too_wide(right: ActionGenerator, what: str) -> ActionGenerator:
    """A king that has made its moves in a row keeps others from moving too, or is kept from capturing."""
    limit = right.rules.king.move_limit

    def passes(position: Position, move: Move) -> bool:
        king, start = is_at_limit(limit, position), position.board.bit(move.start)
        if not king:
            return True
        match what:
            case "every king":
                return bool(move.captured) or not start & position.kings(position.turn)
            case "captures by that king":
                return not move.captured or start != king
            case _:  # every move without capture
                return bool(move.captured)

    return filtered_moves(right, passes)


def limit_ignored(right: ActionGenerator, side: str) -> ActionGenerator:
    """Kings of a side go on where they may not."""

    def wrong_list(position: Position) -> list[Action]:
        return right.actions(position.with_run(position.turn, None) if position.turn == side else position)

    return ReplacedLists(right, wrong_list)


# --- the position after a push


def slider_stays(right: ActionGenerator, way: str) -> ActionGenerator:
    """A slider stands after a push where it stood; what falls falls."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, SliderPush):
            return after
        place, _ = _slider(right, action)
        letters = _letters(right, position)
        return replace(after, sliders=letters) if WAYS[way](letters[place], action.to) else after

    return SuccessorFault(right, wrong)


def wrong_push(right: ActionGenerator, what: str) -> ActionGenerator:
    """Something else is pushed: the slider to the other side, or another slider of its colour."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, SliderPush):
            return after
        if what == "it to the other side":
            return right.after(position, replace(action, to={"L": "R", "R": "L"}.get(action.to, action.to)))
        place, slider = _slider(right, action)
        sliders = _trapdoors(right).layout.sliders
        others = [one for one in (*sliders[place + 1 :], *sliders[:place]) if one.colour == slider.colour]
        return right.after(position, replace(action, slider=others[0].id)) if others else after

    return SuccessorFault(right, wrong)


def sliders_miswritten(right: ActionGenerator, how: str) -> ActionGenerator:
    """After every action the letters of the sliders are in the reverse order, or left and right are mixed up."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        letters = _letters(right, after)
        mixed = letters.translate(str.maketrans("LR", "RL")) if how == "with left and right mixed up" else letters[::-1]
        return replace(after, sliders=mixed)

    return SuccessorFault(right, wrong)


def sliders_reset(right: ActionGenerator, action: str) -> ActionGenerator:
    """After a kind of action all sliders stand in the middle, but for one that was pushed."""

    kind = "a push of a slider" if action == "a push of another" else action

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if kind not in fault_kinds(right, position, action):
            return after
        letters, place = _trapdoors(right).layout.middle_letters, -1
        if isinstance(action, SliderPush):
            place, _ = _slider(right, action)
        moved = _letters(right, after)
        return replace(after, sliders="".join(moved[n] if n == place else letter for n, letter in enumerate(letters)))

    return SuccessorFault(right, wrong)


def _put_back(before: Position, after: Position, squares: int) -> Position:
    """The position with the pieces of an earlier one on some squares."""
    return replace(
        after,
        white_men=after.white_men | before.white_men & squares,
        white_kings=after.white_kings | before.white_kings & squares,
        black_men=after.black_men | before.black_men & squares,
        black_kings=after.black_kings | before.black_kings & squares,
    )


def fall_missing(right: ActionGenerator, piece: str) -> ActionGenerator:
    """Some pieces stay on a door that opens under them."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, SliderPush):
            return after
        match piece:
            case "pieces":
                stays = position.occupied("white") | position.occupied("black")
            case "men":
                stays = position.men("white") | position.men("black")
            case "pieces of the other side":
                stays = position.occupied(opponent(position.turn))
            case "white pieces":
                stays = position.occupied("white")
            case _:  # black pieces
                stays = position.occupied("black")
        return _put_back(position, after, stays)

    return SuccessorFault(right, wrong)


def door_missing(right: ActionGenerator, door: int) -> ActionGenerator:
    """Nothing falls through one door when it opens."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        return _put_back(position, after, position.board.bit(door)) if isinstance(action, SliderPush) else after

    return SuccessorFault(right, wrong)


def both_doors(right: ActionGenerator) -> ActionGenerator:
    """What stands on either door of a slider that is pushed falls."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, SliderPush):
            return after
        _, slider = _slider(right, action)
        return without(after, position.board.mask((slider.left, slider.right)))

    return SuccessorFault(right, wrong)


def stands_on_door(right: ActionGenerator, piece: str, way: str) -> ActionGenerator:
    """A man or a king that ends its move on an open door stays on the board."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        side, end, start = position.turn, position.board.bit(move.end), position.board.bit(move.start)
        man = bool(start & position.men(side))
        if after.occupied(side) & end or man != (piece == "men") or bool(move.captured) != (way == "capture"):
            return after
        men, kings = after.men(side), after.kings(side)
        return with_side(after, side, men | end if man else men, kings if man else kings | end)

    return after_moves(right, wrong)


# --- the position after a spin, and what is left of it


def spin_forgotten(right: ActionGenerator, outcome: str) -> ActionGenerator:
    """The result of a spin does not stand in the position after it."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        return replace(after, spin=position.spin) if action == Spin(outcome) else after

    return SuccessorFault(right, wrong)


def spin_mistaken(right: ActionGenerator, outcome: str, other: str) -> ActionGenerator:
    """One result of a spin stands in the position as another."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        return replace(after, spin=other) if action == Spin(outcome) else after

    return SuccessorFault(right, wrong)


def spin_kept(right: ActionGenerator, kind: str) -> ActionGenerator:
    """The result of a spin still stands after what it allowed."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        return replace(after, spin=position.spin) if kind in fault_kinds(right, position, action) else after

    return SuccessorFault(right, wrong)


# --- the position after a lapse, a huff, a move taken back


def claim_missing(right: ActionGenerator, lapses: str) -> ActionGenerator:
    """Nothing can be huffed after some lapses."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        king = bool(position.board.bit(move.start) & position.kings(position.turn))
        match lapses:
            case "lapses":
                forgotten = True
            case "lapses of men":
                forgotten = not king
            case "lapses of kings":
                forgotten = king
            case _:  # lapses that crown a man
                forgotten = move.promotes
        return replace(after, huffable=None) if forgotten else after

    return after_moves(right, wrong)


def claim_miswritten(right: ActionGenerator, how: str) -> ActionGenerator:
    """The lapse that can be huffed is written wrongly."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        if after.huffable is None:
            return after
        lapse = lapse_of(position, move)
        match how:
            case "with its squares exchanged":
                lapse = lapse._replace(start=lapse.end, end=lapse.start)
            case "without the crown":
                lapse = lapse._replace(crowned=False)
            case _:  # without what it captured
                lapse = lapse._replace(men=(), kings=())
        return replace(after, huffable=str(lapse))

    return after_moves(right, wrong)


def claim_kept(right: ActionGenerator, kind: str) -> ActionGenerator:
    """What could be huffed still can be after a kind of action that forgives it or has answered it."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if position.huffable is None or kind not in fault_kinds(right, position, action):
            return after
        lapse, board = HuffableOffence.of(position), position.board
        put_back = board.mask((lapse.start, *lapse.captured))
        stands = after.occupied("white") | after.occupied("black")
        # where pieces now stand, none can be put back to see what could be huffed; a compelled side cannot huff at all
        return after if put_back & stands and not after.compelled else replace(after, huffable=position.huffable)

    return SuccessorFault(right, wrong)


def claim_extra(right: ActionGenerator, kind: str) -> ActionGenerator:
    """A move or a capture can be huffed that was no lapse."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        wrongly = kind in fault_kinds(right, position, move)
        return replace(after, huffable=str(lapse_of(position, move))) if wrongly else after

    return after_moves(right, wrong)


def still_compelled(right: ActionGenerator) -> ActionGenerator:
    """A side that has been compelled to capture leaves the other one compelled."""
    return after_moves(right, lambda position, move, after: replace(after, compelled=position.compelled))


def compelled_wrongly(right: ActionGenerator, kind: str) -> ActionGenerator:
    """The side to move is compelled to capture after a kind of action that compels nobody."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        return replace(after, compelled=True) if kind in fault_kinds(right, position, action) else after

    return SuccessorFault(right, wrong)


def wrong_piece_huffed(right: ActionGenerator, what: str) -> ActionGenerator:
    """A huff takes nothing off the board, the piece that moved, or every piece that could be huffed."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, Huff):
            return after
        board = position.board
        match what:
            case "nothing":
                return _put_back(position, after, board.bit(action.square))
            case "the piece that moved":
                moved = board.bit(HuffableOffence.of(position).end)
                return without(_put_back(position, after, board.bit(action.square)), moved)
            case _:  # every piece that can be huffed
                return without(
                    after, board.mask(one.square for one in right.actions(position) if isinstance(one, Huff))
                )

    return SuccessorFault(right, wrong)


def wrongly_taken_back(right: ActionGenerator, how: str) -> ActionGenerator:
    """A piece whose move is taken back stays crowned, or stays where it went."""

    def wrong(position: Position, action: Action, after: Position) -> Position:
        if not isinstance(action, Retract):
            return after
        lapse, side = HuffableOffence.of(position), opponent(position.turn)
        men, kings = after.men(side), after.kings(side)
        if how == "where it went":
            return with_side(after, side, position.men(side), position.kings(side))
        start = position.board.bit(lapse.start)
        return with_side(after, side, men & ~start, kings | start) if lapse.crowned else after

    return SuccessorFault(right, wrong)


# --- the runs of kings after a move


def run_missing(right: ActionGenerator, whose: str) -> ActionGenerator:
    """The moves of kings are not counted, for one side or for either."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        side = position.turn
        return after.with_run(side, None) if whose in (f"{side} kings", "kings") else after

    return after_moves(right, wrong)


def run_miscounted(right: ActionGenerator, how: str) -> ActionGenerator:
    """The moves of one king in a row are counted wrongly."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        run = after.run(position.turn)
        if run is None:
            return after
        match how:
            case "without the first":
                moves = run.moves - 1
            case "up to 1 and no further":
                moves = 1
            case _:  # two for one
                last = position.run(position.turn)
                moves = run.moves + 1 if last and last.square == move.start else 2
        return after.with_run(position.turn, run._replace(moves=moves) if moves else None)

    return after_moves(right, wrong)


def run_goes_on(right: ActionGenerator, event: str) -> ActionGenerator:
    """A run is not ended by what ends it: the king that has it keeps it."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        side, run = position.turn, position.run(position.turn)
        if run is None or not after.men(side):
            return after
        king, itself = bool(position.board.bit(move.start) & position.kings(side)), move.start == run.square
        happened = {
            "a capture by the king": bool(move.captured) and itself,
            "a capture by another piece": bool(move.captured) and not itself,
            "a move of a man": not move.captured and not king,
            "a move of another king": not move.captured and king and not itself,
        }
        return after.with_run(side, run._replace(square=move.end) if itself else run) if happened[event] else after

    return after_moves(right, wrong)


def run_counts_too_much(right: ActionGenerator, event: str) -> ActionGenerator:
    """Something is counted in a run that is no move of the same king without capture."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        side, run = position.turn, position.run(position.turn)
        king = bool(position.board.bit(move.start) & position.kings(side))
        match event:
            case "captures by kings":
                counts = bool(move.captured) and king and bool(after.men(side))
                moves = run.moves + 1 if run and run.square == move.start else 1
            case "moves of another king":
                counts = not move.captured and king and after.run(side) is not None
                moves = run.moves + 1 if run else 1
            case "a move that crowns a man":
                counts, moves = move.promotes and bool(after.men(side)), 1
            case _:  # moves of a side that has kings only
                counts, moves = not move.captured and not position.men(side), 1
        return after.with_run(side, KingRun(move.end, moves)) if counts else after

    return after_moves(right, wrong)


def run_forgotten(right: ActionGenerator, kind: str) -> ActionGenerator:
    """The run of the side that did not move is gone after a kind of move."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        return after.with_run(opponent(position.turn), None) if kind in fault_kinds(right, position, move) else after

    return after_moves(right, wrong)


def runs_exchanged(right: ActionGenerator) -> ActionGenerator:
    """Each side's run is written as the other's."""
    return after_moves(
        right,
        lambda position, move, after: replace(after, white_run=after.black_run, black_run=after.white_run),
    )


def run_outlives(right: ActionGenerator, event: str) -> ActionGenerator:
    """The run of the other side is not ended where its king or its last man is captured."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        other, run = opponent(position.turn), position.run(opponent(position.turn))
        if run is None:
            return after
        captured, men = run.square in move.captured, bool(after.men(other))
        # Where both are captured at once either end is enough.
        happened = captured and men if event == "its king is captured" else not captured and not men
        return after.with_run(other, run) if happened else after

    return after_moves(right, wrong)
