"""Adapters to begin with, in a folder for each language: a program that speaks plain lines, and one that reads FEN."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def languages() -> list[str]:
    """The languages there are."""
    return sorted(each.name for each in _HERE.iterdir() if each.is_dir() and not each.name.startswith("_"))


def folder(language: str) -> Path:
    """Where the files of a language are."""
    return _HERE / language


def texts(language: str) -> dict[str, str]:
    """The files of a language by their names, the program first."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder(language).glob("*.*"), key=_order)}


def _order(path: Path) -> tuple[bool, str]:
    return path.stem.lower() != "adapter", path.name
