"""Confirming explanations: each is put to a test beyond the answers that suggested it.

If the engine can be asked, the test is made in fresh positions: those that a hypothesis answers differently from the
right rules; those that a pattern says are answered wrong; and those that lack just one feature of the pattern, which
have to be answered right. If not, what one half of the answers suggests has to hold in the other half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from damspec import DamspecError, Position, Ruleset

from ..answers.player import RulePlayer, fields, key
from ..mutants.ruleset_diff import begins
from .hypotheses import Evidence, Fit, Hypothesis
from .interview import Interview
from .observation import Observation
from .patterns import (
    COVERED,
    GROUPS,
    Condition,
    KnownAnswers,
    Pattern,
    expected_items,
    items,
    list_pattern,
    pattern,
    recount_pattern,
    shape_pattern,
)

#: Positions in which complete explanations are tried whatever they predict, and positions in which each of them is
#: tried that predict a wrong answer.
_ANYWHERE, _FORETOLD = 20, 10
#: Correct predictions of a wrong answer that confirm an explanation.
_ENOUGH = 3
#: Explanations that are tried one by one, and positions that tell explanations apart.
_EACH, _APART = 6, 12
#: Rounds in which a refuted pattern is looked for again, with the answers that refuted it.
_ROUNDS = 6
#: Positions asked about before a pattern is looked for.
_BROADLY = 48
#: Positions drawn for a trial of patterns; of these asked about: some that meet all conditions of a pattern, that
#: barely meet them, that lack one of them, and any.
_DRAWN, _HITS, _EDGES, _MISSES, _ANY = 400, 14, 6, 7, 10
#: For a pattern to hold: the fewest wrong items and wrong answers it predicts, and the share of its predictions that
#: has to be right.
_WRONG, _ANSWERS, _SURE = 9, 7, 0.95
#: The largest share of items lacking one condition that may be wrong nevertheless.
_STRAY = 0.1
#: The fewest such items if the engine cannot be asked.
_LACKING = 3


class Confirmation:
    """Trials of explanations in further positions, whose answers are added to the evidence."""

    def __init__(self, ruleset: Ruleset, evidence: Evidence, interview: Interview) -> None:
        self.evidence, self.interview = evidence, interview
        #: All answers to further questions.
        self.answers = KnownAnswers()
        self._right = RulePlayer(ruleset)

    # --- hypotheses

    def confirm_complete(self, hypotheses: Sequence[Hypothesis], failures: tuple[str, ...]) -> list[Fit]:
        """Return the hypotheses that predict every further answer too."""
        replayed = ((one, self._replay(one)) for one in hypotheses if one.remembers)
        kept = [Fit(one, failures, wrong, True) for one, wrong in replayed if wrong]
        left = {one: 0 for one in hypotheses if not one.remembers}
        near = self._near()

        def ask_about(position: Position) -> bool:
            """Ask about a position; return whether there was an answer."""
            answers = self._ask(position)
            for one in [*left]:
                if not all(seen.agrees(one.player) for seen in answers.observations):
                    del left[one]
            return bool(answers.observations)

        for position in islice(self.interview.positions(near), _ANYWHERE if left else 0):
            ask_about(position)
        for _ in range(_APART):
            apart = self.interview.differing([one.player for one in left], near) if len(left) > 1 else iter(())
            telling = next(apart, None)
            if telling is None or not ask_about(telling):
                break
        for one in [*left][:_EACH]:
            for position in islice(self.interview.differing([self._right, one.player], near), _FORETOLD):
                if one in left and ask_about(position) and one in left:
                    left[one] += 1
        return [*kept, *(self._fit(one, failures, tried) for one, tried in left.items())]

    def _fit(self, hypothesis: Hypothesis, failures: tuple[str, ...], tried: int) -> Fit:
        mine, other = self._right.ruleset.values, hypothesis.ruleset.values
        changed = {rule for rule in mine.keys() | other.keys() if mine.get(rule) != other.get(rule)}
        # A rule about the start shows in no other position, and the start has been asked for.
        of_the_start = not hypothesis.turns and all(map(begins, changed))
        larger = hypothesis.with_larger_numbers(self._right.ruleset)
        is_bounded = larger is None or not self.evidence.fits(larger)
        return Fit(hypothesis, failures, tried, is_bounded and (tried >= _ENOUGH or of_the_start))

    def _replay(self, hypothesis: Hypothesis) -> int:
        """Return how many wrong answers of a fresh process a hypothesis predicts; 0 if any prediction fails."""
        self.interview.restart()
        player, wrong = hypothesis.fresh(), 0
        for position in islice(self.interview.positions(self._near()), 2 * _ANYWHERE):
            for seen in self.interview.ask(position).observations:
                if not seen.agrees(player):
                    return 0
                wrong += not seen.passed
        return wrong if wrong >= _ENOUGH else 0

    def confirm_partial(self, fit: Fit) -> Fit | None:
        """Return a hypothesis that explains a part of the failures if its predictions come true; else None.

        An answer may have more wrong than it predicts. But a fault that is no rule, found by trying many, has to
        explain most of what is wrong nearby.
        """
        hypothesis, player = fit.hypothesis, fit.hypothesis.player
        near = [one.question.position for one in self.evidence.failed if one.question.case.id in fit.explains]
        hits = exact = other = 0
        about: set[bool] = set()
        for position in islice(self.interview.differing([self._right, player], near), _FORETOLD + _ENOUGH):
            for seen in self._ask(position).observations:
                if seen.question.answered_by(player, leading=seen.leading):
                    continue
                if seen.passed:
                    return None
                about.add(seen.outcome is not None)
                same, part = seen.agrees(player), not hypothesis.turns and _is_part(seen, player)
                hits, exact, other = hits + (same or part), exact + same, other + (not (same or part))
        if hits < _ENOUGH or other > hits / (4 if hypothesis.turns else 2) or exact < hits / 3:
            return None
        if not self._explains_most(hypothesis, near, about):
            return None
        larger = hypothesis.with_larger_numbers(self._right.ruleset)
        return replace(fit, tried=hits, confirmed=larger is None or not self.evidence.allows(larger))

    def _explains_most(self, hypothesis: Hypothesis, near: Sequence[Position], about: Collection[bool]) -> bool:
        """Return whether a hypothesis explains most wrong answers near some positions, of lists or outcomes.

        For rules, which may be broken together with others, half is enough, and explaining a part of each.
        """
        player = hypothesis.player
        answers = [self._ask(position) for position in islice(self.interview.positions(near), 2 * _FORETOLD)]
        all_seen = (seen for each in answers for seen in each.observations if not seen.passed)
        wrong = [seen for seen in all_seen if (seen.outcome is not None) in about and (seen.moves or seen.outcome)]
        if hypothesis.turns:
            return sum(seen.agrees(player) for seen in wrong) >= COVERED * len(wrong)
        differing = [seen for seen in wrong if not seen.question.answered_by(player, leading=seen.leading)]
        return 2 * sum(seen.agrees(player) or _is_part(seen, player) for seen in differing) >= len(wrong)

    def _ask(self, position: Position) -> KnownAnswers:
        answers = self.interview.ask(position)
        self.answers.add(answers)
        self.evidence.add(answers.observations)
        return answers

    def _near(self) -> list[Position]:
        return [*dict.fromkeys(one.question.position for one in self.evidence.wrong)]

    # --- patterns

    def patterns(self, known: KnownAnswers, explained_by: Sequence[Fit]) -> list[Pattern]:
        """Return what wrong answers have in common, as far as it holds in further positions.

        A pattern that does not is looked for again, with the answers that refuted it.
        """
        players = [fit.hypothesis.player for fit in explained_by]

        def ask(positions: Iterator[Position]) -> KnownAnswers:
            answers = KnownAnswers()
            for position in positions:
                answers.add(self._ask(position))
            unexplained = [seen for seen in answers.observations if seen.passed or not any(map(seen.agrees, players))]
            return KnownAnswers(unexplained, answers.unanswered, answers.broken)

        near = [*dict.fromkeys(question.position for question in known.wrong)]
        # Questions that break an engine take long.
        number = _BROADLY if any(not seen.passed for seen in known.observations) else _BROADLY // 4
        further = ask(islice(self.interview.positions(near), number))
        known.add(further)
        found: dict[str, Pattern] = {}
        for _ in range(_ROUNDS):
            tried = [one for group in GROUPS if group not in found and (one := pattern(group, known))]
            if not tried or self.interview.is_over:
                break
            near = [*dict.fromkeys(question.position for question in known.wrong)]
            answers = ask(iter(self._trial(tried, near)))
            found |= {one.group: one for one in tried if holds_in(one, answers, 0)}
            known.add(answers)
            further.add(answers)
        for _ in range(_ROUNDS):
            if not _is_rare(known, further):
                break
            answers = ask(islice(self.interview.positions(near), _BROADLY))
            known.add(answers)
            further.add(answers)
        counted = (recount_pattern(one, known, _occasions(one, further)) for one in found.values())
        sure = {one.group: one for one in counted if is_sure(one)}
        return order_patterns(sure, known, further)

    def _trial(self, tried: Sequence[Pattern], near: Sequence[Position]) -> list[Position]:
        """Return positions that put patterns to a test."""
        wanted: Counter[tuple[Pattern, str, Condition | None]] = Counter()
        chosen: list[Position] = []
        blind = any(one.group == "extra" for one in tried)
        for number, position in enumerate(islice(self.interview.positions(near), _DRAWN)):
            tags = self._tags(tried, position)
            if number < (3 * _ANY if blind else _ANY) or any(wanted[tag] < _QUOTAS[tag[1]] for tag in tags):
                wanted.update(tags)
                chosen.append(position)
        return chosen

    def _tags(self, tried: Sequence[Pattern], position: Position) -> set[tuple[Pattern, str, Condition | None]]:
        """Return what an answer will tell of patterns: wrong, barely so, or right for lack of one condition."""
        tags: set[tuple[Pattern, str, Condition | None]] = set()
        for question in [self.interview.sketch(position, kind) for kind in self.interview.kinds]:
            for one in tried:
                for traits in expected_items(one.group, question):
                    if one.holds(traits):
                        tags.add((one, "hit", None))
                        if any(each.measure and each.narrowly(traits) for each in one.conditions):
                            tags.add((one, "edge", None))
                    elif (missed := one.missed_by(traits)) and missed.narrowly(traits):
                        tags.add((one, "miss", missed))
        return tags


#: How many of each are asked about.
_QUOTAS = {"hit": _HITS, "edge": _EDGES, "miss": _MISSES}


def _occasions(one: Pattern, further: KnownAnswers) -> int:
    """Return in how many further positions a pattern could show."""
    return len({item.case for item in items(one.group, further) if one.holds(item.traits) or item.wrong})


def order_patterns(found: dict[str, Pattern], known: KnownAnswers, further: KnownAnswers | None) -> list[Pattern]:
    """Return patterns in the order of a report, with the shapes of wrong lists, positions and outcomes."""
    listed = _lists(known, further)
    whole = found.pop("whole", None)
    wrong = [one for one in known.observations if not one.passed]
    for group in ("after", "outcome"):
        parts = (further,) if further is not None else split_in_halves(known)
        if group not in found and (shape := shape_pattern(group, known)) and shape.wrong >= _WRONG:
            again = [shape_pattern(group, part) for part in parts]
            if all(other and other.about == shape.about and other.words == shape.words for other in again):
                found[group] = shape
    patterns = [found[group] for group in GROUPS if group in found]
    if whole:  # it says which answers are wrong, not what is wrong with them
        whole = replace(whole, symptom=True)
    if listed and not listed.symptom:
        whole = None
    if whole and not (patterns and whole.right) and not all(one.faults.get("outcome") for one in wrong):
        at = sum(one.group in ("refused", "broken") for one in patterns)
        patterns.insert(at, whole)
    return [*([listed] if listed else []), *patterns]


def _lists(known: KnownAnswers, further: KnownAnswers | None) -> Pattern | None:
    """Return the shape of wrong lists, if those beyond the cases, or both halves of the lists, have it."""
    found = list_pattern(known)
    for part in (further,) if further is not None else split_in_halves(known):
        again = list_pattern(part)
        if found is None or again is None or again.words != found.words or again.wrong < _ANSWERS:
            return None
    return found


def _is_rare(known: KnownAnswers, further: KnownAnswers) -> bool:
    """Return whether a shape says all about wrong lists, but too few beyond the cases have shown it."""
    found = list_pattern(known)
    if found is None or found.symptom:
        return False
    again = list_pattern(further)
    return again is None or (again.words == found.words and again.wrong < _ANSWERS)


def holds_in(found: Pattern, answers: KnownAnswers, lacking: int) -> bool:
    """Return whether a pattern holds in answers that did not suggest it.

    Nearly all that it is about has to be wrong, and most that is wrong has to be about it; items that lack one of its
    conditions have to be right, and there have to be `lacking` of these for each condition.
    """
    those = items(found.group, answers)
    missed = Counter((found.missed_by(item.traits), item.wrong) for item in those)
    having = [item for item in those if found.holds(item.traits)]
    wrong = [item for item in having if item.wrong]
    if len(wrong) < _WRONG or len({item.case for item in wrong}) < _ANSWERS:
        return False
    if len(wrong) < _SURE * len(having) or len(wrong) < COVERED * sum(item.wrong for item in those):
        return False
    for each in found.conditions:
        strays, number = missed[each, True], missed[each, True] + missed[each, False]
        if number < lacking or strays > _STRAY * (len(wrong) if found.group == "extra" else number):
            return False
    return True


def is_sure(found: Pattern) -> bool:
    """Return whether a pattern covers most of what is wrong, and hardly anything right."""
    return 0 < found.wrong >= COVERED * found.of and found.wrong >= _SURE * (found.wrong + found.right)


def cross_validate(known: KnownAnswers) -> list[Pattern]:
    """Return the patterns that each half of the answers suggests, and that hold in the other half."""
    one, other = split_in_halves(known)
    found: dict[str, Pattern] = {}
    for group in GROUPS:
        suggested = [(pattern(group, half), rest) for half, rest in ((one, other), (other, one))]
        stable = [half for half, rest in suggested if half and holds_in(half, rest, _LACKING)]
        counted = [recount_pattern(each, known, 0) for each in stable]
        if len(counted) == 2 and counted[0].words == counted[1].words and is_sure(counted[0]):
            found[group] = counted[0]
    return order_patterns(found, known, None)


def split_in_halves(known: KnownAnswers) -> tuple[KnownAnswers, KnownAnswers]:
    """Return the answers in two halves, with as many wrong ones each."""
    parts = KnownAnswers(), KnownAnswers()
    turn: Counter[bool] = Counter()
    for seen in known.observations:
        parts[turn[seen.passed] % 2].observations.append(seen)
        turn[seen.passed] += 1
    for place, question in enumerate(known.unanswered):
        parts[place % 2].unanswered.append(question)
    for place, question in enumerate(known.broken):
        parts[place % 2].broken.append(question)
    return parts


def _is_part(seen: Observation, player: RulePlayer) -> bool:
    """Return whether a wrong answer has all that is wrong in a player's answer, perhaps with more."""
    question = seen.question
    if player.ruleset.rules.board != question.reader.ruleset.rules.board:
        return False  # by its numbers it means other squares
    if seen.outcome is not None:
        return seen.outcome == player.outcome(player.fit(question.position))
    if seen.moves is None:
        return False
    try:
        position = player.fit(question.position)
        expected = dict(question.moves)
        listed = {key(action): fields(player.turns.after(position, action)) for action in player.actions(position)}
    except DamspecError:
        return False
    given = seen.moves.listed
    if any((each in listed) != (each in given) for each in expected.keys() ^ listed.keys()):
        return False
    led = {each: after for each, after in listed.items() if each in expected and expected[each] != after}
    return all(seen.moves.after.get(each, after) == after for each, after in led.items())
