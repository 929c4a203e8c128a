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
from damspec.vocabulary import vocabulary, word_value

from ..cases.notation import move_effect
from ..cases.questionnaire import PersonQuestion, Questionnaire
from .facts import Facts
from .session import Candidate, Session
from .statements import Statement, alternatives
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
#: The most rules named in a line, and the most values named that a rule has not.
_RULES, _OTHERS_NAMED = 5, 3
_WORDS = {"y": "yes", "n": "no"}
#: What is asked about a part of a rule's value.
_PART_ASKS = {
    "has": "Is this so in your game, whatever else?",
    "begins": "Is this what counts first in your game?",
    "ends": "Is this what counts last in your game?",
}


def progress_text(session: Session) -> str:
    """Return the most probable games as one line."""
    standing = session.standing()[:_GAMES_NAMED]
    return ", ".join(f"{damspec.load_ruleset(game.id).name}{_reading(game)} {share:.0%}" for game, share in standing)


def question_text(session: Session, question: PersonQuestion | Statement) -> str:
    """Return a question with its board below, or with the sentences that it asks about."""
    if isinstance(question, Statement):
        facts = session.facts
        asks, sentences = statement_text(question, facts)
        if marked := session.sentences(question, facts):
            asks = f"{asks} Or which numbers are not so?"
            sentences = [_sentence(each, facts) for each in marked]
        marks = range(1, len(marked) + 1) if marked else ["-"] * len(sentences)
        lines = [
            line
            for mark, each in zip(marks, sentences, strict=True)
            for line in textwrap.wrap(f"{mark:>{2 if marked else 1}} {each}", 90, subsequent_indent="   ")
        ]
    else:
        asks, lines = question.asks, list(sketch_board(session.enquiries, question).lines)
    return asks + "".join(f"\n      {line}" for line in lines)


def _sentence(statement: Statement, facts: Facts) -> str:
    """Return what can be marked as not so as one line."""
    values = facts.values if statement.kind == "is" else statement.values
    told = [word_value(rule, values[rule]) for rule in statement.rules if values.get(rule) is not None]
    return " ".join(told) or f"No rule about: {', '.join(vocabulary()[rule].title for rule in statement.rules)}"


def statement_text(statement: Statement, facts: Facts) -> tuple[str, list[str]]:
    """Return what is asked about a statement, and the sentences that it asks about."""
    asks, sentences = _statement_text(statement, facts)
    return (f"Once more, to be sure: {asks}" if statement.is_again else asks), sentences


def _statement_text(statement: Statement, facts: Facts) -> tuple[str, list[str]]:
    titles = ", ".join(vocabulary()[rule].title for rule in statement.rules)
    if statement.kind in _PART_ASKS:
        (rule,) = statement.rules
        if (part := facts.part(statement)) is None:
            return f"Is there no rule in your game about this: {titles}?", []
        return _PART_ASKS[statement.kind], [word_value(rule, part)]
    rules = facts.rules(statement)
    values = (facts.part(statement) or {}) if statement.kind in ("is", "recap") else statement.values
    sentences = [word_value(rule, values[rule]) for rule in rules if values.get(rule) is not None]
    if statement.is_of_topic:
        asks = "Is all of this so in your game, and nothing else beside it?"
        return (asks, sentences) if sentences else (f"Is there no rule in your game about any of this: {titles}?", [])
    if statement.kind == "recap":
        return "This is your game as far as you have told it. Is all of it so?", sentences
    if sentences:
        return "Is this so in your game, just as it stands?", sentences
    if statement.kind == "is":
        return f"Is there no rule in your game about this: {titles}?", []
    others = [word_value(rule, each.told[rule]) for each in alternatives(statement) for rule in rules]
    if not 0 < len(others) <= _OTHERS_NAMED:
        return f"Is there no rule in your game about this: {titles}?", []
    return "Is none of this a rule in your game?", others


def verdict_text(judgement: Identification) -> Iterator[str]:
    """Yield the verdict as lines of text."""
    session = judgement.session
    if not any(said != "unknown" for said in session.said.values()):
        yield "No question was answered, so it may be any game."
        return
    settled = judgement.share >= session.enquiries.belief.settled
    how = "may be" if not settled else "comes nearest to" if judgement.unclear else "is"
    yield from textwrap.wrap(f"Your game {how} {judgement.title}", 100)
    changes = " and ".join(f"{each.rule} = {_value(each.value)}" for each in judgement.changes)
    yield f"  {judgement.base.id}" + (f" with {changes}" if changes else "")
    if not settled:
        yield f"  That is not settled yet: {progress_text(session)}."
    if judgement.unclear:
        titles = ", ".join(vocabulary()[rule].title for unit in judgement.unclear for rule in unit)
        yield from textwrap.wrap(f"  Something is otherwise in your game, but it is not clear how: {titles}.", 100)
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


def _value(value: Any) -> str:
    """Return a rule's value as text."""
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return "null" if value is None else str(thaw(value))


def asks_text(judgement: Identification, id: str) -> str:
    """Return a question, with the sentences it is about, as one line."""
    match judgement.session.question(id):
        case None:
            return id
        case Statement() as statement:
            asks, sentences = statement_text(statement, judgement.facts)
            return " ".join([asks, *sentences])
        case question:
            return question.asks


def _answer_lines(judgement: Identification) -> Iterator[str]:
    yield ""
    yield "It rests on"
    for id, said in judgement.session.said.items():
        remark = " - but this game would say otherwise" if id in judgement.against else ""
        if judgement.is_withdrawn(id):
            remark = " - but answered otherwise when it was asked again"
        text = f"{asks_text(judgement, id)}{_move(judgement.session.question(id))}{remark}"
        yield from textwrap.wrap(text, 110, initial_indent=f"  {said:<7}  ", subsequent_indent=" " * 11)


def _clash_lines(judgement: Identification) -> Iterator[str]:
    session = judgement.session
    for clash in judgement.clashes:
        yield ""
        yield "These answers do not go together:"
        columns = []
        for id in clash:
            question = session.question(id)
            board = sketch_board(session.enquiries, question).lines if isinstance(question, PersonQuestion) else ()
            columns.append([*board, *textwrap.wrap(asks_text(judgement, id), _WIDTH), f"Answered: {session.said[id]}"])
        for start in range(0, len(columns), 2):
            for left, *right in zip_longest(*columns[start : start + 2], fillvalue=""):
                yield f"    {left:<{_WIDTH + 4}}{''.join(right)}".rstrip()
    if judgement.against and not judgement.clashes:
        yield ""
        yield "An answer that this game would not give may be a slip, or a rule of its own."


def verdict_json(judgement: Identification) -> dict[str, Any]:
    """Return the verdict as JSON (schemas/identified.schema.json)."""
    return {
        "damspec": damspec.__version__,
        "game": judgement.nearest_known.id,
        "ruleset": judgement.base.id,
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
        "unclear": [rule for unit in judgement.unclear for rule in unit],
        "alike": list(judgement.alike),
        "unasked": list(judgement.unasked),
        "answers": [
            {
                "question": id,
                "asks": asks_text(judgement, id),
                "answered": said,
                "game": _WORDS.get(judgement.answer(question))
                if (question := judgement.session.question(id))
                else None,
            }
            for id, said in judgement.session.said.items()
        ],
        "clashes": [list(clash) for clash in judgement.clashes],
        "nearest": [_near(each) for each in judgement.nearest()],
    }


def _near(one: Nearest) -> dict[str, Any]:
    rules: Sequence[str] = [each.rule for each in one.differs]
    return {"game": one.id, "name": one.name, "agrees": one.agrees, "of": one.of, "differs": rules}


def _reading(game: Candidate) -> str:
    """Return the reading of a game, in brackets."""
    query = game.id.partition("?")[2]
    return f" ({query})" if query else ""


def _move(question: PersonQuestion | Statement | None) -> str:
    if not isinstance(question, PersonQuestion) or not question.position:
        return ""
    return f" ({question.position} {question.move or question.result})"
