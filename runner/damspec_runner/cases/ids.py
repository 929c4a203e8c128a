"""The ledger of case ids (`cases/ids.txt`): what was once published stays there, or is said to be withdrawn and why.

`damspec cases publish` writes the ids of new cases into it; nothing takes one out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from .cases import folder

_WITHDRAWN = " withdrawn: "


def ledger() -> Path:
    """The file: one id on each line, sorted; after a withdrawn one `withdrawn:` and the reason."""
    return folder() / "ids.txt"


def published() -> dict[str, str]:
    """Every id ever published, with the reason why it was withdrawn, or nothing."""
    entries = (line.partition(_WITHDRAWN) for line in ledger().read_text(encoding="utf-8").splitlines())
    return {id: reason.strip() for id, _, reason in entries}


def complaints(ids: Iterable[str]) -> Iterator[str]:
    """How the ids of all cases and the ledger disagree, a line each."""
    there, known = set(ids), published()
    for first, second in pairwise(known):
        if first > second:
            yield f"{second}: stands after {first}, expected the ids sorted"
    for id, reason in known.items():
        if id not in there and not reason:
            yield f"{id}: published, but no case has it; if it has to go, write ' withdrawn: ' and why behind it"
        if id in there and reason:
            yield f"{id}: withdrawn, but a case has it"
    for id in sorted(there - known.keys()):
        yield f"{id}: not in the ledger yet: damspec cases publish"


def record(ids: Iterable[str]) -> list[str]:
    """Write the ids of new cases into the ledger; those that are new."""
    known = published()
    new = sorted(set(ids) - known.keys())
    entries = {**known, **dict.fromkeys(new, "")}
    lines = [id + (_WITHDRAWN + entries[id] if entries[id] else "") + "\n" for id in sorted(entries)]
    ledger().write_text("".join(lines), encoding="utf-8")
    return new
