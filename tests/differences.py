"""Whether two rulesets differ in a position, and in which rule, by the public interface and without the search."""

from __future__ import annotations

import re
from dataclasses import replace

import damspec
from damspec import Position, Ruleset
from damspec.position import with_sliders
from damspec.turn import ActionGenerator
from damspec.validity import find_invalidity
from damspec_runner.document.compare import Witness
from damspec_runner.mutants.ruleset_diff import difference_parts, on_common_board


def shut(fen: str) -> str:
    """A position's text without sliders that are all in the middle."""
    return re.sub(":sliders=M+(?![LMR])", "", fen)


def truly_differ(one: Ruleset, other: Ruleset, position: Position) -> bool:
    """Whether answers differ, by the public interface; sliders that are all shut are as good as none."""

    def answer(ruleset: Ruleset) -> object:
        now = ruleset.position(shut(position.fen()))
        legal = damspec.legal_moves(ruleset, now)

        def after(action: damspec.Action) -> tuple[object, ...]:
            what = (action.start, action.end, action.captured) if isinstance(action, damspec.Move) else str(action)
            return what, shut(damspec.play(ruleset, now, action).fen())

        return (
            {after(action) for action in legal},
            {after(move) for move in legal.lapses},
            damspec.outcome(ruleset, now).result,
        )

    return answer(one) != answer(other)


def both(one: str, other: str) -> tuple[Ruleset, Ruleset]:
    """Two rulesets on one board."""
    first, second = on_common_board([damspec.load_ruleset(one), damspec.load_ruleset(other)])
    return first, second


def pair_on(board: str, pair: tuple[str, str]) -> tuple[Ruleset, Ruleset]:
    """Two rulesets on a board, which is that of one of them."""
    one, other = pair
    return next(each for each in (both(one, other), both(other, one)) if each[0].values["board.size"] == board)


def as_had(ruleset: Ruleset, fen: str) -> Position | None:
    """A position as a ruleset has it, with a spin that let a piece move as good as none; None if it cannot have it."""
    position = Position.from_fen(fen, ruleset.rules.board)
    if ruleset.rules.trapdoors is None:
        if position.spin not in (None, "disc") or set(position.sliders or "M") != {"M"}:
            return None
        position = replace(position, spin=None, sliders=None)
    position = with_sliders(ruleset.rules, position)
    return None if find_invalidity(ActionGenerator(ruleset.rules), position) else position


def answer(ruleset: Ruleset, fen: str, question: str) -> object:
    """What rules answer, by the public interface; sliders that are all shut are as good as none."""
    position = as_had(ruleset, fen)
    assert position is not None, (ruleset, fen)
    if question == "outcome":
        return damspec.outcome(ruleset, position).result
    legal = damspec.legal_moves(ruleset, position)

    def after(action: damspec.Action) -> tuple[object, ...]:
        what = (action.start, action.end, action.captured) if isinstance(action, damspec.Move) else str(action)
        now = damspec.play(ruleset, position, action)
        return what, replace(now, sliders=None if set(now.sliders or "") <= {"M"} else now.sliders)

    return {after(action) for action in legal}, {after(move) for move in legal.lapses}


def changed(ruleset: Ruleset, goal: Ruleset, names: tuple[str, ...]) -> Ruleset | None:
    """A ruleset with the values of another for some rules, if that makes a ruleset."""
    values = dict(ruleset.values)
    for name in names:
        if name in goal.values:
            values[name] = goal.values[name]
        else:
            values.pop(name, None)
    try:
        return damspec.from_values(values, "changed")
    except damspec.DamspecError:
        return None


def shows(one: Ruleset, other: Ruleset, witness: Witness) -> list[bool]:
    """For each of two rulesets: whether changed in the rule it answers as the other, and else does not."""
    part_of = {part.rule: part.rules for part in difference_parts(one, other)}
    beside = tuple(name for rule in witness.beside for name in part_of[rule])
    found = []
    for start, goal in ((one, other), (other, one)):
        before = changed(start, goal, beside)
        after = changed(start, goal, (*beside, *part_of[witness.rule]))
        said = [
            ruleset and as_had(ruleset, witness.position) and answer(ruleset, witness.position, witness.question)
            for ruleset in (before, after, goal)
        ]
        found.append(None not in said and said[0] != said[2] and said[1] == said[2])
    return found
