"""The values of a template's names by one set of rules, and the records that compiled code works on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..board import DIRECTIONS, SIDES, Board
from ..errors import RulesetError, quote_any
from ..rules import Rules, field_of, steps_of
from .places import SquarePlaces

#: The values of closed rules that compiled code knows. What it does not know is an error, never another rule.
KNOWN: Mapping[str, tuple[str | int | None, ...]] = {
    "man.capture.gap": (None, 1),
    "man.capture.takes": ("any", "men"),
    "king.move.slides": ("once", "twice"),
    "king.capture.reach": (1, "any"),
    "king.capture.pieces": (None, "any"),
    "king.capture.landing": ("behind", "within-two", "any"),
    "king.capture.finish": (None, "continuing", "behind-last-king", "behind-last"),
    "king.capture.turning": (None, "straight", "not-back"),
    "capture.duty": ("compulsory", "compulsory-for-men", "optional", "huffing"),  # huffing itself is not played
    "capture.completion": ("whole", "may-stop", "one"),
    "capture.choice": (
        "most-pieces", "multiple-before-single", "multiple-when-mixed", "with-king", "most-kings", "king-first",
    ),
    "capture.binds": (None, "path", "piece"),
    "capture.removal": ("at-once", "at-end"),
    "capture.origin": ("empty", "occupied"),
    "promotion.mid-capture": ("stops", "as-man", "as-king", "as-man-else-king"),
    "promotion.return": (None, "crowned", "not-crowned"),
    "trapdoors.step": (None, "one", "through"),
    "trapdoors.falls": (None, "any", "men", "opponents"),
    "trapdoors.quiet-landing": (None, "falls", "forbidden"),
    "trapdoors.capture-landing": (None, "ends", "only-last"),
    "trapdoors.passing": (None, "over", "blocked", "falls"),
    "trapdoors.closing": (None, "stays-open", "at-once", "optional"),
    "spin.when": (None, "no-capture", "after-capture"),
    "spin.blocked": (None, "loses", "spins"),
    "spin.slide": (None, "compulsory", "may-decline"),
    "ending.no-pieces": ("loses", "wins"),
    "ending.both-empty": (None, "mover-wins", "mover-loses", "draw"),
    "ending.no-moves": ("loses", "wins", "draws"),
    "ending.blocked": (None, "no-action", "no-piece-move", "no-step"),
    "ending.first-king": (None, "wins"),
    "ending.one-piece": (None, "loses"),
    "ending.king-to-man": (None, "wins"),
    "ending.order": (None, "losses-first", "draws-first"),
    "ending.draws": ("one-piece-each", "one-piece-each-same-kind", "one-piece-each-no-capture"),
}  # fmt: skip
#: The rules whose values are directions.
DIRECTION_RULES = (
    "man.move.directions", "man.move.over-own", "man.capture.first", "man.capture.later", "king.move.directions",
    "king.capture.directions", "king.capture.later", "king.capture.kings-only",
)  # fmt: skip
#: The bits that each criterion of `capture.choice` has in the worth of a capture.
WORTH_BITS = {
    "most-pieces": 20, "multiple-before-single": 1, "multiple-when-mixed": 1, "with-king": 1, "most-kings": 8,
    "king-first": 26,
}  # fmt: skip

#: The capacity of a search: moves, of which a position has fewer quiet ones; places visited (a power of two); sliders.
MOST_MOVES, MOST_QUIET, VISITED, MOST_SLIDERS = 1 << 16, 1 << 14, 1 << 18, 20
#: The phases of a turn: not spun, a spin is due, and the results of the spinner.
PHASES: Mapping[str | None, int] = {None: 0, "due": 1, "disc": 2, "green": 3, "orange": 4, "both": 5}
#: What a phase allows, as bits; MOVES and SPINS together allow a spin only where there is no capture.
MOVES, SPINS, GREEN, ORANGE = 1, 2, 4, 8
_OUTCOMES = {"piece": MOVES, "green-slider": GREEN, "orange-slider": ORANGE, "any-slider": GREEN | ORANGE}
_COLOURS = {"green": GREEN, "orange": ORANGE}
#: The value of a position for the side to move, the low bits of its code in a table of endgames; above them is the
#: distance in plies. The number of moves that stay inside a section may be one of two marks.
DRAW, WIN, LOSS, NO_POSITION = range(4)
VALUE_BITS, MOST_DISTANCE = 2, (1 << 14) - 1
CLOSED, SAFE = 0xFFFF, 0xFFFE
#: Where quiet moves are compared, and the verdicts of a comparison; the last where there are too many captures.
NOWHERE, WITHOUT_CAPTURE, EVERYWHERE = range(3)
ALIKE, UNLIKE, UNKNOWN = range(3)
#: The score of a game that is won, and the most plies that a search looks ahead.
MATE, MOST_PLIES, MOST_PATH = 1_000_000, 120, 1 << 10
#: A move in the hash table: the bits of its start and end, and of all with some bits of what it captures. Above them an
#: entry has the depth, whether the score is a bound, and the score.
MOVE_BITS, CODE, BOUND, SCORE, MOST_DEPTH = 17, 24, 32, 34, 0xFF
#: The state of a position besides its pieces is one number. Its first three bits are the phase of the turn, the next is
#: set where king runs are recorded. Then come the king runs of both sides, each a place and a number of moves, or two
#: bits for each slider: a game with a limit on kings has no doors.
PHASE, RUNS, STANDING, RUN, RUN_WIDTH, RUN_MOVES, RUN_PLACE = 7, 8, 8, 8, 16, 8, 0xFF
_WAYS = {direction: number for number, direction in enumerate(DIRECTIONS)}
#: Directions as White sees them: opposite ones add up to the last.
LAST_DIRECTION = len(DIRECTIONS) - 1


def name_of(rule: str) -> str:
    """Return the name of a rule in a template: KING_MOVE_LIMIT for `king.move.limit`."""
    return rule.replace(".", "_").replace("-", "_").upper()


#: The rules with closed values, by their names in a template.
NAMES = {name_of(rule): rule for rule in KNOWN}


def value_of(rules: Rules, rule: str) -> Any:
    """Return the value of a rule; None where its group is absent."""
    return getattr(getattr(rules, rule.partition(".")[0]), field_of(rule), None)


class Squares(int):
    """A set of squares in the text of a template."""


class Ways(tuple[int, ...]):
    """Directions, as numbers, in the text of a template."""


#: What a template is given besides the rules.
FIXED: Mapping[str, Any] = {
    "NONE": Squares(0), "NO_WAY": len(DIRECTIONS), "FEW": 32, "LONG_CAPTURE": 3, "MOST_JUMPS": 60,
    "MOST_MOVES": MOST_MOVES, "MOST_QUIET": MOST_QUIET, "VISITED": VISITED, "DUE": PHASES["due"],
    "FIRST_RESULT": PHASES["disc"],
    "LAST_RESULT": PHASES["both"], "MOVES": MOVES, "SPINS": SPINS, "PHASE": PHASE, "RUNS": RUNS,
    "DRAW": DRAW, "WIN": WIN, "LOSS": LOSS, "NO_POSITION": NO_POSITION, "NO_VALUE": -1, "VALUE": (1 << VALUE_BITS) - 1,
    "VALUE_BITS": VALUE_BITS, "MOST_DISTANCE": MOST_DISTANCE, "FAR": MOST_DISTANCE + 1, "CLOSED": CLOSED, "SAFE": SAFE,
    "WITHOUT_CAPTURE": WITHOUT_CAPTURE, "EVERYWHERE": EVERYWHERE, "ALIKE": ALIKE, "UNLIKE": UNLIKE, "UNKNOWN": UNKNOWN,
    "MATE": MATE, "MOST_PLIES": MOST_PLIES, "EXACT": 0, "AT_LEAST": 1, "AT_MOST": 2,
    "MOVE": (1 << MOVE_BITS) - 1, "MOVE_BITS": MOVE_BITS, "CODE": CODE, "BOUND": BOUND,
    "SCORE": SCORE, "MOST_DEPTH": MOST_DEPTH,
    "STANDING": STANDING, "RUN": RUN, "RUN_WIDTH": RUN_WIDTH, "RUN_MOVES": RUN_MOVES, "RUN_PLACE": RUN_PLACE,
}  # fmt: skip


def constants(rules: Rules, side: int) -> dict[str, Any]:
    """Return the values of the names that depend on the rules, as a side sees them: flags, numbers, words, sets.

    A rule has its own name: `KING_MOVE_LIMIT` is `king.move.limit`. Raises RulesetError for a value that compiled code
    does not know.
    """
    places, board, man, king, capture = places_of(rules.board), rules.board, rules.man, rules.king, rules.capture
    values = {name: value_of(rules, rule) for name, rule in NAMES.items()}
    for name, rule in NAMES.items():
        each = values[name] if isinstance(values[name], tuple) else (values[name],)
        for value in each:
            if value not in KNOWN[rule]:
                raise RulesetError(f"{rule}: found {quote_any(value)}, which compiled code does not know")
    for rule in DIRECTION_RULES:
        numbers = [_number(rule, direction, _WAYS) for direction in value_of(rules, rule) or ()]
        values[name_of(rule)] = Ways(sorted(numbers if side == 0 else [LAST_DIRECTION - each for each in numbers]))
    first = {*values["KING_CAPTURE_DIRECTIONS"]}
    later = {*values["KING_CAPTURE_LATER"]} or first
    widths = [WORTH_BITS[criterion] for criterion in capture.choice]
    mixed = "multiple-when-mixed" in capture.choice
    extra = round(100 * (capture.king_weight or 1)) - 100
    if (100 + extra) * len(board) >= 1 << WORTH_BITS["most-pieces"]:
        raise RulesetError(f"capture.king-weight: found {capture.king_weight}, too much for compiled code")
    return values | {
        "ALL": Squares(places.whole(board.all)),
        "PROMOTION_TOP": Squares(places.whole(board.nearest_rows(rules.promotion.rows, SIDES[1 - side]))),
        "MAN_STEPS": steps_of("man.move.reach", man.move_reach, board),
        "KING_STEPS": steps_of("king.move.reach", king.move_reach, board),
        "KING_LANDS": {"behind": 1, "within-two": 2, "any": len(board)}[king.capture_landing],
        "KING_CAPTURE_WAYS": Ways(sorted(first | later)),
        "KING_CAPTURE_ONLY_FIRST": Ways(sorted(first - later)),
        "KING_CAPTURE_ONLY_LATER": Ways(sorted(later - first)),
        "FLIES": king.capture_reach == "any",
        "KING_MOVE_LIMIT": king.move_limit or 0,
        "KING_EXTRA": extra,
        "KING_FIRST": "king-first" in capture.choice,
        "WHEN_MIXED": mixed,
        "MIXED_BIT": sum(widths[capture.choice.index("multiple-when-mixed") + 1 :]) if mixed else 0,
        "STREAMS": bool(capture.choice) and not mixed and capture.binds != "piece",
        "HAS_DOORS": rules.trapdoors is not None,
        "HAS_SPIN": rules.spin is not None,
        "KING_VALUE": 300 if king.move_reach == "any" else 150,
        **_advances(rules, side),
    }


def _advances(rules: Rules, side: int) -> dict[str, Squares]:
    """Return sets of squares whose sum says how many rows a man has advanced: in ADVANCE_2 each counts 2."""
    places, found = places_of(rules.board), dict[str, Squares]()
    for prefix, whose in (("", side), ("ENEMY_", 1 - side)):
        seen = [rules.board.nearest_rows(rows, SIDES[whose]) for rows in range(1, rules.board.rows)]
        for weight in (1, 2, 4, 8):
            squares = sum(bit for bit in rules.board.bits if sum(not bit & mask for mask in seen) & weight)
            found[f"{prefix}ADVANCE_{weight}"] = Squares(places.whole(squares))
    return found


@cache
def places_of(board: Board) -> SquarePlaces:
    """Return the places of a board's squares."""
    return SquarePlaces(board)


@cache
def steps(board: Board) -> tuple[tuple[int, int], ...]:
    """Return for each direction the distance in places, and the set of squares that have a neighbour there."""
    places, found = places_of(board), []
    for direction in DIRECTIONS:
        pairs = [(bit, there) for bit in board.bits if (there := board.step(bit, direction, "white"))]
        distance = {places.place[there] - places.place[bit] for bit, there in pairs}
        found.append((distance.pop() if distance else 0, places.whole(sum(bit for bit, _ in pairs))))
    return tuple(found)


#: The conventions of counting (`perft_counts`) by the names that tell a template which one it counts by.
CONVENTIONS = {"unique": "COUNTS_UNIQUE", "sequences": "COUNTS_SEQUENCES", "paths": "COUNTS_PATHS"}


def code_of(name: str, value: Any) -> int:
    """Return the number in a record for the value of a closed rule."""
    return KNOWN[NAMES[name]].index(value)


def spinner(rules: Rules) -> dict[str, Any]:
    """Return the fields of a record that say what results of a spin allow, and which doors the sliders open."""
    phases, colours, doors = [0] * len(PHASES), [0] * MOST_SLIDERS, [0] * 3 * MOST_SLIDERS
    found = {"sliders": 0, "slider_colour": colours, "slider_doors": doors, "phases": phases}
    if not (rules.trapdoors and rules.spin):
        return found
    phases[: PHASES["disc"]] = MOVES | SPINS, SPINS
    for result, allowed in rules.spin.outcomes.items():
        phases[_number("spin.outcomes", result, PHASES)] = _number("spin.outcomes", allowed, _OUTCOMES)
    sliders, places = rules.trapdoors.layout.sliders[:MOST_SLIDERS], places_of(rules.board)
    for number, slider in enumerate(sliders):
        colours[number] = _number("trapdoors.layout", slider.colour, _COLOURS)
        left, right = (places.whole(rules.board.bit(square)) for square in (slider.left, slider.right))
        doors[3 * number : 3 * number + 3] = 0, left, right
    return found | {"sliders": len(sliders)}


def _number(rule: str, value: str, numbers: Mapping[Any, int]) -> int:
    """Return the number for a value of a rule. Raises RulesetError if there is none."""
    if value not in numbers:
        raise RulesetError(f"{rule}: found {quote_any(value)}, which compiled code does not know")
    return numbers[value]


#: The fields of a search: their kinds, and their lengths where they are arrays. First what a position has been found to
#: have, then the places that a long capture has visited, and last what the search for the best action needs.
SEARCH_FIELDS: Mapping[str, tuple[str, int]] = {
    "side": ("number", 0),  # the side to move, where no rules are filled in
    "found": ("number", 0),  # the number of moves
    "first": ("number", 0),  # where the captures of this position begin
    "best": ("number", 0),  # the worth of the best capture
    "gave_up": ("flag", 0),  # there was not enough room
    "may_repeat": ("flag", 0),  # moves may have been found twice
    "kings": ("set", 1),
    "enemy_kings": ("set", 1),
    "doors": ("set", 1),  # that are open
    "start": ("set", MOST_MOVES),
    "end": ("set", MOST_MOVES),
    "captured": ("set", MOST_MOVES),
    "crowned": ("small", MOST_MOVES),
    "worth": ("number", MOST_MOVES),
    "order": ("number", MOST_MOVES),  # the order of captures; of an action without a piece, the state after it
    "searches": ("number", 0),
    "visited": ("number", 0),  # entries used by this search
    "visited_in": ("number", VISITED),
    "visited_what": ("number", VISITED),
    "visited_order": ("number", VISITED),
    "visited_start": ("set", VISITED),
    "visited_end": ("set", VISITED),
    "visited_captured": ("set", VISITED),
    "nodes": ("number", 0),
    "most_nodes": ("number", 0),
    "stopped": ("flag", 0),  # after so many nodes
    "counts_pieces": ("flag", 0),  # and nothing else, to evaluate a position
    "follows_captures": ("flag", 0),  # to their end
    "before": ("number", 0),  # the number of positions of the game in the path
    "path": ("word", MOST_PATH),
    "killers": ("number", 2 * MOST_PLIES + 2),
    "history": ("number", 1 << MOVE_BITS),
    "salt": ("word", 0),  # of this search, so that what earlier ones left in the hash table is not found
}
