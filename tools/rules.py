"""Write what follows from spec/rules.yaml: the form of each rule, when it is there, and what does not go with what.

That is the rules in the schema of rulesets, their list in spec/README.md, their types in Python, and the tables of the
interpreter in JavaScript, whose mechanisms are written independently of the reference. Run it after a change:
`python tools/rules.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from damspec import data
from damspec.rules import field_of
from damspec.vocabulary import Condition, Form, Group, Rule, groups, vocabulary

_BEGIN = "// --- generated from spec/rules.yaml by `python tools/rules.py`\n"
_END = "// --- end of what is generated\n"
_COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 1}
_LIST_VALUE: Mapping[str, Any] = {"type": "array", "write": "a list: [{}]", "uniqueItems": True}
_SQUARES: Mapping[str, Any] = {"type": "array", "minItems": 1, "uniqueItems": True, "items": _COUNT}


def files() -> Iterator[tuple[Path, str]]:
    """Yield each file that is made from spec/rules.yaml, with its text as it should be."""
    root = data.root()
    yield root / "schemas" / "ruleset.schema.json", _schema()
    yield root / "reference" / "damspec" / "rule_groups.py", _types()
    for path, begin, text, end in (
        (root / "spec" / "README.md", _LIST, _list(), "\n\n"),
        (root / "reference" / "javascript" / "damspec.js", _BEGIN, _tables(), _END),
    ):
        before, _, rest = path.read_text(encoding="utf-8").partition(begin)
        yield path, f"{before}{begin}{text}{end}{rest.partition(end)[2]}"


# --- the list of the rules

_LIST = "| group | rules |\n|---|---|\n"


def _list() -> str:
    names = ((group.title, ", ".join(f"`{rule.name}`" for rule in group.rules)) for group in groups())
    return "\n".join(f"| {title} | {rules} |" for title, rules in names)


# --- the schema of rulesets


def _schema() -> str:
    schema = data.schema("ruleset")
    rules = {**schema["properties"]["rules"], "properties": {rule.name: _entry(rule) for rule in vocabulary().values()}}
    content = {**schema, "properties": {**schema["properties"], "rules": rules}}
    return f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"


def _entry(rule: Rule) -> dict[str, Any]:
    value = _value(rule.form)
    return {
        "type": "object",
        "description": rule.asks,
        "write": "{value: {}}",
        "additionalProperties": False,
        "required": ["value"],
        "properties": {
            "value": {"anyOf": [value, {"type": "null"}]} if rule.requirement else value,
            "from": {"$ref": "#/$defs/from"},
        },
    }


def _value(form: Form) -> dict[str, Any]:
    """Return the schema of a value, without the null that removes an optional rule."""
    words = [*form.words]
    match form.kind:
        case "choice":
            return {"enum": words, **({"former": {**form.former}} if form.former else {})}
        case "list":
            least = {"minItems": form.least} if form.least else {}
            return {**_LIST_VALUE, **least, "items": {"enum": words}}
        case "directions":
            return {**_LIST_VALUE, "minItems": 1, "items": {"$ref": "#/$defs/direction"}}
        case "number":
            return {"type": "integer", "minimum": form.least, **({"maximum": form.most} if form.most else {})}
        case "text":
            return {"type": "string", "pattern": form.pattern, "expected": form.expected}
        case "squares":
            sides = dict.fromkeys((*form.keys, *words), _SQUARES)
            mapping = {"type": "object", "additionalProperties": False, "required": [*form.keys], "properties": sides}
            return {"anyOf": [_COUNT, mapping]}
        case "layout":
            return {"anyOf": [{"type": "string", "minLength": 1}, {"type": "object"}]}
        case "mapping":
            properties = {key: {"enum": words} for key in form.keys}
            return {"type": "object", "minProperties": 1, "additionalProperties": False, "properties": properties}
        case "counts":
            keys = {"propertyNames": {"pattern": form.pattern, "expected": form.expected}}
            return {"type": "object", "minProperties": 1, **keys, "additionalProperties": _COUNT}


# --- the types in Python

_HEAD = '''\
"""The rules of one game by group: a dataclass for each, with a field for each rule.

`ManRules.capture_first` is `man.capture.first`. Written by `python tools/rules.py` from spec/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .layout import Layout
'''


_TYPES = {
    "list": "tuple[str, ...]",
    "directions": "tuple[str, ...]",
    "number": "int",
    "text": "str",
    "squares": "int | Mapping[str, tuple[int, ...]]",
    "layout": "Layout",
    "mapping": "Mapping[str, str]",
    "counts": "Mapping[str, int]",
}


def _types() -> str:
    return _HEAD + "".join(f"\n\n{_dataclass(group)}" for group in groups() if group.id != "board")


def _dataclass(group: Group) -> str:
    lines = ["@dataclass(frozen=True, kw_only=True)", f"class {group.id.capitalize().removesuffix('s')}Rules:"]
    lines.append(f'    """{group.title}."""\n')
    for rule in group.rules:
        optional = " | None = None" if rule.requirement and (rule.requirement.free or not group.extension) else ""
        lines += [f"    #: {rule.asks}", f"    {field_of(rule.name)}: {_type(rule.form)}{optional}"]
    return "\n".join(lines) + "\n"


def _type(form: Form) -> str:
    if form.kind != "choice":
        return _TYPES[form.kind]
    is_fraction = any(isinstance(word, float) for word in form.words)
    return "float" if is_fraction else f"Literal[{', '.join(map(json.dumps, form.words))}]"


# --- the tables in JavaScript


def _tables() -> str:
    rules = vocabulary().values()
    forms = (f"{json.dumps(rule.name)}: {json.dumps(_form(rule.form))}," for rule in rules)
    needs = ((rule.name, rule.requirement) for rule in rules if rule.requirement)
    presence = (
        f"{json.dumps(rule)}: {json.dumps([_plain(need.when), need.words, need.free, need.default])},"
        for rule, need in needs
    )
    clashes = (
        f"{json.dumps([each.rule, each.value, each.words, _plain(each.beside), each.after])},"
        for rule in rules
        for each in rule.clashes
    )
    return (
        f"const VALUES = {{\n{_lines(forms)}}};\n"
        f"const PRESENCE = {{\n{_lines(presence)}}};\n"
        f"const CLASHES = [\n{_lines(clashes)}];\n"
    )


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)


def _form(form: Form) -> dict[str, Any]:
    """Return the form of a rule's value, without what is as usual."""
    usual = asdict(Form())
    return {name: part for name, part in asdict(form).items() if part != usual[name]}


def _plain(condition: Condition) -> dict[str, Any]:
    return data.thaw(condition)  # type: ignore[no-any-return]


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
