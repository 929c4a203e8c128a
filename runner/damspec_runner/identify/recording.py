"""Making the record of the questions (cases/questions.yaml): those that are missing are looked for, all are answered.

What is to be told apart on a board: every two known games, and every game from what it is with a single rule changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import yaml

from damspec import Ruleset, data
from damspec.data import FrozenDict, freeze
from damspec.rules import rule_names

from ..cases.questionnaire import Questionnaire, Setting, questionnaire_path, read_questionnaire
from ..mutants.mutants import single_mutants
from ..mutants.ruleset_diff import in_no_position
from . import session
from .search import Pairs, Posed, chosen, found
from .session import QuestionnaireAnswers, playable

#: How many random positions are looked at on a board, and how often a game is told from a reading of its own.
_POSITIONS, _OFTEN = 1_500, 2
#: How many readings a game has for which there are questions that tell it from several at once.
_MANY = 5
#: How much less easily a question is answered for each piece on the board, and how hard it is at most.
_HARDER, _HARDEST = 0.06, 0.5

_HEADER = """\
# Questions for people who know how a game is played, and what each ruleset and each reading of it answers.
# schemas/questions.schema.json says what the keys mean. The questions are written by hand or found by
# `damspec identify --record`, which works all answers out again; an id stays for ever.
"""
_OUTCOMES = {
    "white": "White is to move. Has White won already?",
    "black": "White is to move. Has White lost?",
    "draw": "White is to move. Is the game a draw already?",
}


def record(tell: Callable[[str], None], positions: int = _POSITIONS) -> dict[str, Any]:
    """The file's content with the questions that it lacked, and with all answers as the rules give them now."""
    content: dict[str, Any] = data.load_yaml(questionnaire_path())
    data.check(content, "questions", data.path_text(questionnaire_path()))
    asked = read_questionnaire({**content, "answers": {}})
    for name, setting in asked.settings.items():
        if setting.set:
            lacking = _lacking(asked, name, setting, positions, tell)
            ids = {each["id"] for each in content["questions"]}
            content["questions"] += [{"id": _id(entry["rule"], ids), **entry} for entry in lacking]
    content["answers"] = session.known_answers(read_questionnaire({**content, "answers": {}}))
    return content


def written(content: Mapping[str, Any]) -> str:
    """The text of the file."""
    return _HEADER + yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=150, allow_unicode=True)


def _lacking(
    asked: Questionnaire, name: str, setting: Setting, positions: int, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    """New questions on one board, after which what is found to differ there is told apart."""
    goal = _Goal(setting)
    here = [each for each in asked.questions if each.setting == name and each.position]
    answered = [
        [QuestionnaireAnswers(ruleset.values, asked).answer(each) for ruleset in goal.pairs.rulesets] for each in here
    ]
    already = [goal.pairs.told(answers) for answers in answered]
    tellings = found(goal.pairs, random.Random(name), positions, lambda line: tell(f"{name}: {line}"))
    new = chosen(goal.pairs, tellings, already, 1)
    already += [each.tells for each in new]
    new += chosen(goal.pairs, tellings, already, _OFTEN, goal.every_own)
    for own in goal.own:
        new += chosen(goal.pairs, tellings, [], 1, own)
    entries = [_entry(goal.rule(posed), name, posed) for posed in dict.fromkeys(new)]
    tell(f"{name}: {len(entries)} new questions")
    return entries


class _Goal:
    """What is to be told apart on one board.

    `own` has for each game the pairs of it and its own readings, where these are many; `every_own` all of them.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._places: dict[FrozenDict, int] = {}
        games = {
            id: place for id, ruleset in session.known_games().items() if (place := self._place(ruleset.values)) >= 0
        }
        wanted = {pair: self._only_rule(pair) for pair in combinations(range(len(self._places)), 2)}
        own: dict[int, set[tuple[int, int]]] = {}
        for id, place in games.items():
            if (base := games[id.partition("?")[0]]) != place:
                own.setdefault(base, set()).add(_sorted(base, place))
        for id, place in games.items():
            if "?" not in id:
                for mutant in single_mutants(session.known_games()[id]):
                    other = self._place(mutant.values)
                    if other >= 0 and other != place and not any(map(in_no_position, mutant.rules_changed)):
                        wanted[_sorted(place, other)] = mutant.rules_changed[0]
        self.pairs = Pairs([_checked(each) for each in self._places], list(wanted))
        self.own = [self._bits(some) for some in own.values() if len(some) >= _MANY]
        self.every_own = self._bits(set().union(*own.values()))
        self._about: dict[str, int] = {}
        for place, rule in enumerate(wanted.values()):
            self._about[rule] = self._about.get(rule, 0) | 1 << place

    def rule(self, posed: Posed) -> str:
        """The rule that a question is about: the one of whose differences it tells the greatest part."""
        about = {rule: pairs for rule, pairs in self._about.items() if rule}
        parts = {rule: (posed.tells & pairs).bit_count() / pairs.bit_count() for rule, pairs in about.items()}
        return max(parts, key=lambda rule: parts[rule])

    def _bits(self, some: set[tuple[int, int]]) -> int:
        """Some of the pairs, as bits."""
        return sum(1 << place for place, pair in enumerate(self.pairs.pairs) if pair in some)

    def _place(self, values: Mapping[str, Any]) -> int:
        """The number of a set of rules on this board; -1 for one that is not played there."""
        placed = self._setting.placed(values)
        if placed is None or playable(key := freeze(placed)) is None:
            return -1
        return self._places.setdefault(key, len(self._places))

    def _only_rule(self, pair: tuple[int, int]) -> str:
        """The one rule in which two sets of rules differ; nothing if there are several."""
        one, other = ([*self._places][place] for place in pair)
        rules = [rule for rule in rule_names() if one.get(rule) != other.get(rule)]
        return rules[0] if len(rules) == 1 else ""


def _entry(rule: str, setting: str, posed: Posed) -> dict[str, Any]:
    """A question as the file has it, but for its id."""
    entry: dict[str, Any] = {"rule": rule, "kind": posed.kind, "asks": _asks(posed), "setting": setting}
    entry |= {"position": posed.position.fen()} | ({"move": posed.move} if posed.move else {"result": posed.result})
    return entry | {"ease": round(max(_HARDEST, 1 - _HARDER * len(posed.position)), 2)}


def _asks(posed: Posed) -> str:
    """The question in words."""
    if posed.result:
        return _OUTCOMES[posed.result]
    start = int(posed.move.replace("x", "-").partition("-")[0])
    piece = posed.position[start]
    kind = piece.kind if piece else "piece"
    if posed.kind == "crowned":
        return "The white man makes this move. Is it a king afterwards?"
    jumps = posed.move.count("x")
    if not jumps:
        return f"May the white {kind} make this move?"
    what = "this piece" if jumps == 1 else f"these {jumps} pieces"
    return f"May the white {kind} capture {what} like this, and then stop?"


def _id(rule: str, ids: set[str]) -> str:
    """An id that is not there yet."""
    number = 1
    while (id := f"{rule.replace('.', '-')}-{number}") in ids:
        number += 1
    ids.add(id)
    return id


def _checked(values: FrozenDict) -> Ruleset:
    ruleset = playable(values)
    assert ruleset is not None
    return ruleset


def _sorted(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
