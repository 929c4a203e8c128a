"""The recorder of endgames: `docs/endgames.csv`, `cases/generated/endgames.yaml` and the page `docs/endgames.md`."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from damspec import load_ruleset, ruleset_ids
from damspec_runner.document.endgames import COLUMNS, EndgameRow, load_record, load_table, record_path, table_path

from .endgames_page import page, page_path
from .parts import Job, Part, digest, text_of

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

    known = [*inputs()]
    gone = job.units - {*known}
    games: dict[str, list[str]] = {}
    for id in known:
        if id in job.units:
            games.setdefault(rules_digest(id), []).append(id)
    rows = {id: each for id, each in _rows_on_record().items() if id in known and id not in job.units}
    games_on_record = {id: each for id, each in _games_on_record().items() if id in known and id not in job.units}
    cheap_first = sorted(games.values(), key=lambda ids: len(load_ruleset(ids[0]).rules.board))
    tasks = {ids[0]: tuple(ids) for ids in cheap_first}
    if gone and not tasks:
        yield Part((*gone,), _texts(rows, games_on_record, _date_on_record()))
    done: set[str] = {*gone}
    today = datetime.date.today().isoformat()
    for ids, found in zip(tasks.values(), job.doing(solve_games, tasks, "endgames"), strict=True):
        for id in ids:
            rows[id] = [EndgameRow(id, *_frozen(row)) for row in found[id].pop("rows")]
            games_on_record[id] = found[id]
        texts = _texts(_in_order(known, rows), _in_order(known, games_on_record), today)
        yield Part((*done, *ids), texts)
        done = set()


def _frozen(row: Sequence[Any]) -> list[Any]:
    return [tuple(each) if isinstance(each, list) else each for each in row]


def _rows_on_record() -> Mapping[str, list[EndgameRow]]:
    return load_table() if table_path().exists() else {}


def _games_on_record() -> Mapping[str, Any]:
    return load_record()["games"] if record_path().exists() else {}


def _date_on_record() -> str:
    return str(load_record()["date"])


def _in_order(ids: Sequence[str], found: Mapping[str, Any]) -> dict[str, Any]:
    return {id: found[id] for id in ids if id in found}


def _texts(rows: Mapping[str, list[EndgameRow]], games: Mapping[str, Any], date: str) -> dict[Path, str | None]:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in rows.values():
        writer.writerows(row.cells() for row in each)
    content = {"date": date, "games": games}
    return {
        table_path(): table.getvalue(),
        record_path(): text_of(HEADER, content, width=120),
        page_path(): page(page_path().read_text(encoding="utf-8"), rows, content),
    }
