"""A questionnaire session: candidate games, answers, and the next question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from math import log2
from pathlib import Path
from types import MappingProxyType
from typing import Any

from damspec import Move, Position, PositionError, Ruleset, RulesetError, load_ruleset, ruleset_ids
from damspec.contradictions import find_contradictions
from damspec.data import FrozenDict, freeze
from damspec.endings import outcome_of_position
from damspec.move import read_squares

from ..cases.questionnaire import Letter, PersonQuestion, Questionnaire, Saying
from ..mutants.mutants import BOARD, Mutant, on_other_boards, visible_changes

#: The sizes of the caches of rulesets and of their answers.
_RULESETS_CACHED, _ANSWERS_CACHED = 2_000, 200_000


class QuestionnaireAnswers:
    """A game as it answers the questions, with its rule values put on the board of each."""

    def __init__(self, values: Mapping[str, Any], enquiries: Questionnaire) -> None:
        self._values = values
        self._placed: dict[str, Any] = {
            name: None if (placed := setting.placed(values)) is None else freeze(placed)
            for name, setting in enquiries.settings.items()
        }

    def answer(self, enquiry: PersonQuestion) -> Letter:
        """Return the game's answer to one question."""
        if enquiry.setting and self._placed[enquiry.setting] is None:
            return "-"
        if enquiry.kind == "value":
            return of_value(enquiry, self._values)
        return _answer(enquiry, self._placed[enquiry.setting])

    def answers(self, enquiries: Questionnaire) -> str:
        """Return the game's answers to all questions, a letter each."""
        return "".join(map(self.answer, enquiries.questions))


def of_value(enquiry: PersonQuestion, values: Mapping[str, Any]) -> Letter:
    """Answer a question about a rule's value."""
    value = values.get(enquiry.rule)
    if enquiry.key and value is not None:
        value = next((number for key, number in value.items() if enquiry.key in key.split()), None)
    if value is None and None not in (enquiry.values or ()):
        return enquiry.absent
    there = enquiry.values is None or value in enquiry.values
    return "y" if there and all(values.get(rule) in wanted for rule, wanted in enquiry.also.items()) else "n"


@lru_cache(_ANSWERS_CACHED)
def _answer(enquiry: PersonQuestion, placed: FrozenDict) -> Letter:
    """Answer a question about a position."""
    ruleset = playable(placed)
    if ruleset is None:
        return "-"
    try:
        position = ruleset.position(enquiry.position)
    except PositionError:
        return "-"
    if enquiry.kind == "outcome":
        return "y" if outcome_of_position(ruleset.turns, position).result == enquiry.result else "n"
    return of_move(enquiry, ruleset, position)


def of_move(enquiry: PersonQuestion, ruleset: Ruleset, position: Position) -> Letter:
    """Answer a question about a move in a position, which must follow exactly the same squares."""
    squares, captures = read_squares(enquiry.move, position.board)
    moves = [each for each in ruleset.turns.actions(position) if isinstance(each, Move)]
    same = [each for each in moves if squares in each.paths and bool(each.captured) == bool(captures)]
    if enquiry.kind == "legal":
        return "y" if same else "n"
    return "-" if not same else "y" if same[0].promotes else "n"


@lru_cache(_RULESETS_CACHED)
def playable(placed: FrozenDict) -> Ruleset | None:
    """Return rule values as a ruleset; None if they contradict each other."""
    if any(find_contradictions(placed)):
        return None
    try:
        return Ruleset("placed", "placed", "", (), placed, {}, (), Path("placed")).checked()
    except RulesetError:
        return None


@cache
def known_games() -> Mapping[str, Ruleset]:
    """Return every known game by id: the rulesets, then their readings as `ruleset?reading`."""
    found = {id: load_ruleset(id) for id in ruleset_ids()}
    for id in ruleset_ids():
        found |= {f"{id}?{query}": each for query, each in found[id].alternatives.items()}
    return MappingProxyType(found)


def known_answers(enquiries: Questionnaire) -> dict[str, Any]:
    """Return the answers of every known game, in the form of the questions file.

    A reading has only the answers that differ from those of its ruleset.
    """
    found: dict[str, Any] = {}
    for id, ruleset in known_games().items():
        said = QuestionnaireAnswers(ruleset.values, enquiries).answers(enquiries)
        base, _, query = id.partition("?")
        if query:
            words = zip(enquiries.questions, said, found[base], strict=True)
            found[id] = {each.id: mine for each, mine, its in words if mine != its}
        else:
            found[id] = said
    return found


#: How many of the nearest games have their rules changed one by one, and their least weight relative to the first.
_NEAREST, _NEAR_WEIGHT = 3, 0.1
#: The exponent of the penalty for questions that do not apply to all games.
_APPLICABILITY_EXPONENT = 4
#: The least weight of a class of games that the choice of questions heeds, relative to all.
_LEAST_WEIGHT = 1e-5
#: What the questions about a subject are worth after each "don't know" about it, and the subject that comes last.
_UNKNOWN, _DRAWS = 0.1, "draws"
#: How many changed games have their answers kept.
_CHANGES_CACHED = 256
#: Digits for comparison; in a tie the question that comes first in the file wins.
_DIGITS = 9


@dataclass(frozen=True, eq=False)
class Candidate:
    """A game it may be, with its answers to all questions.

    `changed` says what is changed, if it is not a known game, and `values` are its rule values then. `whole` means that
    no rule is changed except for the board; `rules` are those last changed.
    """

    id: str
    answers: str
    prior: float
    changed: str = ""
    values: Mapping[str, Any] | None = None
    whole: bool = False
    rules: tuple[str, ...] = ()

    @cached_property
    def ruleset(self) -> Ruleset:
        """The candidate's rules, under the name of the ruleset it is called by."""
        known = load_ruleset(self.id)
        return known if self.values is None else replace(known, values=self.values)

    @property
    def base(self) -> str:
        """The id of the ruleset that it is, or is a variant of."""
        return self.id.partition("?")[0]


@dataclass(frozen=True)
class Alike:
    """Games with the same answers to all questions; `share` is their probability."""

    guesses: tuple[Candidate, ...]
    share: float

    @property
    def first(self) -> Candidate:
        """The game that names the class: the one with the greatest prior."""
        return max(self.guesses, key=lambda guess: guess.prior)


@lru_cache(_CHANGES_CACHED)
def _changes(
    enquiries: Questionnaire, id: str, changed: str, values: FrozenDict, prior: float
) -> tuple[Candidate, ...]:
    """Return a game of some prior with each single rule changed."""
    game = replace(load_ruleset(id), values=values)
    return tuple(
        Candidate(
            id,
            QuestionnaireAnswers(mutant.values, enquiries).answers(enquiries),
            prior * enquiries.belief.change,
            " and ".join(filter(None, (changed, mutant.name))),
            mutant.values,
            rules=mutant.rules_changed,
        )
        for mutant in visible_changes(game)
    )


@cache
def _unchanged(enquiries: Questionnaire) -> tuple[Candidate, ...]:
    """Return every known game, and every ruleset on each other board on which none of these answers like it."""
    belief = enquiries.belief
    known = [
        Candidate(id, answers, belief.reading if "?" in id else belief.ruleset, whole=True)
        for id, answers in enquiries.answers.items()
    ]
    there = {guess.answers for guess in known}
    elsewhere = [
        _on_other_board(enquiries, guess, mutant)
        for guess in known
        if "?" not in guess.id
        for mutant in on_other_boards(guess.ruleset)
    ]
    return (*known, *(guess for guess in elsewhere if guess.answers not in there))


def _on_other_board(enquiries: Questionnaire, guess: Candidate, mutant: Mutant) -> Candidate:
    """Return a ruleset on another board as a candidate: only answers about the board itself differ."""
    words = (
        of_value(each, mutant.values) if each.rule in BOARD and word != "-" else word
        for each, word in zip(enquiries.questions, guess.answers, strict=True)
    )
    return Candidate(guess.id, "".join(words), enquiries.belief.change, mutant.name, mutant.values, whole=True)


class Session:
    """One person's answers, and what follows from them."""

    def __init__(self, enquiries: Questionnaire, said: Mapping[str, Saying] | None = None) -> None:
        self.enquiries = enquiries
        self.said: dict[str, Saying] = dict(said or {})
        self._guesses = list(_unchanged(enquiries))
        self._places = {each.id: place for place, each in enumerate(enquiries.questions)}
        self._changes_added: set[Candidate] = set()

    def branch(self) -> Session:
        """Return a session with the same answers and candidates, which goes on for itself."""
        found = Session(self.enquiries, self.said)
        found._guesses = list(self._guesses)
        found._changes_added = set(self._changes_added)
        return found

    @property
    def guesses(self) -> Sequence[Candidate]:
        """All candidates, known and changed games."""
        return self._guesses

    def say(self, id: str, said: Saying) -> None:
        """Record an answer, replacing an earlier one."""
        self.said[id] = said

    def unsay(self) -> None:
        """Take back the last answer, if any."""
        if self.said:
            self.said.popitem()

    def standing(self) -> list[Alike]:
        """Return the classes of indistinguishable games, the most probable first."""
        classes = self._classes()
        total = sum(weight for _, weight in classes)
        found = [Alike(tuple(guesses), weight / total) for guesses, weight in classes]
        return sorted(found, key=lambda alike: -round(alike.share, _DIGITS))

    def next(self) -> PersonQuestion | None:
        """Return the question to ask now; None if no question tells enough, or enough were asked."""
        belief = self.enquiries.belief
        if len(self.said) >= (belief.plain if self._is_plain() else belief.most):
            return None
        question, worth = self.best()
        if worth < belief.doubt and self._add_changes(self._near()):
            question, worth = self.best()
        if worth < belief.enough and not self._is_plain() and self._add_changes(self._near_rulesets()):
            question, worth = self.best()
        return question if worth >= belief.enough else None

    def best(self) -> tuple[PersonQuestion | None, float]:
        """Return the unasked question with the most informative answer, and its information in bits.

        A question about draws is returned only if no other promises as much as `belief.draws`.
        """
        classes = [(guesses[0].answers, weight) for guesses, weight in self._classes()]
        total = sum(weight for _, weight in classes)
        classes = [(answers, weight) for answers, weight in classes if weight >= _LEAST_WEIGHT * total]
        unknown = Counter(self.enquiries.by_id[id].subject for id, said in self.said.items() if said == "unknown")
        best: dict[bool, tuple[PersonQuestion | None, float]] = {False: (None, 0.0), True: (None, 0.0)}
        columns = zip(*(answers for answers, _ in classes), strict=True)
        for enquiry, column in zip(self.enquiries.questions, columns, strict=True):
            if enquiry.id in self.said:
                continue
            yes = no = 0.0
            for letter, (_, weight) in zip(column, classes, strict=True):
                if letter == "y":
                    yes += weight
                elif letter == "n":
                    no += weight
            ease = enquiry.ease * _UNKNOWN ** unknown[enquiry.subject]
            worth = round(ease * self._worth(enquiry, yes / total, no / total), _DIGITS)
            last = enquiry.subject == _DRAWS
            if worth > best[last][1]:
                best[last] = enquiry, worth
        plain, draws = best[False], best[True]
        return draws if draws[1] > plain[1] and plain[1] < self.enquiries.belief.draws else plain

    def _is_plain(self) -> bool:
        """Return whether the likeliest game is a ruleset as it stands, which gives all of the answers."""
        first = self.standing()[0].first
        return (
            first.id == first.base
            and not first.changed
            and all(self.agrees(first, id) is not False for id in self.said)
        )

    def agrees(self, guess: Candidate, id: str) -> bool | None:
        """Return whether a game agrees with an answer; None if there is no answer or the question does not apply."""
        said, word = self.said.get(id, "unknown"), self.word(guess, id)
        return None if said == "unknown" or word == "-" else word == said[0]

    def word(self, guess: Candidate, id: str) -> str:
        """Return a game's answer to a question: y, n or -."""
        return guess.answers[self._places[id]]

    def changes(self, guess: Candidate) -> tuple[Candidate, ...]:
        """Return a candidate with each single rule changed that a player can notice."""
        return _changes(self.enquiries, guess.id, guess.changed, freeze(guess.ruleset.values), guess.prior)

    def _worth(self, enquiry: PersonQuestion, yes: float, no: float) -> float:
        """Return the information in an answer, given the weights of yes and no; less if others have no answer."""
        wrong = self.enquiries.belief.slip(enquiry)
        none = 1 - yes - no
        heard = yes * (1 - wrong) + no * wrong + none / 2
        return float((yes + no) ** _APPLICABILITY_EXPONENT * (_entropy(heard) - (yes + no) * _entropy(wrong) - none))

    def _classes(self) -> list[tuple[list[Candidate], float]]:
        """Return the candidates grouped by their answers, each class with its weight."""
        found: dict[str, list[Candidate]] = {}
        for guess in self._guesses:
            found.setdefault(guess.answers, []).append(guess)
        said = [
            (self._places[id], word[0], self.enquiries.belief.slip(self.enquiries.by_id[id]))
            for id, word in self.said.items()
            if word != "unknown"
        ]
        weighed = []
        for answers, guesses in found.items():
            likelihood = 1.0
            for place, word, wrong in said:
                mine = answers[place]
                likelihood *= 0.5 if mine == "-" else 1 - wrong if mine == word else wrong
            weighed.append((guesses, likelihood * sum(guess.prior for guess in guesses)))
        return weighed

    def _near(self) -> list[Candidate]:
        """Return the few likeliest games, if none of their rules is changed."""
        standing = self.standing()
        least = standing[0].share * _NEAR_WEIGHT
        return [alike.first for alike in standing[:_NEAREST] if alike.share >= least and alike.first.whole]

    def _near_rulesets(self) -> list[Candidate]:
        """Return the few likeliest rulesets as they stand, of which one with a rule changed may be likelier."""
        plain = (guess for alike in self.standing() for guess in alike.guesses if guess.id == guess.base)
        return list(islice((guess for guess in plain if not guess.changed), _NEAREST))

    def _add_changes(self, near: Sequence[Candidate]) -> bool:
        """Add the single changes of games unless done before; return whether there are new ones."""
        new = [guess for guess in near if guess not in self._changes_added]
        for guess in new:
            self._changes_added.add(guess)
            self._add(self.changes(guess))
        return bool(new)

    def _add(self, guesses: Sequence[Candidate]) -> None:
        """Add changed games, except those that answer like a known one."""
        there = {guess.answers for guess in self._guesses if not guess.changed}
        self._guesses += [guess for guess in guesses if guess.answers not in there]


def _entropy(part: float) -> float:
    return 0.0 if part <= 0 or part >= 1 else -part * log2(part) - (1 - part) * log2(1 - part)
