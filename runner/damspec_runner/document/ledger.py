"""What is linked to what: counts of the links between clauses, rule values, readings and cases, and what has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from damspec import Clause, Reading
from damspec.mutations import equivalent_mutants

from ..answers.player import RulePlayer, passes
from ..cases.answer import Question
from ..cases.cases import Case
from .links import Links
from .view import Block, Code, Heading, Paper, Paragraph, Table, Words

#: The word by which the links are explained.
LINKS = "links"

#: What a normative clause can lead to; the first that applies counts.
CARRIERS = ("rule", "reading", "conduct", "exempt")


@dataclass(frozen=True)
class Orphan:
    """Something without a link: its kind, its id, and what is missing."""

    kind: str
    id: str
    says: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id}: {self.says}"


@dataclass(frozen=True, eq=False)
class Ledger:
    """The counts of all links, and what has none."""

    links: Links

    @cached_property
    def orphans(self) -> tuple[Orphan, ...]:
        """Everything without a link."""
        return (*self._clauses(), *self._values(), *self._cases(), *self._alternatives())

    @cached_property
    def _of_rulesets(self) -> frozenset[str]:
        """The documents of rulesets; those of overlays have no cases, since an overlay goes with any ruleset."""
        return frozenset(document for each in self.links.rulesets.values() for document in each.documents)

    def carrier(self, clause: Clause) -> str | None:
        """Return what a clause leads to: a rule resting on it, a reading about it, conduct, or a reason for nothing."""
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
        """Yield the problems of the sources of a value."""
        if not sources:
            yield "rests on nothing"
        for source in sources:
            clause = self.links.clauses.get(source)
            if clause is None and source not in self.links.readings:
                yield f"rests on {source}, which there is not"
            if clause is not None and rule not in clause.rules:
                yield f"rests on {source}, which does not give that rule"

    def shown(self, id: str, rule: str) -> str:
        """Return how a value is shown: the link of a case, `nothing`, or `cannot` if no case could show it."""
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
        """Return what the clauses of a case give.

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
        """Yield each ruleset of a reading with each alternative that rules can express, and how it is shown.

        A case states its answer under the alternative (`expects`), a case has another answer under it (`notices`),
        `nothing` shows it, or it is proved that nothing can (`cannot`).
        """
        expressible = [f"{reading.key}={word}" for word, given in reading.alternatives.items() if given.set]
        for id in reading.rulesets:
            yield from ((id, query, self._alternative(id, query)) for query in expressible)

    def _alternative(self, id: str, query: str) -> str:
        cases = self.links.cases[id]
        if any(query in pairs.split("&") for case in cases for pairs in case.otherwise):
            return "expects"
        if (id, query) in equivalent_mutants():
            return "cannot"
        ruleset = self.links.rulesets[id]
        player = RulePlayer(ruleset.with_reading(query))
        return "nothing" if all(passes(player, Question(case, ruleset)) for case in cases) else "notices"

    def summary(self) -> LinkSummary:
        """Return all counts, each with its total, and what has no link."""
        links = self.links
        documents = list(dict.fromkeys(clause.document for clause in links.clauses.values()))
        values = [(id, rule) for id, ruleset in links.rulesets.items() for rule in ruleset.values]
        giving = [clause for clause in links.clauses.values() if clause.rules]
        alternatives = [[shown for *_, shown in self.alternatives(each)] for each in links.readings.values()]
        resting = sum(not [*self._ground(r, links.rulesets[id].rests_on.get(r, ()))] for id, r in values)
        return LinkSummary(
            {document: self._document(document) for document in documents},
            {"all": len(values), "resting": resting}
            | _count_kinds((self.shown(id, rule) for id, rule in values), _SHOWN),
            {"giving rules": len(giving), "named by a case": sum(clause.id in links.cases_on for clause in giving)},
            {"all": len(links.every_case)} | _count_kinds(map(self.ground, links.every_case.values()), _GROUNDS),
            {
                "all": len(links.readings),
                "whole": sum("nothing" not in shown for shown in alternatives),
                "alternatives": sum(map(len, alternatives)),
            }
            | _count_kinds(chain(*alternatives), ("expects", "notices", "cannot", "nothing")),
            self.orphans,
        )

    def _document(self, document: str) -> DocumentCounts:
        clauses = [clause for clause in self.links.clauses.values() if clause.document == document]
        normative = [clause for clause in clauses if clause.class_ == "normative"]
        carried = _count_kinds((self.carrier(clause) for clause in normative), CARRIERS)
        return DocumentCounts(len(clauses), Counter(clause.class_ for clause in clauses), len(normative), carried)


_SHOWN = ("clause", "reading", "notices", "cannot", "nothing")
_GROUNDS = ("rules", "beside", "words", "nothing")


def _count_kinds(found: Iterable[str | None], kinds: tuple[str, ...]) -> dict[str, int]:
    """Count each kind, including those with none."""
    counter = Counter(found)
    return {kind: counter[kind] for kind in kinds}


# --- as a view --------------------------------------------------------------------------------


@dataclass(frozen=True)
class DocumentCounts:
    """The clauses of a document by class, and of the normative ones what each leads to."""

    clauses: int
    classes: Mapping[str, int]
    normative: int
    carried: Mapping[str, int]


@dataclass(frozen=True)
class LinkSummary:
    """What `damspec explain links --json` prints: the counts of all links, and what has none.

    Rule values are counted by how a case shows them, cases by what their clauses give, the alternatives of readings
    that rules can express by how a case shows them.
    """

    documents: Mapping[str, DocumentCounts]
    values: Mapping[str, int]
    clauses: Mapping[str, int]
    cases: Mapping[str, int]
    readings: Mapping[str, int]
    orphans: tuple[Orphan, ...]

    def paper(self, most: int | None = None) -> Paper:
        """Return the page that shows it."""
        orphans = tuple(((each.kind,), (each.id,), (each.says,)) for each in self.orphans)
        records = Table(("kind", "id", "lacks"), orphans)
        number = "1 orphan" if len(orphans) == 1 else f"{len(orphans)} orphans"
        blocks: list[Block] = [Paragraph((sentence,)) for sentence in self._sentences()]
        blocks += [Heading(("Normative clauses of each document",)), self._documents()]
        blocks += [Heading((f"{number}: linked to nothing",)), *([records] if orphans else [])]
        return Paper("Links between clauses, rules and cases", tuple(blocks), records)

    def _documents(self) -> Table:
        rows: list[tuple[Words, ...]] = []
        for id, document in self.documents.items():
            counts = document.clauses, document.normative, *document.carried.values()
            rows.append(((Code(id),), *((str(count),) for count in counts)))
        carriers = ("by a rule", "by a reading", "as conduct", "with a reason why not")
        return Table(("document", "clauses", "normative", *carriers), tuple(rows))

    def _sentences(self) -> Iterator[str]:
        values, clauses, cases, readings = self.values, self.clauses, self.cases, self.readings
        normative = sum(document.normative for document in self.documents.values())
        carried = sum(sum(document.carried.values()) for document in self.documents.values())
        showable, provable = values["all"] - values["cannot"], readings["alternatives"] - readings["cannot"]
        yield f"{carried} of {normative} normative clauses lead to a rule, a reading, conduct or a reason why not."
        yield f"{values['resting']} of {values['all']} rule values rest on clauses or readings."
        yield (
            f"{showable - values['nothing']} of {showable} rule values that a case can show are shown:"
            f" {values['clause']} by a case of the clause, {values['reading']} by one of the reading,"
            f" {values['notices']} only by one that notices the change."
        )
        yield (
            f"{values['cannot']} of {values['all']} no case can show: no change of them goes with the rest, or is seen."
        )
        yield f"{clauses['named by a case']} of {clauses['giving rules']} clauses that give rules are named by a case."
        yield (
            f"{cases['all'] - cases['nothing']} of {cases['all']} cases name what gives something:"
            f" {cases['rules']} only clauses of rules or readings, {cases['beside']} others beside them,"
            f" {cases['words']} the game's words or conduct."
        )
        yield (
            f"{readings['whole']} of {readings['all']} readings have each alternative shown that rules can express, in"
            f" each ruleset: {provable - readings['nothing']} of {provable} alternatives, {readings['expects']} by a"
            f" case that says what to expect under it; {readings['cannot']} more proved to change nothing."
        )
