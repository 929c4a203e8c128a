"""Text and JSON of a questionnaire: boards, questions and the verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import damspec
from damspec import Position
from damspec.board import opponent
from damspec.data import thaw
from damspec.move import read_squares
from damspec.vocabulary import vocabulary

from ..cases.notation import move_effect
from ..cases.questionnaire import PersonQuestion, Questionnaire
from .session import Candidate, Session
from .verdict import Identification, Nearest

_LETTERS = {("white", "man"): "w", ("white", "king"): "W", ("black", "man"): "b", ("black", "king"): "B"}
#: The marks of the squares that a piece visits, in order.
_STOPS = "123456789abcdefghij"


@dataclass(frozen=True)
class BoardSketch:
    """A question's board as lines of text, and below it what the board cannot show."""

    board: tuple[str, ...]
    below: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines."""
        return (*self.board, *self.below)


def sketch_board(enquiries: Questionnaire, enquiry: PersonQuestion) -> BoardSketch:
    """Sketch the board of a question, White at the bottom; empty if it has no board."""
    position = enquiries.board(enquiry)
    if position is None:
        return BoardSketch((), ())
    stops = _stops(position, enquiry)
    return BoardSketch(tuple(_rows(position, stops)), tuple(_below(position, enquiry)))


def _stops(position: Position, enquiry: PersonQuestion) -> dict[int, str]:
    """Map the squares that the moving piece visits to their marks; of two visits the last counts."""
    if not enquiry.move:
        return {}
    squares, _ = read_squares(enquiry.move, position.board)
    return {square: _STOPS[place] for place, square in enumerate(squares[1:]) if position[square] is None}


def _rows(position: Position, stops: dict[int, str]) -> Iterator[str]:
    board = position.board
    numbers = {place: number for number, place in enumerate(board.places, 1)}
    for row in range(board.rows - 1, -1, -1):
        cells = []
        for column in range(board.columns):
            number = numbers.get((column, row))
            piece = None if number is None else position[number]
            empty = " " if number is None else stops.get(number, ".")
            cells.append(empty if piece is None else _LETTERS[piece])
        yield " ".join(cells).rstrip()


def _below(position: Position, enquiry: PersonQuestion) -> Iterator[str]:
    if not enquiry.move:
        return
    squares, _ = read_squares(enquiry.move, position.board)
    piece = position[squares[0]]
    way = ", then to ".join(_STOPS[: len(squares) - 1])
    taken = move_effect(position, enquiry.move)
    number = len(taken[2]) if isinstance(taken, tuple) else 0
    takes = "" if not number else f", taking {number} {opponent(position.turn)} piece{'s' if number > 1 else ''}"
    letter = "the piece" if piece is None else _LETTERS[piece]
    yield f"{letter} goes to {way}{takes}: {enquiry.move}"


#: The width of a question beside another, and the number of games named before the verdict.
_WIDTH, _GAMES_NAMED = 38, 3
#: The probability from which a game is settled, and the most rules named in a line.
_SETTLED, _RULES = 0.5, 5
_WORDS = {"y": "yes", "n": "no"}


def progress_text(session: Session) -> str:
    """Return the most probable games as one line."""
    standing = session.standing()[:_GAMES_NAMED]
    named = (f"{alike.first.ruleset.name}{_variant(alike.first)} {alike.share:.0%}" for alike in standing)
    return ", ".join(named)


def question_text(session: Session, enquiry: PersonQuestion) -> str:
    """Return a question with its board below."""
    drawn = "".join(f"\n      {line}" for line in sketch_board(session.enquiries, enquiry).lines)
    return f"{enquiry.asks}{drawn}"


def verdict_text(judgement: Identification) -> Iterator[str]:
    """Yield the verdict as lines of text."""
    session = judgement.session
    if not any(said != "unknown" for said in session.said.values()):
        yield "No question was answered, so it may be any game."
        return
    settled = judgement.share >= _SETTLED
    yield from textwrap.wrap(f"Your game {'is' if settled else 'may be'} {judgement.title}", 100)
    yield f"  {judgement.guess.id}" + (f" with {judgement.guess.changed}" if judgement.guess.changed else "")
    if not settled:
        yield f"  That is not settled yet: {progress_text(session)}."
    if judgement.only:
        asks = session.enquiries.by_id[judgement.only].asks
        yield f"  One answer alone says so, which may be a slip: {asks}"
    if judgement.alike:
        yield f"  No question here tells it from {', '.join(judgement.alike)}."
    yield from _answer_lines(judgement)
    yield from _clash_lines(judgement)
    if judgement.unasked:
        titles = ", ".join(vocabulary()[rule].title for rule in judgement.unasked)
        yield ""
        yield from textwrap.wrap(f"Not asked, and taken as this game has it: {titles}.", 100)
    yield ""
    yield "The known games beside it"
    nearest = judgement.nearest()
    width = max(len(one.id) for one in nearest)
    for one in nearest:
        rules = ", ".join(each.rule for each in one.differs) or "nothing"
        many = f"{len(one.differs)} rules" if len(one.differs) > _RULES else rules
        yield f"  {one.id:<{width}}  agrees with {one.agrees:>2} of {one.of:>2}  differs in {many}"


def _answer_lines(judgement: Identification) -> Iterator[str]:
    session = judgement.session
    yield ""
    yield "It rests on"
    for id, said in session.said.items():
        enquiry = session.enquiries.by_id[id]
        otherwise = " - but this game would say otherwise" if id in judgement.against else ""
        yield f"  {said:<7}  {enquiry.asks}{_move(enquiry)}{otherwise}"


def _clash_lines(judgement: Identification) -> Iterator[str]:
    session = judgement.session
    for clash in judgement.clashes:
        yield ""
        yield "These answers are given together by no game that was looked at:"
        columns = []
        for id in clash:
            enquiry = session.enquiries.by_id[id]
            sketch = sketch_board(session.enquiries, enquiry)
            asked = textwrap.wrap(enquiry.asks, _WIDTH)
            columns.append([*sketch.lines, *asked, f"Answered: {session.said[id]}"])
        for start in range(0, len(columns), 2):
            for left, *right in zip_longest(*columns[start : start + 2], fillvalue=""):
                yield f"    {left:<{_WIDTH + 4}}{''.join(right)}".rstrip()
    if judgement.against and not judgement.clashes:
        yield ""
        yield "An answer that this game would not give may be a slip, or a rule of its own that goes with no other."


def verdict_json(judgement: Identification) -> dict[str, Any]:
    """Return the verdict as JSON (schemas/identified.schema.json)."""
    session = judgement.session
    return {
        "damspec": damspec.__version__,
        "game": judgement.guess.id,
        "ruleset": judgement.guess.base,
        "title": judgement.title,
        "share": round(judgement.share, 4),
        "changes": [
            {
                "rule": each.rule,
                "value": thaw(each.value),
                "instead_of": thaw(each.instead),
                "words": each.words,
            }
            for each in judgement.changes
        ],
        "alike": list(judgement.alike),
        "unasked": list(judgement.unasked),
        "answers": [
            {
                "question": id,
                "asks": session.enquiries.by_id[id].asks,
                "answered": said,
                "game": _WORDS.get(session.word(judgement.guess, id)),
            }
            for id, said in session.said.items()
        ],
        "clashes": [list(clash) for clash in judgement.clashes],
        "nearest": [_near(each) for each in judgement.nearest()],
    }


def _near(one: Nearest) -> dict[str, Any]:
    rules: Sequence[str] = [each.rule for each in one.differs]
    return {"game": one.id, "name": one.name, "agrees": one.agrees, "of": one.of, "differs": rules}


def _variant(guess: Candidate) -> str:
    """Return the reading and the changes of a game, in brackets."""
    words = [part for part in (guess.id.partition("?")[2], guess.changed) if part]
    return f" ({', '.join(words)})" if words else ""


def _move(enquiry: PersonQuestion) -> str:
    return f" ({enquiry.position} {enquiry.move or enquiry.result})" if enquiry.position else ""
