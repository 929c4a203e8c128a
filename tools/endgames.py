"""The recorder of endgames: `docs/endgames.csv`, `cases/generated/endgames.yaml` and the page `docs/endgames.md`."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from damspec import load_ruleset, ruleset_ids
from damspec_runner.document.endgames import COLUMNS, EndgameRow, load_record, load_table, record_path, table_path

from .endgames_page import page, page_path
from .parts import Job, Part, csv_text, digest, in_order, text_of

HEADER = """\
# Of each game: the longest win of each material, played by both sides as well as can be; how many endgames with up to
# three pieces change their value if a rule is changed alone, or a document is read otherwise. Made by
# `python tools/record.py endgames`; schemas/recorded_endgames.schema.json says what the keys mean.
"""


def inputs() -> dict[str, str]:
    """By game a digest of its rules and readings."""
    found = {}
    for id in ruleset_ids():
        ruleset = load_ruleset(id)
        readings = [
            [reading.id, reading.key, word, alternative.set]
            for reading in ruleset.readings
            for word, alternative in reading.alternatives.items()
        ]
        values = {name: value for name, value in ruleset.values.items() if not name.startswith("start.")}
        found[id] = digest(values, readings)
    return found


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return sum(25 if len(load_ruleset(id).rules.board) <= 32 else 60 for id in {*units} & {*ruleset_ids()})


def record(job: Job) -> Iterator[Part]:
    """Solve the endgames of some games, those with the same rules together."""
    from .endgames_solved import rules_digest, solve_games

    new, gone = job.split(inputs())
    known, on_record = [*inputs()], load_record()
    games: dict[str, list[str]] = {}
    for id in new:
        games.setdefault(rules_digest(id), []).append(id)
    kept = [id for id in known if id not in job.units]
    rows, recorded = in_order(kept, load_table()), in_order(kept, on_record["games"])
    cheap_first = sorted(games.values(), key=lambda ids: len(load_ruleset(ids[0]).rules.board))
    tasks = {ids[0]: tuple(ids) for ids in cheap_first}
    if gone and not tasks:
        yield Part(gone, _texts(rows, recorded, str(on_record["date"])))
    today = datetime.date.today().isoformat()
    for ids, found in zip(tasks.values(), job.doing(solve_games, tasks, "endgames"), strict=True):
        for id in ids:
            rows[id] = [EndgameRow(id, *_frozen(row)) for row in found[id].pop("rows")]
            recorded[id] = found[id]
        yield Part((*gone, *ids), _texts(in_order(known, rows), in_order(known, recorded), today))
        gone = ()


def _frozen(row: Sequence[Any]) -> list[Any]:
    return [tuple(each) if isinstance(each, list) else each for each in row]


def _texts(rows: Mapping[str, list[EndgameRow]], games: Mapping[str, Any], date: str) -> dict[Path, str | None]:
    cells = (row.cells() for each in rows.values() for row in each)
    content = {"date": date, "games": games}
    return {
        table_path(): csv_text([COLUMNS, *cells]),
        record_path(): text_of(HEADER, content, width=120),
        page_path(): page(page_path().read_text(encoding="utf-8"), rows, content),
    }
