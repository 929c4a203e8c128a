"""How well the page *Which game is ours?* finds the game of people who answer, by the page's own script in Node.

    python -m benchmarks.identify [--every 10] [-v] [RULESET]...

Of each ruleset it plays the game itself, every Nth change of one rule that a player can notice, that is not proved to
show in no position and that makes it no other known game, and half as many pairs of such changes. Players answer truly,
or with one slip: a yes for a no, or another line or board than the one that is meant. A tap on a board, a line or a
button is a question.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.data import thaw
from damspec.mutations import proof
from damspec_runner.mutants.mutants import Mutant, changes, make_mutant, visible_changes
from damspec_site.identify_pages import questions_data
from damspec_site.identify_questions import Question, questions_of
from damspec_site.library import SiteData

from .measure import find_program, options

SCRIPT = Path(__file__).parent.parent / "tests" / "javascript" / "identify.mjs"
#: The kinds of players, with the most questions that each may take.
KINDS = {"known": 12, "house rule": 20, "two changes": 20}


@dataclass(frozen=True)
class Player:
    """Somebody who plays a ruleset, as it is or with changes, and how they answer questions about single rules."""

    kind: str
    game: str
    name: str
    values: Mapping[str, Any]
    letters: str
    seed: int


@cache
def questions() -> tuple[Question, ...]:
    """Return the questions about single rules."""
    return questions_of(SiteData().game_facts["identify"])


def player(kind: str, game: str, name: str, values: Mapping[str, Any]) -> Player:
    """Return a player by some rule values."""
    letters = "".join(one.answer(values) for one in questions())
    return Player(kind, game, name, values, letters, random.Random(f"{game} {name}").randrange(2**31))


def players(ruleset: Ruleset, every: int) -> list[Player]:
    """Return those who play a ruleset: as it is, with one change, with two."""
    rulesets = map(load_ruleset, ruleset_ids())
    known = [each.values for one in rulesets for each in (one, *one.alternatives.values())]
    noticed = [each for each in visible_changes(ruleset) if each.values not in known and not proof(ruleset, each.name)]
    rng, id = random.Random(ruleset.id), ruleset.id
    single = rng.sample(noticed, len(noticed) // every)
    pairs: list[Mutant] = []
    while len(pairs) < len(noticed) // every // 2:
        one, other = rng.sample(noticed, 2)
        both = make_mutant(id, ruleset.values, (*one.changes, *other.changes))
        if both and one.rules_changed != other.rules_changed and both.changes == (*one.changes, *other.changes):
            pairs.append(both)
    return [
        player("known", id, "", ruleset.values),
        *(player("house rule", id, each.name, each.values) for each in single),
        *(player("two changes", id, each.name, each.values) for each in pairs),
    ]


def interviews(data: Mapping[str, Any], asking: list[Player]) -> list[Mapping[str, Mapping[str, Any]]]:
    """Return for each player what the page's script finds."""
    given = {
        "data": data,
        "rulesets": {id: {"values": load_ruleset(id).inline_values} for id in ruleset_ids()},
        "changes": {id: changes(id) for id in ruleset_ids()},
        "players": [asdict(each) | {"values": thaw(each.values)} for each in asking],
    }
    text = json.dumps(given, default=list)
    done = subprocess.run([find_program("node"), str(SCRIPT)], input=text, capture_output=True, text=True, check=True)
    found: list[Mapping[str, Mapping[str, Any]]] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure and print."""
    parser = options(__doc__, prints_json=False, every=(10, "only each Nth change of a rule"))
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("-v", action="store_true", help="also print who was missed, or asked too much")
    told = parser.parse_args()
    data = questions_data(SiteData())
    asking = [each for id in told.rulesets or ruleset_ids() for each in players(load_ruleset(id), told.every)]
    rows = defaultdict(list)
    for one, found in zip(asking, interviews(data, asking), strict=True):
        truly, slip = found["truly"], found["slip"]
        rows[one.kind].append(
            (truly["isRight"], truly["questions"] <= KINDS[one.kind], truly["questions"], slip["isRight"])
        )
        if told.v and not (truly["isRight"] and truly["questions"] <= KINDS[one.kind]):
            print(one.kind, one.game, one.name, truly)
    print(f"{'':12}{'players':>9}{'found':>8}{'in time':>9}{'questions':>11}{'with a slip':>13}")
    for kind, row in rows.items():
        found, time, number, slip = (sum(column) / len(row) for column in zip(*row, strict=True))
        print(f"{kind:12}{len(row):>9}{found:>8.1%}{time:>9.1%}{number:>11.1f}{slip:>13.1%}")


if __name__ == "__main__":
    main()
