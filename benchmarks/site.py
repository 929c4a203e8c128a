"""How large the rulebook site is, and how long its build takes, beside the targets.

    python -m benchmarks.site [--json]

Exit status: 0 all numbers are within their targets, 1 one is not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from damspec_site.build import build

from .measure import options, processor_time, run


class Measurement(NamedTuple):
    """A number and the most that it may be; None if there is no target."""

    what: str
    found: float
    target: float | None
    unit: str


def measure(site: Path, seconds: float) -> list[Measurement]:
    """Return the numbers of a built site; `seconds` is the processor time its build took."""
    files = [path for path in site.rglob("*") if path.is_file()]
    page = (site / "search.html").read_text(encoding="utf-8")
    scripts = [site / src for src in re.findall(r'<script[^>]* src="([^"]+)"', page)]
    scripts += [site / "assets" / f"{name}.js" for name in ("minisearch", "search-index", "search-results")]
    words = max((site / "words").glob("*.js"), key=lambda path: path.stat().st_size)
    parts = [*(site / "search").glob("*.js")]
    before = sum(path.stat().st_size for path in (*scripts, words, site / "search" / "things.js"))
    rest = sum(path.stat().st_size for path in parts if path.name != "things.js")
    return [
        Measurement("pages", sum(path.suffix == ".html" for path in files), 900, ""),
        Measurement("files", len(files), 5_000, ""),
        Measurement("size", round(sum(path.stat().st_size for path in files) / 1e6, 1), None, "MB"),
        Measurement("search before its first result", before // 1000, 300, "kB"),
        Measurement("search in all", (before + rest) // 1000, 600, "kB"),
        Measurement("processor time of the build", round(seconds, 1), None, "s"),
    ]


def main() -> bool:
    """Build the site in a temporary folder and print its numbers; whether one is beyond its target."""
    chosen = options(__doc__).parse_args()
    with TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        found = measure(site, sum(processor_time(lambda: build(site))))
    if chosen.json:
        print(json.dumps([each._asdict() for each in found], indent=2))
    else:
        print("| what | found | target |\n|---|--:|--:|")
        for what, number, target, unit in found:
            most = "-" if target is None else f"{target:,} {unit}".strip()
            print(f"| {what} | {number:,} {unit}".rstrip() + f" | {most} |")
    return any(each.target is not None and each.found > each.target for each in found)


if __name__ == "__main__":
    run(main)
