"""Rulesets: a game's rules, loaded by name, under overlays and alternative readings.

`load_ruleset("vl")` is the one shipped under that id, `load_ruleset("vl?priority=multiple-first")` the same under
another reading, and `load_ruleset_file("my/own.yaml")` one from a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from types import UnionType
from typing import Any, Literal

from . import data
from .contradictions import fill_dependent_rules, find_contradictions
from .data import freeze, thaw
from .errors import ArgumentTypeError, PositionError, RulesetError, expect, quote_any, quote_value
from .inheritance import (
    CHANGED,
    RulesetName,
    describe_unknown_source,
    ids_called,
    load_family,
    merge_conduct,
    merge_rules,
    overlay_path,
    overlays_folder,
    ruleset_ids,
    rulesets_folder,
    shipped_name,
    values_of,
)
from .layout import is_layout_file
from .other_names import OtherNames
from .position import Position, with_sliders
from .readings import Reading, load_readings, readings_of
from .rules import Rules, expand_directions, rule_names, shorten_directions
from .safe_yaml import whole
from .turn import ActionGenerator
from .validity import find_invalidity
from .written_position import read_position

_LONGEST_ID = 500


@dataclass(frozen=True)
class Ruleset(metaclass=OtherNames):
    """A game's rules, with the sources that each rests on.

    `id` names it as a caller would, with its readings; `values` has every rule's value by dotted name, `rests_on` the
    clauses and readings behind each, `conduct` the rules that no list of moves can show, `path` the file, `gametype`
    the PDN tag that it claims. A ruleset is immutable, including its mappings and lists; two are equal if all fields
    are. `family` are the rulesets that it extends, `overlays` those it is under, by its name or by what it extends, and
    `own_readings` the readings that files of your own define. `inherited` has the values of what it extends, and
    `own_rules` the rules that it states or confirms itself, by its file, overlays or chosen readings. `origin` says
    how a ruleset was made that no name or file leads to.

    >>> vl = load_ruleset("vl")
    >>> vl.values["man.capture.first"]
    ('forward-left', 'forward-right')
    >>> load_ruleset("vl?priority=multiple-first").values["capture.choice"]
    ('multiple-before-single',)
    """

    id: str
    name: str
    about: str
    documents: tuple[str, ...]
    values: Mapping[str, Any]
    rests_on: Mapping[str, tuple[str, ...]]
    conduct: tuple[Mapping[str, Any], ...]
    path: Path
    family: tuple[str, ...] = ()
    gametype: str | None = None
    own_readings: tuple[Reading, ...] = ()
    overlays: tuple[str, ...] = ()
    inherited: Mapping[str, Any] = field(default_factory=dict)
    own_rules: frozenset[str] = frozenset()
    origin: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            expect(getattr(self, each.name), each.name, *_FIELD_TYPES[each.name])
            object.__setattr__(self, each.name, freeze(getattr(self, each.name)))

    def __hash__(self) -> int:
        return hash((self.id, self.values))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a ruleset that comes with damspec by its id, since its files lie elsewhere on another machine."""
        if self.path.parent in (rulesets_folder(), overlays_folder()) and load_ruleset(self.id) == self:
            return load_ruleset, (self.id,)
        return Ruleset, tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def rules(self) -> Rules:
        """The typed values. Raises RulesetError or FileError for a layout that does not exist or does not fit."""
        return Rules.of(self.values)

    @cached_property
    def turns(self) -> ActionGenerator:
        """The action generator behind `legal_moves`, `play`, `outcome` and `perft`."""
        return ActionGenerator(self.rules)

    def position(self, text: str = "start") -> Position:
        """Parse a FEN, or `start`, as a position that can occur under these rules; omitted sliders are in the middle.

        Raises PositionError, which quotes the text.

        >>> load_ruleset("vl").position("W:W21,K30:B1-3")[30]
        Piece(side='white', kind='king')
        """
        expect(text, "position", str, "a FEN or 'start'")
        if text == "start":
            return Position.start(self.rules)
        return self._check_position(with_sliders(self.rules, Position.from_fen(text, self.rules.board)), text)

    def read_position(self, text: str) -> Position:
        """Parse a position as people, sites and programs write it (`written_position`), or `start`, as `position` does.

        >>> load_ruleset("vl").read_position('[FEN "w:w:w21, k30:b1-3."]').fen()
        'W:W21,K30:B1,2,3'
        """
        expect(text, "position", str, "a FEN or 'start'")
        if text.strip().lower() == "start":
            return Position.start(self.rules)
        return self._check_position(with_sliders(self.rules, read_position(text, self.rules.board)), text)

    def position_of(self, position: Position | str) -> Position:
        """Return a position, or parse one, that can occur under these rules. Raises PositionError."""
        if isinstance(position, str):
            return self.read_position(position)
        if not isinstance(position, Position):
            raise ArgumentTypeError(f"position: found {quote_any(position)}, expected a Position, a FEN or 'start'")
        board = self.rules.board
        if position.board is not board and position.board != board:
            raise PositionError(f"found a position of {position.board!r}, expected one of {self.id}'s {board!r}")
        return self._check_position(with_sliders(self.rules, position))

    def _check_position(self, position: Position, text: str | None = None) -> Position:
        wrong = find_invalidity(self.turns, position)
        if wrong:
            raise PositionError(f"position {quote_value(text or position.fen())} in {self.id}: {wrong}")
        return position

    def checked(self) -> Ruleset:
        """Return itself after typing its rules, so that a misfit layout fails early. Raises as `rules` does."""
        _ = self.rules
        return self

    @property
    def inline_values(self) -> dict[str, Any]:
        """The values as sent to an engine that knows neither ids nor files, with the content of the layout."""
        trapdoors = self.rules.trapdoors
        return {**self.values, **({"trapdoors.layout": trapdoors.layout.content()} if trapdoors else {})}

    @property
    def base(self) -> str:
        """The id without readings."""
        return self.id.partition("?")[0]

    @property
    def shipped(self) -> bool:
        """Whether it comes with damspec; files of your own and rulesets with overlays do not."""
        return self.path.parent == rulesets_folder()

    def provenance(self, rule: str) -> Literal["differs", "confirmed", "inherited"]:
        """Return whether a rule differs from what it extends, is confirmed by its own sources, or only inherited.

        In a ruleset that extends nothing all rules differ. Raises RulesetError where there is no such rule.

        >>> [load_ruleset("brazilian").provenance(rule) for rule in ("board.size", "man.move.reach", "capture.origin")]
        ['differs', 'confirmed', 'inherited']
        """
        self._expect_rule(rule)
        if self.values.get(rule) != self.inherited.get(rule):
            return "differs"
        return "confirmed" if rule in self.own_rules else "inherited"

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings about it; a file of your own has those of what it extends, and its own."""
        return (*_readings(self.base, self.family), *self.own_readings)

    def readings_in(self, query: str) -> list[tuple[Reading, str]]:
        """Return the readings selected by `key=alternative&...`, each with its alternative. Raises RulesetError."""
        expect(query, "query", str, "readings such as 'key=alternative'")
        return readings_of(self.base, self.readings, query)

    @property
    def source(self) -> str:
        """What `load_source` loads without readings: the id, or a file of your own, and overlays."""
        if self.path.parent in (rulesets_folder(), overlays_folder()) or self.path == Path(self.id):
            return self.base
        _, *overlays = self.base.split("+")
        return "+".join((str(self.path), *overlays))

    def with_reading(self, query: str) -> Ruleset:
        """Return the ruleset under the alternative readings `key=alternative&...`, replacing any it has.

        Raises RulesetError for unknown readings, and for those that rules cannot express.
        """
        expect(query, "query", str, "readings such as 'key=alternative'")
        if self.origin:
            raise RulesetError(f"{self.id}: found {quote_value(query)}, expected readings before other changes")
        return load_source(f"{self.source}?{query}")

    def with_value(self, rule: str, value: Any) -> Ruleset:
        """Return the ruleset with one rule changed to a value as in YAML; None removes an optional rule.

        The result is what a file that extends this one and changes just this rule would give, but rests on nothing and
        has no readings; rules that depend on the changed one follow it. Its id is short and made from its values,
        `origin` says what was changed, and `with_id` gives it an id of yours. Raises RulesetError where there is no
        such rule or value, or the other rules contradict it; FileError for a layout's file that cannot be read or has
        the wrong form.

        >>> load_ruleset("vl").with_value("king.move.directions", ["forward-diagonals"]).values["king.move.directions"]
        ('forward-left', 'forward-right')
        """
        self._expect_rule(rule)
        change = f"with {rule} = {'null' if value is None else shorten_directions(freeze(value))[:80]}"
        where = f"{self.id} {change}: "
        if value is not None and (problem := data.problem_of_values({rule: value})):
            wrong = problem.removeprefix(f"rules.{rule}.value").lstrip(".: ")
            raise RulesetError(f"{where}{_with_example(wrong, rule)}")
        changed = {**self.values, **expand_directions({rule: value}, where)}
        values = fill_dependent_rules({name: given for name, given in changed.items() if given is not None}, {rule})
        for other, problem in find_contradictions(values):
            raise RulesetError(f"{where}{'' if other == rule else f'{other}: '}{problem}")
        id = f"{self.base.partition(CHANGED)[0]}{CHANGED}{_digest(values)}"
        return _from_values(values, id, f"{self.origin or self.id} {change}")

    def with_id(self, id: str) -> Ruleset:
        """Return the ruleset with an id of yours, which is also its name; `origin` says what it was made from.

        Raises RulesetError for an id that cannot be shown, or means a shipped ruleset.

        >>> load_ruleset("vl").with_value("king.move.reach", 1).with_id("slow-kings")
        <Ruleset 'slow-kings': vl with king.move.reach = 1>
        """
        _expect_id(id)
        if ids_called(id):
            raise RulesetError(f"found the id {quote_value(id)}, expected one that means no shipped ruleset")
        family = self.family if self.origin else (*self.family, self.base)
        origin = self.origin or self.id
        return replace(self, id=id, name=id, path=Path(id), family=family, gametype=None, origin=origin)

    def _expect_rule(self, rule: str) -> None:
        expect(rule, "rule", str, "the name of a rule")
        if rule not in rule_names():
            raise RulesetError(f"{self.id}: no rule {quote_value(rule)}{data.nearest(rule, rule_names())}")

    @property
    def alternatives(self) -> dict[str, Ruleset]:
        """The ruleset under each single alternative reading that rules can express, by `key=alternative`.

        For a file of your own, alternatives that contradict its rules are left out; a changed ruleset has none.
        """
        queries = [
            f"{reading.key}={word}"
            for reading in self.readings
            for word, alternative in reading.alternatives.items()
            if alternative.set
        ]
        found = {}
        for query in queries:
            try:
                found[query] = self.with_reading(query)
            except RulesetError:
                if self.shipped and not self.origin:
                    raise
        return found

    def __repr__(self) -> str:
        if self.origin or self.path == Path(self.id):
            return f"<Ruleset {self.id!r}{f': {self.origin}' if self.origin else ''}>"
        if self.source == self.base:
            return f"damspec.load_ruleset({self.id!r})"
        _, mark, query = self.id.partition("?")
        return f"damspec.load_ruleset_file({self.source + mark + query!r})"


#: The types of a ruleset's fields, and their names in messages.
_FIELD_TYPES: Mapping[str, tuple[type | UnionType, str]] = {
    **dict.fromkeys(("id", "name", "about", "origin"), (str, "a text")),
    **dict.fromkeys(("values", "rests_on", "inherited"), (Mapping, "a mapping by the names of rules")),
    **dict.fromkeys(("documents", "conduct", "family", "own_readings", "overlays"), (tuple | list, "a tuple")),
    "own_rules": (frozenset, "a frozenset"),
    "path": (Path, "a Path"),
    "gametype": (str | None, "a tag of PDN or None"),
}


def load_ruleset(name: str) -> Ruleset:
    """Load a shipped ruleset by id, or by what people call it (`checkers`, in any letter case).

    Overlays go with any ruleset: `vl+losing`; so do readings of its own: `vl?king-landing=behind&removal=at-once`.
    Under readings, rules that depend on another rule follow it unless given. No file of yours is looked at, so the name
    may come from anybody. Raises RulesetError.

    >>> load_ruleset("American").id
    'english'
    """
    expect(name, "ruleset", str, "the id of a ruleset")
    return _load_shipped(name)


@lru_cache(1 << 12)
def _load_shipped(name: str) -> Ruleset:
    return _read_shipped(shipped_name(RulesetName.parse(name)))


def load_ruleset_file(path: str | Path) -> Ruleset:
    """Load a ruleset from a YAML file.

    Overlays and readings follow as after an id: `mine.yaml+losing?removal=at-once`; a file has the readings of what it
    extends too. In a file, and under readings, rules that depend on another rule follow it unless given. It is read at
    each call, since it may have changed. Raises RulesetError, or FileError for a file of the wrong form.
    """
    expect(path, "path", (str, Path), "the path of a ruleset file")
    parts = RulesetName.parse(str(path))
    if not parts.is_file:
        raise RulesetError(f"found {quote_value(parts.base)}, expected the path of a file that ends in .yaml or .yml")
    return _assemble(parts)


def load_source(source: str) -> Ruleset:
    """Load a shipped ruleset by name, or one from a file: what a user of this machine types. Raises as both do."""
    parts = RulesetName.parse(source)
    if parts.is_file:
        return load_ruleset_file(source)
    if not ids_called(parts.base):
        raise RulesetError(describe_unknown_source(parts))
    return load_ruleset(source)


def _assemble(parts: RulesetName) -> Ruleset:
    """Return the ruleset that files state together, under readings.

    `own` are the files whose rules count as its own, `extended` those before them, from which it inherits.
    """
    ancestors, named = load_family(parts)
    file, *overlays = named
    files, own = (*ancestors, *named), overlays or [file]
    extended = files[: -len(own)]
    id, query = "+".join(each.id for each in named), parts.query
    family = tuple(each.id for each in extended if each.kind != "overlay")
    own_readings = tuple(reading for each in files for reading in each.readings)
    about = (*_readings(id, family), *own_readings) if query else ()
    chosen = [_alternative_values(id, *each) for each in readings_of(id, about, query)]
    rules = merge_rules(files)
    values = values_of(rules)
    rests_on = {rule: tuple(entry.get("from", ())) for rule, entry in rules.items()}
    chosen_by: dict[str, Reading] = {}
    for reading, changes in chosen:
        for rule, value in changes.items():
            other = chosen_by.setdefault(rule, reading)
            if other is not reading and values[rule] != value:
                raise RulesetError(
                    f"{id}?{query}: {other.key} and {reading.key} give {rule} different values:"
                    f" {data.quote(values[rule])} and {data.quote(value)}"
                )
            values[rule] = value
            rests_on[rule] = (reading.id,)
    values = {rule: value for rule, value in values.items() if value is not None}
    path = overlay_path(overlays[-1].id) if overlays and file.kind == "shipped" else file.path
    shipped = path.parent == rulesets_folder()
    if query:
        values = fill_dependent_rules(values, chosen_by)
    problems = [*find_contradictions(values)]
    for rule, problem in problems:
        where = data.path_text(path) + "".join(f"+{each}" for each in parts.overlays if parts.is_file)
        chapter, _, _ = rule.partition(".")
        missing = [each for each, same in problems if same == problem and each.startswith(f"{chapter}.")]
        add = "" if rule in values or shipped else _lines_to_add(missing, values)
        raise RulesetError(f"{where}{f' under ?{query}' if query else ''}: rules.{rule}: {problem}{add}")
    return Ruleset(
        id=id + (f"?{query}" if query else ""),
        name=", ".join(each.content["name"] for each in named),
        about=" ".join(each.content["about"] for each in named),
        documents=tuple(dict.fromkeys(document for each in reversed(named) for document in each.documents)),
        values=values,
        rests_on={rule: rests_on.get(rule, ()) for rule in values},
        conduct=merge_conduct(files),
        path=path,
        family=family,
        gametype=None if overlays else file.content.get("gametype"),
        own_readings=own_readings,
        overlays=tuple(dict.fromkeys(each.id for each in files if each.kind == "overlay")),
        inherited=values_of(merge_rules(extended)),
        own_rules=frozenset(rule for each in own for rule in each.content["rules"]).union(chosen_by),
    )


_read_shipped = lru_cache(1 << 12)(_assemble)


def to_ruleset(ruleset: Ruleset | str) -> Ruleset:
    """Return the ruleset itself, or load the one named. Raises as `load_ruleset` does."""
    expect(ruleset, "ruleset", (Ruleset, str), "a Ruleset or its id")
    return load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset


@lru_cache(1 << 10)
def _readings(id: str, family: tuple[str, ...]) -> tuple[Reading, ...]:
    ids = {id} if id in ruleset_ids() else {id, *family}
    return tuple(reading for reading in load_readings() if ids & set(reading.rulesets))


def with_layout(ruleset: Ruleset | str, layout: str) -> Ruleset:
    """Return a ruleset with its trapdoors in another layout, given by id or by the path of a file.

    Raises RulesetError if the ruleset has no trapdoors, or the layout does not exist or does not fit; FileError for a
    file that cannot be read or has the wrong form.
    """
    ruleset = to_ruleset(ruleset)
    expect(layout, "layout", str, "the id of a layout or the path of its file")
    if "trapdoors.layout" not in ruleset.values:
        raise RulesetError(f"{ruleset.id} has no trapdoors to lay out by {quote_value(layout)}")
    if ruleset.values["trapdoors.layout"] == layout:
        return ruleset
    origin = f"{ruleset.origin or ruleset.id} with trapdoors.layout = {layout}"
    return replace(ruleset, values={**ruleset.values, "trapdoors.layout": layout}, origin=origin).checked()


def from_values(values: Mapping[str, Any], id: str = "anonymous") -> Ruleset:
    """Build a ruleset from bare values, as the protocol sends them; a layout is given by its id or its content.

    No file of yours is looked at, so the values may come from anybody. Raises RulesetError.
    """
    expect(values, "values", Mapping, "a mapping of the names of rules to their values")
    _expect_id(id)
    where = f"rules sent whole for {quote_value(id)}: "
    if problem := data.problem_of_values(values):
        raise RulesetError(f"{where}{problem}")
    layout = values.get("trapdoors.layout")
    if isinstance(layout, str) and is_layout_file(layout):
        raise RulesetError(
            f"{where}trapdoors.layout: found {quote_value(layout)}, expected the id of a layout or its content"
        )
    stated = {rule: _with_integers(value) for rule, value in values.items() if value is not None}
    values = expand_directions(stated, f"{where}rules.")
    for rule, problem in find_contradictions(values):
        raise RulesetError(f"{where}rules.{rule}: {problem}")
    return _from_values(values, id)


def _from_values(values: Mapping[str, Any], id: str, origin: str = "") -> Ruleset:
    bare = Ruleset(id, id, origin or id, (), values, dict.fromkeys(values, ()), (), Path(id), origin=origin)
    return bare.checked()


def _expect_id(id: str) -> None:
    expect(id, "id", str, "a text")
    if len(id) > _LONGEST_ID or not id.isprintable():
        raise RulesetError(
            f"found the id {quote_value(id)}, expected at most {_LONGEST_ID} characters that can be shown"
        )


def _digest(values: Mapping[str, Any]) -> str:
    """Return a few letters that differ with the values of rules."""
    return blake2b(json.dumps(thaw(values), sort_keys=True).encode(), digest_size=3).hexdigest()


def _with_integers(value: Any) -> Any:
    """Convert floats without a fraction to integers, recursively: in JSON Schema 2.0 is 2."""
    match value:
        case float():
            return whole(value)
        case list():
            return [_with_integers(each) for each in value]
        case Mapping():
            return {key: _with_integers(each) for key, each in value.items()}
        case _:
            return value


def _with_example(wrong: str, rule: str) -> str:
    """Return what is wrong with a rule's value and, unless that names values, one that a shipped ruleset has."""
    if "expected one of" in wrong or "such as" in wrong:
        return wrong
    having = next((ruleset for ruleset in map(load_ruleset, ruleset_ids()) if ruleset.values.get(rule)), None)
    return f"{wrong}; {rule} is {data.quote(having.values[rule])} in {having.id}" if having else wrong


def _lines_to_add(rules: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return advice for a message: the lines that give missing rules the values of some shipped ruleset.

    It is the first whose values go with the others, if there is one.
    """
    having = [ruleset for ruleset in map(load_ruleset, ruleset_ids()) if {*rules} <= ruleset.values.keys()]
    ruleset = next((each for each in having if _fit({rule: each.values[rule] for rule in rules}, values)), having[0])
    lines = ", ".join(f"'{rule}: {{value: {data.quote(ruleset.values[rule])}}}'" for rule in rules)
    return f"; add {'a line' if len(rules) == 1 else 'lines'} such as {lines}, as in {ruleset.id}"


def _fit(added: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return added.keys().isdisjoint(wrong for wrong, _ in find_contradictions({**values, **added}))


def _alternative_values(id: str, reading: Reading, word: str) -> tuple[Reading, Mapping[str, Any]]:
    """Return a reading with the rule values set by one of its alternatives. Raises RulesetError if inexpressible."""
    alternative = reading.alternatives[word]
    if alternative.inexpressible:
        raise RulesetError(f"{id}?{reading.key}={word} cannot be played: {alternative.inexpressible}")
    return reading, alternative.set
