"""The files of rulesets: reading one with all it extends, and the overlays that go with any (spec/overlays/).

A file says what it states itself; here that is put together, parents before children, and every `from` is checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from . import data
from .errors import RulesetError, quoted
from .readings import Reading, check_clauses, load_clauses, load_readings, read_readings
from .shorthand import written_out


def ruleset_ids() -> list[str]:
    """The ids of the rulesets shipped."""
    return [*_ids_in(folder())]


@cache
def _ids_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


def overlay_ids() -> list[str]:
    """The ids of the overlays shipped: options that go with any ruleset."""
    return sorted(path.stem for path in path_of_overlay("").parent.glob("*.yaml"))


def is_shipped(id: str) -> bool:
    """Return whether an id names a ruleset shipped, with or without overlays: `vl`, `vl+losing`."""
    base, *overlays = id.split("+")
    return base in ruleset_ids() and set(overlays) <= {*overlay_ids()}


def content_of(path: Path, overlays: Sequence[str] = ()) -> dict[str, Any]:
    """A ruleset file's content with the rules of all it extends merged in, every `from` checked.

    Under overlays theirs come last, in the order they are named, and `id` and `name` say so.
    """
    files = _family(path, ())
    twice = [id for id in overlays if overlays.count(id) > 1]
    if twice:
        raise RulesetError(f"found {quoted('+'.join(overlays))}, which gives overlay {quoted(twice[0])} twice")
    files += [overlay(id) for id in overlays]
    rules = {rule: entry for file in files for rule, entry in file["rules"].items()}
    conduct = [entry for file in files for entry in file.get("conduct", ())]
    inherited = dict.fromkeys(document for file in files[:-1] for document in file["documents"])
    merged = {"rules": rules, "conduct": conduct, "family": [file["id"] for file in files[:-1]]}
    found = {"documents": list(inherited), **files[-1], **merged, "said": tuple(files[-1]["rules"])}
    return _overlaid(found, files, len(overlays)) if overlays else found


def _family(path: Path, below: tuple[str, ...]) -> list[dict[str, Any]]:
    """The contents of a ruleset file and of all it extends, each once, parents first in the order they are named."""
    where = data.shown(path)
    content = {**(_shipped_content(path) if path.parent == folder() else _stated(path))}
    named = content.get("extends", [])
    family: list[dict[str, Any]] = []
    for parent in [named] if isinstance(named, str) else named:
        if parent in (*below, content["id"]):
            raise RulesetError(f"{where}: extends: {quoted(parent)} extends itself")
        if parent not in ruleset_ids():
            raise RulesetError(
                f"{where}: extends: unknown ruleset {quoted(parent)}{data.nearest(parent, ruleset_ids())}"
            )
        known = [member["id"] for member in family]
        family += [member for member in _family(path_of(parent), (*below, content["id"])) if member["id"] not in known]
    ids = [content["id"]] if content["id"] in ruleset_ids() else [content["id"], *(member["id"] for member in family)]
    content["readings"] = _own_readings(content, ids, where) if "readings" in content else ()
    if path.parent != folder():
        _check_sources(content, ids, where)
    return [*family, content]


def _stated(path: Path) -> dict[str, Any]:
    """What a file states itself, its form checked, its values written out."""
    where = data.shown(path)
    content: dict[str, Any] = data.load_yaml(path)
    data.check(content, "ruleset", where)
    values = written_out({rule: entry["value"] for rule, entry in content["rules"].items()}, f"{where}: rules.")
    content["rules"] = {rule: {**entry, "value": values[rule]} for rule, entry in content["rules"].items()}
    return content


@cache
def _shipped_content(path: Path) -> dict[str, Any]:
    """The same of a file shipped, which stays as it is: each is read once, however many extend it."""
    return _stated(path)


def _own_readings(content: Mapping[str, Any], ids: Sequence[str], where: str) -> tuple[Reading, ...]:
    """The readings that a file gives of its own rules, told apart from all that are about what it extends."""
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
    """Raise RulesetError or FileError if what is shipped names a clause or a reading that there is not.

    It takes all documents to see that, and what is shipped stays as it is: so no ruleset that is loaded asks for it.
    """
    for reading in load_readings():
        check_clauses(reading, "spec/readings")
    for id in ruleset_ids():
        *_, content = _family(path_of(id), ())
        _check_sources(content, [id], data.shown(path_of(id)))
    for id in overlay_ids():
        overlay(id)


def folder() -> Path:
    """Where the rulesets shipped are."""
    return data.root() / "spec" / "rulesets"


def path_of(id: str) -> Path:
    """The file of a ruleset shipped, there or not."""
    return folder() / f"{id}.yaml"


def _check_sources(content: Mapping[str, Any], ids: Sequence[str], where: str) -> None:
    """Every `from` names a clause or a reading that there is, and the reading is about one of these rulesets."""
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
                    f"{where}: {place}.from: found {quoted(source)}, expected a clause of spec/sources/ or a reading of"
                    f" spec/readings/ or of the file's own{data.nearest(source, there)}"
                )


def path_of_overlay(id: str) -> Path:
    """The file of an overlay, there or not."""
    return data.root() / "spec" / "overlays" / f"{id}.yaml"


@cache
def overlay(id: str) -> dict[str, Any]:
    """The content of an overlay, in the form of a ruleset that extends nothing and says little."""
    if id not in overlay_ids():
        raise RulesetError(f"unknown overlay {quoted(id)}{data.nearest(id, overlay_ids())}")
    *parents, content = _family(path_of_overlay(id), ())
    if parents:
        raise RulesetError(f"{data.shown(path_of_overlay(id))}: extends: found {parents[-1]['id']!r}, expected nothing")
    return content


def _overlaid(found: dict[str, Any], files: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any]:
    """What a ruleset under overlays is: called after all of them, with the documents of all, and no tag of PDN."""
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
