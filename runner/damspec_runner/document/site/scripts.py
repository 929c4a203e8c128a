"""Data that pages load when they need them, as classic scripts: these work from a folder, without any server."""

from __future__ import annotations

import json
from typing import Any

from .pages import File


def data_script(name: str, content: Any) -> File:
    """Data as a script, which hands it over under a name."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return File(f"{name}.js", f"damspec.put({json.dumps(name)}, {text});\n".encode())
