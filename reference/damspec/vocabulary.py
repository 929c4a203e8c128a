"""The rules in words (spec/rules.yaml), and the glossary of the documents' own terms (spec/glossary.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from . import data
from .board import DIRECTIONS
from .errors import RulesetError, quote_value

_DIAGONALS = {
    ("forward-left", "forward-right"): "forward",
    ("backward-left", "backward-right"): "backward",
}
_STRAIGHTS = {("forward",): "forward", ("backward",): "backward", ("left", "right"): "sideways"}
_NOTHING = "There is no such rule."


#: A condition on other rules or groups: for each the accepted values, or `there`, `absent`, or `filled` for a list that
#: is not empty. A list is accepted if any of its entries is. `a|b` is met if one of them is.
Condition = Mapping[str, str | tuple[Any, ...]]


@dataclass(frozen=True)
class Form:
    """What a value of a rule looks like, by its `kind`.

    `words` are the values of a choice, the entries of a list, or what a mapping maps its `keys` to; of `squares`, the
    keys are those that must be there. `least` and `most` are the limits of a number, or the entries a list has at
    least. `pattern` is that of a text, or of the keys of `counts`, and `expected` says it in words. `former` says what
    to write for words of old.
    """

    kind: Literal["choice", "list", "directions", "number", "text", "squares", "layout", "mapping", "counts"] = "choice"
    words: tuple[Any, ...] = ()
    keys: tuple[str, ...] = ()
    least: int = 1
    most: int | None = None
    pattern: str = ""
    expected: str = ""
    former: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Requirement:
    """When a rule is present: the condition on other rules, and the same in words.

    A rule with a `reason` may be absent even where the condition holds: the reason says what it is there for. `default`
    is the value, which changes nothing, for a rule that is required but not given.
    """

    when: Condition
    words: str
    reason: str = ""
    default: str | None = None

    @property
    def free(self) -> bool:
        """Whether the rule may be absent even where the condition holds."""
        return bool(self.reason)

    @property
    def present(self) -> str:
        """When the rule is there, with rules and values as code in backticks."""
        words = re.sub("'([a-z-]+)'", r"`\1`", re.sub(r"[a-z]+\.[a-z.-]*[a-z]", r"`\g<0>`", self.words))
        return ", and ".join(filter(None, (words, self.reason)))


@dataclass(frozen=True)
class Contradiction:
    """A value of a rule, or an entry of its list, that is incompatible with other rules or other entries.

    `after` is an entry of the same list that must not stand before it.
    """

    rule: str
    value: str
    words: str
    beside: Condition
    after: str | None = None


@dataclass(frozen=True)
class Rule:
    """One rule in words: the question it asks, what it says, and its values.

    `values` has a sentence for each value of an enumeration. A list or an open value is inserted for `{}` in `reads`:
    `entries` are the words for the parts of a list or a mapping, joined by `between`; `empty` is the sentence for an
    empty list; `ordered` says whether the order of a list matters; `each` is the template for an entry of a mapping
    with open keys. `terms` are entries of the glossary. `topic` is the topic of the cases about the rule, `affects`
    what another value can change (see the head of spec/rules.yaml).
    `goes_on` says that the rule is only about how a capture that has begun goes on. `form` is what a value looks like,
    `requirement` when a rule is there that not every game has, `clashes` what does not go with other rules.
    """

    name: str
    group: str
    title: str
    heading: Mapping[str, str]
    topic: str
    affects: frozenset[str]
    asks: str
    says: str
    terms: tuple[str, ...]
    values: Mapping[str, str]
    entries: Mapping[str, str]
    form: Form
    requirement: Requirement | None = None
    clashes: tuple[Contradiction, ...] = ()
    goes_on: bool = False
    reads: str = ""
    each: str = ""
    empty: str = ""
    between: str = " and "
    ordered: bool = False

    @property
    def present(self) -> str:
        """When the rule is there, of one that not every game has."""
        return self.requirement.present if self.requirement else ""

    @property
    def is_free(self) -> bool:
        """Whether a game can do without the rule although others would let it have one."""
        return self.requirement is not None and self.requirement.free


@dataclass(frozen=True)
class Group:
    """Rules that belong together under a heading.

    For an extension, which a plain game of draughts has none of, `present` says when it is there, and `extension` what
    a game with it has.
    """

    id: str
    title: str
    heading: Mapping[str, str]
    rules: tuple[Rule, ...]
    says: str = ""
    extension: str = ""
    requirement: Requirement | None = None

    @property
    def present(self) -> str:
        """When its rules are there, of a group that not every game has."""
        return self.requirement.present if self.requirement else ""


@dataclass(frozen=True)
class Word:
    """A document's words for a term, and the clauses that use them; `language` if not the document's own."""

    words: tuple[str, ...]
    clauses: tuple[str, ...]
    language: str = ""


@dataclass(frozen=True)
class Term:
    """A glossary entry: `head` in English, and the words of each document that has any.

    `players` has, by language, what players say, whether or not a document does.
    """

    head: str
    languages: Mapping[str, Word]
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """All words for the term other than the project's English one."""
        by_document = (word.words for word in self.languages.values())
        return tuple(dict.fromkeys(each for words in (*by_document, *self.players.values()) for each in words))


@cache
def _content() -> Mapping[str, Any]:
    path = data.root() / "spec" / "rules.yaml"
    content: Mapping[str, Any] = data.load_yaml(path, "rules")
    for group in content["groups"]:
        for name, entry in group["rules"].items():
            data.check(entry["topic"], "cases", f"{data.path_text(path)}: {name}.topic", definition="topic")
    return content


@cache
def groups() -> tuple[Group, ...]:
    """Load the rules of the language in their groups, in order."""
    words = ("id", "title", "heading", "says", "extension")
    return tuple(
        Group(
            **{name: group[name] for name in words if name in group},
            requirement=_requirement(group),
            rules=tuple(_rule(name, entry, group) for name, entry in group["rules"].items()),
        )
        for group in _content()["groups"]
    )


@cache
def vocabulary() -> Mapping[str, Rule]:
    """Return every rule in words, by its name."""
    return {rule.name: rule for group in groups() for rule in group.rules}


def affects(rule: str) -> frozenset[str]:
    """Return what another value of a rule can change, in the words at the head of spec/rules.yaml."""
    return vocabulary()[rule].affects


@cache
def glossary() -> Mapping[str, Term]:
    """Load the glossary, by the English term."""
    content = data.load_yaml(data.root() / "spec" / "glossary.yaml", "glossary")
    return {
        entry["en"]: Term(
            entry["en"],
            {
                document: Word(tuple(given["term"]), tuple(given["clauses"]), given.get("language", ""))
                for document, given in entry.items()
                if document not in ("en", "players")
            },
            {language: tuple(words) for language, words in entry.get("players", {}).items()},
        )
        for entry in content["terms"]
    }


def word_value(rule: str, value: Any) -> str:
    """Return a rule's value as a sentence. Raises RulesetError for an unknown rule or value.

    >>> word_value("man.move.directions", ["forward-left", "forward-right"])
    'A man moves diagonally forward.'
    >>> word_value("capture.choice", [])
    'Where there are several captures, the choice is free.'
    >>> word_value("capture.binds", None)
    'There is no such rule.'
    """
    if rule not in vocabulary():
        raise RulesetError(f"no rule {quote_value(rule)}{data.nearest(rule, list(vocabulary()))}")
    words = vocabulary()[rule]
    if value is None:
        return _NOTHING
    if words.values:
        if str(value) not in words.values:
            raise RulesetError(f"{rule} has no value {data.quote(value)}{data.nearest(str(value), list(words.values))}")
        return words.values[str(value)]
    if isinstance(value, list | tuple) and not value:
        return words.empty or _NOTHING
    try:
        return _compose(words, value)
    except KeyError as error:
        raise RulesetError(f"{rule} has no value {data.quote(value)}: no {error}") from None


def word_directions(directions: Iterable[str]) -> str:
    """Return directions as a readable phrase.

    >>> word_directions(["forward-left", "forward-right", "backward-left", "backward-right"])
    'diagonally forward and backward'
    >>> word_directions(["forward", "left", "right", "forward-left"])
    'straight forward and sideways, diagonally forward to the left'
    """
    given = set(directions)
    if given == set(DIRECTIONS):
        return "in all eight directions"
    entries = vocabulary()["man.move.directions"].entries
    parts = []
    for adverb, pairs in (("diagonally", _DIAGONALS), ("straight", _STRAIGHTS)):
        whole = {pair: word for pair, word in pairs.items() if given.issuperset(pair)}
        given.difference_update(*whole)
        if list(whole.values()) == ["sideways"]:
            parts.append("sideways")
        elif whole:
            parts.append(f"{adverb} {_join(list(whole.values()))}")
    parts += [phrase for direction, phrase in entries.items() if direction in given]
    return ", ".join(parts) if len(parts) > 1 and any(" and " in part for part in parts) else _join(parts)


def _compose(words: Rule, value: Any) -> str:
    """Return the sentence for a list, a mapping or an open value. Raises KeyError for an entry without words."""
    if isinstance(value, Mapping) and words.entries:
        parts = [words.entries[key].format(_word_part(words, given)) for key, given in value.items()]
        text = words.between.join(parts)
        return f"{text[0].upper()}{text[1:]}."
    if isinstance(value, Mapping) and words.each:
        parts = [words.each.format(" or ".join(key.split()), number) for key, number in value.items()]
        return words.reads.format(words.between.join(parts))
    if isinstance(value, Mapping):
        return words.reads.format(value.get("id", "given here"))
    if not isinstance(value, list | tuple):
        return words.reads.format(value)
    parts = [words.entries[entry] for entry in value]
    directed = set(words.entries) == set(DIRECTIONS)
    return words.reads.format(word_directions(value) if directed else words.between.join(parts))


def _word_part(words: Rule, given: Any) -> str:
    """Return the words for a value in a mapping: a word of the rule, or numbers of squares."""
    return ", ".join(map(str, given)) if isinstance(given, list | tuple) else words.entries[given]


def _join(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _rule(name: str, entry: Mapping[str, Any], group: Mapping[str, Any]) -> Rule:
    given = {"values": {}, "entries": {}, **entry}
    words = ("title", "heading", "topic", "asks", "says", "values", "entries")
    more = ("reads", "each", "empty", "between", "ordered")
    return Rule(
        name=name,
        group=group["id"],
        **{key: given[key] for key in (*words, *(key for key in more if key in given))},
        terms=tuple(given["terms"]),
        affects=frozenset(given["affects"]),
        goes_on=given.get("goes-on", False),
        form=_form(given),
        requirement=_requirement(given) or _requirement(group),
        clashes=tuple(_contradictions(name, given.get("clashes", ()))),
    )


def _form(entry: Mapping[str, Any]) -> Form:
    given = entry.get("form", {})
    keys = tuple(given.get("keys", ()))
    words = tuple(_value_of(word) for word in (*entry["values"], *entry["entries"]) if word not in keys)
    return Form(**{**given, "words": words, "keys": keys, "former": entry.get("former", {})})


def _value_of(word: str) -> Any:
    """Return the value that a key of `values` stands for: `1` and `1.5` are numbers."""
    return float(word) if "." in word else int(word) if word.isdigit() else word


def _requirement(entry: Mapping[str, Any]) -> Requirement | None:
    """Return when a rule or a group is there, None for one that always is, or says nothing about it."""
    if "when" not in entry and "free" not in entry:
        return None
    when = data.freeze(entry.get("when", {}))
    return Requirement(when, " and ".join(_word_condition(when)), entry.get("free", ""), entry.get("default"))


def _word_condition(condition: Condition) -> Iterator[str]:
    rules = {rule: entry for group in _content()["groups"] for rule, entry in group["rules"].items()}
    exists = {group["id"]: group["exists"] for group in _content()["groups"] if "exists" in group}
    for name, wanted in condition.items():
        if isinstance(wanted, tuple):
            is_list = rules[name].get("form", {}).get("kind") == "list"
            yield f"{name} has one of {', '.join(wanted)}" if is_list else f"{name} is {' or '.join(map(repr, wanted))}"
        elif wanted == "filled":
            yield f"{name} is not empty"
        elif name in exists:
            yield exists[name] if wanted == "there" else re.sub(r"^(there (?:is|are)) (?:a )?", r"\1 no ", exists[name])
        else:
            yield f"one of {_join(name.split('|'))} is there" if "|" in name else f"{name} is there"


def _contradictions(rule: str, clashes: Iterable[Mapping[str, Any]]) -> Iterator[Contradiction]:
    """Yield a contradiction for each value that clashes, and for each value of the other rule that it clashes with."""
    for clash in clashes:
        after, condition = clash.get("after"), data.freeze(clash.get("with", {}))
        alone = [{name: (each,)} for name, all in condition.items() if isinstance(all, tuple) for each in all]
        for value in clash["value"]:
            for beside in alone or [condition]:
                others = [after] if after else [each for all in beside.values() for each in all]
                yield Contradiction(rule, value, clash["words"].format(repr(others[0])), beside, after)
