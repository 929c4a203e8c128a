"""Random games played in compiled code, with the lines that ask an engine about them and those of the right answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ..rules import Rules
from ..tables import Pieces
from . import playing, ways
from .places import SquarePlaces
from .table import tables

#: How many bytes of lines are kept until they are taken.
ROOM = 1 << 20
_STOPPED: Mapping[int, Literal["over", "full", "strange"]] = {
    playing.OVER: "over",
    playing.FULL: "full",
    playing.STRANGE: "strange",
}
_ENDINGS = {"loses": 0, "wins": 1, "draws": 2}
_RESULTS = ("ongoing", "white", "black", "draw")


class Wording(NamedTuple):
    """The lines about a position, but for what is in them: how each begins, and for `moves`, `play` and `outcome` what
    comes before and after the position (in `play` there is the move between), and what before and after the answer.
    """

    begin: str
    moves: tuple[str, ...]
    play: tuple[str, ...]
    outcome: tuple[str, ...]


class Weights(NamedTuple):
    """How much likelier than a quiet move of a man a move is played that captures, crowns, or is a king's."""

    capture: int
    crowning: int
    king: int


def plays(rules: Rules) -> bool:
    """Whether games by these rules can be played here: a turn is one move of a piece, a slide or a capture."""
    bare = rules.huff is None and rules.spin is None and rules.trapdoors is None and rules.king.move_limit is None
    return bare and rules.king.move_slides == "once"


class RandomGames:
    """Games by one set of rules that `plays`, about which some questions are asked."""

    def __init__(self, rules: Rules, wording: Wording, questions: Sequence[str], weights: Weights) -> None:
        self._places = places = SquarePlaces(rules.board)
        self._tables = tables(rules, places)
        texts = [wording.begin, "W:W", "B:W", *wording.moves, *wording.play, *wording.outcome, *_RESULTS]
        written = [text.encode() for text in texts]
        self._texts = np.frombuffer(b"".join(written), np.uint8)
        self._game = np.zeros(playing.TEXTS + len(written) + 1, np.int64)
        self._game[playing.TEXTS + 1 :] = np.cumsum([len(each) for each in written])
        ending = rules.ending
        for place, number in {
            playing.MOVES_TOO: "moves" in questions,
            playing.PLAY_TOO: "play" in questions,
            playing.OUTCOME_TOO: "outcome" in questions,
            playing.KINGS_END: ending.first_king is not None,
            playing.TWO_END: bool(ending.draws),
            playing.NO_PIECES: _ENDINGS[ending.no_pieces],
            playing.NO_MOVES: _ENDINGS[ending.no_moves],
            playing.CAPTURE: weights.capture,
            playing.CROWNING: weights.crowning,
            playing.KING: weights.king,
            playing.SQUARES: len(rules.board),
        }.items():
            self._game[place] = number
        for number, bit in enumerate(rules.board.bits, 1):
            self._game[playing.NUMBER_OF + places.place(bit)] = number
            self._game[playing.PLACE_OF + number] = places.place(bit)
        self._state = np.zeros(playing.SETS + 4 * places.words, np.uint64)
        self._asked, self._told = np.zeros(ROOM, np.uint8), np.zeros(ROOM, np.uint8)
        self._order, self._ways = np.zeros(ways.MOST_KEPT, np.int64), np.zeros(ways.SIZE, np.int64)
        self._fens = np.zeros(2 * playing.MOST, np.uint8)
        nothing = [np.uint64(0)] * places.words
        self._like = nothing[0] if places.words == 1 else tuple(nothing)
        parts = (*self._tables, self._order, self._ways, self._asked, self._told, self._fens)
        self._addresses = [part.ctypes.data for part in (self._state, self._game, self._texts, *parts)]

    def play(self, pieces: Pieces, side: int, plies: int, luck: int, id: int) -> Literal["over", "full", "strange"]:
        """Play on from a position until the game is over or has lasted so many plies, the room for lines is full, or
        there is a position that is not for compiled code. `luck` is the state of the chance, `id` that of the first
        question.
        """
        state = self._state
        for place, number in ((playing.LUCK, luck), (playing.SIDE, side), (playing.PLIES, plies), (playing.ID, id)):
            state[place] = number
        state[playing.SETS :] = [word for mask in pieces for word in self._places.row(mask)]
        return _STOPPED[playing.play(self._like, *self._addresses, ROOM)]

    @property
    def lines(self) -> tuple[bytes, bytes]:
        """The lines of the questions and those of the right answers since it played on."""
        asked, told = int(self._state[playing.ASKED]), int(self._state[playing.TOLD])
        return self._asked[:asked].tobytes(), self._told[:told].tobytes()

    @property
    def played(self) -> int:
        """How many positions they are about."""
        return int(self._state[playing.PLAYED])

    @property
    def left(self) -> tuple[Pieces, int, int, int]:
        """Where it stopped: the pieces as the side to move sees them, that side, the plies left, the state of the
        chance.
        """
        words, state = self._places.words, self._state
        sets = state[playing.SETS :].reshape(4, words)
        men, kings, enemy_men, enemy_kings = map(self._places.mask, sets)
        return (
            (men, kings, enemy_men, enemy_kings), int(state[playing.SIDE]), int(state[playing.PLIES]),
            int(state[playing.LUCK]),
        )  # fmt: skip
