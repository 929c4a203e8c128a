"""The strategies for games, and for the rulesets that they are played by."""

from __future__ import annotations

from hypothesis import strategies as st

from ..action import Action
from ..errors import expect_number
from ..game import outcome
from ..position import Position
from ..readings import load_readings
from ..ruleset import Ruleset, load_ruleset, loaded, ruleset_ids


def rulesets(*, with_readings: bool = False) -> st.SearchStrategy[Ruleset]:
    """The rulesets shipped; `with_readings` also each under every other reading of what its document leaves unclear."""
    ids = ruleset_ids()
    if with_readings:
        ids += [
            f"{id}?{reading.key}={word}"
            for id in ids
            for reading in load_readings()
            if id in reading.rulesets
            for word, alternative in reading.alternatives.items()
            if alternative.set
        ]
    return st.sampled_from(ids).map(load_ruleset)


def games(ruleset: Ruleset | str, max_plies: int = 60) -> st.SearchStrategy[list[Action]]:
    """The actions of games from the start, spins, lapses and claims among them; a game that is decided ends there.

    `ruleset` is a ruleset or its id. They shrink to short games.
    """
    expect_number(max_plies, "max_plies", 0)
    return _games(loaded(ruleset), max_plies)


@st.composite
def _games(draw: st.DrawFn, ruleset: Ruleset, max_plies: int) -> list[Action]:
    turns, position, actions = ruleset.turns, Position.start(ruleset.rules), list[Action]()
    for _ in range(draw(st.integers(0, max_plies))):
        if outcome(ruleset, position).is_over:
            break
        actions.append(draw(st.sampled_from([*turns.actions(position), *turns.lapses(position)])))
        position = turns.after(position, actions[-1])
    return actions
