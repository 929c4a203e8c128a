"""Generated positions written out: as cases for review, as JSON, FEN, PDN or pictures. What to expect is what the
reference answers, and the text says so.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import damspec
from damspec import Action, Move, Position, Ruleset, load_readings
from damspec.drawing import svg
from damspec.rules import rule_names
from damspec.vocabulary import vocabulary

from ..answers.contrast import Contrast, View, told_apart
from ..answers.player import Player
from ..variants.effects import begins, ends
from ..variants.mutants import mutant_of
from .goal import Found, Wanted

#: The numbers that PDN has for games (tag GameType), by the rulesets that have their rules of movement.
_GAME_TYPES = {"international": 20, "english": 21, "russian": 25, "brazilian": 26}
#: The corner of square 1 as PDN counts it, seen by the side that begins.
_CORNERS = ("bottom-left", "bottom-right", "top-left", "top-right")
#: How many of the rules behind an answer a case names.
_NAMED = 3


class RulesShown:
    """What a ruleset's positions show: the rules behind an answer, and the answer itself."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted, self.ruleset = wanted, wanted.ruleset
        self._players: dict[Ruleset, tuple[Player, Contrast]] = {}
        self._by_rule: dict[Ruleset, list[tuple[str, Ruleset]]] = {}

    def rules_shown(self, position: Position) -> list[str]:
        """The rules that the answer depends on, of those that were asked for; without any, one that it shows."""
        goals = self.wanted.goals
        if not goals:
            return [_shown_by(self.ruleset, position)]
        named = {goal.rule for goal in goals if goal.rule}
        for goal in goals:
            if goal.rule is None:
                alone = {rule for rule, other in self._changes(goal.others[0]) if self._differs(position, other)}
                named |= alone or set(_changed(self.ruleset, goal.others[0]))
        return [rule for rule in rule_names() if rule in named]

    def under_readings(self, position: Position, *, only_outcome: bool) -> Iterator[tuple[str, str, Ruleset]]:
        """The readings that the answer, or the outcome alone, depends on: id, `key=alternative`, and the ruleset."""
        for id, query, other in self._readings:
            if self._differs(position, other):
                ends = {damspec.outcome(r, Player(r).fitted(position)).result for r in (self.ruleset, other)}
                if len(ends) == 2 or not only_outcome:
                    yield id, query, other

    def _changes(self, other: Ruleset) -> list[tuple[str, Ruleset]]:
        """The ruleset with each rule alone in which another differs."""
        if other not in self._by_rule:
            both = [
                rule for rule in _changed(self.ruleset, other) if rule in other.values and rule in self.ruleset.values
            ]
            changes = [
                (rule, mutant_of(self.ruleset.base, self.ruleset.values, ((rule, other.values[rule]),)))
                for rule in both
            ]
            self._by_rule[other] = [(rule, change.ruleset) for rule, change in changes if change]
        return self._by_rule[other]

    @cached_property
    def _readings(self) -> list[tuple[str, str, Ruleset]]:
        ids = {reading.key: reading.id for reading in self.ruleset.readings}
        return [(ids[query.partition("=")[0]], query, other) for query, other in self.ruleset.alternatives.items()]

    def _differs(self, position: Position, other: Ruleset) -> bool:
        if other not in self._players:
            self._players[other] = Player(other), Contrast.between(self.ruleset, other)
        return told_apart(View(self.wanted.player, position), *self._players[other])


# --- cases ------------------------------------------------------------------------------------


def case_files(shown: RulesShown, found: Sequence[Found]) -> dict[str, dict[str, Any]]:
    """The positions as cases (schemas/cases.schema.json), a file for each topic."""
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in found:
        rules = shown.rules_shown(one.position)
        topic = vocabulary()[rules[0]].topic
        files[topic].append(_case(shown, one.position, rules, topic))
    return {
        topic: {"ruleset": shown.ruleset.base, "topic": topic, "cases": cases} for topic, cases in sorted(files.items())
    }


def _case(shown: RulesShown, position: Position, rules: list[str], topic: str) -> dict[str, Any]:
    base = shown.ruleset.base
    only_outcome = all(map(ends, rules))
    under = list(shown.under_readings(position, only_outcome=only_outcome))
    named = [*rules[: _NAMED - 1], f"{len(rules) - _NAMED + 1} more rules"] if len(rules) > _NAMED else rules
    case: dict[str, Any] = {
        "id": f"{base}.{topic}.generated-{digest(position)}",
        "why": f"The answer {'depends on' if shown.wanted.goals else 'shows'} {', '.join(named)}.",
        "clauses": _clauses(shown.ruleset, rules),
        "readings": list(dict.fromkeys(id for id, _, _ in under)),
        "position": position.fen(),
        **_expected(shown.ruleset, position, only_outcome),
        "otherwise": {query: _expected(other, position, only_outcome) for _, query, other in under},
        "tags": ["generated"],
        "generated": f"damspec {damspec.__version__}",
    }
    return {key: value for key, value in case.items() if value or key not in ("readings", "otherwise")}


def _expected(ruleset: Ruleset, position: Position, only_outcome: bool) -> dict[str, Any]:
    position = Player(ruleset).fitted(position)
    if only_outcome:
        return {"outcome": damspec.outcome(ruleset, position).as_json()}
    moves, lapses = answers(ruleset, position)
    return {"moves": moves, **({"lapses": lapses} if lapses else {})}


def _clauses(ruleset: Ruleset, shown: list[str]) -> list[str]:
    """The clauses that rules rest on: their own, else those that the readings behind them are about.

    Where these rest on none, one of its documents; none for a file of your own.
    """
    about = {reading.id: reading.clauses for reading in (*load_readings(), *ruleset.own_readings)}
    found: list[str] = []
    for rule in shown[:_NAMED]:
        sources = ruleset.rests_on.get(rule, ())
        own = [source for source in sources if source not in about]
        found += own or [clause for source in sources for clause in about[source]]
    known = damspec.load_clauses()
    mine = [clause for clause in found if known[clause].document in ruleset.documents]
    if mine or not ruleset.shipped:
        return list(dict.fromkeys(mine or found))
    return [next(id for id in known if known[id].document in ruleset.documents)]


def _shown_by(ruleset: Ruleset, position: Position) -> str:
    """The rule that a position shows best."""
    if position.huffable:
        return "huff.remedies"
    if position.compelled:
        return "huff.retracted"
    legal = damspec.legal_moves(ruleset, position)
    if not legal:
        return "ending.no-moves"
    if not legal.moves:
        return "spin.outcomes"
    kings = position.kings(position.turn)
    by_king = any(position.board.bit(move.start) & kings for move in legal.moves)
    if any(len(move.captured) > 1 for move in legal.moves):
        return "capture.completion"
    if any(move.captured for move in legal.moves):
        return "king.capture.directions" if by_king else "man.capture.first"
    return "king.move.directions" if by_king else "man.move.directions"


def _changed(ruleset: Ruleset, other: Ruleset) -> list[str]:
    return [rule for rule in rule_names() if ruleset.values.get(rule) != other.values.get(rule) and not begins(rule)]


def digest(position: Position) -> str:
    """A short name for a position, always the same."""
    return hashlib.sha256(position.fen().encode()).hexdigest()[:10]


# --- answers ----------------------------------------------------------------------------------


def answers(ruleset: Ruleset, position: Position) -> tuple[dict[str, str], dict[str, str]]:
    """The reference's moves and lapses, each with the position after it."""
    legal = damspec.legal_moves(ruleset, position)

    def after(actions: Sequence[Action]) -> dict[str, str]:
        return {str(action): damspec.play(ruleset, position, action).fen() for action in actions}

    return after(list(legal)), after(legal.lapses)


def entry(shown: RulesShown, found: Found) -> dict[str, Any]:
    """A position with its answers, as plain data (schemas/generate.schema.json)."""
    ruleset, position = shown.ruleset, found.position
    moves, lapses = answers(ruleset, position)
    what: dict[str, Any] = {
        "position": position.fen(),
        "pieces": len(position),
        "shows": shown.rules_shown(position),
        "moves": moves,
        "lapses": lapses,
        "outcome": damspec.outcome(ruleset, position).as_json(),
    }
    return what if found.game is None else {**what, "game": [str(action) for action in found.game]}


# --- PDN and pictures -------------------------------------------------------------------------


def pdn(ruleset: Ruleset, found: Found) -> str:
    """A position, or the game that leads to it, as a PDN game. What PDN has no notation for is a comment."""
    start = found.position if found.game is None else Position.start(ruleset.rules)
    end = damspec.outcome(ruleset, found.position).result
    result = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}.get(end, "*")
    type_ = _game_type(ruleset)
    tags = {
        "Event": f"damspec {damspec.__version__} generate",
        "Site": "?",
        "Date": "????.??.??",
        "Round": digest(found.position),
        "White": "?",
        "Black": "?",
        "Result": result,
        **({"GameType": type_} if type_ else {}),
        "Ruleset": ruleset.id,
        "SetUp": "1",
        "FEN": start.fen(),
    }
    words = [*_moves(found.game or ()), result]
    wrapped = textwrap.fill(" ".join(words), 80, break_long_words=False, break_on_hyphens=False)
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{wrapped}\n"


def _moves(game: Sequence[Action]) -> Iterator[str]:
    played = 0
    for action in game:
        if isinstance(action, Move):
            if played % 2 == 0:
                yield f"{played // 2 + 1}."
            played += 1
            yield str(action)
        else:
            yield f"{{{action}}}"


def _game_type(ruleset: Ruleset) -> str | None:
    """PDN's number for the game, if it has one, with the board and how its squares are numbered."""
    board = ruleset.rules.board
    same = (
        number
        for id, number in _GAME_TYPES.items()
        if _movement(damspec.load_ruleset(id).values) == _movement(ruleset.values)
    )
    number = next(same, None)
    if number is None:
        return None
    first = ruleset.rules.start.first
    corner = _CORNERS.index(board.numbering)
    corner = corner if first == "white" else 3 - corner
    inverted = int(board.dark_corner == "right")
    return f"{number},{first[0].upper()},{board.columns},{board.rows},N{corner},{inverted}"


def _movement(values: Mapping[str, Any]) -> dict[str, Any]:
    gone = {"board.numbering", *(rule for rule in values if begins(rule) or ends(rule))}
    return {rule: value for rule, value in values.items() if rule not in gone}


def picture(ruleset: Ruleset, found: Found) -> str:
    """A picture of the board, with its trapdoors."""
    trapdoors = ruleset.rules.trapdoors
    return svg(found.position, layout=trapdoors.layout if trapdoors else None) + "\n"
