"""Wrong arguments: every parameter of every public callable is given what it is not for, and objects to it in one line.

An answer is right or a DamspecError, never another exception. Only what Python's own protocols say is otherwise: an
`IndexError` beyond the end of `LegalMoves` and for taking back what was not played, a `ValueError` of
`LegalMoves.index`, and a `TypeError` for the truth of an Outcome and for arguments that are missing.
"""

from __future__ import annotations

import inspect
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

import damspec
from damspec import (
    Action,
    Board,
    DamspecError,
    Game,
    Huff,
    Layout,
    LegalMoves,
    Move,
    Outcome,
    Pass,
    Piece,
    Position,
    PositionError,
    Retract,
    Slider,
    SliderPush,
    Spin,
    pdn,
    strategies,
)
from damspec.board import opponent
from damspec.errors import ArgumentError, ArgumentTypeError, quote_any
from damspec.position import KingRun
from refusals import raised, refusal
from runs import for_each

VL = damspec.load_ruleset("vl")
DOORS = damspec.load_ruleset("nl-trapdoor")
HUFFING = damspec.load_ruleset("de")
FRISIAN = damspec.load_ruleset("frisian")
START = VL.position()
BOARD = VL.rules.board
assert DOORS.rules.trapdoors is not None
LAYOUT = DOORS.rules.trapdoors.layout
LAPSE = Game("de", "W:W22,32:B1,18").push("32-28")
RUN = FRISIAN.position("B:WK46,31:BK5,10:+0+146")
MOVE = damspec.legal_moves(VL, START)[0]

#: What is given to every parameter.
WRONG: tuple[Any, ...] = (
    None,
    5,
    1.5,
    float("nan"),
    float("inf"),
    -1,
    10**30,
    -(10**5000),
    True,
    "",
    "w",
    "1-1",
    "x\n\0\ud800",
    b"x",
    [],
    [None],
    ["w"],
    (),
    (1, 2),
    ((1, 99),),
    {},
    {"x": 5},
    {5: None},
    {1, 99},
    object(),
    len,
    int,
    Path("x"),
    START,
    LAPSE,
    RUN,
    DOORS.position("W:W21:B5:sliders=LMMM:spin=green"),
    damspec.load_ruleset("international").position(),
    LAYOUT,
    MOVE,
    Move(40, 49, (44,), False),
    Move(1, 676, (3,), True, True, ((1, 500, 676),)),
    Spin("disc"),
    SliderPush("G1", "L"),
    Huff(676),
    Pass(),
    Game("vl"),
    damspec.load_ruleset("italian"),
    VL.rules,
    KingRun(99, 1),
    Board(26, 26, "all"),
)


WIDE = Layout("wide", "Wide", "10x10", True, (Slider("G1", "green", 1, 50),))


def moves_of(fen: str) -> list[str]:
    return [str(move) for move in damspec.legal_moves("vl", fen)]


#: An instance of each public class, the one whose methods are called.
INSTANCES: Mapping[str, Any] = {
    "Alternative": VL.readings[0].alternatives[VL.readings[0].chosen],
    "Board": BOARD,
    "Clause": next(iter(damspec.load_clauses().values())),
    "Game": Game("vl", "W:W26,32:B1,23,24"),
    "Huff": Huff(18),
    "Layout": LAYOUT,
    "LegalMoves": damspec.legal_moves(VL, START),
    "Move": MOVE,
    "Outcome": Outcome("draw", "repetition"),
    "Pass": Pass(),
    "Piece": Piece("white", "man"),
    "Position": START,
    "Reading": VL.readings[0],
    "Retract": Retract(),
    "Rules": VL.rules,
    "Ruleset": VL,
    "SearchResult": damspec.search(Game("vl", "W:W22:B18"), depth=1),
    "SliderPush": SliderPush("G1", "L"),
    "Slider": LAYOUT.sliders[0],
    "Spin": Spin("disc"),
}

#: The kinds of actions, which have methods in common.
ACTIONS = [kind.__name__ for kind in get_args(Action)]

#: Right arguments of each public callable: one is put in another's place at a time.
RIGHT: Mapping[str, Mapping[str, Any]] = {
    "Board": {"columns": 8, "rows": 8, "squares": "dark", "dark_corner": "left", "numbering": "top-left"},
    "Board.bit": {"number": 1},
    "Board.number": {"bit": BOARD.bits[0]},
    "Board.numbers": {"mask": BOARD.all},
    "Board.mask": {"numbers": [1, 2]},
    "Board.offset": {"direction": "forward", "side": "white"},
    "Board.shift": {"direction": "forward", "side": "white"},
    "Board.step": {"bit": BOARD.bits[20], "direction": "forward-left", "side": "white"},
    "Board.ray": {"bit": BOARD.bits[20], "direction": "forward-left", "side": "white"},
    "Board.nearest_rows": {"count": 2, "side": "black"},
    "Board.name": {"number": 1},
    "Board.square": {"text": "a1"},
    "Board.between": {"start": 1, "end": 10},
    "Game": {"ruleset": "vl", "position": "start"},
    "Game.from_pdn": {"text": "1. 22-18 *", "ruleset": "vl"},
    "Game.pdn": {"tags": {"White": "Ann"}},
    "Game.is_capture": {"move": "26x28"},
    "Game.is_repetition": {"count": 3},
    "Game.piece_at": {"square": 1},
    "Game.push": {"move": "26x19x28"},
    "Game.push_all": {"moves": ["26x19x28"]},
    "Huff": {"square": 18, "side": "white"},
    "Layout": {field: getattr(LAYOUT, field) for field in ("id", "name", "board", "assumed", "sliders", "about")},
    "Layout.open_doors": {"board": BOARD, "letters": "M" * len(LAYOUT.sliders)},
    "Layout.steps": {"letters": "M" * len(LAYOUT.sliders), "colours": frozenset({"green"}), "through": False},
    "LegalMoves": {"ruleset": VL, "position": START},
    "LegalMoves.after": {"action": "22-18"},
    "LegalMoves.count": {"value": MOVE},
    "LegalMoves.move_index": {"action": "22-18"},
    "LegalMoves.with_move_index": {"index": 656},
    "LegalMoves.find": {"move": "22-18"},
    "LegalMoves.read": {"text": "22-18"},
    "LegalMoves.__contains__": {"action": "22-18"},
    "LegalMoves.__getitem__": {"place": 0},
    "Move": {"start": 21, "end": 7, "captured": (10, 17), "promotes": False, "falls": False, "paths": ((21, 14, 7),),
             "side": "white"},
    "Pass": {"side": "white"},
    "Retract": {"side": "white"},
    "Outcome": {"result": "draw", "reason": "repetition"},
    "Piece": {"side": "white", "kind": "man"},
    "Position": {
        "board": BOARD, "white_men": 1, "white_kings": 2, "black_men": 4, "black_kings": 8, "turn": "white",
        "sliders": None, "spin": None, "huffable": None, "compelled": False, "white_run": None, "black_run": None,
        "layout": None,
    },
    "Position.fen": {"algebraic": True},
    "Position.from_fen": {"text": "W:W21:B1", "board": BOARD},
    "Position.kings": {"side": "white"},
    "Position.men": {"side": "white"},
    "Position.occupied": {"side": "white"},
    "Position.piece_at": {"square": 1},
    "Position.run": {"side": "white"},
    "Position.start": {"rules": VL.rules},
    "Position.with_piece_at": {"square": 1, "piece": Piece("white", "king")},
    "Position.with_run": {"side": "white", "run": KingRun(5, 1)},
    "Position.without_piece_at": {"square": 1},
    "Position.__contains__": {"number": 1},
    "Position.__getitem__": {"number": 1},
    "Rules.of": {"values": VL.values},
    "Ruleset": {
        field: getattr(VL, field)
        for field in ("id", "name", "about", "documents", "values", "rests_on", "conduct", "path", "family",
                      "gametype", "own_readings", "overlays", "inherited", "own_rules", "origin")
    },
    "Ruleset.position": {"text": "W:W21:B1"},
    "Ruleset.position_of": {"position": "W:W21:B1"},
    "Ruleset.provenance": {"rule": "capture.duty"},
    "Ruleset.read_position": {"text": "W:W21:B1"},
    "Ruleset.readings_in": {"query": "origin=occupied"},
    "Ruleset.with_reading": {"query": "origin=occupied"},
    "Ruleset.with_value": {"rule": "capture.king-weight", "value": 1.5},
    "Ruleset.with_id": {"id": "mine"},
    "SliderPush": {"slider": "G1", "to": "L", "closes": False, "side": "white"},
    "Slider.door": {"letter": "L"},
    "Spin": {"outcome": "disc", "side": "white"},
    **{f"{kind}.algebraic": {"board": BOARD} for kind in ACTIONS},
    **{f"{kind}.from_dict": {"entry": INSTANCES[kind].to_dict()} for kind in ACTIONS},
    "action_from_dict": {"entry": MOVE.to_dict()},
    "divide": {"ruleset": "vl", "position": "W:W22:B18", "depth": 1, "count": "unique"},
    "from_values": {"values": VL.values, "id": "mine"},
    "gif": {
        "game": Game("vl", "W:W22:B18"), "seconds": 1, "size": 40, "orientation": "white", "numbers": True,
        "notation": "numbers", "coordinates": False, "state": True, "colours": {"dark": "navy"},
    },
    "legal_moves": {"ruleset": "vl", "position": "W:W22:B18"},
    "load_ruleset": {"name": "vl"},
    "load_ruleset_file": {"path": VL.path},
    "outcome": {"ruleset": "vl", "position": "W:W22:B18", "moves": ["22x15"]},
    "perft": {"ruleset": "vl", "position": "W:W22:B18", "depth": 1, "count": "unique"},
    "play": {"ruleset": "vl", "position": "W:W22:B18", "action": "22x15"},
    "png": {"picture": START},
    "read_pdn": {"text": "1. 22-18 *", "ruleset": "vl"},
    "pdn.read_game": {"handle": io.StringIO("1. 22-18 *"), "ruleset": "vl"},
    "pdn.read_pdn": {"text": "1. 22-18 *", "ruleset": "vl"},
    "search": {  # a draw: nothing is looked for
        "game": Game("vl", "W:W22:B18"), "depth": 1, "seconds": 1, "nodes": 100, "probe": None, "may_compile": False
    },
    "svg": {
        "position": START, "lastmove": MOVE, "arrows": [(1, 2)], "squares": [1], "orientation": "white", "size": 320,
        "numbers": True, "dashed": [(1, 2)], "crosses": [1], "layout": None, "coordinates": False, "title": None,
        "state": True, "board": True, "notation": "numbers", "colours": {"dark": "navy"},
    },
    "with_layout": {"ruleset": DOORS, "layout": "goliath-assumed"},
    "strategies.positions": {
        "ruleset": "vl", "exercise": None, "phase": None, "captures": None, "pieces": (0, 12), "both_sides": True
    },
    "strategies.games": {"ruleset": "vl", "max_plies": 3},
    "strategies.rulesets": {"with_readings": False},
    "strategies.engine_agrees": {"ruleset": "vl", "moves": moves_of, "lapses": None, "play": None},
}  # fmt: skip

#: Parameters for which nothing is wrong: flags, which are true or false as Python has it, and what is only looked for.
ANYTHING = {
    ("Layout.steps", "through"),
    ("LegalMoves.count", "value"),
    ("LegalMoves.__contains__", "action"),
    ("Position.__contains__", "number"),
    ("Position.fen", "algebraic"),
    ("gif", "coordinates"),
    ("gif", "numbers"),
    ("gif", "state"),
    ("search", "may_compile"),
    ("strategies.positions", "both_sides"),
    ("strategies.rulesets", "with_readings"),
    ("svg", "board"),
    ("svg", "coordinates"),
    ("svg", "numbers"),
    ("svg", "state"),
}

#: Records of what was read: no function takes one, so they hold whatever they are made of.
RECORDS = {"Alternative", "Clause", "Reading", "Rules", "SearchResult", "Slider"}
#: Methods that come from Python's `Sequence`, and have its exceptions.
OF_SEQUENCES = {"LegalMoves.index"}


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public callable that takes arguments, by its name."""
    places = {"": damspec, "pdn.": pdn, "strategies.": strategies}
    for prefix, place in places.items():
        names = getattr(place, "__all__", ["read_game", "read_pdn"])
        for name in names:
            found = getattr(place, name)
            if inspect.isclass(found) and not prefix and not issubclass(found, Exception):
                if name not in RECORDS:
                    yield name, found
                for method in dir(found):
                    member = inspect.getattr_static(found, method)
                    function = getattr(INSTANCES[name], method, None)
                    is_asked = not method.startswith("_") or method in ("__contains__", "__getitem__")
                    is_own = method in found.__dict__ or name == "LegalMoves" or name in ACTIONS
                    if is_asked and is_own and not isinstance(member, property) and inspect.isroutine(function):
                        yield f"{name}.{method}", function
            elif inspect.isroutine(found):
                yield prefix + name, found


CALLABLES = {
    name: function
    for name, function in public()
    if name not in OF_SEQUENCES and any(p.name != "self" for p in inspect.signature(function).parameters.values())
}
PARAMETERS = [(name, parameter) for name in CALLABLES for parameter in inspect.signature(CALLABLES[name]).parameters]


def test_every_parameter_is_tried() -> None:
    assert {name: [*inspect.signature(function).parameters] for name, function in CALLABLES.items()} == {
        name: [*given] for name, given in RIGHT.items()
    }


def called(name: str, given: Mapping[str, Any]) -> Any:
    """What a call gives: with what is worked out only when it is looked at."""
    function = CALLABLES[name]
    if name in ("Game.push", "Game.push_all"):
        function = getattr(INSTANCES["Game"].copy(), name.removeprefix("Game."))
    kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
    places = [value for value, kind in zip(given.values(), kinds, strict=True) if kind is not kind.KEYWORD_ONLY]
    named = {key: value for (key, value), kind in zip(given.items(), kinds, strict=True) if kind is kind.KEYWORD_ONLY}
    found = function(*places, **named)
    if isinstance(found, Iterator):
        return list(found)
    looked_at(found)
    return found


def looked_at(found: Any) -> None:
    """Look at all that an object shows of itself."""
    repr(found), str(found), found == found
    if type(found) in map(type, INSTANCES.values()):
        for attribute in dir(type(found)):
            if isinstance(inspect.getattr_static(type(found), attribute), property) and attribute != "alternatives":
                getattr(found, attribute)
    if isinstance(found, LegalMoves):
        list(found), found.lapses
    if isinstance(found, Position):
        found.fen(), found.fen(algebraic=True), found.mirrored(), list(found.pieces()), damspec.svg(found, state=True)
    if isinstance(found, Game):
        found.pdn(), found.outcome()


@for_each("name", RIGHT)
def test_right_arguments_are_taken(name: str) -> None:
    called(name, RIGHT[name])


@for_each(("name", "parameter"), PARAMETERS)
def test_a_wrong_argument_is_answered_in_one_line(name: str, parameter: str) -> None:
    refused = 0
    for wrong in WRONG:
        try:
            called(name, {**RIGHT[name], parameter: wrong})
        except DamspecError as error:
            refused += 1
            said = str(error)
            assert said, wrong
            assert said.isprintable(), wrong
            assert "\n" not in said, wrong
        except IndexError:
            assert name == "LegalMoves.__getitem__"
        except Exception as error:
            error.add_note(f"{name}({parameter}={type(wrong).__name__} {quote_any(wrong)})")
            raise
    assert bool(refused) != ((name, parameter) in ANYTHING)


def action_of(kind: str, side: Any) -> object:
    return replace(INSTANCES[kind], side=side)


#: Every function of a side, as a function of the word for it.
SIDED: Mapping[str, Callable[[Any], object]] = {
    "Position.men": START.men,
    "Position.kings": START.kings,
    "Position.occupied": START.occupied,
    "Position.run": START.run,
    "Position.with_run": lambda side: START.with_run(side, None),
    "Position": lambda side: Position(BOARD, 1, 0, 2, 0, side),
    "Piece": lambda side: Piece(side, "man"),
    "Board.nearest_rows": lambda side: BOARD.nearest_rows(1, side),
    "Board.offset": lambda side: BOARD.offset("forward", side),
    "Board.shift": lambda side: BOARD.shift("forward-left", side),
    "Board.step": lambda side: BOARD.step(BOARD.bit(22), "forward-left", side),
    "Board.ray": lambda side: BOARD.ray(BOARD.bit(22), "forward-left", side),
    "Outcome": Outcome,
    **{kind: partial(action_of, kind) for kind in ACTIONS},
    "board.opponent": opponent,
    "gif": lambda side: damspec.gif(Game("vl"), orientation=side, size=40),
    "svg": lambda side: damspec.svg(START, orientation=side),
    "from_values": lambda side: damspec.from_values({**VL.values, "start.first": side}),
}


def test_every_parameter_for_a_side_is_in_the_table() -> None:
    of_sides = {name for name, parameter in PARAMETERS if parameter in ("side", "turn", "orientation", "result")}
    assert of_sides == set(SIDED) - {"board.opponent", "from_values"}


@for_each("name", SIDED)
def test_a_side_is_white_or_black_and_no_other_word(name: str) -> None:
    assert SIDED[name]("white") == SIDED[name]("white")
    SIDED[name]("black")
    for word in ("w", "W", "White", "WHITE", "b", "B", "Black", "BLACK", " white", "", "red"):
        with pytest.raises(DamspecError, match=f"{word!r}|{json.dumps(word)}"):
            SIDED[name](word)


#: Every function that takes a ruleset and a position.
BY_RULES: Mapping[str, Callable[[Any, Any], object]] = {
    "legal_moves": damspec.legal_moves,
    "play": lambda ruleset, position: damspec.play(ruleset, position, "22-18"),
    "outcome": damspec.outcome,
    "perft": lambda ruleset, position: damspec.perft(ruleset, position, 2),
    "divide": lambda ruleset, position: damspec.divide(ruleset, position, 1),
    "Game": Game,
    "LegalMoves": lambda ruleset, position: LegalMoves(damspec.load_ruleset(ruleset), position),
    "Ruleset.position_of": lambda ruleset, position: damspec.load_ruleset(ruleset).position_of(position),
}


@pytest.mark.parametrize("name", BY_RULES)
@for_each(
    ("ruleset", "position", "expected"),
    [
        ("italian", START, "of Board(8, 8), expected one of italian's Board(8, 8, dark_corner='right')"),
        ("international", START, "of Board(8, 8), expected one of international's Board(10, 10)"),
        ("vl", DOORS.position("W:W21:B5:sliders=LMMM"), "but there are no trapdoors in these rules"),
        ("de", DOORS.position("W:W21:B5:sliders=MMMM"), "but there are no trapdoors in these rules"),
        ("vl", LAPSE, "found huffable=32-28, but there is no huffing in these rules"),
        ("international", RUN, "but these rules do not limit the moves of a king"),
        # A man on the row where it is crowned, which a FEN may not have either.
        ("vl", Position.from_fen("W:W1:B5", BOARD), "white man on its promotion row: 1, expected a king"),
    ],
)  # fmt: skip
def test_a_position_of_another_game_is_refused(name: str, ruleset: str, position: Position, expected: str) -> None:
    assert expected in refusal(PositionError, BY_RULES[name], ruleset, position)


def test_a_position_of_the_ruleset_is_taken_without_its_sliders() -> None:
    bare = Position.from_fen("W:W21:B5", BOARD)
    assert Game(DOORS, bare).fen() == "W:W21:B5:sliders=MMMM"
    assert damspec.legal_moves(DOORS, bare) == damspec.legal_moves(DOORS, "W:W21:B5")


@for_each(
    ("call", "kind", "expected"),
    [
        (lambda: START.men("w"), ArgumentError, "side: found 'w', expected 'white' or 'black'"),  # type: ignore[arg-type]
        (lambda: damspec.svg(START, orientation="w"), ArgumentError, "orientation: found 'w', expected"),  # type: ignore[arg-type]
        (lambda: damspec.svg(Game("vl")), ArgumentTypeError, "position: found damspec.Game('vl', "),  # type: ignore[arg-type]
        (lambda: START["a1"], ArgumentTypeError, "square: found 'a1', expected a number from 1 to 32"),  # type: ignore[index]
        (lambda: Game("vl").pdn({"Result": 5}), ArgumentTypeError, "tag Result: found 5, expected a text"),  # type: ignore[dict-item]
        (lambda: Game("vl").pdn({"a b": ""}), damspec.PdnError, "tags: found the name 'a b', expected letters"),
        (lambda: VL.position(None), ArgumentTypeError, "position: found None, expected a FEN or 'start'"),  # type: ignore[arg-type]
        (lambda: damspec.load_ruleset([]), ArgumentTypeError, "ruleset: found [], expected the id"),  # type: ignore[arg-type]
        # Squares count from 1: 0 and below are not the last ones.
        (lambda: damspec.svg(START, squares=[0]), PositionError, "no square 0: the board has squares 1 to 32"),
        (lambda: damspec.svg(START, arrows=[(1, -1)]), PositionError, "no square -1"),
        (lambda: damspec.svg(START, arrows=[(1,)]), PositionError, "arrows: found the path [1], expected two squares"),
        (lambda: BOARD.between(0, 9), PositionError, "no square 0"),
        (lambda: BOARD.number(3 << 4), PositionError, "found 48, expected the bit of a square of Board(8, 8)"),
        (lambda: BOARD.nearest_rows(9, "black"), ArgumentError, "count: found 9, expected 0 to 8"),
        (lambda: damspec.svg(START, layout=WIDE), PositionError, "layout: found wide of a board of 10x10, expected"),
        (lambda: damspec.perft("vl", "start", 101), ArgumentError, "depth: found 101, expected 0 to 100"),
        (lambda: damspec.outcome("vl", "start", "22-18"), ArgumentTypeError, "moves: found '22-18', expected a list"),
        (lambda: Position(BOARD, 1, 1, 0, 0, "white"), PositionError, "white_kings: square 1 is used twice"),
        (lambda: Position(BOARD, 1 << 99, 0, 0, 0, "white"), PositionError, "white_men: found "),
        (lambda: damspec.from_values({}), damspec.RulesetError, "rules sent whole for 'anonymous': rules.board.size"),
    ],
)
def test_what_is_said(call: Callable[[], object], kind: type[DamspecError], expected: str) -> None:
    error = raised(kind, call)
    assert type(error) is kind
    assert str(error).startswith(expected)


def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error() -> None:
    refusal(TypeError, damspec.load_ruleset, 5)  # type: ignore[arg-type]
    assert "found 'w'" in refusal(ValueError, START.kings, "w")  # type: ignore[arg-type]


def test_a_message_quotes_whatever_is_given() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert quote_any(Broken()).startswith("<Broken instance at ")
    assert [quote_any(value) for value in (10**5000, -(10**5000), "a\nb", ["x"] * 999)] == [
        "a number of 16610 bits",
        "minus a number of 16610 bits",
        r"'a\nb'",
        "['x', 'x', 'x', 'x', 'x', 'x', ...]",
    ]
