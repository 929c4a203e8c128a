"""The tables of the page of endgames, `docs/endgames.md`: its prose is written by hand, and stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from damspec import data, load_ruleset
from damspec_runner.document.endgames import EndgameRow, share

from .parts import markdown_table

#: A table of the page, from the comment that names it, perhaps with games, to the next comment.
_TABLE = re.compile(r"(<!-- table: ([a-z-]+)((?: [a-z-]+)*) -->\n).*?(<!-- end of the table -->)", re.DOTALL)
#: The rows of changed rules, of changed rules of one game, and of readings.
_MOST_RULES, _MOST_OF_GAME, _MOST_READINGS = 20, 4, 25

Rows = Mapping[str, Sequence[EndgameRow]]


def page_path() -> Path:
    """Return the path of the page."""
    return data.root() / "docs" / "endgames.md"


def page(text: str, rows: Rows, content: Mapping[str, Any]) -> str:
    """Return the text of the page with its tables made anew. Raises FileError for a table that is not known."""
    tables: dict[str, Callable[[Sequence[str]], Iterable[str]]] = {
        "date": lambda ids: [f"Made on {content['date']}."],
        "three-kings": lambda ids: _three_kings(rows, content),
        "stronger": lambda ids: _stronger(rows, content),
        "rules": lambda ids: _rules(rows, content),
        "rules-of": lambda ids: _rules_of(ids, rows, content),
        "readings": lambda ids: _readings(content),
        "readings-of": lambda ids: _readings_of(ids, content),
    }

    def made(found: re.Match[str]) -> str:
        head, name, ids, end = found.groups()
        if name not in tables:
            raise data.FileError(f"{data.path_text(page_path())}: found table {name}, expected {', '.join(tables)}")
        return "\n".join([head, *tables[name](ids.split()), "", end])

    return _TABLE.sub(made, text)


def _together(rows: Rows, content: Mapping[str, Any]) -> Iterator[tuple[list[str], dict[str, EndgameRow]]]:
    """Yield the games with the same numbers, and these by the sides of the material."""
    found: dict[Any, list[str]] = {}
    for id, every in rows.items():
        numbers = tuple(replace(row, ruleset="", longest_position=None, limits=()) for row in every)
        found.setdefault((content["games"][id]["without"], numbers), []).append(id)
    for ids in found.values():
        yield ids, {row.sides: row for row in rows[ids[0]]}


def _named(ids: Sequence[str], content: Mapping[str, Any]) -> str:
    """Return the ids of games; a star marks those whose trapdoors and spinner are left out."""
    return ", ".join(f"`{id}`{'*' if content['games'][id]['without'] else ''}" for id in ids)


def _squares(ids: Sequence[str]) -> str:
    """Return the number of squares of games with the same numbers."""
    return str(len(load_ruleset(ids[0]).rules.board))


def _three_kings(rows: Rows, content: Mapping[str, Any]) -> Iterator[str]:
    lines = []
    for ids, found in _together(rows, content):
        kings, lone = found["KKKvK"], found["KvKKK"]
        limits = sorted({limit for id in ids for row in rows[id] if row.sides == "KKKvK" for limit in row.limits})
        on_road = elsewhere = "-"
        if kings.road_positions is not None and kings.road_won is not None:
            on_road = share(kings.road_won, kings.road_positions)
            elsewhere = share(kings.won - kings.road_won, kings.positions - kings.road_positions)
        shown = [
            _named(ids, content), _squares(ids), share(kings.won, kings.positions), on_road, elsewhere,
            share(lone.lost, lone.positions), str(kings.longest or "-"),
            ", ".join(f"`{limit}`" for limit in limits) or "-",
        ]  # fmt: skip
        lines.append((-kings.won / kings.positions, shown))
    head = ["games", "squares", "three to move win", "alone on the main road", "elsewhere", "one to move loses"]
    yield from markdown_table([*head, "plies", "limits"], [shown for _, shown in sorted(lines)], words=1)


def _stronger(rows: Rows, content: Mapping[str, Any]) -> Iterator[str]:
    lines = []
    for ids, found in _together(rows, content):
        cells = []
        for more, fewer in ((2, 1), (3, 1)):
            some = [row for row in found.values() if sorted(row.numbers) == [fewer, more]]
            if len(some) < 4 * (more + 1):  # not all materials are solved
                cells += ["-", "-"]
                continue
            positions = sum(row.positions for row in some)
            strong, weak = (
                sum(row.won if (row.numbers[0] == more) is stronger else row.lost for row in some)
                for stronger in (True, False)
            )
            cells += [share(strong, positions), share(weak, positions)]
        for number in (1, 2):
            some = [row for row in found.values() if row.numbers == (number, number)]
            whole = len(some) == (number + 1) ** 2
            drawn, positions = sum(row.drawn for row in some), sum(row.positions for row in some)
            cells.append(share(drawn, positions) if whole else "-")
        lines.append((-float(cells[0].rstrip("%")), ids, cells))
    lines.sort()
    head = ["games", "squares", "2 v 1: the two win", "the one wins", "3 v 1: the three win", "the one wins"]
    shown = [[_named(ids, content), _squares(ids), *cells] for _, ids, cells in lines]
    yield from markdown_table([*head, "1 v 1: drawn", "2 v 2: drawn"], shown, words=1)


# --- changed rules ----------------------------------------------------------------------------


def _endgames(rows: Sequence[EndgameRow]) -> int:
    return sum(row.positions for row in rows if row.pieces <= 3)


def _changes(rows: Rows, content: Mapping[str, Any]) -> Iterator[tuple[str, str, str, float]]:
    """Yield game, rule, other value and the proportion of endgames that change; games with the same changes are one."""
    seen: list[Any] = []
    for ids, _ in _together(rows, content):
        if content["games"][ids[0]]["changes"] in seen:
            continue
        seen.append(content["games"][ids[0]]["changes"])
        for rule, values in content["games"][ids[0]]["changes"].items():
            for value, changed in values.items():
                yield ids[0], rule, value, changed / _endgames(rows[ids[0]])


def _rules(rows: Rows, content: Mapping[str, Any]) -> Iterator[str]:
    found: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for id, rule, value, proportion in _changes(rows, content):
        found.setdefault((rule, value), []).append((proportion, id))
    lines = [
        (-median(each for each, _ in games), rule, value, len(games), max(games))
        for (rule, value), games in found.items()
    ]
    shown = [
        [f"`{rule}`", f"`{value}`", str(number), _percent(-middle), f"{_percent(most)} (`{id}`)"]
        for middle, rule, value, number, (most, id) in sorted(lines)[:_MOST_RULES]
    ]
    yield from markdown_table(
        ["rule", "changed to", "games", "half of them change more than", "the most"], shown, words=2
    )


def _rules_of(ids: Sequence[str], rows: Rows, content: Mapping[str, Any]) -> Iterator[str]:
    lines = []
    for alike, _ in _together(rows, content):
        its = [id for id in ids if id in alike]
        if its:
            found = [
                (changed, rule, value)
                for rule, values in content["games"][alike[0]]["changes"].items()
                for value, changed in values.items()
            ]
            endgames = _endgames(rows[alike[0]])
            most = sorted(found, key=lambda each: -each[0])[:_MOST_OF_GAME]
            said = "; ".join(f"`{rule}: {value}` {share(changed, endgames)}" for changed, rule, value in most)
            lines.append([_named(its, content), said])
    yield from markdown_table(["game", "the changes of one rule that change most endgames"], lines, words=2)


def _percent(proportion: float) -> str:
    return share(round(proportion * 1_000_000), 1_000_000)


# --- readings ---------------------------------------------------------------------------------


def _readings(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the readings that change most endgames, each once, with the game in which it changes most."""
    found: dict[tuple[str, str], tuple[float, str, Mapping[str, Any]]] = {}
    for id, game in content["games"].items():
        for entry in game["readings"]:
            proportion, key = entry["changed"] / entry["endgames"], (entry["reading"], entry["alternative"])
            if entry["changed"] and (key not in found or proportion > found[key][0]):
                found[key] = proportion, id, entry
    most = sorted(found.values(), key=lambda each: -each[0])[:_MOST_READINGS]
    yield from _reading_table([(id, entry) for _, id, entry in most])


def _readings_of(ids: Sequence[str], content: Mapping[str, Any]) -> Iterator[str]:
    yield from _reading_table(
        [
            (id, entry)
            for id in ids
            for entry in content["games"].get(id, {"readings": ()})["readings"]
            if entry.get("smallest")
        ]
    )


def _reading_table(entries: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    head = ["game", "reading", "read as", "smallest that changes"]
    lines = []
    for id, entry in entries:
        reading = next(each for each in load_ruleset(id).readings if each.id == entry["reading"])
        smallest = entry["smallest"]
        lines.append(
            [
                f"`{id}`", f"{reading.id} (`{reading.key}={reading.chosen}`)", f"`{entry['alternative']}`",
                f"`{smallest['position']}`: {smallest['as-chosen']}, {smallest['otherwise']}",
                share(entry["changed"], entry["endgames"]),
                *(_won(entry["won"].get(sides)) for sides in ("KKvK", "KKKvK")),
            ]
        )  # fmt: skip
    yield from markdown_table([*head, "of 3 pieces change", "KKvK won", "KKKvK won"], lines, words=4)


def _won(won: Mapping[str, int] | None) -> str:
    if won is None:
        return "-"
    before, after = (share(won[which], won["of"]) for which in ("as-chosen", "otherwise"))
    return before if won["as-chosen"] == won["otherwise"] else f"{before} > {after}"
