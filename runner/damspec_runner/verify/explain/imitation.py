"""Whether an engine with some rules would have given an answer: by its lists, or by an imitation of the engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from damspec import DamspecError, Move
from damspec.move import read_squares, shortens

from ...answers.player import RulePlayer, answer_of
from ...cases.answer import LISTS, Answer, Question
from ...engines.protocol import EngineError, UnsupportedError
from ...engines.serve import HELLO, InProcessEngine
from ..exchange import drive, exchange
from ..result import Result


def has_answer(result: Result) -> bool:
    """Return whether a result has an answer that rules can give."""
    return result.said is not None and result.message is None and result.status in ("passed", "failed", "reading")


def gives(player: RulePlayer, result: Result, *, with_successors: bool = True, quick: bool = False) -> bool:
    """Return whether an engine with these rules, perhaps with a fault, would have given the answer of a result.

    Unless `with_successors`, it is not asked where its moves lead. If `quick`, a capture listed beside a longer one
    that it may be short for is not looked into.
    """
    question, answer = result.question, result.said
    assert answer is not None
    if question.wanted.end is not None and answer.outcome is None:  # who tells no outcomes is taken to know them
        answer = replace(answer, outcome=question.expected.outcome)
    if player.ruleset.rules.board == question.ruleset.rules.board:
        try:
            predicted = answer_of(player, question)
        except DamspecError:
            return False
        if predicted.agrees(answer):
            return True
        if quick or not player.turns.follows_rules or not _may_be_short(question, predicted, answer):
            return False
    left_out = ({"start"} if answer.start is None else set()) | (set() if with_successors else {"play"})
    hello = replace(HELLO, questions=HELLO.questions - left_out)
    try:
        return drive(exchange(question, hello, {}), InProcessEngine(player.ruleset).ask).agrees(answer)
    except (DamspecError, EngineError, UnsupportedError):
        return False


def _may_be_short(question: Question, predicted: Answer, answer: Answer) -> bool:
    """Return whether the moves that only rules list may be short forms of those expected, or are written as others."""
    expected, board = question.expected, question.position.board
    lists = (expected.moves, expected.lapses, *(step.moves for step in expected.game))
    legal = chain.from_iterable((each or {}).items() for each in lists)
    paths = [read_squares(str(text), board)[0] for key, text in legal if isinstance(key, tuple) and len(key[2]) > 1]
    if not paths or expected.game:
        return bool(paths)
    listed = {key: text for among in LISTS for key, text in (getattr(answer, among) or {}).items()}
    others = [one for among in LISTS for key, one in (getattr(predicted, among) or {}).items() if key not in listed]
    return bool(others) and all(
        isinstance(one, Move) and (str(one) in listed.values() or any(shortens(one.path, path) for path in paths))
        for one in others
    )


def gives_part(player: RulePlayer, result: Result) -> bool:
    """Return whether a wrong answer has all that is wrong in the answer by rules, perhaps with more."""
    question, answer = result.question, result.said
    assert answer is not None
    if player.ruleset.rules.board != question.ruleset.rules.board:
        return False  # by its numbers it means other squares
    try:
        predicted = answer_of(player, question)
        wrong, given = question.expected.differs(predicted), question.expected.differs(answer)
    except DamspecError:
        return False
    if answer.outcome is not None:
        return answer.outcome == predicted.outcome
    return all(
        answer.after.get(each.key, predicted.after[each.key]) == predicted.after[each.key]
        if each.what == "after" and each.key is not None
        else each in given
        for each in wrong
    )
