"""Random games in compiled code: positions, their legal moves by the squares they touch, and the moves played.

The search for captures does not record paths. If only one path leads over the captured pieces, even by the loosest
rules, that is the one; otherwise the position is left to the reference.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from ..errors import RulesetError, quote_any
from ..position import Pieces
from ..rules import Rules
from . import cached, compiled, entry
from .bitset import Bits, bits_of, either, has, load, single, size, some, store, without
from .movegen import Record, after_move, crowns, end_of, legal_moves, start_of
from .rule_table import (
    AS_KING,
    AS_MAN_ELSE_KING,
    LAST_DIRECTION,
    Records,
    SquarePlaces,
    begin,
    new_search,
    rule_table,
)

#: The maximum number of moves in a position, of squares in each, and of steps to find them.
_MOST_MOVES, _MOST_SQUARES, _MOST_STEPS = 1024, 30, 2_000
#: The number of plies and of moves that fit into one call.
_PLIES, _ROOM = 256, 1 << 13
_OVER, _FULL, _STRANGE = range(3)
_STOPPED: tuple[Literal["over", "full", "strange"], ...] = ("over", "full", "strange")
_ONGOING, _WHITE, _BLACK, _DRAW = range(4)
_OUTCOMES = ("ongoing", "white", "black", "draw")
#: What the end of the game means for a side without pieces or moves.
_LOSES, _WINS, _DRAWS = range(3)
#: A plain 0 would be a type of its own for numba.
_NO_JUMP: Any = np.int64(0)
_ENDINGS = {"loses": _LOSES, "wins": _WINS, "draws": _DRAWS}


class Weights(NamedTuple):
    """The weights of captures, of crowning moves and of quiet moves of a king; a quiet move of a man has 1."""

    capture: int
    crowning: int
    king: int


class PlayedPly(NamedTuple):
    """A position as the side to move sees it, its legal moves in order, the outcome, and the index of the move played.

    A move is whether it captures, and the numbers of the squares it touches.
    """

    pieces: Pieces
    side: int
    moves: list[tuple[bool, list[int]]]
    outcome: str
    chosen: int | None


class Playout(NamedTuple):
    """The plies of a game, why it stopped, and where: pieces, side to move, plies left and state of the random numbers.

    It is *over*, or there is no more room (*full*), or compiled code cannot play the position (*strange*).
    """

    plies: list[PlayedPly]
    stopped: Literal["over", "full", "strange"]
    pieces: Pieces
    side: int
    left: int
    luck: int


def can_play(rules: Rules) -> bool:
    """Return whether compiled code can play games by these rules: a turn is one slide or capture of a piece."""
    bare = rules.huff is None and rules.spin is None and rules.trapdoors is None and rules.king.move_limit is None
    return bare and rules.king.move_slides == "once"


@cache
def _game_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a game: its endings, the weights of moves, square numbers by place, its progress."""
    fields: list[Any] = [
        ("ends_with_king", np.bool_),
        ("ends_with_two", np.bool_),  # which can be a draw
        ("ends_with_one", np.bool_),
        ("no_pieces", np.int64),
        ("no_moves", np.int64),
        ("capture", np.int64),
        ("crowning", np.int64),
        ("king", np.int64),
        ("numbers", np.int64, (64 * words,)),
        ("luck", np.uint64),
        ("side", np.int64),
        ("left", np.int64),
        ("played", np.int64),
        ("pieces", np.uint64, (4, words)),
    ]
    return np.dtype(fields, align=True)


@cache
def _ply_dtype(words: int) -> np.dtype[np.void]:
    fields: list[Any] = [
        ("pieces", np.uint64, (4, words)),
        ("side", np.int64),
        ("moves", np.int64),
        ("outcome", np.int64),
        ("chosen", np.int64),
    ]
    return np.dtype(fields, align=True)


#: The squares of a move, and a search for them: the paths found, the steps tried, the squares of a path.
_MOVE = np.dtype([("captures", np.bool_), ("touched", np.int64), ("squares", np.int64, (_MOST_SQUARES,))], align=True)
_TRAIL = np.dtype([("ways", np.int64), ("steps", np.int64), ("squares", np.int64, (_MOST_SQUARES,))], align=True)


class RandomPlayouts:
    """Random games by one set of rules for which `can_play` is true."""

    def __init__(self, rules: Rules, weights: Weights) -> None:
        self._places = places = SquarePlaces(rules.board)
        self._table, self._search = rule_table(rules, places), new_search(places.words)
        begin(self._search)
        self._plies, self._moves = np.zeros(_PLIES, _ply_dtype(places.words)), np.zeros(_ROOM, _MOVE)
        self._trail, self._found = np.zeros(1, _TRAIL), np.zeros(_MOST_MOVES, _MOVE)
        self._order = np.zeros(_MOST_MOVES, np.int64)
        self._game = np.zeros(1, _game_dtype(places.words))
        game, ending = self._game[0], rules.ending
        if ending.first_king not in (None, "wins"):
            raise RulesetError(f"ending.first-king: found {quote_any(ending.first_king)}, expected 'wins'")
        game["ends_with_king"], game["ends_with_two"] = ending.first_king is not None, bool(ending.draws)
        if ending.one_piece not in (None, "loses"):
            raise RulesetError(f"ending.one-piece: found {quote_any(ending.one_piece)}, expected 'loses'")
        game["ends_with_one"] = ending.one_piece is not None
        game["no_pieces"] = _ending("ending.no-pieces", ending.no_pieces)
        game["no_moves"] = _ending("ending.no-moves", ending.no_moves)
        game["capture"], game["crowning"], game["king"] = weights
        for number, bit in enumerate(rules.board.bits, 1):
            game["numbers"][places.place(bit)] = number

    def play(self, pieces: Pieces, side: int, plies: int, luck: int) -> Playout:
        """Play from a position for at most `plies` plies; `luck` is the state of the random numbers."""
        game, places = self._game[0], self._places
        game["luck"], game["side"], game["left"] = luck, side, plies
        game["pieces"] = [places.row(mask) for mask in pieces]
        like = bits_of([0] * places.words)
        stopped = _play(
            like, self._game, self._table, self._search, self._plies, self._moves, self._found, self._order, self._trail
        )
        played, first = [], 0
        for ply in self._plies[: game["played"]]:
            last = first + int(ply["moves"])
            rows = zip(
                *(self._moves[name][first:last].tolist() for name in ("captures", "touched", "squares")), strict=True
            )
            moves = [(captures, squares[:touched]) for captures, touched, squares in rows]
            chosen = None if ply["outcome"] != _ONGOING else int(ply["chosen"])
            played.append(PlayedPly(self._pieces(ply), int(ply["side"]), moves, _OUTCOMES[ply["outcome"]], chosen))
            first = last
        return Playout(
            played, _STOPPED[stopped], self._pieces(game), int(game["side"]), int(game["left"]), int(game["luck"])
        )

    def _pieces(self, record: Any) -> Pieces:
        men, kings, enemy_men, enemy_kings = map(self._places.mask, record["pieces"])
        return men, kings, enemy_men, enemy_kings


def _ending(rule: str, value: str) -> int:
    if value not in _ENDINGS:
        raise RulesetError(f"{rule}: found {quote_any(value)}, which compiled code does not know")
    return _ENDINGS[value]


@compiled
def _can_go(way: int, king: bool, side: int, rules: Record) -> bool:
    """Return whether a man or king can capture in a direction."""
    for number in range(1, rules.man_capture_first[side, 0] + 1):
        if rules.man_capture_first[side, number] == way:
            return True
    for number in range(1, rules.man_capture_later[side, 0] + 1):
        if rules.man_capture_later[side, number] == way:
            return True
    if king:
        for number in range(1, rules.king_capture_directions[side, 0] + 1):
            if rules.king_capture_directions[side, number] == way:
                return True
    return False


@compiled
def _trace(
    square: int, left: Bits, end: int, blocked: Bits, jumps: int, king: bool, side: int, move: Record, trail: Record,
    rules: Record,
) -> None:  # fmt: skip
    """Follow every path from a square over the pieces `left` to capture; record one that reaches the end."""
    trail.steps += 1
    if trail.steps > _MOST_STEPS:
        trail.ways = 2
        return
    for way in range(LAST_DIRECTION + 1):
        if not _can_go(way, king, side, rules):
            continue
        over = rules.neighbours[way, square]
        if king and not rules.king_capture_adjacent:
            while over >= 0 and not has(left, over) and not has(blocked, over):
                over = rules.neighbours[way, over]
        if over < 0 or not has(left, over):
            continue
        rest = without(left, single(over, left))
        land = rules.neighbours[way, over]
        reach = rules.king_capture_landing if king else 1
        while reach > 0 and land >= 0 and not has(blocked, land) and not has(rest, land):
            trail.squares[jumps] = land
            if some(rest):
                _trace(land, rest, end, blocked, jumps + 1, king, side, move, trail, rules)
            elif land == end:
                trail.ways += 1
                for place in range(jumps + 1):
                    move.squares[1 + place] = trail.squares[place]
            if trail.ways > 1:
                return
            reach -= 1
            land = rules.neighbours[way, land]


@compiled
def _is_before(move: Record, other: Record) -> Any:
    """Return whether a move comes before another in the order of their squares."""
    for place in range(min(move.touched, other.touched)):
        if move.squares[place] != other.squares[place]:
            return move.squares[place] < other.squares[place]
    return move.touched < other.touched


@compiled
def _find_squares(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, numbers: Any, rules: Record, search: Record,
    found: Records, order: Any, trail: Record,
) -> bool:  # fmt: skip
    """Write the squares of all moves found, and their order; return False where a path is not certain."""
    if search.found > _MOST_MOVES:
        return False
    crowned_on_the_way = rules.promotion_mid_capture == AS_KING or rules.promotion_mid_capture == AS_MAN_ELSE_KING
    for number in range(search.found):
        move = found[number]
        start, end = start_of(search.move[number]), end_of(search.move[number])
        captured = load(search.captured[number], men)
        jumps = size(captured)
        move.captures = jumps > 0
        if jumps > 1:
            if jumps > _MOST_SQUARES - 2:
                return False
            own = without(either(men, kings), single(start, men))
            blocked = either(own, without(either(enemy_men, enemy_kings), captured))
            king = has(kings, start) or crowned_on_the_way
            trail.ways = trail.steps = 0
            _trace(start, captured, end, blocked, _NO_JUMP, king, side, move, trail, rules)
            if trail.ways != 1:
                return False
        else:
            jumps = 1
            move.squares[1] = end
        move.squares[0], move.touched = start, jumps + 1
        for place in range(jumps + 1):
            move.squares[place] = numbers[move.squares[place]]
        place = number
        while place > 0 and _is_before(move, found[order[place - 1]]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = number
    return True


@compiled
def _outcome_at_end(side: int, ending: int) -> int:
    """Return the outcome where `ending` is what the end means for a side."""
    if ending == _DRAWS:
        return _DRAW
    return _WHITE if (side == 0) == (ending == _WINS) else _BLACK


@compiled
def _outcome(men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, moves: int, game: Record) -> Any:
    """Return the outcome of the game so far."""
    if not some(either(men, kings)):
        return _outcome_at_end(side, game.no_pieces)
    if not some(either(enemy_men, enemy_kings)):
        return _outcome_at_end(1 - side, game.no_pieces)
    return _ONGOING if moves > 0 else _outcome_at_end(side, game.no_moves)


@compiled
def _random(game: Record) -> float:
    """Return a number from 0 to 1, as `random_games.Luck` draws it (splitmix64)."""
    game.luck += np.uint64(0x9E3779B97F4A7C15)
    mixed = game.luck
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.float64(mixed >> np.uint64(11)) * 2.0**-53


@compiled
def _weight(number: int, kings: Bits, game: Record, search: Record) -> Any:
    """Return the weight of a move."""
    if crowns(search.move[number]):
        return game.crowning
    if some(load(search.captured[number], kings)):
        return game.capture
    return game.king if has(kings, start_of(search.move[number])) else 1


@compiled
def _choose(order: Any, kings: Bits, game: Record, search: Record) -> Any:
    """Return the index in the order of a random move."""
    last = search.found - 1
    if last == 0:
        return 0
    total = 0
    for number in range(last + 1):
        total += _weight(number, kings, game, search)
    drawn = _random(game) * np.float64(total)
    total = 0
    for place in range(last):
        total += _weight(order[place], kings, game, search)
        if np.float64(total) > drawn:
            return place
    return last


@entry
@cached
def _play(
    like: Bits, games: Records, tables: Records, searches: Records, plies: Records, moves: Records, found: Records,
    order: Any, trails: Records,
) -> int:  # fmt: skip
    """Play until the game stops; write its plies and their moves, and return why it stopped."""
    game, rules, search, trail = games[0], tables[0], searches[0], trails[0]
    men, kings = load(game.pieces[0], like), load(game.pieces[1], like)
    enemy_men, enemy_kings = load(game.pieces[2], like), load(game.pieces[3], like)
    side, written, stopped = game.side, 0, _OVER
    game.played = 0
    while game.left > 0:
        own_one, enemy_one = size(either(men, kings)) == 1, size(either(enemy_men, enemy_kings)) == 1
        if (
            (own_one and enemy_one and game.ends_with_two)
            or ((own_one or enemy_one) and game.ends_with_one)
            or (game.ends_with_king and some(either(kings, enemy_kings)))
        ):
            stopped = _STRANGE
            break
        search.found, search.gave_up = 0, False
        legal_moves(men, kings, enemy_men, enemy_kings, side, rules, search)
        if search.gave_up or not _find_squares(
            men, kings, enemy_men, enemy_kings, side, game.numbers, rules, search, found, order, trail
        ):
            stopped = _STRANGE
            break
        if game.played == len(plies) or written + search.found > len(moves):
            stopped = _FULL
            break
        ply = plies[game.played]
        store(ply.pieces[0], men)
        store(ply.pieces[1], kings)
        store(ply.pieces[2], enemy_men)
        store(ply.pieces[3], enemy_kings)
        ply.side, ply.moves = side, search.found
        ply.outcome = _outcome(men, kings, enemy_men, enemy_kings, side, search.found, game)
        for place in range(search.found):
            moves[written + place] = found[order[place]]
        written += search.found
        game.played += 1
        game.left -= 1
        if ply.outcome != _ONGOING:
            game.left = 0
            break
        ply.chosen = _choose(order, kings, game, search)
        men, kings, enemy_men, enemy_kings = after_move(order[ply.chosen], men, kings, enemy_men, enemy_kings, search)
        side = 1 - side
    store(game.pieces[0], men)
    store(game.pieces[1], kings)
    store(game.pieces[2], enemy_men)
    store(game.pieces[3], enemy_kings)
    game.side = side
    return stopped
