"""The recorder of `cases/generated/questions.yaml`: questions that are missing are looked for, all are answered.

What is to be told apart on a board: every two known games, and every game from what it is with a single rule changed.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from damspec import Move, Position, Ruleset, data
from damspec.data import FrozenDict, freeze
from damspec.endings import outcome_of_position
from damspec.rules import rule_names
from damspec.validity import PLAIN, find_invalidity
from damspec_runner.cases.questionnaire import Setting, questionnaire_path, read_questionnaire
from damspec_runner.identify.known import QuestionnaireAnswers, known_answers, known_games, playable
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.mutants.ruleset_diff import in_no_position
from damspec_runner.positions.sampling import PositionSampler

from .parts import Job, Part, digest, text_of

#: How many random positions are looked at on a board, and how often a game is told from a reading of its own.
POSITIONS, _OFTEN = 1_500, 2
#: How many readings a game has for which there are questions that tell it from several at once.
_MANY = 5
#: How much less easily a question is answered for each piece on the board, and how hard it is at most.
_HARDER, _HARDEST = 0.06, 0.5
#: How many pieces the positions have, and how many kings at most.
PIECES, KINGS = (1, 7), 3
#: What one piece more costs, in parts of what a question tells.
_PIECE = 0.12
#: The unit of the questions themselves; all others are games.
_ASKED = "questions"

HEADER = """\
# Questions for people who know how a game is played, and what each ruleset and each reading of it answers.
# schemas/questions.schema.json says what the keys mean. The questions are written by hand or found by
# `python tools/record.py questions`, which works all answers out again; an id stays for ever.
"""
_OUTCOMES = {
    "white": "White is to move. Has White won already?",
    "black": "White is to move. Has White lost?",
    "draw": "White is to move. Is the game a draw already?",
}


def inputs() -> dict[str, str]:
    """By known game a digest of its rules and of what else they could be; and one of the questions."""
    found = {}
    for id, ruleset in known_games().items():
        others = [mutant.name for mutant in single_mutants(ruleset)] if "?" not in id else []
        found[id] = digest(ruleset.values, others)
    return {**found, _ASKED: _digest(data.load_yaml(questionnaire_path()))}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 30 + 5 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Look for questions on the boards on which a game has changed, or is new; answer all questions."""
    content: dict[str, Any] = data.load_yaml(questionnaire_path())
    data.check(content, "questions", data.path_text(questionnaire_path()))
    asked = read_questionnaire({**content, "answers": {}})
    changed = {id: ruleset for id, ruleset in known_games().items() if id in job.units}
    ids = {each["id"] for each in content["questions"]}
    tasks = {
        name: BoardTask(name, frozenset(changed))
        for name, setting in asked.settings.items()
        if setting.set and any(setting.place(each.values) is not None for each in changed.values())
    }
    for lacking in job.doing(questions_lacking, tasks, "boards"):
        content["questions"] += [{"id": _id(entry["rule"], ids), **entry} for entry in lacking]
    content["answers"] = known_answers(read_questionnaire({**content, "answers": {}}))
    text = text_of(HEADER, content, width=150)
    yield Part((*job.units, _ASKED), {questionnaire_path(): text}, inputs={_ASKED: _digest(content)})


def _digest(content: Mapping[str, Any]) -> str:
    """Return a digest of the questions, which people change too."""
    return digest({**content, "answers": {}})


@dataclass(frozen=True)
class BoardTask:
    """A board on which questions are looked for that tell the changed games from all others."""

    setting: str
    changed: frozenset[str]


def questions_lacking(task: BoardTask, positions: int = POSITIONS) -> list[dict[str, Any]]:
    """Return new questions on one board, after which the differences found there are told apart."""
    name = task.setting
    asked = read_questionnaire({**data.load_yaml(questionnaire_path()), "answers": {}})
    goal = _Goal(asked.settings[name], task.changed)
    here = [each for each in asked.questions if each.setting == name and each.position]
    answered = [
        [QuestionnaireAnswers(ruleset.values, asked).answer(each) for ruleset in goal.pairs.rulesets] for each in here
    ]
    already = [goal.pairs.bits_apart(answers) for answers in answered]
    tellings = find(goal.pairs, random.Random(name), positions)
    new = choose_questions(goal.pairs, tellings, already, 1)
    already += [each.tells for each in new]
    new += choose_questions(goal.pairs, tellings, already, _OFTEN, goal.every_own)
    for own in goal.own:
        new += choose_questions(goal.pairs, tellings, [], 1, own)
    return [_entry(goal.rule(posed), name, posed) for posed in dict.fromkeys(new)]


class _Goal:
    """What is to be told apart on one board: the changed games from all others, and from their own mutants.

    `own` has for each game the pairs of it and its own readings, where these are many; `every_own` all of them.
    """

    def __init__(self, setting: Setting, changed: Container[str]) -> None:
        self._setting = setting
        self._places: dict[FrozenDict, int] = {}
        games = {id: place for id, ruleset in known_games().items() if (place := self._place(ruleset.values)) >= 0}
        places = {place for id, place in games.items() if id in changed}
        wanted = {
            pair: self._only_rule(pair)
            for pair in combinations(range(len(self._places)), 2)
            if not places.isdisjoint(pair)
        }
        own: dict[int, set[tuple[int, int]]] = {}
        for id, place in games.items():
            if (base := games[id.partition("?")[0]]) != place:
                own.setdefault(base, set()).add(_in_order(base, place))
        for id, place in games.items():
            if "?" not in id and place in places:
                for mutant in single_mutants(known_games()[id]):
                    other = self._place(mutant.values)
                    if other >= 0 and other != place and not any(map(in_no_position, mutant.rules_changed)):
                        wanted[_in_order(place, other)] = mutant.rules_changed[0]
        self.pairs = Pairs([_playable(each) for each in self._places], list(wanted))
        self.own = [bits for some in own.values() if len(some) >= _MANY and (bits := self._bits(some))]
        self.every_own = self._bits(set().union(*own.values()))
        self._about: dict[str, int] = {}
        for place, rule in enumerate(wanted.values()):
            self._about[rule] = self._about.get(rule, 0) | 1 << place

    def rule(self, posed: PositionQuestion) -> str:
        """Return the rule that a question is about: the one of whose differences it tells the greatest part."""
        about = {rule: pairs for rule, pairs in self._about.items() if rule}
        parts = {rule: (posed.tells & pairs).bit_count() / pairs.bit_count() for rule, pairs in about.items()}
        return max(parts, key=lambda rule: parts[rule])

    def _bits(self, some: set[tuple[int, int]]) -> int:
        """Return some of the pairs, as bits."""
        return sum(1 << place for place, pair in enumerate(self.pairs.pairs) if pair in some)

    def _place(self, values: Mapping[str, Any]) -> int:
        """Return the number of a set of rules on this board; -1 for one that is not played there."""
        placed = self._setting.place(values)
        if placed is None or playable(key := freeze(placed)) is None:
            return -1
        return self._places.setdefault(key, len(self._places))

    def _only_rule(self, pair: tuple[int, int]) -> str:
        """Return the one rule in which two sets of rules differ; nothing if there are several."""
        one, other = ([*self._places][place] for place in pair)
        rules = [rule for rule in rule_names() if one.get(rule) != other.get(rule)]
        return rules[0] if len(rules) == 1 else ""


def _entry(rule: str, setting: str, posed: PositionQuestion) -> dict[str, Any]:
    """Return a question as the file has it, but for its id."""
    entry: dict[str, Any] = {"rule": rule, "kind": posed.kind, "asks": _asks(posed), "setting": setting}
    entry |= {"position": posed.position.fen()} | ({"move": posed.move} if posed.move else {"result": posed.result})
    return entry | {"ease": round(max(_HARDEST, 1 - _HARDER * len(posed.position)), 2)}


def _asks(posed: PositionQuestion) -> str:
    """Return the question in words."""
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
    """Return an id that is not there yet."""
    number = 1
    while (id := f"{rule.replace('.', '-')}-{number}") in ids:
        number += 1
    ids.add(id)
    return id


def _playable(values: FrozenDict) -> Ruleset:
    ruleset = playable(values)
    assert ruleset is not None
    return ruleset


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


# --- what tells games apart


@dataclass(frozen=True)
class PositionQuestion:
    """A question about a position, still without its words, and what it tells: a bit for each pair."""

    position: Position
    kind: str
    move: str
    result: str
    tells: int


@dataclass(frozen=True)
class Pairs:
    """Sets of rules on one board, and which two of them are to be told apart."""

    rulesets: Sequence[Ruleset]
    pairs: Sequence[tuple[int, int]]

    def bits_apart(self, answers: Sequence[str]) -> int:
        """Return the pairs that answer yes and no, as bits."""
        found = 0
        for place, (one, other) in enumerate(self.pairs):
            if answers[one] != answers[other] and "-" not in (answers[one], answers[other]):
                found |= 1 << place
        return found

    def tellings(self, position: Position) -> Iterator[PositionQuestion]:
        """Yield every question about a position that distinguishes some pair."""
        every = [_Seen(ruleset, position) for ruleset in self.rulesets]
        for kind, move, result in dict.fromkeys(key for seen in every for key in seen.keys):
            answers = [seen.answer(kind, move, result) for seen in every]
            if "y" in answers and "n" in answers and (tells := self.bits_apart(answers)):
                yield PositionQuestion(position, kind, move, result, tells)


class _Seen:
    """A position as one set of rules sees it."""

    def __init__(self, ruleset: Ruleset, position: Position) -> None:
        self.possible = find_invalidity(ruleset.turns, position) is None
        self._moves: dict[str, Move] = {}
        self._result = ""
        if self.possible:
            actions = ruleset.turns.actions(position)
            for each in actions:
                if isinstance(each, Move):
                    self._moves |= {replace(each, paths=(path,)).text(): each for path in each.paths}
            self._result = outcome_of_position(ruleset.turns, position, actions).result

    @property
    def keys(self) -> Iterator[tuple[str, str, str]]:
        """The questions to which it says yes."""
        for text, move in self._moves.items():
            yield "legal", text, ""
            if move.promotes:
                yield "crowned", text, ""
        if self._result not in ("", "ongoing"):
            yield "outcome", "", self._result

    def answer(self, kind: str, move: str, result: str) -> str:
        """Its answer to one."""
        if not self.possible:
            return "-"
        if kind == "outcome":
            return "y" if self._result == result else "n"
        made = self._moves.get(move)
        if kind == "legal":
            return "n" if made is None else "y"
        return "-" if made is None else "y" if made.promotes else "n"


def find(pairs: Pairs, rng: random.Random, number: int) -> list[PositionQuestion]:
    """Return the questions about random positions, White to move, that distinguish some pair."""
    samplers = [PositionSampler(ruleset, rng, PIECES, PLAIN) for ruleset in _apart(pairs.rulesets)]
    tellings: list[PositionQuestion] = []
    seen = set()
    for _ in range(number):
        position = rng.choice(samplers).draw()
        if position is None:
            continue
        position = position if position.turn == "white" else position.mirrored()
        if position in seen or not _is_natural(position):
            continue
        seen.add(position)
        tellings += pairs.tellings(position)
    return tellings


def choose_questions(
    pairs: Pairs, tellings: Iterable[PositionQuestion], already: Iterable[int], times: int, only: int = -1
) -> list[PositionQuestion]:
    """Choose as few questions as distinguish each pair so many times, if possible, preferring few pieces.

    `only` are the pairs that matter, as bits.
    """
    missing = [(1 << len(pairs.pairs)) - 1 & only for _ in range(times)]
    for tells in already:
        _count(missing, tells)
    left = list(tellings)
    picked: list[PositionQuestion] = []
    while left:
        wanted = missing[-1]
        values = [(_worth(one, wanted), place) for place, one in enumerate(left)]
        worth, place = max(values, key=lambda each: each[0])
        if worth <= 0:
            break
        best = _smaller(pairs, left.pop(place), wanted)
        picked.append(best)
        _count(missing, best.tells)
        left = [one for one, (worth, _) in zip(left, values, strict=False) if one.tells & missing[-1]]
    return picked


def _worth(posed: PositionQuestion, wanted: int) -> float:
    number = (posed.tells & wanted).bit_count()
    return number / (1 + _PIECE * len(posed.position)) if number else 0.0


def _count(missing: list[int], tells: int) -> None:
    """Note what is told: `missing` has the pairs told never, fewer than twice, and so on."""
    for place in range(len(missing) - 1, -1, -1):
        before = missing[place - 1] if place else 0
        missing[place] &= ~tells | before


def _smaller(pairs: Pairs, posed: PositionQuestion, wanted: int) -> PositionQuestion:
    """Return the same question with fewer pieces, as long as it tells what is wanted of it."""
    keep = posed.tells & wanted
    for number in posed.position:
        bit = posed.position.board.bit(number)
        masks = {
            name: getattr(posed.position, name) & ~bit
            for name in ("white_men", "white_kings", "black_men", "black_kings")
        }
        position = replace(posed.position, **masks)
        if not _is_natural(position):
            continue
        for other in pairs.tellings(position):
            same = (other.kind, other.move, other.result) == (posed.kind, posed.move, posed.result)
            if same and not keep & ~other.tells:
                return _smaller(pairs, other, wanted)
    return posed


def _is_natural(position: Position) -> bool:
    """Return whether a position is one that players can believe: not all kings, and both sides there."""
    kings = (position.white_kings | position.black_kings).bit_count()
    return kings <= KINGS and bool(position.occupied("white") and position.occupied("black"))


def _apart(rulesets: Sequence[Ruleset]) -> list[Ruleset]:
    """Return some of the sets of rules, far apart in the list."""
    return list(rulesets[:: max(1, len(rulesets) // 12)])
