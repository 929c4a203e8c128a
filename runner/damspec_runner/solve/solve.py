"""Solving a game's positions with few pieces: the work, material by material, and the check of what was found."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from damspec import Position, Ruleset
from damspec.board import SIDES
from damspec.data import FileError
from damspec.kernel.retrograde import Retrograde, Section, SectionTables
from damspec.position import KingRun

from ..tasks.executor import TaskRunner, run_in_process
from ..tasks.journal import digest
from .endgame_file import SUFFIX, Codes, EndgameFile, Head, write_endgame_file
from .material import Material, Materials
from .place import MOST, endgames_path
from .summary import MaterialSummary, SectionSummary, summarise


@dataclass(frozen=True)
class Estimate:
    """What solving costs: materials, entries, bytes on disk, bytes of memory for each process, processor seconds."""

    materials: int
    entries: int
    disk: int
    memory: int
    seconds: float


class Folder:
    """A folder with the solved positions of one ruleset.

    Raises RulesetError for rules that cannot be solved.
    """

    def __init__(self, ruleset: Ruleset, path: Path | None = None) -> None:
        """Without a path it is the ruleset's folder in the user's data."""
        self.ruleset, self.retrograde = ruleset, _retrograde(ruleset)
        self.path = path or endgames_path(ruleset)

    def file(self, material: Material) -> Path:
        """Return the path of a material's file."""
        return self.path / f"{material.name}{SUFFIX}"

    def open(self, material: Material, *, distances: bool = False) -> EndgameFile:
        """Open a material's file, which has to have `distances` if that is said.

        Raises FileError if there is none, which says what is solved, or it is of other rules.
        """
        if not self.file(material).exists():
            raise self.not_solved(material.name, material.pieces)
        file = EndgameFile(self.file(material))
        if file.head.rules != digest(self.ruleset):
            raise FileError(f"{file.path}: has positions of {file.head.about.get('ruleset')!r} by other rules")
        if file.head.sections != material.sections:
            raise FileError(f"{file.path}: has another material than its name says")
        if distances and not file.distance_bytes:
            raise self.not_solved(f"the distances in {material.name}", material.pieces)
        return file

    def is_solved(self, material: Material, *, distance: bool) -> bool:
        """Return whether there is a material's file, with distances if those are wanted too. Raises FileError."""
        if not self.file(material).exists():
            return False
        return self.open(material).distance_bytes > 0 or not distance

    def not_solved(self, name: str, pieces: int) -> FileError:
        """Return the error for positions that are in no file: it says which are, and how to solve more."""
        missing = (each.pieces for each in Materials(self.retrograde, MOST) if not self.file(each).exists())
        has = f"the positions with up to {n - 1} pieces" if (n := next(missing, MOST + 1)) > 2 else "no positions"
        place = "" if self.path == endgames_path(self.ruleset) else f" -o {shlex.quote(str(self.path))}"
        command = f"damspec solve {shlex.quote(self.ruleset.id)} --pieces {pieces}{place}"
        more = f"`{command}` writes those" if pieces <= MOST else f"at most {MOST} can be solved"
        return FileError(f"{self.path}: has {has}, not {name}: {more}")

    def summary(self, material: Material) -> MaterialSummary:
        """Return the summary in a material's file. Raises FileError."""
        file = self.open(material)
        return MaterialSummary.of(material, file.head.about["summary"])

    def tables(self, material: Material, materials: Materials) -> SectionTables:
        """Return tables of a material with the codes of all sections that it leads to. Raises FileError."""
        neighbours = materials.neighbours(material)
        return tables_with(
            self.retrograde, material, neighbours, lambda section: self.open(neighbours[section]).codes(section)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Folder, (self.ruleset, self.path.absolute())

    def estimate(self, materials: Materials, *, distance: bool) -> Estimate | None:
        """Return what solving some materials costs, without those whose files are there; None if all are."""
        missing = [each for each in materials if not self.file(each).exists()]
        if not missing:
            return None
        sizes = {section: self.retrograde.size(section) for each in materials for section in each.sections}
        own = {each: sum(sizes[section] for section in each.sections) for each in missing}
        memory = [
            2 * sum(sizes[section] for section in materials.neighbours(each)) + _BYTES * own[each] for each in missing
        ]
        entries = sum(own.values())
        return Estimate(
            len(missing), entries, entries // 4 + entries * distance, max(memory) + _BASE, entries * _MICROSECONDS / 1e6
        )

    @property
    def left_out(self) -> list[str]:
        """What the values do not take into account, a sentence each."""
        rules, found = self.ruleset.rules, list[str]()
        if rules.huff is not None:
            found.append("huffing is left out: every capture that is due is made")
        if rules.king.move_limit is not None:
            found.append("the numbers are of positions in which no king has begun to use up its moves")
        return found

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other runs from writing. Raises FileError if another one writes, OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.path / ".lock", timeout=0):
                yield
        except Timeout:
            raise FileError(f"{self.path}: another run is writing there: wait until it ends") from None


#: Bytes of memory for an entry that is solved and written, and for everything else in a process.
_BYTES, _BASE = 12, 250 << 20
#: About how many microseconds an entry takes (docs/solve.md).
_MICROSECONDS = 0.8


@lru_cache(4)
def _retrograde(ruleset: Ruleset) -> Retrograde:
    return Retrograde(ruleset.rules)


def solve(
    folder: Folder,
    pieces: int,
    run_tasks: TaskRunner = run_in_process,
    *,
    distance: bool = True,
    only: Collection[str] | None = None,
) -> list[MaterialSummary]:
    """Solve all positions of at most so many pieces and return the summary of each material.

    With `only` these materials by name; those to which they lead have to be among them, or in the folder. What is in
    the folder already is not solved again. Raises FileError and OSError.
    """
    every = Materials(folder.retrograde, pieces)
    materials = [material for material in every if only is None or material.name in only]
    with folder.lock():
        missing = {material for material in materials if not folder.is_solved(material, distance=distance)}
        if missing:  # what has no distances is of no use for the rest
            missing = {material for material in materials if not folder.is_solved(material, distance=True)}
        for level in every.levels():
            tasks = {each.name: _Task(folder, each, pieces) for each in level if each in missing}
            if tasks:
                for _ in run_tasks(_solve_material, tasks, f"{level[0].pieces} pieces, {level[0].men} men"):
                    pass
            for task in tasks.values():
                if not folder.file(task.material).exists():
                    raise FileError(
                        f"{folder.file(task.material)}: was written elsewhere: workers have to share the folder"
                    )
        if not distance:
            for material in materials:
                _drop_distances(folder, material)
    return [folder.summary(material) for material in materials]


@dataclass(frozen=True)
class _Task:
    folder: Folder
    material: Material
    pieces: int


def _solve_material(task: _Task) -> str:
    """Solve a material and write its file; return its name."""
    folder, material = task.folder, task.material
    tables = folder.tables(material, Materials(folder.retrograde, task.pieces))
    codes = solve_tables(tables, material)
    summary = [_summarise(folder, tables, section) for section in material.sections]
    write_endgame_file(folder.file(material), _head(folder, material, summary), codes, distance=True)
    return material.name


def tables_with(
    retrograde: Retrograde, material: Material, neighbours: Collection[Section], codes: Callable[[Section], Codes]
) -> SectionTables:
    """Return tables of a material with the `codes` of the sections that it leads to."""
    tables = retrograde.tables([*material.sections, *neighbours])
    for section in neighbours:
        tables.part(section)[:] = codes(section)
    return tables


def solve_tables(tables: SectionTables, material: Material) -> list[Codes]:
    """Solve a material and return the codes of its sections, as parts of its tables."""
    for _ in tables.solve(len(material.sections)):
        pass
    return [tables.part(section) for section in material.sections]


def _drop_distances(folder: Folder, material: Material) -> None:
    file = folder.open(material)
    if file.distance_bytes:
        codes = [file.codes(section) for section in material.sections]
        write_endgame_file(file.path, file.head, codes, distance=False)


def _head(folder: Folder, material: Material, summary: list[SectionSummary]) -> Head:
    retrograde, board = folder.retrograde, folder.ruleset.rules.board
    return Head(
        rules=digest(folder.ruleset),
        squares=len(board),
        king_limit=folder.ruleset.rules.king.move_limit or 0,
        sections=material.sections,
        excluded=tuple(
            (retrograde.excluded[section.side], retrograde.excluded[1 - section.side]) for section in material.sections
        ),
        sizes=tuple(retrograde.size(section) for section in material.sections),
        about={
            "ruleset": folder.ruleset.id,
            "material": material.name,
            "squares": [board.number(bit) for bit in retrograde.squares],
            "summary": [each.as_json() for each in summary],
        },
    )


def _summarise(folder: Folder, tables: SectionTables, section: Section) -> SectionSummary:
    """Return the summary of a section: of its positions without king runs."""
    runs, first = folder.retrograde.runs(section), tables.first(section)
    return summarise(
        tables.part(section)[::runs], lambda place: position_of(folder.ruleset, tables, first + place * runs)
    )


def position_of(ruleset: Ruleset, tables: SectionTables, number: int) -> Position:
    """Return the position with a number."""
    (men, kings, enemy_men, enemy_kings), side, runs = tables.pieces(number)
    board = ruleset.rules.board
    white, black = (KingRun(board.number(bit), moves) if moves else None for bit, moves in runs)
    if side:
        men, kings, enemy_men, enemy_kings = enemy_men, enemy_kings, men, kings
    return Position(board, men, kings, enemy_men, enemy_kings, SIDES[side], white_run=white, black_run=black)


def find_mistakes(folder: Folder, material: Material, materials: Materials) -> Iterator[Position]:
    """Read every position of a file again from its successors; yield those that are wrong.

    Raises FileError for a file that is damaged, has no distances, or leads to one that is missing.
    """
    file = folder.open(material)
    file.check_sum()
    for each in (material, *materials.neighbours(material).values()):
        folder.open(each, distances=True)
    tables = folder.tables(material, materials)
    for section in material.sections:
        tables.part(section)[:] = file.codes(section)
    for number in tables.find_mistakes(len(material.sections)):
        if number >= 0:
            yield position_of(folder.ruleset, tables, number)
