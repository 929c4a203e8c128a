"""A random game in compiled code, and what is asked about its positions, as text; what is compiled begins here."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .compiling import entry, inner
from .memory import bytes_at, crowns, numbers_at, start_of, words_at
from .moves import after, steps
from .sets import breadth, either, has, load, size, some, store
from .table import CAPTURED, FOUND, GAVE_UP, MOVES, ROW
from .ways import KEPT, sorted_by_squares

# How far a game has come, in words: the state of the chance, who is to move, the plies left and those played, the
# number of the next question, how much of the text of questions and of that of answers is written, and the four sets.
LUCK, SIDE, PLIES, PLAYED, ID, ASKED, TOLD, SETS = range(8)
#: Why it stops: the game is over or broken off; there is no more room; a position is not for compiled code.
OVER, FULL, STRANGE = range(3)

# The rules and words of a game, in numbers: what is asked about, the end of the game, what a move weighs, how many
# squares there are, for each place the number of the square and for each number the place, and where the texts end.
MOVES_TOO, PLAY_TOO, OUTCOME_TOO = range(3)
KINGS_END, TWO_END, NO_PIECES, NO_MOVES = range(3, 7)
CAPTURE, CROWNING, KING = range(7, 10)
SQUARES = 10
NUMBER_OF, PLACE_OF, TEXTS = 16, 16 + 256, 16 + 512
#: The texts, in this order; those after the first two are for each question what comes before the position (and for
#: `play` before the move), before what is right, and at the end.
BEGIN, WHITE_MOVES, BLACK_MOVES = range(3)
ASK_MOVES, MOVES_ASKED, TELL_MOVES, MOVES_TOLD = range(3, 7)
ASK_PLAY, AND_MOVE, PLAY_ASKED, TELL_PLAY, PLAY_TOLD = range(7, 12)
ASK_OUTCOME, OUTCOME_ASKED, TELL_OUTCOME, OUTCOME_TOLD = range(12, 16)
ONGOING, WHITE, BLACK, DRAW = range(16, 20)
#: How many bytes the lines about a position have beside the texts, at most, and more for each square of a move.
MOST, EACH = 4 * 1200, 4

_COMMA, _COLON, _BLACK, _K, _QUOTE, _DASH, _X = (np.uint8(ord(sign)) for sign in ',:BK"-x')
_ZERO = np.uint8(ord("0"))


@inner
def _put(out, at, sign):
    """Writes a sign."""
    out[at] = sign
    return at + 1


@inner
def _number(out, at, number):
    """Writes a number."""
    tens = 1
    while tens * 10 <= number:
        tens *= 10
    while tens:
        out[at] = _ZERO + np.uint8(number // tens % 10)
        at += 1
        tens //= 10
    return at


@inner
def _text(out, at, which, game, texts):
    """Writes one of the texts."""
    for place in range(game[TEXTS + which], game[TEXTS + which + 1]):
        out[at] = texts[place]
        at += 1
    return at


@inner
def _copy(out, at, source, end):
    """Writes what stands elsewhere."""
    for place in range(end):
        out[at + place] = source[place]
    return at + end


@inner
def _squares(out, at, men, kings, game):
    """Writes the squares of a side, ascending."""
    first = True
    for number in range(1, game[SQUARES] + 1):
        place = game[PLACE_OF + number]
        if has(men, place) or has(kings, place):
            if not first:
                at = _put(out, at, _COMMA)
            first = False
            if has(kings, place):
                at = _put(out, at, _K)
            at = _number(out, at, number)
    return at


@inner
def _fen(out, men, kings, enemy_men, enemy_kings, side, game, texts):
    """Writes a position, and says how long it is."""
    if side:
        men, kings, enemy_men, enemy_kings = enemy_men, enemy_kings, men, kings
    at = _squares(out, _text(out, 0, WHITE_MOVES + side, game, texts), men, kings, game)
    at = _put(out, _put(out, at, _COLON), _BLACK)
    return _squares(out, at, enemy_men, enemy_kings, game)


@inner
def _move(out, at, number, captured, ways):
    """Writes a move."""
    squares = number * KEPT
    for place in range(1, ways[squares] + 1):
        if place > 1:
            at = _put(out, at, _X if some(captured) else _DASH)
        at = _number(out, at, ways[squares + place])
    return at


@inner
def _begin(out, at, id, which, game, texts):
    """Writes how a line begins."""
    return _text(out, _number(out, _text(out, at, BEGIN, game, texts), id), which, game, texts)


@inner
def _ends(side, ending):
    """The outcome where the end of the game is for a side what a rule says: it loses, wins or draws."""
    if ending == 2:
        return DRAW
    return WHITE if (side == 0) == (ending == 1) else BLACK


@inner
def _outcome(men, kings, enemy_men, enemy_kings, side, count, game):
    """How the game stands."""
    if not some(either(men, kings)):
        return _ends(side, game[NO_PIECES])
    if not some(either(enemy_men, enemy_kings)):
        return _ends(1 - side, game[NO_PIECES])
    return ONGOING if count else _ends(side, game[NO_MOVES])


@inner
def _chance(state):
    """A number from 0 to 1, as `walks.Luck` draws it."""
    state[LUCK] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[LUCK]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.float64(mixed >> np.uint64(11)) * 2.0**-53


@inner
def _weight(row, kings, game, work):
    """How likely a move is played."""
    if crowns(work[row]):
        return game[CROWNING]
    if some(load(work, row + CAPTURED, kings)):
        return game[CAPTURE]
    return game[KING] if has(kings, start_of(work[row])) else 1


@inner
def _chosen(order, count, kings, game, work, state):
    """The number of the move that is played."""
    if count == 1:
        return order[0]
    total = 0
    for number in range(count):
        total += _weight(MOVES + ROW * number, kings, game, work)
    drawn = _chance(state) * np.float64(total)
    total = 0
    for place in range(count - 1):
        total += _weight(MOVES + ROW * order[place], kings, game, work)
        if np.float64(total) > drawn:
            return order[place]
    return order[count - 1]


@entry
def play(like, state_at, game_at, texts_at, table_at, work_at, order_at, ways_at, asked_at, told_at, fens_at, room):
    """Plays on until it stops, with the lines that ask about each position and the lines that answer them rightly."""
    state, game, numbers = words_at(state_at), numbers_at(game_at), numbers_at(game_at + 8 * NUMBER_OF)
    order, ways = numbers_at(order_at), numbers_at(ways_at)
    table, work = numbers_at(table_at), words_at(work_at)
    texts, asked, told = bytes_at(texts_at), bytes_at(asked_at), bytes_at(told_at)
    here, there = bytes_at(fens_at), bytes_at(fens_at + MOST)
    width = breadth(like)
    men, kings = load(state, SETS, like), load(state, SETS + width, like)
    enemy_men, enemy_kings = load(state, SETS + 2 * width, like), load(state, SETS + 3 * width, like)
    side, plies, id = np.int64(state[SIDE]), np.int64(state[PLIES]), np.int64(state[ID])
    ask = tell = played = 0
    stopped = OVER
    length = _fen(here, men, kings, enemy_men, enemy_kings, side, game, texts)
    while plies > 0:
        if size(either(men, kings)) == 1 and size(either(enemy_men, enemy_kings)) == 1 and game[TWO_END]:
            stopped = STRANGE
            break
        if game[KINGS_END] and some(either(kings, enemy_kings)):
            stopped = STRANGE
            break
        table[FOUND], table[GAVE_UP] = MOVES, 0
        steps(men, kings, enemy_men, enemy_kings, side, table, work)
        if table[GAVE_UP] or not sorted_by_squares(
            men, kings, enemy_men, enemy_kings, side, numbers, order, ways, table, work
        ):
            stopped = STRANGE
            break
        count = (table[FOUND] - MOVES) // ROW
        needed = 3 * game[TEXTS + DRAW + 1] + MOST + EACH * KEPT * count
        if ask + needed > room or tell + needed > room:
            stopped = FULL
            break
        outcome = _outcome(men, kings, enemy_men, enemy_kings, side, count, game)
        if game[MOVES_TOO]:
            ask = _begin(asked, ask, id, ASK_MOVES, game, texts)
            ask = _text(asked, _copy(asked, ask, here, length), MOVES_ASKED, game, texts)
            tell = _begin(told, tell, id, TELL_MOVES, game, texts)
            for place in range(count):
                if place:
                    tell = _put(told, tell, _COMMA)
                row = MOVES + ROW * order[place]
                tell = _put(told, tell, _QUOTE)
                tell = _move(told, tell, order[place], load(work, row + CAPTURED, like), ways)
                tell = _put(told, tell, _QUOTE)
            tell = _text(told, tell, MOVES_TOLD, game, texts)
            id += 1
        if outcome == ONGOING:
            chosen = _chosen(order, count, kings, game, work, state)
            row = MOVES + ROW * chosen
            a, b, c, d = after(row, men, kings, enemy_men, enemy_kings, work)
            onward = _fen(there, a, b, c, d, 1 - side, game, texts)
            if game[MOVES_TOO] and game[PLAY_TOO]:
                ask = _begin(asked, ask, id, ASK_PLAY, game, texts)
                ask = _text(asked, _copy(asked, ask, here, length), AND_MOVE, game, texts)
                ask = _move(asked, ask, chosen, load(work, row + CAPTURED, like), ways)
                ask = _text(asked, ask, PLAY_ASKED, game, texts)
                tell = _begin(told, tell, id, TELL_PLAY, game, texts)
                tell = _text(told, _copy(told, tell, there, onward), PLAY_TOLD, game, texts)
                id += 1
        if game[OUTCOME_TOO]:
            ask = _begin(asked, ask, id, ASK_OUTCOME, game, texts)
            ask = _text(asked, _copy(asked, ask, here, length), OUTCOME_ASKED, game, texts)
            tell = _begin(told, tell, id, TELL_OUTCOME, game, texts)
            tell = _text(told, _text(told, tell, outcome, game, texts), OUTCOME_TOLD, game, texts)
            id += 1
        plies -= 1
        played += 1
        if outcome != ONGOING:
            plies = 0
            break
        men, kings, enemy_men, enemy_kings = a, b, c, d
        side = 1 - side
        here, there = there, here
        length = onward
    store(state, SETS, men)
    store(state, SETS + width, kings)
    store(state, SETS + 2 * width, enemy_men)
    store(state, SETS + 3 * width, enemy_kings)
    state[SIDE], state[PLIES], state[ID] = np.uint64(side), np.uint64(plies), np.uint64(id)
    state[ASKED], state[TOLD], state[PLAYED] = np.uint64(ask), np.uint64(tell), np.uint64(played)
    return stopped
