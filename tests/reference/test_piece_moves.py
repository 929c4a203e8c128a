"""Moves looked up and made once are those that the move generator finds, and lead to the same positions."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random

import pytest

import damspec
from damspec import Move, Position
from damspec.king_runs import moves_within_limit
from damspec.move import PackedMove
from damspec.piece_moves import move_of
from damspec.position import open_doors, to_mover_view
from runs import EVERY


def found_anew(ruleset: damspec.Ruleset, position: Position) -> list[Move]:
    """Return the moves of pieces from the packed moves of the generator, without any table of moves."""
    rules, generator = ruleset.rules, ruleset.turns.movement.generator
    doors = open_doors(rules, position)
    steps = generator.steps(*to_mover_view(position), doors)
    ways: dict[object, list[PackedMove]] = {}
    for step in moves_within_limit(rules.king.move_limit, position, steps):
        ways.setdefault(step[:4], []).append(step)
    return sorted((move_of(each, rules.board, doors) for each in ways.values()), key=lambda move: move.paths[0])


@pytest.mark.parametrize("name", EVERY)
def test_moves_are_those_of_the_generator(name: str) -> None:
    ruleset, luck = damspec.load_ruleset(name), Random(name)
    for _ in range(3):
        game = damspec.Game(ruleset)
        for _ in range(70):
            position, turns = game.position, ruleset.turns
            moves, expected = turns.movement.legal(position), found_anew(ruleset, position)
            assert [(move, move.paths) for move in moves] == [(move, move.paths) for move in expected]
            for move in moves:
                if turns.plain:
                    after = turns.after_listed(position, move)
                    assert after == turns.after(position, replace(move))
                    assert after == Position.from_fen(after.fen(), after.board)
            if not game.legal_moves:
                break
            game.push(luck.choice(game.legal_moves))


def test_moves_out_of_order_and_by_value_are_checked() -> None:
    game = damspec.Game("vl")
    first, *_, last = game.legal_moves
    after_last = game.push(last)
    with pytest.raises(damspec.IllegalMoveError):
        game.push(first)
    assert game.pop() is last
    assert game.push(replace(last)) == after_last
    game.pop()
    assert game.push(first) != after_last
    assert [*game.history] == [first]


def test_the_moves_of_a_position_taken_back_to_are_at_hand() -> None:
    game = damspec.Game("english")
    legal = game.legal_moves
    game.push(legal[0])
    game.pop()
    assert game.legal_moves is legal


def test_a_pickled_game_is_small_and_goes_on() -> None:
    """The tables of moves stay at home: ten plies are a few kilobytes."""
    game = damspec.Game("international")
    for _ in range(10):
        game.push(game.legal_moves[0])
    written = pickle.dumps(game)
    assert len(written) < 10_000
    again = pickle.loads(written)
    assert again == game
    assert again.push(str(game.legal_moves[0])) == game.push(game.legal_moves[0])
