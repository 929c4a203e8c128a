"""Links: both ways, cases that show values, and orphans that are found when links are cut."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

import damspec as library
from damspec_runner.answers.player import RulePlayer, passes
from damspec_runner.cases.answer import Question
from damspec_runner.document.examples import find_example
from damspec_runner.document.ledger import Ledger
from damspec_runner.document.links import (
    Links,
    cases_on,
    links,
    plainness,
    value_text,
    values_on,
)
from damspec_runner.mutants.mutants import single_mutants
from runner_fixtures import printed, printed_json

#: All in one process, which finds all links once.
pytestmark = pytest.mark.xdist_group("links")

VL = library.load_ruleset("vl")


@cache
def whole() -> Links:
    """The links of one ruleset alone, to cut some of."""
    all = links()
    readings = {id: replace(r, rulesets=("vl",)) for id, r in all.readings.items() if "vl" in r.rulesets}
    clauses = {id: clause for id, clause in all.clauses.items() if clause.document == "vl"}
    readings = {id: replace(r, clauses=tuple(c for c in r.clauses if c in clauses)) for id, r in readings.items()}
    return Links(clauses, readings, {"vl": all.rulesets["vl"]}, {"vl": all.cases["vl"]})


def orphans(cut: Links) -> list[str]:
    return [str(orphan) for orphan in Ledger(cut).orphans]


# --- cutting links


def test_one_ruleset_alone_has_no_orphans() -> None:
    assert orphans(whole()) == []


def test_a_value_that_rests_on_nothing_is_an_orphan() -> None:
    ruleset = whole().rulesets["vl"]
    cut = replace(ruleset, rests_on={**ruleset.rests_on, "man.move.reach": ()})
    found = orphans(replace(whole(), rulesets={"vl": cut}))
    assert "value vl man.move.reach: rests on nothing" in found


def test_a_clause_that_gives_nothing_any_more_is_an_orphan_and_so_is_what_rests_on_it() -> None:
    clause = replace(whole().clauses["vl-012"], rules=())
    found = orphans(replace(whole(), clauses={**whole().clauses, "vl-012": clause}))
    assert found == [
        "clause vl-012: is normative and gives no rule, reading, conduct or reason why not",
        "value vl capture.duty: rests on vl-012, which does not give that rule",
    ]


def test_a_clause_taken_away_leaves_values_and_cases_that_name_it() -> None:
    found = orphans(replace(whole(), clauses={id: c for id, c in whole().clauses.items() if id != "vl-011"}))
    assert "value vl capture.duty: rests on vl-011, which there is not" in found
    named = [case.id for case in whole().cases["vl"] if "vl-011" in case.clauses]
    assert len(named) > 5
    assert {f"case {id}: names clause vl-011, which there is not" for id in named} <= set(found)


def test_a_reason_taken_away_leaves_a_clause_that_nothing_carries() -> None:
    clause = replace(whole().clauses["vl-009"], none=None)
    found = orphans(replace(whole(), clauses={**whole().clauses, "vl-009": clause}))
    assert found[0].startswith("clause vl-009: is normative and gives no")


@pytest.mark.thorough
@pytest.mark.parametrize("rule", ["promotion.rows", "ending.draws", "capture.origin"])
def test_a_value_whose_cases_are_taken_away_is_an_orphan(rule: str) -> None:
    changed = [RulePlayer(mutant.ruleset) for mutant in single_mutants(VL) if mutant.rules_changed == (rule,)]
    cases = whole().cases["vl"]
    left = tuple(case for case in cases if all(passes(player, Question(case, VL)) for player in changed))
    assert len(left) < len(cases)
    assert f"value vl {rule}: no case shows it" in orphans(replace(whole(), cases={"vl": left}))


def test_a_clause_whose_cases_are_taken_away_is_an_orphan() -> None:
    left = tuple(case for case in whole().cases["vl"] if "vl-033" not in case.clauses)
    assert "clause vl-033: gives ending.draws and no case names it" in orphans(replace(whole(), cases={"vl": left}))


def test_a_case_that_names_nothing_but_a_remark_is_an_orphan() -> None:
    cases = whole().cases["vl"]
    lost = replace(cases[0], clauses=("vl-031",))
    found = orphans(replace(whole(), cases={"vl": (lost, *cases[1:])}))
    assert f"case {lost.id}: names vl-031, and none of them gives anything" in found


def test_a_reading_whose_other_answers_are_taken_away_is_an_orphan() -> None:
    def without(key: str) -> Links:
        left = (
            replace(case, otherwise={q: e for q, e in case.otherwise.items() if f"{key}=" not in q})
            for case in whole().cases["vl"]
        )
        return replace(whole(), cases={"vl": tuple(left)})

    ledger = Ledger(without("priority"))
    shown = {query: how for _, query, how in ledger.alternatives(whole().readings["VL-04"])}
    assert shown == {"priority=multiple-first": "notices", "priority=mixed-only": "notices"}
    none = replace(whole(), cases={"vl": whole().cases["vl"][:3]})
    assert "reading VL-04: no case of vl shows priority=mixed-only" in orphans(none)


# --- the links shipped


def test_values_and_cases_of_a_clause_and_back() -> None:
    assert ("vl", "capture.choice", ("most-pieces",)) in values_on("vl-027")
    assert {(id, rule) for id, rule, _ in values_on("VL-05")} == {("vl", "capture.binds")}
    assert {case.ruleset for case in cases_on("vl-027")} == {"vl"}
    assert all("VL-04" in case.readings for case in cases_on("VL-04"))
    for clause in library.load_clauses():
        assert list(cases_on(clause)) == sorted(cases_on(clause), key=plainness)
    for id, ruleset in links().rulesets.items():
        for rule, sources in ruleset.rests_on.items():
            assert all((id, rule, ruleset.values[rule]) in values_on(source) for source in sources)


def test_every_value_has_its_example() -> None:
    found = {
        (id, rule): find_example(ruleset, rule) for id, ruleset in links().rulesets.items() for rule in ruleset.values
    }
    linked = [shown for shown in found.values() if shown and shown.by in ("clause", "reading")]
    assert len(linked) > 0.85 * len(found)
    for (id, rule), shown in found.items():
        if shown:
            assert shown.case in links().cases[id]
            sources = set(links().rulesets[id].rests_on[rule])
            assert shown.by != "clause" or sources & set(shown.case.clauses)


def test_values_are_written_as_files_have_them() -> None:
    assert value_text(["a", "b"]) == "[a, b]"
    assert value_text({"disc": "piece", "white": [1, 2]}) == "{disc: piece, white: [1, 2]}"
    assert (value_text(1), value_text(None), value_text("8x8")) == ("1", "null", "8x8")


# --- the command


@pytest.mark.thorough
def test_the_summary_counts_everything_and_there_are_no_orphans() -> None:
    summary = printed_json("links", "explain", "links", "--json")
    assert summary["orphans"] == []
    for document in summary["documents"].values():
        assert sum(document["classes"].values()) == document["clauses"]
        assert sum(document["carried"].values()) == document["normative"]
    assert sum(document["clauses"] for document in summary["documents"].values()) == len(library.load_clauses())
    values, cases, readings = summary["values"], summary["cases"], summary["readings"]
    assert values["resting"] == values["all"] == sum(values.values()) - values["all"] - values["resting"]
    assert 2 * cases["all"] == sum(cases.values())
    assert 2 * readings["alternatives"] == sum(readings.values()) - readings["all"] - readings["whole"]


@pytest.mark.thorough
def test_the_summary_in_words_has_every_denominator() -> None:
    out = printed("explain", "links")
    assert out.splitlines()[-1] == "0 orphans: linked to nothing"
    # Of the 33 clauses of the Flemish leaflet 26 are normative: 19 lead to a rule, 6 to a reading, one to neither.
    assert re.search(r"^  vl +33 +26 +19 +6 +0 +1$", out, re.MULTILINE)


def test_the_summary_fails_if_there_is_an_orphan(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = whole().rulesets["vl"]
    cut = replace(whole(), rulesets={"vl": replace(ruleset, rests_on={**ruleset.rests_on, "start.first": ()})})
    monkeypatch.setattr("damspec_runner.commands.explain.links", lambda: cut)
    out = printed("explain", "links", status=1)
    assert "\n2 orphans: linked to nothing\n" in out  # the value, and vl-004, which gives no other rule
    assert out.splitlines()[-1].split() == ["value", "vl", "start.first", "rests", "on", "nothing"]
