"""Ruleset files: finding one by its name, reading it, and merging it with all that it extends.

A name is the id of a shipped ruleset, what people call it, or the path of a file, then overlays after `+` and readings
after `?`: `vl`, `frisian+losing?king-value=one-man`, `my/own.yaml+on-12x12`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path, PureWindowsPath
from typing import Any, Literal

from . import data
from .contradictions import fill_dependent_rules
from .errors import RulesetError, quote_value
from .readings import Reading, check_clauses, load_clauses, load_readings, read_readings
from .rules import expand_directions

#: What the name of a ruleset file ends in.
FILE_SUFFIXES = (".yaml", ".yml")
#: What stands in the id of a changed ruleset between the one that was changed and a digest of its values.
CHANGED = "~"
_FILE_AND_OVERLAYS = re.compile(r"(.*\.ya?ml)((?:\+[^+/\\]*)*)", re.DOTALL)
_EXPECTED = "expected the id of a ruleset, or the path of a file that ends in .yaml or .yml"
#: The most files that may extend one another in a row.
_MOST_GENERATIONS = 100


# --- where they are


def rulesets_folder() -> Path:
    """Return the folder of the shipped rulesets."""
    return data.root() / "spec" / "rulesets"


def overlays_folder() -> Path:
    """Return the folder of the shipped overlays."""
    return data.root() / "spec" / "overlays"


def ruleset_path(id: str) -> Path:
    """Return the path that a shipped ruleset has, whether or not it exists."""
    return rulesets_folder() / f"{id}.yaml"


def overlay_path(id: str) -> Path:
    """Return the path that an overlay has, whether or not it exists."""
    return overlays_folder() / f"{id}.yaml"


def ruleset_ids() -> list[str]:
    """Return the ids of the shipped rulesets."""
    return [*_ids_in(rulesets_folder())]


def overlay_ids() -> list[str]:
    """Return the ids of the shipped overlays: options that go with any ruleset."""
    return [*_ids_in(overlays_folder())]


@cache
def _ids_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


# --- names


@dataclass(frozen=True)
class RulesetName:
    """The parts of a ruleset's name: an id or a path, overlays, and readings."""

    base: str
    overlays: tuple[str, ...] = ()
    query: str = ""

    @classmethod
    @lru_cache(1 << 12)
    def parse(cls, text: str) -> RulesetName:
        """Return the parts of a name, whether or not there is such a ruleset."""
        name, _, query = text.partition("?")
        with_file = _FILE_AND_OVERLAYS.fullmatch(name)
        base, *overlays = (with_file[1], *with_file[2].split("+")[1:]) if with_file else name.split("+")
        return cls(base, tuple(overlays), query)

    @property
    def is_file(self) -> bool:
        """Whether it begins with the path of a file of your own."""
        return self.base.endswith(FILE_SUFFIXES)


@cache
def _aliases() -> Mapping[str, Sequence[str]]:
    """Load the aliases of rulesets, in lower case, with the ids that each stands for (spec/aliases.yaml)."""
    found: dict[str, Sequence[str]] = data.load_yaml(data.root() / "spec" / "aliases.yaml", "aliases")
    return found


def ids_called(word: str) -> Sequence[str]:
    """Return the ids of the shipped rulesets that a word can mean: an id, or what people call a game.

    >>> ids_called("American checkers"), ids_called("LB"), ids_called("chess")
    (['english'], ['lb'], [])
    """
    if word in ruleset_ids():
        return [word]
    ids, plain = {id.casefold(): id for id in ruleset_ids()}, word.casefold()
    if plain in _aliases():
        return _aliases()[plain]
    for name in (plain, plain.removesuffix(" checkers").removesuffix(" draughts")):
        if name in ids:
            return [ids[name]]
    return []


def shipped_name(name: RulesetName) -> RulesetName:
    """Return the name with the id of the shipped ruleset that its base means.

    Raises RulesetError for a base that means none, or several. The error is the same whatever files there are.
    """
    word, fitting = name.base, ids_called(name.base)
    if len(fitting) > 1:
        raise RulesetError(f"{quote_value(word)} fits several rulesets, expected one of {', '.join(fitting)}")
    if fitting:
        return replace(name, base=fitting[0])
    if CHANGED in word:
        raise RulesetError(f"unknown ruleset {quote_value(word)}: one made by with_value has to be given itself")
    if ":" in word:
        raise RulesetError(f"unknown ruleset {quote_value(word)}, expected its id, and a position after it")
    if any(sign in word for sign in "./\\"):
        raise RulesetError(
            f"unknown ruleset {quote_value(word)}, expected an id: load_ruleset_file loads a ruleset from a file"
        )
    raise RulesetError(_describe_unknown_id(word, "ruleset", ruleset_ids()))


def describe_unknown_source(name: RulesetName) -> str:
    """Return what is wrong with a name that begins with neither the id of a ruleset nor the path of a file."""
    return _describe_unknown(name.base, "ruleset", Path(), ruleset_ids())


def is_shipped(id: str) -> bool:
    """Return whether an id names a shipped ruleset, with or without overlays, under no reading: `vl`, `vl+losing`."""
    name = RulesetName.parse(id)
    return name.base in ruleset_ids() and {*name.overlays} <= {*overlay_ids()} and not name.query


# --- files


@dataclass(frozen=True)
class RulesetFile:
    """A ruleset file, read and checked, with the files that it extends directly.

    `readings` are those that it defines itself. Once it is loaded, `rules` in its content has what it confirms too.
    """

    path: Path
    content: Mapping[str, Any]
    kind: Literal["shipped", "overlay", "own"]
    parents: tuple[RulesetFile, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def id(self) -> str:
        """The id that it states."""
        id: str = self.content["id"]
        return id

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The documents that are its authority: those it states, or else those of what it extends."""
        inherited = dict.fromkeys(document for parent in self.parents for document in parent.documents)
        return tuple(self.content.get("documents", inherited))

    @property
    def confirmed(self) -> list[str]:
        """The rules that it says its own documents have as what it extends has them."""
        return [rule for rules in self.content.get("confirms", {}) for rule in rules.split()]

    @cached_property
    def ancestors(self) -> tuple[RulesetFile, ...]:
        """All that it extends, parents before children, each once: an overlay where it is named last, others first."""
        found: dict[Path, RulesetFile] = {}
        for parent in self.parents:
            for file in (*parent.ancestors, parent):
                if file.kind == "overlay":
                    found.pop(_identity(file.path), None)
                found.setdefault(_identity(file.path), file)
        return tuple(found.values())


def load_family(name: RulesetName) -> tuple[tuple[RulesetFile, ...], tuple[RulesetFile, ...]]:
    """Return the files that a ruleset's file extends, then this file and those of its overlays.

    Raises RulesetError or FileError.
    """
    file = _load(_path_of(name), (), {})
    twice = [id for id in name.overlays if name.overlays.count(id) > 1]
    if twice:
        raise RulesetError(
            f"found {quote_value('+'.join(name.overlays))}, which gives overlay {quote_value(twice[0])} twice"
        )
    return file.ancestors, (file, *map(overlay, name.overlays))


def parents_of(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the rulesets that a ruleset extends directly, and those that each of them extends, by id.

    Overlays are not rulesets; a ruleset under overlays extends the one without them.
    """
    parts = RulesetName.parse(name)
    file = _load(_path_of(parts), (), {})
    found = {
        each.id: tuple(parent.id for parent in each.parents if parent.kind != "overlay")
        for each in (*file.ancestors, file)
    }
    return found | ({"+".join((file.id, *parts.overlays)): (file.id,)} if parts.overlays else {})


def stated_rules(id: str) -> frozenset[str]:
    """Return the rules that a shipped ruleset states or confirms: in its file, or by an overlay that this extends."""
    file = _load(ruleset_path(id), (), {})
    overlays = [parent for parent in file.parents if parent.kind == "overlay"]
    return frozenset(rule for each in (*overlays, file) for rule in each.content["rules"])


def overlay(id: str) -> RulesetFile:
    """Load an overlay: a file in the form of a ruleset that extends nothing. Raises RulesetError."""
    if id not in overlay_ids():
        raise RulesetError(f"unknown overlay {quote_value(id)}{data.nearest(id, overlay_ids())}")
    return _load_overlay(overlay_path(id))


@cache
def _load_overlay(path: Path) -> RulesetFile:
    found = _load(path, (), {})
    if found.parents:
        raise RulesetError(
            f"{data.path_text(path)}: extends: found {quote_value(found.parents[0].id)}, expected nothing"
        )
    return found


def check_shipped() -> None:
    """Raise RulesetError or FileError if shipped files name a clause or a reading that does not exist.

    This needs every document, and shipped files do not change, so loading a ruleset does not check it. Nor does it
    check that a shipped file confirms what it has in common with what it extends, and states only what differs.
    """
    for reading in load_readings():
        check_clauses(reading, "spec/readings")
    for file in (*(_load(ruleset_path(id), (), {}) for id in ruleset_ids()), *map(overlay, overlay_ids())):
        where = data.path_text(file.path)
        _check_sources(file.content, [file.id], load_readings(), where)
        inherited = values_of(merge_rules(file.ancestors))
        for rule, value in values_of(file.content["rules"]).items():
            if rule in inherited and inherited[rule] == value and rule not in file.confirmed:
                raise RulesetError(
                    f"{where}: rules.{rule}: found {data.quote(value)} as in what it extends, expected it in confirms"
                )


def merge_rules(files: Iterable[RulesetFile]) -> Mapping[str, Mapping[str, Any]]:
    """Return the rules that files state one after the other, without those removed.

    Rules that depend on what an overlay or a file of your own changes follow it, unless it states them.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for file in files:
        found |= file.content["rules"]
        found = {rule: entry for rule, entry in found.items() if entry["value"] is not None}
        if file.kind != "shipped":
            filled = fill_dependent_rules(values_of(found), file.content["rules"].keys())
            found = {rule: found.get(rule, {"value": value}) for rule, value in filled.items()}
    return found


def values_of(rules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the values of rules as files state them."""
    return {rule: entry["value"] for rule, entry in rules.items()}


def merge_conduct(files: Iterable[RulesetFile]) -> tuple[Mapping[str, Any], ...]:
    """Return the conduct that files state one after the other, each without what the next does not take over."""
    found: list[Mapping[str, Any]] = []
    for file in files:
        dropped = {*file.content.get("without-conduct", ())}
        found = [entry for entry in found if dropped.isdisjoint(entry.get("from", ()))]
        found += file.content.get("conduct", ())
    return tuple(found)


def _path_of(name: RulesetName) -> Path:
    """Return the path of the file that a name begins with."""
    if name.base in ruleset_ids():
        return ruleset_path(name.base)
    path = Path(name.base)
    *_, last = name.base.split("+")
    if last != name.base and not _holds(path.exists) and _holds(Path(name.base.removesuffix(f"+{last}")).is_file):
        raise RulesetError(
            f"found {quote_value(last)} after +, expected an overlay ({', '.join(overlay_ids())});"
            " a file can extend several others"
        )
    return path


def _describe_unknown(word: str, expected: str, folder: Path, known: Sequence[str]) -> str:
    """Return what is wrong with a word that is neither a known id nor the path of a file; `folder` is where it counts.

    Ids are suggested only to what is no path.
    """
    unknown = f"unknown {expected} {quote_value(word)}"
    for suffix in FILE_SUFFIXES if word else ():
        if _holds((folder / f"{word}{suffix}").is_file):
            return f"{unknown}; did you mean the file {quote_value(word + suffix)}?"
    if word and _holds((folder / word).is_dir):
        return f"{unknown}, which is a folder; {_EXPECTED}"
    if any(sign in word for sign in "./\\"):
        return f"{unknown}, {_EXPECTED}"
    return _describe_unknown_id(word, expected, known)


def _describe_unknown_id(word: str, expected: str, known: Sequence[str]) -> str:
    """Return what is wrong with a word that is no known id, with the nearest of them if it is no overlay."""
    unknown = f"unknown {expected} {quote_value(word)}"
    if word in overlay_ids():
        return f"{unknown}, which is an overlay; expected a ruleset before it: RULESET+{word}"
    called = data.close_to(word.casefold(), [*_aliases()], 0.8) if expected == "ruleset" else ""
    return f"{unknown}{called or data.nearest(word, [*known], _cutoff(word))}"


def _cutoff(word: str) -> float:
    """Return how similar a known name has to be to be suggested; of short ones half the letters are enough."""
    return 0.5 if len(word) <= 3 else 0.65


def _load(path: Path, below: tuple[RulesetFile, ...], found: dict[Path, RulesetFile]) -> RulesetFile:
    """Load a ruleset file with all that it extends.

    `below` are the files that extend it, each the parent of the one before, and `found` those loaded already.
    """
    key = _identity(path)
    if key in found:
        return found[key]
    kind: Literal["shipped", "overlay", "own"] = (
        "shipped" if path.parent == rulesets_folder() else "overlay" if path.parent == overlays_folder() else "own"
    )
    where = data.path_text(path)
    content = _read_file(path) if kind == "own" else _read_shipped_file(path)
    file = RulesetFile(path, content, kind)
    parents: list[RulesetFile] = []
    for place, entry in _extends_entries(content):
        parent = _parent_path(file, entry, f"{where}: {place}", first=not parents)
        _check_circle(parent, (*below, file), f"{where}: {place}: ", entry)
        if len(below) >= _MOST_GENERATIONS:
            raise RulesetError(f"{where}: {place}: found more than {_MOST_GENERATIONS} files that extend one another")
        parents.append(_load(parent, (*below, file), found))
        if len(parents) > 1 and parents[-2].kind == "overlay" != parents[-1].kind:
            raise RulesetError(
                f"{where}: {place}: found {quote_value(entry)} after the overlay {quote_value(parents[-2].id)},"
                " expected overlays last"
            )
    file = _with_confirmed(replace(file, parents=tuple(parents)), where)
    _check_ids(file, where)
    _check_dropped_conduct(file, where)
    if kind == "own":
        file = _with_readings(file, where)
    return found.setdefault(key, file)


def _with_confirmed(file: RulesetFile, where: str) -> RulesetFile:
    """Return a file that states what it confirms, with the values of what it extends and the sources it gives."""
    inherited, rules = merge_rules(file.ancestors), dict(file.content["rules"])
    for names, sources in file.content.get("confirms", {}).items():
        for rule in names.split():
            if rule not in inherited:
                raise RulesetError(
                    f"{where}: confirms: found {quote_value(rule)}, expected a rule of what this file extends"
                    f"{data.close_to(rule, [*inherited])}"
                )
            if rule in rules:
                other = "rules" if rule in file.content["rules"] else "confirms"
                raise RulesetError(f"{where}: confirms.{rule}: found in {other} already, expected each rule once")
            rules[rule] = {"value": inherited[rule]["value"], "from": sources}
    return replace(file, content={**file.content, "rules": rules})


def _check_circle(parent: Path, row: Sequence[RulesetFile], where: str, entry: str) -> None:
    """Raise RulesetError if the parent that an `entry` names is in the row of files that lead to it."""
    place = next((n for n, file in enumerate(row) if _identity(file.path) == _identity(parent)), None)
    if place is None:
        return
    if place == len(row) - 1:
        raise RulesetError(f"{where}{quote_value(entry)} extends itself")
    between = " and ".join(data.path_text(file.path) for file in row[place + 1 : -1])
    raise RulesetError(
        f"{where}found {quote_value(entry)}, which extends this file{f' through {between}' if between else ''},"
        " expected one that does not"
    )


def _extends_entries(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each entry of `extends`, after its place."""
    named = content.get("extends", ())
    if isinstance(named, str):
        yield "extends", named
        return
    for number, entry in enumerate(named):
        yield f"extends.{number}", entry


def _parent_path(file: RulesetFile, entry: str, place: str, *, first: bool) -> Path:
    """Return the path of what a file extends by an entry. Raises RulesetError if there is no such thing."""
    if entry == file.id:
        raise RulesetError(f"{place}: {quote_value(entry)} extends itself")
    if entry in ruleset_ids():
        return ruleset_path(entry)
    if entry in overlay_ids() and not first:
        return overlay_path(entry)
    folder = file.path.parent
    if not entry.endswith(FILE_SUFFIXES):
        expected = "ruleset" if first else "ruleset or overlay"
        known = ruleset_ids() if first else [*ruleset_ids(), *overlay_ids()]
        if entry in overlay_ids():
            raise RulesetError(f"{place}: found the overlay {quote_value(entry)}, expected a ruleset or a file first")
        raise RulesetError(f"{place}: {_describe_unknown(entry, expected, folder, known)}")
    if file.kind != "own":
        raise RulesetError(f"{place}: found {quote_value(entry)}, expected the id of a shipped ruleset or overlay")
    there = PureWindowsPath(entry)  # which knows both kinds of slashes
    if ".." in there.parts or there.anchor:
        raise RulesetError(f"{place}: found {quote_value(entry)}, expected a file in this one's folder or below it")
    path = folder / entry
    if _holds(path.is_dir):
        raise RulesetError(f"{place}: found {quote_value(entry)}, which is a folder, expected a file")
    if not _holds(path.exists):
        raise RulesetError(
            f"{place}: found {quote_value(entry)}, expected a file: there is no {data.path_text(path)}"
            f"{data.close_to(entry, _names_beside(file.path), _cutoff(entry))}"
        )
    return path


def _names_beside(path: Path) -> list[str]:
    """Return the names of the other files in the folder of a file that could be rulesets."""
    try:
        return [other.name for other in path.parent.iterdir() if other.suffix in FILE_SUFFIXES and other != path]
    except OSError:
        return []


def _check_ids(file: RulesetFile, where: str) -> None:
    """Raise RulesetError if two files of a family have one id."""
    by_id: dict[str, RulesetFile] = {}
    for each in (*file.ancestors, file):
        other = by_id.setdefault(each.id, each)
        if other is not each:
            either, here = data.path_text(other.path), "this file" if each is file else data.path_text(each.path)
            raise RulesetError(f"{where}: extends: {either} and {here} have the id {each.id!r}, expected one each")


def _check_dropped_conduct(file: RulesetFile, where: str) -> None:
    """Raise RulesetError if a file does without conduct that it would not inherit."""
    inherited = {clause: None for entry in merge_conduct(file.ancestors) for clause in entry.get("from", ())}
    for number, clause in enumerate(file.content.get("without-conduct", ())):
        if clause not in inherited:
            raise RulesetError(
                f"{where}: without-conduct.{number}: found {quote_value(clause)}, expected a clause behind conduct of"
                f" what it extends{data.nearest(clause, [*inherited])}"
            )


def _read_file(path: Path) -> dict[str, Any]:
    """Read one ruleset file: check its form and expand its directions."""
    content: dict[str, Any] = data.load_yaml(path, "ruleset")
    content["rules"] = content["rules"] or {}
    values = expand_directions(values_of(content["rules"]), f"{data.path_text(path)}: rules.")
    content["rules"] = {rule: {**entry, "value": values[rule]} for rule, entry in content["rules"].items()}
    return content


#: Shipped ruleset files are read once, however many others extend them.
_read_shipped_file = cache(_read_file)


def _holds(test: Callable[[], bool]) -> bool:
    """Return what a test of a path says; False for what can be no path."""
    try:
        return test()
    except (OSError, ValueError):
        return False


def _identity(path: Path) -> Path:
    """Return the path by which a file is the same however it is named."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return path


# --- readings and sources of a file of your own


def _with_readings(file: RulesetFile, where: str) -> RulesetFile:
    """Return a file of your own with the readings it defines, after checking them and every `from`."""
    ids = [file.id]
    if file.id not in ruleset_ids():
        ids += [each.id for each in file.ancestors if each.kind != "overlay"]
    inherited = [reading for each in file.ancestors for reading in each.readings]
    about = [reading for reading in load_readings() if set(ids) & set(reading.rulesets)]
    _check_inherited_readings(inherited, about, where)
    before = [*load_readings(), *(replace(reading, rulesets=tuple(ids)) for reading in inherited)]
    file = replace(file, readings=_own_readings(file.content, ids, where, before))
    _check_sources(file.content, ids, [*load_readings(), *inherited, *file.readings], where)
    return file


def _check_inherited_readings(inherited: Sequence[Reading], about: Iterable[Reading], where: str) -> None:
    """Raise RulesetError if readings that a file inherits from several others have one id or one key."""
    by_name: dict[str, Reading] = {reading.key: reading for reading in about}
    for reading in inherited:
        for name in (reading.id, reading.key):
            if name in by_name:
                raise RulesetError(
                    f"{where}: extends: found two readings called {name!r}, of {reading.rulesets[0]}"
                    f" and of {by_name[name].rulesets[0]}, expected one"
                )
            by_name[name] = reading


def _own_readings(
    content: Mapping[str, Any], ids: Sequence[str], where: str, before: Sequence[Reading]
) -> tuple[Reading, ...]:
    """Return the readings a file defines for its own rules, checked against those it inherits."""
    id = content["id"]
    entries = [{"clauses": (), "rulesets": (id,), **entry} for entry in content.get("readings", ())]
    for entry in entries:
        if set(entry["rulesets"]) != {id}:
            raise RulesetError(
                f'{where}: {entry["id"]}.rulesets: found {data.quote(entry["rulesets"])}, expected ["{id}"] or nothing'
            )
    found = read_readings([{**entry, "rulesets": ids} for entry in entries], where, before)
    for reading in found:
        check_clauses(reading, where)
    return tuple(replace(reading, rulesets=(id,)) for reading in found)


def _check_sources(content: Mapping[str, Any], ids: Sequence[str], readings: Iterable[Reading], where: str) -> None:
    """Check that every `from` names a known clause, or a reading about one of these rulesets."""
    places = [(f"confirms.{rules}", sources) for rules, sources in content.get("confirms", {}).items()]
    places += [(f"rules.{rule}.from", entry.get("from", ())) for rule, entry in content["rules"].items()]
    places += [(f"conduct.{n}.from", entry.get("from", ())) for n, entry in enumerate(content.get("conduct", ()))]
    known = {reading.id: reading for reading in readings}
    for place, sources in places:
        for source in sources:
            if source in known:
                if not set(ids) & set(known[source].rulesets):
                    raise RulesetError(
                        f"{where}: {place}: reading {source} is about {', '.join(known[source].rulesets)},"
                        f" expected one about {' or '.join(ids)}"
                    )
            elif source not in load_clauses():
                there = [*known, *load_clauses()]
                raise RulesetError(
                    f"{where}: {place}: found {quote_value(source)}, expected a clause of spec/sources/ or"
                    f" a reading of spec/readings/ or of the file's own{data.nearest(source, there)}"
                )
