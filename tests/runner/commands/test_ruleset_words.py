"""What people type for a ruleset, on the command line and in a program."""

from __future__ import annotations

import damspec as library
from damspec import data
from refusals import refusal
from runner_fixtures import damspec
from runs import for_each


@for_each(
    ("word", "id"),
    [
        ("LB", "lb"),
        ("American", "english"),
        ("checkers", "english"),
        ("pool checkers", "pool"),
        ("Russian draughts", "russian"),
        ("100", "international"),
        ("standard", "international"),
        ("100+losing", "international+losing"),
        ("VL?priority=majority", "vl?priority=majority"),
    ],
)
def test_a_word_for_one_ruleset_is_that(word: str, id: str) -> None:
    ran, meant = damspec("moves", word, "start", "--json"), damspec("moves", id, "start", "--json")
    assert (ran.status, ran.out) == (0, meant.out)


def test_a_word_for_several_is_none_of_them() -> None:
    ran = damspec("moves", "Dames", "start")
    assert (ran.status, ran.complaint) == (
        2,
        "damspec: 'Dames' fits several rulesets, expected one of international, canadian, fr-trapdoor",
    )
    assert "unknown ruleset 'chess draughts'" in damspec("moves", "chess draughts", "start").complaint


def test_words_name_rulesets_and_no_word_is_an_id() -> None:
    aliases = data.load_yaml(data.root() / "spec" / "aliases.yaml")
    assert {id for ids in aliases.values() for id in ids} <= {*library.ruleset_ids()}
    assert all(word == word.casefold() and word not in library.ruleset_ids() for word in aliases)


def test_the_library_takes_the_same_words() -> None:
    assert library.load_ruleset("American+losing") is library.load_ruleset("english+losing")
    assert library.Game("Russian draughts").ruleset.id == "russian"
    assert refusal(library.RulesetError, library.load_ruleset, "Dames") == (
        "'Dames' fits several rulesets, expected one of international, canadian, fr-trapdoor"
    )
    assert "; did you mean 'american'?" in refusal(library.RulesetError, library.load_ruleset, "Amercan")
