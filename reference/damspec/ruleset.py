"""Rulesets: loading and validating YAML files, inheritance by `extends`, overlays, and alternative readings.

`load_ruleset("vl")` is the one shipped under that id, `load_ruleset("vl?priority=multiple-first")` the same under
another reading, and `load_ruleset("my/own.yaml")` one from a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from types import UnionType
from typing import Any

from . import data
from .contradictions import fill_dependent_rules, find_contradictions
from .data import freeze
from .errors import ArgumentTypeError, PositionError, RulesetError, expect, quote_value, shown
from .position import Position, with_sliders
from .readings import Reading, check_clauses, load_clauses, load_readings, read_readings, readings_of
from .rules import Rules, expand_directions, rule_names, shorten_directions
from .safe_yaml import whole
from .turn import ActionGenerator
from .validity import find_invalidity


def ruleset_ids() -> list[str]:
    """Return the ids of the shipped rulesets."""
    return [*_ids_in(rulesets_folder())]


@cache
def _ids_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


def overlay_ids() -> list[str]:
    """Return the ids of the shipped overlays: options that go with any ruleset."""
    return sorted(path.stem for path in overlay_path("").parent.glob("*.yaml"))


def is_shipped(id: str) -> bool:
    """Return whether an id names a shipped ruleset, with or without overlays: `vl`, `vl+losing`."""
    base, *overlays = id.split("+")
    return base in ruleset_ids() and set(overlays) <= {*overlay_ids()}


def read_statements(path: Path, overlays: Sequence[str] = ()) -> dict[str, Any]:
    """Read a ruleset file, merge in the rules of everything it extends, and check every `from`.

    The rules of overlays come last, in the order they are named, and are added to `id` and `name`.
    """
    files = _with_ancestors(path, ())
    twice = [id for id in overlays if overlays.count(id) > 1]
    if twice:
        raise RulesetError(
            f"found {quote_value('+'.join(overlays))}, which gives overlay {quote_value(twice[0])} twice"
        )
    files += [overlay(id) for id in overlays]
    rules = {rule: entry for file in files for rule, entry in file["rules"].items()}
    conduct = [entry for file in files for entry in file.get("conduct", ())]
    inherited = dict.fromkeys(document for file in files[:-1] for document in file["documents"])
    merged = {"rules": rules, "conduct": conduct, "family": [file["id"] for file in files[:-1]]}
    found = {"documents": list(inherited), **files[-1], **merged, "said": tuple(files[-1]["rules"])}
    return _merge_overlays(found, files, len(overlays)) if overlays else found


def _with_ancestors(path: Path, below: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the contents of a ruleset file and of all it extends, each once, parents first."""
    where = data.path_text(path)
    content = {**(_read_shipped_file(path) if path.parent == rulesets_folder() else _read_file(path))}
    named = content.get("extends", [])
    family: list[dict[str, Any]] = []
    for parent in [named] if isinstance(named, str) else named:
        if parent in (*below, content["id"]):
            raise RulesetError(f"{where}: extends: {quote_value(parent)} extends itself")
        if parent not in ruleset_ids():
            raise RulesetError(
                f"{where}: extends: unknown ruleset {quote_value(parent)}{data.nearest(parent, ruleset_ids())}"
            )
        known = [member["id"] for member in family]
        family += [
            member
            for member in _with_ancestors(ruleset_path(parent), (*below, content["id"]))
            if member["id"] not in known
        ]
    ids = [content["id"]] if content["id"] in ruleset_ids() else [content["id"], *(member["id"] for member in family)]
    content["readings"] = _own_readings(content, ids, where) if "readings" in content else ()
    if path.parent != rulesets_folder():
        _check_sources(content, ids, where)
    return [*family, content]


def _read_file(path: Path) -> dict[str, Any]:
    """Read one ruleset file: check its form and expand its directions."""
    where = data.path_text(path)
    content: dict[str, Any] = data.load_yaml(path)
    data.check(content, "ruleset", where)
    values = expand_directions({rule: entry["value"] for rule, entry in content["rules"].items()}, f"{where}: rules.")
    content["rules"] = {rule: {**entry, "value": values[rule]} for rule, entry in content["rules"].items()}
    return content


@cache
def _read_shipped_file(path: Path) -> dict[str, Any]:
    """Read a shipped ruleset file once, however many others extend it."""
    return _read_file(path)


def _own_readings(content: Mapping[str, Any], ids: Sequence[str], where: str) -> tuple[Reading, ...]:
    """Return the readings a file defines for its own rules, checked against those it inherits."""
    id = content["id"]
    entries = [{"clauses": (), "rulesets": (id,), **entry} for entry in content.get("readings", ())]
    for entry in entries:
        if set(entry["rulesets"]) != {id}:
            raise RulesetError(
                f'{where}: {entry["id"]}.rulesets: found {data.quote(entry["rulesets"])}, expected ["{id}"] or nothing'
            )
    found = read_readings([{**entry, "rulesets": ids} for entry in entries], where, load_readings())
    for reading in found:
        check_clauses(reading, where)
    return tuple(replace(reading, rulesets=(id,)) for reading in found)


def check_shipped() -> None:
    """Raise RulesetError or FileError if shipped files name a clause or a reading that does not exist.

    This needs every document, and shipped files do not change, so loading a ruleset does not check it.
    """
    for reading in load_readings():
        check_clauses(reading, "spec/readings")
    for id in ruleset_ids():
        *_, content = _with_ancestors(ruleset_path(id), ())
        _check_sources(content, [id], data.path_text(ruleset_path(id)))
    for id in overlay_ids():
        overlay(id)


def rulesets_folder() -> Path:
    """Return the folder of the shipped rulesets."""
    return data.root() / "spec" / "rulesets"


def ruleset_path(id: str) -> Path:
    """Return the path that a shipped ruleset has, whether or not it exists."""
    return rulesets_folder() / f"{id}.yaml"


def _check_sources(content: Mapping[str, Any], ids: Sequence[str], where: str) -> None:
    """Check that every `from` names a known clause, or a reading about one of these rulesets."""
    places = [(f"rules.{rule}", entry.get("from", ())) for rule, entry in content["rules"].items()]
    places += [(f"conduct.{n}", entry.get("from", ())) for n, entry in enumerate(content.get("conduct", ()))]
    known = {reading.id: reading for reading in (*load_readings(), *content["readings"])}
    for place, sources in places:
        for source in sources:
            if source in known:
                if not set(ids) & set(known[source].rulesets):
                    raise RulesetError(
                        f"{where}: {place}.from: reading {source} is about {', '.join(known[source].rulesets)},"
                        f" expected one about {' or '.join(ids)}"
                    )
            elif source not in load_clauses():
                there = [*known, *load_clauses()]
                raise RulesetError(
                    f"{where}: {place}.from: found {quote_value(source)}, expected a clause of spec/sources/ or"
                    f" a reading of spec/readings/ or of the file's own{data.nearest(source, there)}"
                )


def overlay_path(id: str) -> Path:
    """Return the path that an overlay has, whether or not it exists."""
    return data.root() / "spec" / "overlays" / f"{id}.yaml"


@cache
def overlay(id: str) -> dict[str, Any]:
    """Load an overlay: content in the form of a ruleset that extends nothing. Raises RulesetError."""
    if id not in overlay_ids():
        raise RulesetError(f"unknown overlay {quote_value(id)}{data.nearest(id, overlay_ids())}")
    *parents, content = _with_ancestors(overlay_path(id), ())
    if parents:
        raise RulesetError(
            f"{data.path_text(overlay_path(id))}: extends: found {parents[-1]['id']!r}, expected nothing"
        )
    return content


def _merge_overlays(found: dict[str, Any], files: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any]:
    """Combine a ruleset with its overlays: joint id, name and documents, and no GameType tag."""
    named = files[-number - 1 :]
    documents = dict.fromkeys(document for file in reversed(files) for document in file["documents"])
    return {
        **{key: value for key, value in found.items() if key != "gametype"},
        "id": "+".join(file["id"] for file in named),
        "name": ", ".join(file["name"] for file in named),
        "about": " ".join(file["about"] for file in named),
        "documents": list(documents),
        "family": [file["id"] for file in files[:-number]],
        "said": tuple({rule: None for file in files[-number:] for rule in file["rules"]}),
    }


_LONGEST_ID = 500


@dataclass(frozen=True)
class Ruleset:
    """A game's rules, with the sources that each rests on.

    `id` names it as a caller would, with its readings; `values` has every rule's value by dotted name, `rests_on` the
    clauses and readings behind each, `conduct` the rules that no list of moves can show, `path` the file, `gametype`
    the PDN tag that it claims. A ruleset is immutable, including its mappings and lists; two are equal if all fields
    are. `own_readings` are those defined in a file of your own.

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

    def __post_init__(self) -> None:
        for field in fields(self):
            expect(getattr(self, field.name), field.name, *_FIELD_TYPES[field.name])
            object.__setattr__(self, field.name, freeze(getattr(self, field.name)))

    def __hash__(self) -> int:
        return hash((self.id, self.values))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a ruleset that comes with damspec by its id, since its files lie elsewhere on another machine."""
        if self.path.is_relative_to(data.root()) and load_ruleset(self.id) == self:
            return load_ruleset, (self.id,)
        return Ruleset, tuple(getattr(self, field.name) for field in fields(self))

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
        return self._checked(with_sliders(self.rules, Position.from_fen(text, self.rules.board)), text)

    def position_of(self, position: Position | str) -> Position:
        """Return a position, or parse one, that can occur under these rules. Raises PositionError."""
        if isinstance(position, str):
            return self.position(position)
        if not isinstance(position, Position):
            raise ArgumentTypeError(f"position: found {shown(position)}, expected a Position, a FEN or 'start'")
        board = self.rules.board
        if position.board is not board and position.board != board:
            raise PositionError(f"found a position of {position.board!r}, expected one of {self.id}'s {board!r}")
        return self._checked(position if position.sliders else with_sliders(self.rules, position))

    def _checked(self, position: Position, text: str | None = None) -> Position:
        wrong = find_invalidity(self.turns, position)
        if wrong:
            raise PositionError(f"position {quote_value(text or position.fen())} in {self.id}: {wrong}")
        return position

    def checked(self) -> Ruleset:
        """Return itself after typing its rules, so that a misfit layout fails early. Raises as `rules` does."""
        _ = self.rules
        return self

    @property
    def whole(self) -> dict[str, Any]:
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
        """The argument of `load_ruleset` for it without readings: the id, or the path of a file of your own."""
        return self.base if self.shipped or "+" in self.base else str(self.path)

    def under(self, query: str) -> Ruleset:
        """Return the ruleset under the alternative readings `key=alternative&...`, replacing any it has.

        Raises RulesetError for unknown readings, and for those that rules cannot express.
        """
        expect(query, "query", str, "readings such as 'key=alternative'")
        return load_ruleset(f"{self.source}?{query}")

    def with_value(self, rule: str, value: Any) -> Ruleset:
        """Return the ruleset with one rule changed to a value as in YAML; None removes an optional rule.

        The result is what a file that extends this one and changes just this rule would give, but rests on nothing and
        has no readings; rules that depend on the changed one follow it. Raises RulesetError where there is no such rule
        or value, or the other rules contradict it; FileError for a layout's file that cannot be read or has the wrong
        form.

        >>> load_ruleset("vl").with_value("king.move.directions", ["forward-diagonals"]).values["king.move.directions"]
        ('forward-left', 'forward-right')
        """
        expect(rule, "rule", str, "the name of a rule")
        id = f"{self.id} with {rule} = {'null' if value is None else shorten_directions(freeze(value))[:80]}"
        if rule not in rule_names():
            raise RulesetError(f"{self.id}: no rule {quote_value(rule)}{data.nearest(rule, rule_names())}")
        if value is not None and (problem := data.problem_of_values({rule: value})):
            raise RulesetError(f"{id}: {problem.removeprefix(f'rules.{rule}.value').lstrip('.: ')}")
        changed = {**self.values, **expand_directions({rule: value}, f"{id}: ")}
        values = fill_dependent_rules({name: given for name, given in changed.items() if given is not None}, {rule})
        for other, problem in find_contradictions(values):
            raise RulesetError(f"{id}: {'' if other == rule else f'{other}: '}{problem}")
        return Ruleset(id, id, id, (), values, dict.fromkeys(values, ()), (), Path(id)).checked()

    @property
    def alternatives(self) -> dict[str, Ruleset]:
        """The ruleset under each single alternative reading that rules can express, by `key=alternative`.

        For a file of your own, alternatives that contradict its rules are left out.
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
                found[query] = self.under(query)
            except RulesetError:
                if self.shipped:
                    raise
        return found

    def __repr__(self) -> str:
        return f"damspec.load_ruleset({self.id!r})"


#: The types of a ruleset's fields, and their names in messages.
_FIELD_TYPES: Mapping[str, tuple[type | UnionType, str]] = {
    **dict.fromkeys(("id", "name", "about"), (str, "a text")),
    **dict.fromkeys(("values", "rests_on"), (Mapping, "a mapping by the names of rules")),
    **dict.fromkeys(("documents", "conduct", "family", "own_readings"), (tuple | list, "a tuple")),
    "path": (Path, "a Path"),
    "gametype": (str | None, "a tag of PDN or None"),
}


def load_ruleset(name: str) -> Ruleset:
    """Load a ruleset by id, with or without readings (`vl?king-landing=behind&removal=at-once`), or from a YAML file.

    Overlays go with any shipped ruleset: `vl+losing`, `vl+losing?removal=at-once`.

    A file that extends a shipped ruleset has its readings too: `mine.yaml?one-each=unless-capture`. In such a file,
    rules that depend on another rule follow it unless given. Raises RulesetError, or FileError for a file of the wrong
    form.
    """
    expect(name, "ruleset", str, "the id of a ruleset or the path of its file")
    return _read(name)


@cache
def _read(name: str) -> Ruleset:
    base, _, query = name.partition("?")
    path = Path(base)
    if path.suffix not in {".yaml", ".yml"}:
        of, *overlays = base.split("+")
        if of not in ruleset_ids():
            raise RulesetError(f"unknown ruleset {quote_value(of)}{data.nearest(of, ruleset_ids())}")
        content = read_statements(ruleset_path(of), overlays)
        path = overlay_path(overlays[-1]) if overlays else ruleset_path(of)
    else:
        content = read_statements(path)
    about = (*_readings(content["id"], content["family"]), *content["readings"]) if query else ()
    chosen = [_alternative_values(content["id"], *each) for each in readings_of(content["id"], about, query)]
    values = {rule: entry["value"] for rule, entry in content["rules"].items()}
    rests_on = {rule: tuple(entry.get("from", ())) for rule, entry in content["rules"].items()}
    chosen_by: dict[str, Reading] = {}
    for reading, changes in chosen:
        for rule, value in changes.items():
            other = chosen_by.setdefault(rule, reading)
            if other is not reading and values[rule] != value:
                raise RulesetError(
                    f"{content['id']}?{query}: {other.key} and {reading.key} give {rule} different values:"
                    f" {data.quote(values[rule])} and {data.quote(value)}"
                )
            values[rule] = value
            rests_on[rule] = (reading.id,)
    values = {rule: value for rule, value in values.items() if value is not None}
    if path.parent != rulesets_folder():
        values = fill_dependent_rules(values, {*content["said"], *chosen_by})
    for rule, problem in find_contradictions(values):
        add = "" if rule in values or path.parent == rulesets_folder() else _line_to_add(rule)
        raise RulesetError(f"{data.path_text(path)}{f' under ?{query}' if query else ''}: rules.{rule}: {problem}{add}")
    return Ruleset(
        id=content["id"] + (f"?{query}" if query else ""),
        name=content["name"],
        about=content["about"],
        documents=tuple(content["documents"]),
        values=values,
        rests_on={rule: rests_on.get(rule, ()) for rule in values},
        conduct=tuple(content["conduct"]),
        path=path,
        family=tuple(content["family"]),
        gametype=content.get("gametype"),
        own_readings=content["readings"],
    )


def loaded(ruleset: Ruleset | str) -> Ruleset:
    """Return the ruleset itself, or load the one named. Raises as `load_ruleset` does."""
    expect(ruleset, "ruleset", (Ruleset, str), "a Ruleset or its id")
    return load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset


def _readings(id: str, family: Sequence[str]) -> tuple[Reading, ...]:
    ids = {id} if id in ruleset_ids() else {id, *family}
    return tuple(reading for reading in load_readings() if ids & set(reading.rulesets))


def with_layout(ruleset: Ruleset | str, layout: str) -> Ruleset:
    """Return a ruleset with its trapdoors in another layout, given by id or by the path of a file.

    Raises RulesetError if the ruleset has no trapdoors, or the layout does not exist or does not fit; FileError for a
    file that cannot be read or has the wrong form.
    """
    ruleset = loaded(ruleset)
    expect(layout, "layout", str, "the id of a layout or the path of its file")
    if "trapdoors.layout" not in ruleset.values:
        raise RulesetError(f"{ruleset.id} has no trapdoors to lay out by {quote_value(layout)}")
    return replace(ruleset, values={**ruleset.values, "trapdoors.layout": layout}).checked()


def from_values(values: Mapping[str, Any], id: str = "anonymous") -> Ruleset:
    """Build a ruleset from bare values, as the protocol sends them.

    Raises RulesetError; FileError for a layout's file that cannot be read or has the wrong form.
    """
    expect(values, "values", Mapping, "a mapping of the names of rules to their values")
    expect(id, "id", str, "a text")
    if len(id) > _LONGEST_ID or not id.isprintable():
        raise RulesetError(
            f"found the id {quote_value(id)}, expected at most {_LONGEST_ID} characters that can be shown"
        )
    where = f"rules sent whole for {quote_value(id)}: "
    if problem := data.problem_of_values(values):
        raise RulesetError(f"{where}{problem}")
    stated = {rule: _with_integers(value) for rule, value in values.items() if value is not None}
    values = expand_directions(stated, f"{where}rules.")
    for rule, problem in find_contradictions(values):
        raise RulesetError(f"{where}rules.{rule}: {problem}")
    return Ruleset(id, id, id, (), values, dict.fromkeys(values, ()), (), Path(id)).checked()


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


def _line_to_add(rule: str) -> str:
    """Return advice for a message: the line that gives a missing rule the value of some shipped ruleset."""
    ruleset = next(ruleset for ruleset in map(load_ruleset, ruleset_ids()) if rule in ruleset.values)
    return f"; add a line such as '{rule}: {{value: {data.quote(ruleset.values[rule])}}}', as in {ruleset.id}"


def _alternative_values(id: str, reading: Reading, word: str) -> tuple[Reading, Mapping[str, Any]]:
    """Return a reading with the rule values set by one of its alternatives. Raises RulesetError if inexpressible."""
    alternative = reading.alternatives[word]
    if alternative.inexpressible:
        raise RulesetError(f"{id}?{reading.key}={word} cannot be played: {alternative.inexpressible}")
    return reading, alternative.set
