"""Every case is answered as it expects by the reference and by the naive generator, under the readings it names too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

import damspec
import naive
import naive_draws
import naive_turns
from damspec import DamspecError, Ruleset
from damspec_runner.cases import cases as shipped
from damspec_runner.cases.cases import Case, Expectation, cases_for, cases_of, inherited_cases, names
from damspec_runner.cases.notation import Key as MoveKey
from damspec_runner.cases.notation import move_effect
from refusals import refusal
from runs import OFTEN, ORIGINALS, SELDOM, SPREAD, usually

FAMILIES_OF_DAY = [id for id in OFTEN if damspec.load_ruleset(id).family]
FAMILIES = usually(OFTEN, [id for id in damspec.ruleset_ids() if damspec.load_ruleset(id).family])
every_ruleset = pytest.mark.parametrize(
    "id", usually({*names()} - {*FAMILIES_OF_DAY} - SELDOM, names(), {*OFTEN, *SPREAD})
)

#: Each reading with each alternative that rules can express, for each ruleset that it is about.
ALTERNATIVES = [
    (id, reading, word)
    for reading in damspec.load_readings()
    for id in reading.rulesets
    for word, alternative in reading.alternatives.items()
    if alternative.set
]
#: Those of the originals, what a family shares once; a usual run takes those of one ruleset without many cases.
every_alternative = pytest.mark.parametrize(
    ("id", "reading", "word"),
    [
        pytest.param(
            *(id, reading, word),
            id=f"{id}?{reading.key}={word}",
            # a king that slides twice has so many moves that its cases take as long as those of ten other readings
            marks=()
            if id == "lb"
            else pytest.mark.thorough
            if id in {"vl", "de"} and word != "twice"
            else pytest.mark.slow,
        )
        for id, reading, word in ALTERNATIVES
        if id in {*ORIGINALS, "fr-trapdoor", "vl"}
    ],
)

MIRROR = "the same game in the mirror, in which squares keep their numbers"
SHORT_KINGS = (
    "a short king or a man never comes back to what it has jumped, so removal at once or at the end is the same"
)
#: The alternatives that no case can show by themselves, and why.
NEVER_SHOWN: dict[str, str] = {
    "de?board=mirrored": MIRROR,
    "double-board?removal=at-once": SHORT_KINGS,
    "english?removal=at-once": SHORT_KINGS,
    "german?arrival=passes": "a man that captures forward only cannot go on; it shows where men capture backward too",
    "italian?removal=at-once": SHORT_KINGS,
    "maghrebi?board=left": MIRROR,
    "myanmar?board=left": MIRROR,
    "vl?completion=may-stop": "what stops early is never the greatest capture; it shows together with other readings",
}

Key = tuple[MoveKey | None, str]


# --- answers


def by_reference(ruleset: Ruleset, case: Case, expected: Expectation) -> bool:
    """Whether the reference answers as expected."""
    fen = case.position
    position = ruleset.position(fen)
    if expected.outcome is not None:
        return _end(ruleset, fen, case.history) == (expected.outcome.result, expected.outcome.reason)
    if expected.end is not None:
        for action, after in expected.game:
            position = damspec.play(ruleset, position, action)
            if position != ruleset.position(after):
                return False
        return _end(ruleset, position.fen()) == (expected.end.result, expected.end.reason)
    legal = damspec.legal_moves(ruleset, position)
    for actions, wanted in ((legal, expected.moves), (legal.lapses, expected.lapses)):
        if wanted is None:
            continue
        found = [(_traced(position, action), damspec.play(ruleset, position, action).fen()) for action in actions]
        if Counter(found) != expected_moves(ruleset, fen, wanted):
            return False
        for text, after in wanted.items():
            if damspec.play(ruleset, position, text) != ruleset.position(after):
                return False
    return True


def _end(ruleset: Ruleset, fen: str, history: Iterable[str] = ()) -> tuple[str, str | None]:
    end = damspec.outcome(ruleset, fen, history)
    return end.result, end.reason


def _traced(position: damspec.Position, action: damspec.Action) -> MoveKey:
    if isinstance(action, damspec.Move):
        return action.start, action.end, frozenset(action.captured)
    return str(action)


def expected_moves(ruleset: Ruleset, fen: str, moves: Mapping[str, str]) -> Counter[Key]:
    """What each expected action does on the board, with the position after it."""
    position = ruleset.position(fen)
    return Counter((move_effect(position, text), ruleset.position(after).fen()) for text, after in moves.items())


def by_naive(ruleset: Ruleset, case: Case, expected: Expectation) -> bool:
    """Whether the naive generator answers as expected; where a history leads, the reference plays."""
    whole, fen = ruleset.inline_values, case.position
    position = naive.read(ruleset.position(fen).fen())
    if case.history:
        return _naive_end(ruleset, case) == expected.outcome
    if expected.outcome is not None:
        return naive_turns.outcome(whole, position) == (expected.outcome.result, expected.outcome.reason)
    if expected.end is not None:
        for action, after in expected.game:
            here = naive.write(position)
            wanted = expected_moves(ruleset, here, {action: after})
            found = [each for each in _naive_actions(ruleset, here) if Counter([each[0]]) == wanted]
            if not found:
                return False
            position = found[0][1]
        return naive_turns.outcome(whole, position) == (expected.end.result, expected.end.reason)
    listed = [(naive_turns.actions(whole, position), expected.moves)]
    listed += [(naive_turns.lapses(whole, position), expected.lapses)]
    return all(
        Counter((_naive_key(each), naive.write(each.after)) for each in actions) == expected_moves(ruleset, fen, wanted)
        for actions, wanted in listed
        if wanted is not None
    )


def _naive_end(ruleset: Ruleset, case: Case) -> damspec.Outcome:
    game = damspec.Game(ruleset, case.position)
    fens = [game.fen(), *(game.push(action).fen() for action in case.history)]
    on_board = naive_turns.outcome(ruleset.inline_values, naive.read(fens[-1]))
    word = naive_draws.draws(ruleset.inline_values, fens, case.history)[-1]
    if on_board != ("ongoing", None):
        result, reason = on_board
        return damspec.Outcome(result, reason)  # type: ignore[arg-type]
    return damspec.Outcome("draw", word) if word else damspec.Outcome("ongoing")


def _naive_actions(ruleset: Ruleset, fen: str) -> list[tuple[Key, naive.NaivePosition]]:
    position = naive.read(fen)
    actions = naive_turns.actions(ruleset.inline_values, position) + naive_turns.lapses(ruleset.inline_values, position)
    return [((_naive_key(each), naive.write(each.after)), each.after) for each in actions]


def _naive_key(action: naive_turns.NaiveAction) -> MoveKey:
    if isinstance(action.key, tuple):
        start, end, captured, _ = action.key
        return start, end, captured
    return action.text


def wrong(ruleset: Ruleset, cases: Iterable[Case]) -> list[str]:
    """The cases that the reference does not answer as expected, or cannot."""
    found = []
    for case in cases:
        try:
            right = by_reference(ruleset, case, case.expected)
        except DamspecError:
            right = False
        if not right:
            found.append(case.id)
    return found


def check_answers(ruleset: Ruleset, cases: Iterable[Case]) -> None:
    """Ask both for the answers to cases."""
    assert wrong(ruleset, cases) == []
    assert [case.id for case in cases if not by_naive(ruleset, case, case.expected)] == []


@every_ruleset
def test_answers(id: str) -> None:
    check_answers(damspec.load_ruleset(id), cases_of(id))


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_answers_under_another_reading(id: str) -> None:
    for case in cases_of(id):
        for query, expected in case.otherwise.items():
            ruleset = damspec.load_ruleset(f"{id}?{query}")
            assert by_reference(ruleset, case, expected), (case.id, query)
            assert by_naive(ruleset, case, expected), (case.id, query)


@pytest.mark.thorough
@pytest.mark.parametrize("id", FAMILIES)
def test_answers_to_inherited_cases(id: str) -> None:
    ruleset = damspec.load_ruleset(id)
    check_answers(ruleset, inherited_cases(ruleset))


@pytest.mark.parametrize("id", FAMILIES)
def test_answers_to_inherited_cases_under_several_readings(id: str) -> None:
    for case in inherited_cases(damspec.load_ruleset(id)):
        for query, expected in case.otherwise.items():
            if "&" in query:
                assert by_reference(damspec.load_ruleset(f"{id}?{query}"), case, expected), case.id


# --- readings


@every_alternative
def test_a_case_that_depends_on_a_reading_says_so(id: str, reading: damspec.Reading, word: str) -> None:
    """Under each other reading the cases hold that are left: those that depend on it name it."""
    ruleset = damspec.load_ruleset(f"{id}?{reading.key}={word}")
    assert wrong(ruleset, cases_for(ruleset)) == []


@every_alternative
def test_a_case_shows_what_a_reading_changes(id: str, reading: damspec.Reading, word: str) -> None:
    query = f"{reading.key}={word}"
    showing = [
        case.id
        for case in cases_for(damspec.load_ruleset(id))
        if case.otherwise.get(query, case.expected) != case.expected
    ]
    assert bool(showing) != (f"{id}?{query}" in NEVER_SHOWN)


def test_what_is_never_shown_is_an_alternative() -> None:
    assert set(NEVER_SHOWN) <= {f"{id}?{reading.key}={word}" for id, reading, word in ALTERNATIVES}


# --- how many, and of what


#: The fewest cases that a ruleset has, inherited ones too; and of its own. One that extends others has of its own what
#: they do not show.
ALTOGETHER, EXTENDING = 30, 3
ENOUGH = dict.fromkeys(("nl-trapdoor", "fr-trapdoor", "de"), 80) | dict.fromkeys(("lb", "vl"), 60)


@pytest.mark.thorough
def test_there_are_enough() -> None:
    for id in damspec.ruleset_ids():
        ruleset = damspec.load_ruleset(id)
        assert len(cases_of(id)) >= ENOUGH.get(id, EXTENDING if ruleset.family else ALTOGETHER), id
        assert len(cases_for(ruleset)) >= ALTOGETHER, id
        special = {"spin", "slider", "door"} if ruleset.rules.spin else {"huff"} if ruleset.rules.huff else set()
        wanted = set(shipped.TOPICS) - {"spin", "slider", "door", "huff", "game"} | special
        topics = {case.topic for case in cases_for(ruleset)}
        if ruleset.values.get("trapdoors.closing") == "at-once":  # nothing stands by an open door in these
            wanted -= {"door", "slider"}
        assert wanted - topics == set(), id
        assert topics - wanted <= {"game", "door", "slider"}, id


@pytest.mark.parametrize(
    ("family", "kinds"),
    [
        ("nl", {"spin=disc", "spin=green", "spin=orange", "slide", "move", "capture"}),
        ("fr", {"spin=disc", "spin=green", "spin=orange", "spin=both", "slide", "move", "capture"}),
        ("de", {"huff", "retract", "move", "capture"}),
        ("lb", {"move", "capture"}),
        ("vl", {"move", "capture"}),
    ],
)
def test_games_are_played_through_with_every_kind_of_turn(family: str, kinds: set[str]) -> None:
    cases = [case for id in names() if id.startswith(family) for case in cases_of(id)]
    games = [case.expected for case in cases if case.expected.end is not None]
    whole = [game for game in games if game.end is not None and game.end.is_over]
    assert len(whole) >= 3
    assert {_kind(action) for game in games for action, _ in game.game} == kinds


def _kind(action: str) -> str:
    if action.startswith("spin="):
        return action
    word = action.split()[0]
    return "slide" if "=" in word else word if word.isalpha() else "capture" if "x" in word else "move"


# --- the cases of a ruleset under a reading


def test_cases_under_a_reading() -> None:
    ruleset = damspec.load_ruleset("vl?priority=multiple-first")
    chosen, under = {case.id: case for case in cases_of("vl")}, {case.id: case for case in cases_for(ruleset)}
    for id, case in chosen.items():
        if "priority=multiple-first" in case.otherwise:
            assert under[id].expected == case.otherwise["priority=multiple-first"]
        elif "VL-04" in case.readings:
            assert id not in under
        else:
            assert under[id].expected == case.expected
    assert not any(case.otherwise for case in under.values())


@pytest.mark.parametrize("query", ["choice=both", "choice=huffs-only"])
def test_an_alternative_that_changes_no_rule_changes_no_case(query: str) -> None:
    here, under = cases_for(damspec.load_ruleset("de")), cases_for(damspec.load_ruleset(f"de?{query}"))
    assert any("DE-07" in case.readings for case in under)
    assert [(case.id, case.expected) for case in under] == [(case.id, case.expected) for case in here]


def test_inherited_cases() -> None:
    ruleset = damspec.load_ruleset("nl-trapdoor-american")
    found = {case.id for case in inherited_cases(ruleset)}
    assert {case.ruleset for case in inherited_cases(ruleset)} == {"nl-trapdoor"}
    assert "nl-trapdoor.man-move.one-step-ahead" in found
    assert not any(id.startswith("nl-trapdoor.start.") for id in found)  # Black begins in this one
    about = {reading.key for reading in ruleset.readings}
    for case in inherited_cases(ruleset):
        for query in case.otherwise:
            assert {pair.partition("=")[0] for pair in query.split("&")} <= about


def test_cases_of_several_parents_are_inherited_once() -> None:
    ruleset = damspec.load_ruleset("fr-trapdoor-close-dual-american")
    assert ruleset.family == ("fr-trapdoor", "fr-trapdoor-close", "fr-trapdoor-dual", "fr-trapdoor-american")
    times = Counter(case.id for case in cases_for(ruleset))
    assert set(times.values()) == {1}
    assert {id.partition(".")[0] for id in times} == {ruleset.id, *ruleset.family}


def test_no_cases() -> None:
    assert "no cases for ruleset 'anonymous'" in refusal(
        damspec.RulesetError, cases_for, damspec.from_values(damspec.load_ruleset("lb").values)
    )


def test_what_is_set_aside_for_a_ruleset_is_so_for_all_that_extend_it() -> None:
    """fr-trapdoor-close leaves out the sliders of fr-trapdoor, so the rulesets that extend it do not have them."""
    for id in ("fr-trapdoor-close", "fr-trapdoor-close-dual", "fr-trapdoor-close-american"):
        found = {case.id for case in inherited_cases(damspec.load_ruleset(id))}
        assert not [case for case in found if case.startswith("fr-trapdoor.slider.")]
        assert [case for case in found if case.startswith("fr-trapdoor.")]
