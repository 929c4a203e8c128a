"""What a report says in words, whatever its form."""

from __future__ import annotations

from ..result import Result, Status

#: Each verdict as the counts of a report name it.
COUNTED_AS: dict[Status, str] = {
    "passed": "passed",
    "failed": "failed",
    "reading": "explained by another reading",
    "error": "errors",
    "unsupported": "unsupported",
    "timeout": "timed out",
    "unstable": "unstable",
    "not-asked": "not asked",
}


def faults_in_words(result: Result) -> list[str]:
    """What is wrong in a case, one sentence's worth each."""
    lines = [result.message] if result.message else []
    lines += [f"{word} {', '.join(moves)}" for word, moves, _ in result.listings() if word != "duplicate"]
    return lines + [f"{what}: expected {d.expected}, got {d.got}" for what, d in result.differences()]
