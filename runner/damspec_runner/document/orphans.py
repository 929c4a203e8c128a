"""What is linked to nothing (clauses that give nothing, values that rest on nothing, what no case shows), and counts.

None of them is there in the data shipped. A clause that is not a rule at all says so itself, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from damspec import Clause, Reading
from damspec.equivalents import equivalents

from ..answers.player import Player
from ..answers.question import answers, questions
from ..cases.cases import Case
from .links import Links

#: What a normative clause can lead to; the first that applies counts.
CARRIERS = ("rule", "reading", "conduct", "exempt")


@dataclass(frozen=True)
class Orphan:
    """Something that is linked to nothing: what it is, its name, and what is missing."""

    kind: str
    id: str
    says: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id}: {self.says}"


@dataclass(frozen=True, eq=False)
class Ledger:
    """All links counted, and what has none."""

    links: Links

    @cached_property
    def orphans(self) -> tuple[Orphan, ...]:
        """Everything that is linked to nothing."""
        return (*self._clauses(), *self._values(), *self._cases(), *self._alternatives())

    @cached_property
    def _of_rulesets(self) -> frozenset[str]:
        """The documents of rulesets; those of overlays have no cases, since an overlay goes with any ruleset."""
        return frozenset(document for each in self.links.rulesets.values() for document in each.documents)

    def carrier(self, clause: Clause) -> str | None:
        """What a clause leads to: a rule that rests on it, a reading about it, conduct, or a reason why nothing."""
        links = self.links
        overlaying = links.overlaying & {(clause.id, rule) for rule in clause.rules}
        if clause.rules and (links.values_on.get(clause.id) or overlaying):
            return "rule"
        if any(clause.id in reading.clauses for reading in links.readings.values()):
            return "reading"
        return "conduct" if clause.conduct else "exempt" if clause.none else None

    def _clauses(self) -> Iterator[Orphan]:
        for clause in self.links.clauses.values():
            if clause.class_ == "normative" and self.carrier(clause) is None:
                yield Orphan("clause", clause.id, "is normative and gives no rule, reading, conduct or reason why not")
            if clause.rules and not self.links.cases_on.get(clause.id) and clause.document in self._of_rulesets:
                yield Orphan("clause", clause.id, f"gives {', '.join(clause.rules)} and no case names it")

    def _values(self) -> Iterator[Orphan]:
        for id, ruleset in self.links.rulesets.items():
            for rule in ruleset.values:
                for problem in self._ground(rule, ruleset.rests_on.get(rule, ())):
                    yield Orphan("value", f"{id} {rule}", problem)
                if self.shown(id, rule) == "nothing":
                    yield Orphan("value", f"{id} {rule}", "no case shows it")

    def _ground(self, rule: str, sources: tuple[str, ...]) -> Iterator[str]:
        """What is wrong with what a value rests on."""
        if not sources:
            yield "rests on nothing"
        for source in sources:
            clause = self.links.clauses.get(source)
            if clause is None and source not in self.links.readings:
                yield f"rests on {source}, which there is not"
            if clause is not None and rule not in clause.rules:
                yield f"rests on {source}, which does not give that rule"

    def shown(self, id: str, rule: str) -> str:
        """How a value is shown: by the link of a case, by `nothing`, or not because it `cannot` be."""
        shows = self.links.shows[id]
        found = shows.link(rule)
        if found and found != "names":
            return found
        return "nothing" if shows.can_be_shown(rule) else "cannot"

    def _cases(self) -> Iterator[Orphan]:
        for case in self.links.every_case.values():
            for id in case.clauses:
                if id not in self.links.clauses:
                    yield Orphan("case", case.id, f"names clause {id}, which there is not")
            if self.ground(case) == "nothing":
                yield Orphan("case", case.id, f"names {', '.join(case.clauses)}, and none of them gives anything")

    def ground(self, case: Case) -> str:
        """What the clauses of a case give.

        `rules`: each gives a rule or has a reading. `beside`: some do, and it names others with them. `words`: none
        does, but one is part of the game's words (no jump over one's own piece) or of its conduct. Else `nothing`.
        """
        named = [self.links.clauses[id] for id in case.clauses if id in self.links.clauses]
        giving = [clause for clause in named if self.carrier(clause) in ("rule", "reading")]
        if giving:
            return "rules" if len(giving) == len(case.clauses) else "beside"
        worded = any(clause.class_ in ("normative", "definition") and self.carrier(clause) for clause in named)
        return "words" if worded else "nothing"

    def _alternatives(self) -> Iterator[Orphan]:
        for reading in self.links.readings.values():
            for id, query, shown in self.alternatives(reading):
                if shown == "nothing":
                    yield Orphan("reading", reading.id, f"no case of {id} shows {query}")

    def alternatives(self, reading: Reading) -> Iterator[tuple[str, str, str]]:
        """Each ruleset with each alternative that rules can express, and how it is shown.

        By a case that says what it expects under it (`expects`), by one that notices it (`notices`), by `nothing`, or
        not because it is proved that it `cannot` be.
        """
        expressible = [f"{reading.key}={word}" for word, given in reading.alternatives.items() if given.set]
        for id in reading.rulesets:
            yield from ((id, query, self._alternative(id, query)) for query in expressible)

    def _alternative(self, id: str, query: str) -> str:
        cases = self.links.cases[id]
        if any(query in pairs.split("&") for case in cases for pairs in case.otherwise):
            return "expects"
        if (id, query) in equivalents():
            return "cannot"
        player = Player(self.links.rulesets[id].under(query))
        noticed = any(not answers(player, question) for question in questions(self.links.rulesets[id], cases))
        return "notices" if noticed else "nothing"

    def counts(self) -> dict[str, Any]:
        """All counts, each with the total it belongs to."""
        links = self.links
        documents = list(dict.fromkeys(clause.document for clause in links.clauses.values()))
        values = [(id, rule) for id, ruleset in links.rulesets.items() for rule in ruleset.values]
        giving = [clause for clause in links.clauses.values() if clause.rules]
        alternatives = [[shown for *_, shown in self.alternatives(each)] for each in links.readings.values()]
        return {
            "documents": {document: self._document(document) for document in documents},
            "values": {
                "all": len(values),
                "resting": sum(not [*self._ground(r, links.rulesets[id].rests_on.get(r, ()))] for id, r in values),
                "shown": _counted((self.shown(id, rule) for id, rule in values), _SHOWN),
            },
            "clauses": {
                "giving rules": len(giving),
                "named by a case": sum(clause.id in links.cases_on for clause in giving),
            },
            "cases": {
                "all": len(links.every_case),
                "clauses give": _counted(map(self.ground, links.every_case.values()), _GROUNDS),
            },
            "readings": {
                "all": len(links.readings),
                "whole": sum("nothing" not in shown for shown in alternatives),
                "alternatives": sum(map(len, alternatives)),
                "shown": _counted(chain(*alternatives), ("expects", "notices", "cannot", "nothing")),
            },
        }

    def _document(self, document: str) -> dict[str, Any]:
        clauses = [clause for clause in self.links.clauses.values() if clause.document == document]
        normative = [clause for clause in clauses if clause.class_ == "normative"]
        return {
            "clauses": len(clauses),
            "classes": dict(Counter(clause.class_ for clause in clauses)),
            "normative": len(normative),
            "carried": _counted((self.carrier(clause) for clause in normative), CARRIERS),
        }


_SHOWN = ("clause", "reading", "notices", "cannot", "nothing")
_GROUNDS = ("rules", "beside", "words", "nothing")


def _counted(found: Any, kinds: tuple[str, ...]) -> Mapping[str, int]:
    """How often each kind occurs, 0 included."""
    counter = Counter(found)
    return {kind: counter[kind] for kind in kinds}
