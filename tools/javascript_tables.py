"""Write into the interpreter in JavaScript what it takes from data: the form of each rule, and what goes with what.

The mechanisms there are written independently of the reference; these tables are not. Run it after a change of
`schemas/ruleset.schema.json` or of `contradictions.py`: `python tools/javascript_tables.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from damspec import data
from damspec.contradictions import CLASHES, PRESENCE
from damspec.mutations import entries_of, form_of
from damspec.rules import rule_names

_BEGIN = "// --- generated from the schema of rulesets and contradictions.py by `python tools/javascript_tables.py`"
_END = "// --- end of what is generated"


def path() -> Path:
    """Return the path of the interpreter."""
    return data.root() / "reference" / "javascript" / "damspec.js"


def update_tables(text: str) -> str:
    """Return the text of the interpreter with the tables as they are now."""
    before, _, rest = text.partition(f"{_BEGIN}\n")
    _, _, after = rest.partition(f"{_END}\n")
    return f"{before}{_BEGIN}\n{_tables()}{_END}\n{after}"


def _tables() -> str:
    forms = [(json.dumps(rule), json.dumps(_form(rule))) for rule in rule_names()]
    presence = [(json.dumps(rule), json.dumps(found)) for rule, found in _presence()]
    clashes = [json.dumps([each.rule, each.value, each.words, _plain(each.beside), each.after]) for each in CLASHES]
    return (
        f"const VALUES = {{\n{_lines(f'{rule}: {form},' for rule, form in forms)}}};\n"
        f"const PRESENCE = {{\n{_lines(f'{rule}: {found},' for rule, found in presence)}}};\n"
        f"const CLASHES = [\n{_lines(f'{each},' for each in clashes)}];\n"
    )


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)


def _form(rule: str) -> dict[str, Any]:
    """Return the form of a rule's value as far as it is closed: words, a list of words, or a range of numbers."""
    form = form_of(rule)
    if "enum" in form:
        return {"words": form["enum"], **({"former": form["former"]} if "former" in form else {})}
    if form.get("type") == "array":
        directions = "$ref" in form["items"]
        return {"directions": True} if directions else {"list": entries_of(form), "least": form.get("minItems", 0)}
    if form.get("type") == "integer" and rule != "start.men":
        return {"from": form["minimum"], "to": form.get("maximum")}
    return {}


def _presence() -> Iterator[tuple[str, list[Any]]]:
    """Yield each rule that not every game has: the condition, the same in words, whether it is free, its default."""
    for rule in rule_names():
        found = PRESENCE.get(rule) or PRESENCE.get(rule.partition(".")[0])
        if found:
            words = found.words.removeprefix("if ").removeprefix("where ")
            yield rule, [_plain(found.when), words, found.free, found.default]


def _plain(condition: Mapping[str, Any]) -> dict[str, Any]:
    return {rule: [*wanted] if isinstance(wanted, tuple) else wanted for rule, wanted in condition.items()}


if __name__ == "__main__":
    path().write_text(update_tables(path().read_text(encoding="utf-8")), encoding="utf-8")
