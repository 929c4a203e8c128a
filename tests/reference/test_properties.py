"""What holds in every position: texts read back, moves played change what they say and nothing else, mirrored boards
have mirrored answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

import damspec
from damspec import Game, Move, Position
from damspec.board import each, opponent
from positions import open_doors, phases
from refusals import refusal
from runs import SPREAD, searched
from variants import FRISIAN, ITALIAN, THAI, but

RULESETS = {
    **{id: damspec.load_ruleset(id) for id in SPREAD},
    "may stop": damspec.load_ruleset("vl?completion=may-stop"),
    "frisian": damspec.from_values(FRISIAN, "frisian"),
    "italian": damspec.from_values(ITALIAN, "italian"),
    "thai, all squares": damspec.from_values(but(THAI, board__squares="all"), "all squares"),
    "two slides": damspec.load_ruleset("vl?king-slides=twice"),
    "after capture": damspec.load_ruleset("nl-trapdoor?spin=after-capture&slide=may-decline"),
    "close or not": damspec.load_ruleset("nl-trapdoor-autoclose?closing=optional"),
}

#: One for each mechanism: choice, several ways of crowning, doors, huffing, stopping, two slides, orthogonal captures.
USUAL = {"international", "russian", "nl-trapdoor", "de", "may stop", "two slides", "frisian", "close or not"}


def holds_everywhere(prop: Callable[[str, st.DataObject], None]) -> Callable[[str, int], None]:
    """A property as a test: in a usual run of some positions of the usual rulesets, in a thorough one of many of all.

    The property is given a key of RULESETS, and what draws its positions.
    """

    @searched(USUAL, RULESETS, 12, 15)
    def test(name: str, examples: int) -> None:
        @settings(max_examples=examples)
        @given(st.data())
        def look(data: st.DataObject) -> None:
            prop(name, data)

        look()

    return test


def drawn(data: st.DataObject, name: str) -> tuple[damspec.Ruleset, Position]:
    ruleset = RULESETS[name]
    return ruleset, data.draw(phases(ruleset, possible=True))


@holds_everywhere
def test_fen_reads_back(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    assert ruleset.position(position.fen()) == position
    assert ruleset.position(position.fen(algebraic=True)) == position
    assert ruleset.position(position.fen()).fen() == position.fen()


@holds_everywhere
def test_every_move_is_found_by_its_texts(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    moves = damspec.legal_moves(ruleset, position)
    for action in [*moves, *moves.lapses]:
        assert moves.find(str(action)) == action
    pieces = [*moves.moves, *moves.lapses]
    exact = {path for move in pieces for path in move.paths}
    for move in pieces:
        assert moves.find(move.algebraic(position.board)) == move
        for path in move.paths:
            assert (path[0], path[-1]) == (move.start, move.end)
            assert moves.find(str(replace(move, paths=(path,)))) == move
        if move.captured and (move.start, move.end) not in exact:
            alike = [m for m in pieces if m.captured and (m.start, m.end) == (move.start, move.end)]
            short = f"{move.start}x{move.end}"
            if len(alike) == 1:
                assert moves.find(short) == move
            else:
                refusal(damspec.AmbiguousMoveError, moves.find, short)


@holds_everywhere
def test_moves_change_what_they_say_and_nothing_else(name: str, data: st.DataObject) -> None:
    """One property, of every field of a move and of a position: which is why it has many asserts."""
    ruleset, position = drawn(data, name)
    board, side = position.board, position.turn
    enemy = opponent(side)
    doors = open_doors(ruleset, position)
    legal = damspec.legal_moves(ruleset, position)
    for move in [*legal.moves, *legal.lapses]:
        after = damspec.play(ruleset, position, move)
        start, end, captured = board.bit(move.start), board.bit(move.end), board.mask(move.captured)
        assert after.turn == (position.turn if after.spin == "due" else enemy)
        assert after.sliders == position.sliders
        assert bool(after.huffable) == (move in legal.lapses)
        assert move.falls == bool(end & doors)
        assert captured & ~position.occupied(enemy) == 0
        assert after.men(enemy) == position.men(enemy) & ~captured
        assert after.kings(enemy) == position.kings(enemy) & ~captured
        assert after.occupied(side) == position.occupied(side) & ~start | end & ~doors
        assert end & (position.occupied(side) & ~start | after.occupied(enemy)) == 0
        crowned = after.kings(side).bit_count() - (position.kings(side) & ~(start if move.falls else 0)).bit_count()
        assert crowned == move.promotes
        assert not (move.promotes and start & position.kings(side))
        assert ruleset.position(after.fen()) == after


@holds_everywhere
def test_mirrored_positions_have_mirrored_answers(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    assert position.mirrored().mirrored() == position
    if ruleset.rules.trapdoors or position.huffable:  # the text of these fields would have to be turned round too
        return
    mirrored = position.mirrored()
    turned = len(position.board) + 1

    def mirror(move: Move) -> tuple[Move, frozenset[tuple[int, ...]]]:
        captured = tuple(sorted(turned - square for square in move.captured))
        paths = frozenset(tuple(turned - square for square in path) for path in move.paths)
        return Move(turned - move.start, turned - move.end, captured, move.promotes), paths

    here, there = damspec.legal_moves(ruleset, position), damspec.legal_moves(ruleset, mirrored)
    for ours, theirs in ((here.moves, there.moves), (here.lapses, there.lapses)):
        assert {mirror(move) for move in ours} == {(move, frozenset(move.paths)) for move in theirs}
    end, other = damspec.outcome(ruleset, position), damspec.outcome(ruleset, mirrored)
    swapped = {"white": "black", "black": "white"}
    assert (other.result, other.reason) == (swapped.get(end.result, end.result), end.reason)


@holds_everywhere
def test_divide_sums_up(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    moves = list(damspec.legal_moves(ruleset, position))
    assert damspec.perft(ruleset, position, 0) == 1
    assert damspec.perft(ruleset, position, 1) == len(moves)
    for depth in (1, 2):
        divided = damspec.divide(ruleset, position, depth)
        assert list(divided) == moves
        assert sum(divided.values()) == damspec.perft(ruleset, position, depth)


@holds_everywhere
def test_equal_positions_have_equal_answers(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    again = ruleset.position(position.fen())
    assert again is not position
    assert (again, hash(again)) == (position, hash(position))
    moves, others = damspec.legal_moves(ruleset, position), damspec.legal_moves(ruleset, again)
    assert list(moves) == list(others)
    assert [move.paths for move in moves.moves] == [move.paths for move in others.moves]
    assert (moves.lapses, [move.paths for move in moves.lapses]) == (
        others.lapses,
        [move.paths for move in others.lapses],
    )
    assert repr(moves) == repr(others) == f"<LegalMoves {', '.join(map(str, moves)) or 'none'}>"
    assert damspec.outcome(ruleset, position) == damspec.outcome(ruleset, again)


@holds_everywhere
def test_what_is_listed_is_what_is_legal(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    moves = damspec.legal_moves(ruleset, position)
    assert len(moves) == len(list(moves)) == len(set(moves))
    assert all(move in moves for move in moves)
    quiet = {(move.start, move.end) for move in moves.moves if not move.captured and len(move.path) == 2}
    lapses = {(move.start, move.end) for move in moves.lapses}
    numbers = st.integers(1, len(position.board))
    start, end = data.draw(numbers), data.draw(numbers)
    text: object = f"{start}-{end}"
    if (start, end) in quiet:
        assert text in moves
    elif ruleset.rules.king.move_slides == "twice":  # the text may be short for one of two slides
        return
    else:
        assert text not in moves
    if (start, end) not in quiet | lapses:
        refusal(damspec.IllegalMoveError, damspec.play, ruleset, position, f"{start}-{end}")


@holds_everywhere
def test_pieces_stand_on_squares_of_the_board_and_never_share_one(name: str, data: st.DataObject) -> None:
    ruleset, position = drawn(data, name)
    legal = damspec.legal_moves(ruleset, position)
    for action in [*legal, *legal.lapses]:
        after = damspec.play(ruleset, position, action)
        masks = [after.men("white"), after.kings("white"), after.men("black"), after.kings("black")]
        assert sum(masks) & ~position.board.all == 0
        assert sum(mask.bit_count() for mask in masks) == len(set(each(sum(masks))))


@searched(USUAL, RULESETS, 10, 12)
def test_a_game_taken_back_is_as_it_was(name: str, examples: int) -> None:
    @settings(max_examples=examples)
    @given(st.data())
    def look(data: st.DataObject) -> None:
        ruleset, position = drawn(data, name)
        _play_and_take_back(Game(ruleset, position), data)

    look()


def _play_and_take_back(game: Game, data: st.DataObject) -> None:
    first, history = game.position, [game.position]
    for _ in range(12):
        moves = list(game.legal_moves)
        if not moves:
            break
        played = data.draw(st.sampled_from(moves))
        assert game.push(str(played) if data.draw(st.booleans()) else played) == game.position
        assert game.history[-1] == played
        history.append(game.position)
    moved = list(game.history)
    while game.history:
        assert game.position == history.pop()
        assert game.pop() == moved.pop()
    assert (game.position, moved) == (first, [])
