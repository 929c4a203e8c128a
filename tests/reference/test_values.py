"""The library's values: equal by what they are, with hashes to match, pickled and back, and nothing in them changes."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import damspec
from damspec import (
    Board,
    Huff,
    Move,
    Outcome,
    Pass,
    Piece,
    Position,
    Retract,
    SearchResult,
    SliderPush,
    Spin,
    from_values,
    legal_moves,
    load_clauses,
    load_readings,
    load_ruleset,
)
from damspec.data import FrozenDict, freeze
from damspec.pdn.record import WrittenGame, WrittenMove
from refusals import refusal
from runs import for_each

NL = load_ruleset("nl-trapdoor")
#: Each way to make a value, so that it can be made twice.
VALUES: dict[str, Callable[[], Any]] = {
    "Action: Huff": lambda: Huff(18),
    "Action: Pass": Pass,
    "Action: Retract": Retract,
    "Action: Slide": lambda: SliderPush("G1", "L", closes=True),
    "Action: Spin": lambda: Spin("disc"),
    "Board": lambda: Board(10, 10, "dark", "right", "bottom-left"),
    "Clause": lambda: load_clauses()["vl-001"],
    "WrittenGame": lambda: WrittenGame({"White": "Wiersma, Harm"}, (WrittenMove("32-28", "1."), WrittenMove("19-23"))),
    "Layout": lambda: trapdoors().layout,
    "LegalMoves": lambda: legal_moves("de", "W:W22,32:B1,18"),
    "Move": lambda: Move(21, 7, (10, 17), False, False, ((21, 14, 7),)),
    "Outcome": lambda: Outcome("white", "no-pieces"),
    "Piece": lambda: Piece("white", "king"),
    "Position": lambda: NL.position("W:W21,K30:B5:sliders=LMMR:spin=disc"),
    "Reading": lambda: load_readings()[0],
    "Rules": lambda: load_ruleset("fr-trapdoor").rules,
    "Ruleset": lambda: load_ruleset("nl-trapdoor"),
    "Ruleset under a reading": lambda: load_ruleset("vl?priority=multiple-first"),
    "Ruleset of values": lambda: from_values(NL.inline_values, "sent"),
    "SearchResult": lambda: SearchResult((Move(21, 17, (), False),), 25, 3, 40),
    "Slider": lambda: trapdoors().layout.sliders[0],
}


def trapdoors() -> Any:
    return NL.rules.trapdoors


@for_each("made", VALUES.values())
def test_pickled_and_back(made: Callable[[], Any]) -> None:
    value = made()
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert (again, hash(again), repr(again)) == (value, hash(value), repr(value))
        assert type(again) is type(value)


@for_each("made", VALUES.values())
def test_made_twice_is_equal(made: Callable[[], Any]) -> None:
    assert made() == made()
    assert len({made(), made()}) == 1


def test_different_values_are_not_equal() -> None:
    found = [made() for made in VALUES.values()]
    assert len(set(found)) == len(VALUES)
    assert not any(one == other for n, one in enumerate(found) for other in found[:n])


def test_every_kind_of_public_value_is_tested() -> None:
    public = [getattr(damspec, name) for name in damspec.__all__]
    kinds = {kind for kind in public if isinstance(kind, type) and not issubclass(kind, Exception)}
    tested = {type(made()) for made in VALUES.values()}
    assert kinds - tested == {damspec.Alternative, damspec.Game}
    assert isinstance(next(iter(load_readings()[0].alternatives.values())), damspec.Alternative)  # in a Reading


def test_a_ruleset_is_what_it_says() -> None:
    vl = load_ruleset("vl")
    assert from_values(vl.values, "vl") == from_values(vl.inline_values, "vl") != vl  # it rests on nothing
    assert from_values(vl.values, "vl") != from_values(vl.values, "lv")
    assert from_values(vl.values, "x") != from_values({**vl.values, "start.first": "black"}, "x")
    assert from_values(vl.values).values == vl.values
    assert hash(from_values(vl.values, "x")) == hash(from_values(json.loads(json.dumps(vl.values)), "x"))


# --- nothing changes


def change_item(values: Any) -> None:
    values["board.size"] = "1x1"


def delete_item(values: Any) -> None:
    del values["board.size"]


def join(values: Any) -> None:
    values |= {"board.size": "1x1"}


CHANGES: list[Callable[[Any], Any]] = [
    change_item,
    delete_item,
    join,
    lambda values: values.update({"board.size": "1x1"}),
    lambda values: values.setdefault("mine", 1),
    lambda values: values.pop("board.size"),
    lambda values: values.popitem(),
    lambda values: values.clear(),
]


@pytest.mark.parametrize("change", CHANGES)
def test_rule_values_cannot_be_changed(change: Callable[[Any], Any]) -> None:
    vl = load_ruleset("vl")
    before = dict(vl.values)
    for values in (vl.values, vl.rules.values):
        assert "cannot be changed" in refusal(TypeError, change, values)
    assert vl.values == load_ruleset("vl").values == before


def test_nothing_inside_can_be_changed() -> None:
    whole: list[Any] = [load_ruleset("nl-trapdoor"), load_ruleset("vl"), NL.rules, *load_readings(), trapdoors().layout]
    remembered = "_open_doors_cache"  # what a layout has worked out, for itself
    pending = [part for value in whole for name, part in vars(value).items() if name != remembered]
    seen = 0
    while pending:
        part = pending.pop()
        seen += 1
        assert not isinstance(part, list | set | bytearray)
        if isinstance(part, dict):
            assert isinstance(part, FrozenDict)
            pending += part.values()
        elif isinstance(part, tuple):
            pending += part
    assert seen > 1000


def test_clauses_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="cannot be changed"):
        load_clauses()["vl-001"] = load_clauses()["vl-002"]  # type: ignore[index]


def test_frozen() -> None:
    value = freeze({"b": [1, {"c": [2]}], "a": (3,)})
    assert value == {"b": (1, {"c": (2,)}), "a": (3,)}
    assert freeze(value) is value
    assert hash(value) == hash(freeze({"a": [3], "b": [1, {"c": [2]}]}))
    assert json.dumps(value) == '{"b": [1, {"c": [2]}], "a": [3]}'
    assert freeze(Piece("white", "man")) == Piece("white", "man")


# --- names


@pytest.mark.parametrize("name", ["board", "game", "layout", "move", "outcomes", "position", "readings", "ruleset"])
def test_a_module_is_a_module(name: str) -> None:
    module = importlib.import_module(f"damspec.{name}")
    assert isinstance(module, ModuleType)
    assert getattr(damspec, name) is module


def test_what_is_exported_is_there() -> None:
    assert all(hasattr(damspec, name) for name in damspec.__all__)
    assert len(set(damspec.__all__)) == len(damspec.__all__)
    assert set(damspec.__all__) <= set(dir(damspec))
    assert not hasattr(damspec, "nothing_of_the_kind")


def test_the_library_is_loaded_when_it_is_used() -> None:
    """Not by a mere import, as quick commands do it; a star imports it all."""
    program = (
        "import sys, damspec\n"
        "loaded = ['damspec.game' in sys.modules, 'yaml' in sys.modules]\n"
        "listed = dir(damspec)\n"
        "from damspec import *\n"
        "print(loaded, 'Game' in listed, Game.__module__, sorted(set(damspec.__all__) - set(globals())))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[False, False] True damspec.game []\n"


def test_nothing_waits_for_an_assert() -> None:
    """With `python -O`, without asserts, a layout that is not there is still found when it is asked for."""
    program = (
        "import damspec\n"
        "try: damspec.with_layout(damspec.load_ruleset('nl-trapdoor'), 'nowhere')\n"
        "except damspec.RulesetError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True, check=True)
    assert "unknown layout 'nowhere'" in done.stdout


# --- legal moves and games


def test_legal_moves_of_one_position_are_equal() -> None:
    moves = legal_moves("lb", "W:W21:B1")
    assert moves == legal_moves(load_ruleset("lb"), Position.from_fen("W:W21:B1", Board(8, 8)))
    assert moves != legal_moves("vl", "W:W21:B1")
    assert moves != legal_moves("lb", "W:W21:B2")
