"""What may be wrong when an engine says nothing that can be understood: mostly it is in how lines are framed."""

from __future__ import annotations

from collections.abc import Sequence

FLUSH = "; an answer came when its input was closed: flush the output after each answer"
ELSEWHERE = "; it answers on standard error: answers go to standard output"


def of_line(line: str) -> str:
    """For a line that is no answer, whatever it should have been."""
    text = line.strip()
    if text.startswith("\ufeff"):
        return "; it begins with a byte order mark: write UTF-8 without one"
    if "\0" in text:
        return "; it has zero bytes: write UTF-8, not UTF-16"
    if "\r" in text:
        return "; it has carriage returns within: end each answer with a newline"
    return ""


def of_malformed(line: str) -> str:
    """For a line that is no JSON."""
    text = line.strip()
    if hint := of_line(line):
        return hint
    if text.startswith("{'"):
        return "; JSON has double quotes"
    if text[:1] in ("{", "[") and text.endswith(("{", "[", ",")):
        return "; write each answer on one line"
    if text and text[0] not in '{["':
        return "; standard output is for answers alone"
    return ""


def of_begun(begun: bytes) -> str:
    """For what came of a line without its end; nothing if nothing came."""
    if not begun:
        return ""
    ending = "carriage returns and no newline" if b"\r" in begun else "no newline"
    return f"; {len(begun)} bytes came with {ending}: end each answer with one"


def of_noise(noise: Sequence[str]) -> str:
    """For an engine that has never said a word on standard output."""
    return ELSEWHERE if any(line.startswith("{") and '"jsonrpc"' in line for line in noise) else ""
