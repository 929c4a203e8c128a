"""A ruleset on the boards of others."""

from __future__ import annotations

import damspec
from damspec_runner.variants.elsewhere import boards, elsewhere


def test_boards_are_those_that_games_have() -> None:
    """8 by 8 with three rows of men, and 10 by 10 with four, among others; none with men on squares of their own."""
    found = [dict(board) for board in boards()]
    assert {"board.size": "8x8", "start.men": 3} in found
    assert {"board.size": "10x10", "start.men": 4} in found
    assert all(isinstance(board["start.men"], int) for board in found)


def test_a_game_on_a_larger_board_is_the_same_but_for_the_board() -> None:
    flemish = damspec.load_ruleset("vl")
    larger = next(each for each in elsewhere(flemish) if each.values["board.size"] == "10x10")
    differing = {rule for rule in flemish.values if flemish.values[rule] != larger.values.get(rule)}
    assert differing <= {"board.size", "start.men"}
    assert "board.size" in differing
    assert larger.ruleset.checked()


def test_no_board_is_its_own() -> None:
    flemish = damspec.load_ruleset("vl")
    own = (flemish.values["board.size"], flemish.values["start.men"])
    assert own not in [(each.values["board.size"], each.values["start.men"]) for each in elsewhere(flemish)]


def test_doors_belong_to_their_board() -> None:
    assert elsewhere(damspec.load_ruleset("nl-trapdoor")) == []
