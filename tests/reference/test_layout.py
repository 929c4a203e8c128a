"""Layouts of trapdoors: the default, a user's own file, and one line for each thing that can be wrong with one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec import Board, DamspecError, Layout, Slider, data, with_layout
from damspec.layout import layout_of
from refusals import refusal
from runner_fixtures import damspec as run
from runner_fixtures import refused

NL = damspec.load_ruleset("nl-trapdoor")
OWN: dict[str, Any] = {
    "damspec": 1,
    "id": "mine",
    "name": "My own board",
    "board": "8x8",
    "assumed": False,
    "sliders": [
        {"id": "G1", "colour": "green", "left": 13, "right": 14},
        {"id": "O1", "colour": "orange", "left": 19, "right": 20},
    ],
}


def slider(**changes: Any) -> dict[str, Any]:
    """The layout with something of its first slider changed."""
    first, second = OWN["sliders"]
    return OWN | {"sliders": [first | changes, second]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(OWN), encoding="utf-8")
    return path


def test_the_default_is_marked_assumed() -> None:
    assert NL.rules.trapdoors
    layout = NL.rules.trapdoors.layout
    assert (layout.id, layout.assumed, layout.middle_letters) == ("goliath-assumed", True, "MMMM")
    assert [slider.id for slider in layout.sliders] == ["O1", "G1", "G2", "O2"]
    assert [(slider.left, slider.right) for slider in layout.sliders] == [(9, 11), (14, 16), (17, 19), (22, 24)]
    assert layout_of(layout.content(), Board(8, 8), "here") == layout


def test_it_looks_the_same_from_either_side() -> None:
    assert NL.rules.trapdoors
    sliders = NL.rules.trapdoors.layout.sliders
    doors = {(slider.colour, door) for slider in sliders for door in (slider.left, slider.right)}
    assert {(colour, 33 - door) for colour, door in doors} == doors


def test_open_doors_and_steps() -> None:
    board = Board(8, 8)
    sliders = (Slider("G1", "green", 13, 14), Slider("O1", "orange", 19, 20))
    layout = Layout("mine", "My own", "8x8", False, sliders)
    assert board.numbers(layout.open_doors(board, "MM")) == []
    assert board.numbers(layout.open_doors(board, "LR")) == [13, 20]
    both = frozenset({"green", "orange"})
    assert list(layout.steps("ML", both, through=False)) == [(0, "L"), (0, "R"), (1, "M")]
    assert list(layout.steps("RL", both, through=True)) == [(0, "M"), (0, "L"), (1, "M"), (1, "R")]
    assert list(layout.steps("ML", frozenset({"orange"}), through=False)) == [(1, "M")]


def test_a_file_of_ones_own(file: Path) -> None:
    ruleset = with_layout(NL, str(file))
    assert ruleset.origin == f"nl-trapdoor with trapdoors.layout = {file}"
    assert repr(ruleset) == f"<Ruleset 'nl-trapdoor': {ruleset.origin}>"
    assert (ruleset.alternatives, with_layout(NL, "goliath-assumed")) == ({}, NL)
    assert list(map(str, damspec.legal_moves(ruleset, "W:W21:B14:spin=green"))) == ["G1=L", "G1=R"]
    assert damspec.play(ruleset, "W:W21:B14:spin=green", "G1=R").fen() == "B:W21:B:sliders=RM"
    assert ruleset.inline_values["trapdoors.layout"] == OWN
    assert damspec.legal_moves(NL, "W:W21:B14:spin=green")[0] == damspec.SliderPush("G1", "L")  # as it was


def test_a_file_of_ones_own_on_the_command_line(file: Path) -> None:
    ran = run("moves", "nl-trapdoor", "W:W21:B14:spin=green", "--layout", str(file))
    assert (ran.status, ran.out) == (0, "G1=L\nG1=R\n")
    ran = run("play", "nl-trapdoor?falls=opponents", "W:W21:B14:spin=green", "G1=R", "--layout", str(file))
    assert (ran.status, ran.out) == (0, "B:W21:B:sliders=RM\n")
    assert run("outcome", "nl-trapdoor", "B:W21:B:sliders=RM", "--layout", str(file)).out == "white (no-pieces)\n"
    assert run("perft", "nl-trapdoor", "--depth", "2", "--layout", str(file)).out == "1 3\n2 11\n"
    said = refused("moves", "nl-trapdoor", "W:W21:B5:sliders=MMMM", "--layout", str(file))
    assert "found sliders=MMMM, expected a letter for each of G1, O1" in said


BAD: list[tuple[dict[str, Any], str]] = [
    (slider(left=20), "slider O1: square 20 has two doors"),
    (slider(left=14), "slider G1: square 14 has two doors"),
    (slider(left=33), "slider G1: no square 33: the board has squares 1 to 32"),
    (slider(left=0), "sliders.0.left: "),
    (slider(left="b4"), 'sliders.0.left: found "b4", expected integer'),
    (slider(colour="red"), 'sliders.0.colour: found "red", expected one of "green", "orange"'),
    (slider(id="green one"), 'sliders.0.id: found "green one", expected a capital and a number, such as O1'),
    (slider(id="O1"), "slider 'O1' given twice"),
    (slider(middle=17), 'sliders.0: unknown key "middle"'),
    ({key: value for key, value in OWN.items() if key != "assumed"}, "missing 'assumed'"),
    (OWN | {"sliders": [{"id": "G1", "colour": "green", "left": 13}]}, "sliders.0: missing 'right'"),
    (OWN | {"sliders": []}, "sliders: "),
    (OWN | {"board": "10x10"}, "board: found 10x10, expected 8x8"),
    (OWN | {"damspec": 2}, "damspec: found 2, expected 1"),
]


@pytest.mark.parametrize(("content", "expected"), BAD)
def test_bad_layouts(content: dict[str, Any], expected: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    message = refusal(DamspecError, with_layout, NL, str(path))
    assert message.startswith(str(path))
    assert expected in message
    assert refused("moves", "nl-trapdoor", "start", "--layout", str(path)) == f"damspec: {message}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("sliders: [", "not valid YAML"), ("", "expected object"), ("id: a\nid: b", "key 'id' given twice")],
)
def test_files_that_are_no_layout(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    assert expected in refusal(DamspecError, with_layout, NL, str(path))


@pytest.mark.parametrize(
    ("ruleset", "layout", "expected"),
    [
        ("nl-trapdoor", "goliath", "unknown layout 'goliath'; did you mean 'goliath-assumed'?"),
        ("nl-trapdoor", "/nonexistent/mine.yaml", "/nonexistent/mine.yaml: cannot be read: No such file"),
        ("lb", "goliath-assumed", "lb has no trapdoors to lay out by 'goliath-assumed'"),
    ],
)
def test_layouts_that_are_not_there(ruleset: str, layout: str, expected: str) -> None:
    assert expected in refusal(DamspecError, with_layout, damspec.load_ruleset(ruleset), layout)


def test_every_layout_shipped_is_good() -> None:
    paths = sorted((data.root() / "spec" / "layouts").glob("*.yaml"))
    assert paths
    for path in paths:
        content = data.load_yaml(path)
        assert content["id"] == path.stem
        columns, rows = map(int, content["board"].split("x"))
        layout_of(path.stem, Board(columns, rows), "here")
