"""Data that pages load when they need them, as classic scripts: these work from a folder, without any server."""

from __future__ import annotations

import json
from typing import Any


def script(name: str, content: Any) -> str:
    """Data as a script, which does without a server."""
    return f"damspec.put({json.dumps(name)}, {json.dumps(content, ensure_ascii=False, separators=(',', ':'))});\n"
