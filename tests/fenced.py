"""The fenced blocks of the project's Markdown pages: commands with what they print, files, programs and sessions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner_fixtures import PROJECT


def read_page(name: str) -> str:
    """Return the text of a page, or of another file, by its path in the project."""
    return (PROJECT / name).read_text(encoding="utf-8")


def blocks(language: str, page: str) -> list[str]:
    """Return the blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def examples(page: str) -> list[tuple[str, str]]:
    """Return each command of the console blocks of a page with the output shown under it."""
    found = (example for block in blocks("console", page) for example in re.split(r"^\$ ", block, flags=re.M)[1:])
    return [(command, shown) for command, _, shown in (example.partition("\n") for example in found)]


@dataclass(frozen=True)
class Program:
    """A whole program of a page, under a heading of its own: its title, its source and what it prints."""

    title: str
    source: str
    output: str

    @property
    def file(self) -> str:
        """A name for the file that the program is in."""
        return re.sub(r"\W+", "_", self.title.lower()) + ".py"


def programs(page: str) -> list[Program]:
    """Return the programs of a page: each heading with a sentence, a block of Python and a block of output."""
    found = re.findall(
        r"^## ([^\n]*)\n\n((?:[^\n]+\n)+)\n```python\n(.*?)^```\n\n```\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    )
    return [Program(title, source, output) for title, _, source, output in found]


def pattern(shown: str) -> str:
    """The shown output as a pattern: a line `...` stands for any lines, `...` in a line for anything in it."""
    lines = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in shown.splitlines()
    ]
    return "".join(lines)
