"""Write the schemas of what `damspec explain` and `damspec diff` print as JSON, from the types of their views.

Run it after a change of a view: `python tools/view_schemas.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

from damspec import data
from damspec_runner.document.comparison import ComparisonView
from damspec_runner.document.explain import Explanation
from damspec_runner.document.ledger import LinkSummary
from damspec_runner.document.view_json import schema_of

#: The views with a schema, each by its name.
VIEWS = {
    "explain": (Explanation, "An explanation"),
    "links": (LinkSummary, "The links"),
    "diff": (ComparisonView, "A comparison"),
}


def path(name: str) -> Path:
    """Return the path of a schema."""
    return data.root() / "schemas" / f"{name}.schema.json"


def text(name: str) -> str:
    """Return the text of a schema as it is now."""
    kind, title = VIEWS[name]
    return json.dumps(schema_of(kind, name, title), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in VIEWS:
        path(name).write_text(text(name), encoding="utf-8")
