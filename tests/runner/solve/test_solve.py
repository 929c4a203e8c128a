"""`damspec solve`: published numbers, files that are resumed and read by others, and what is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import data
from refusals import refusal
from runner_fixtures import EXAMPLES, PROJECT, printed, printed_json, refused
from runner_fixtures import damspec as run

try:
    from damspec_runner.solve.lookup import Endgames
    from damspec_runner.solve.material import Materials
    from damspec_runner.solve.solve import Folder, solve
    from damspec_runner.solve.summary import MaterialSummary, SectionSummary, find_limits
except ModuleNotFoundError:  # numba
    pytest.skip("the kernel is compiled by numba, which is not installed: damspec[fast]", allow_module_level=True)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """English draughts with up to three pieces."""
    folder = Folder(damspec.load_ruleset("english"), tmp_path_factory.mktemp("english"))
    solve(folder, 3)
    return folder


def summaries(folder: Folder, pieces: int) -> dict[str, SectionSummary]:
    """The summary of each material and side to move."""
    return {
        name: section
        for material in Materials(folder.retrograde, pieces)
        for name, section in folder.summary(material).rows()
    }


def one_sided(pieces: int) -> int:
    """The number of placements of so many pieces of one colour on 32 squares, men on 28 of them."""
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_published_numbers_of_english_draughts(english: Folder) -> None:
    found = summaries(english, 3)
    for pieces, positions in {2: 6_972, 3: 261_224}.items():  # Chinook's, which has placements of one colour too
        solved = sum(section.positions for name, section in found.items() if len(name) - 1 == pieces)
        assert solved + one_sided(pieces) == positions
    kings = found["KvK"]
    assert (kings.positions, kings.won, kings.lost, kings.drawn) == (992, 230, 108, 654)
    assert (kings.longest, kings.longest_positions) == (11, 34)


@pytest.mark.slow
def test_the_first_position_is_won_in_93_plies(tmp_path: Path) -> None:
    folder = Folder(damspec.load_ruleset("english"), tmp_path)
    solve(folder, 4)
    assert Endgames(folder).value(folder.ruleset.position("W:W6,11:B3,K25")) == ("win", 93)
    positions = sum(section.positions for name, section in summaries(folder, 4).items() if len(name) == 5)
    assert positions + one_sided(4) == 7_092_774


@pytest.mark.slow
def test_breakthrough_with_two_men_each(tmp_path: Path) -> None:
    folder = Folder(damspec.load_ruleset("russian+breakthrough"), tmp_path)
    solve(folder, 4)
    endgames = Endgames(folder)
    for name, numbers in {"MvM": (388, 306), "MMvMM": (56_410, 33_269)}.items():
        counts = {"win": 0, "loss": 0, "draw": 0}
        for position in positions_of(folder, name):
            if not folder.ruleset.turns.can_capture(position):
                counts[endgames.value(position).value] += 1
        assert (counts["win"], counts["loss"], counts["draw"]) == (*numbers, 0)


def positions_of(folder: Folder, name: str) -> Iterator[damspec.Position]:
    """Every position with men only, as many on each side, and White to move."""
    men, board = name.index("v"), folder.ruleset.rules.board
    rows = board.nearest_rows(1, "black"), board.nearest_rows(1, "white")
    for white in combinations([bit for bit in board.bits if not bit & rows[0]], men):
        for black in combinations([bit for bit in board.bits if not bit & rows[1]], men):
            if not {*white} & {*black}:
                yield damspec.Position(board, sum(white), 0, sum(black), 0, "white")


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_the_frisian_rule_of_three_moves_saves_a_draw(tmp_path: Path) -> None:
    """Without that rule the position is won in 39 plies, as published."""
    ruleset = damspec.load_ruleset("frisian")
    free = {rule: value for rule, value in ruleset.values.items() if rule != "king.move.limit"}
    for rules, value in ((ruleset, ("draw", 0)), (damspec.from_values(free, "free"), ("win", 39))):
        folder = Folder(rules, tmp_path / rules.id)
        solve(folder, 3)
        assert Endgames(folder).value(rules.position("W:W28,K46:BK43")) == value


class _KilledError(Exception):
    """What ends a run in a test."""


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_an_interrupted_run_resumes_to_the_same_bytes(english: Folder, tmp_path: Path) -> None:
    folder = Folder(english.ruleset, tmp_path)
    left = [4]

    def killed(function: Callable[[Any], Any], tasks: Mapping[str, Any], title: str = "") -> Iterator[Any]:
        for share in tasks.values():
            if not left[0]:
                raise _KilledError
            left[0] -= 1
            yield function(share)

    refusal(_KilledError, solve, folder, 3, killed)
    there = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.damsolve")}
    assert len(there) == 4
    (tmp_path / ".MMvM.damsolve.part").write_bytes(b"DAMSOLVE half of")  # as kill -9 leaves a file
    solve(folder, 3)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in there} == there
    for material in Materials(folder.retrograde, 3):
        assert folder.file(material).read_bytes() == english.file(material).read_bytes()
    solve(folder, 3, distance=False)
    assert folder.file(material).stat().st_size < english.file(material).stat().st_size
    solve(folder, 3)
    assert folder.file(material).read_bytes() == english.file(material).read_bytes()


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_a_damaged_file_and_a_wrong_value_are_found(english: Folder, tmp_path: Path) -> None:
    shutil.copytree(english.path, tmp_path / "all")
    file = tmp_path / "all" / "KvK.damsolve"
    content = bytearray(file.read_bytes())
    content[-1] += 2
    file.write_bytes(content)
    words = ("solve", "english", "--check", "--pieces")
    said = refused(*words, "2", "-o", str(file.parent))
    assert said == f"damspec: {file}: the checksum is wrong: the file is damaged"
    file.write_bytes(content[:-1])
    said = refused(*words, "2", "-o", str(file.parent))
    assert said == f"damspec: {file}: found {len(content) - 1:,} bytes, expected {len(content):,}"
    said = refused("solve", "russian", "--pieces", "2", "-o", str(english.path), "--check")
    assert said == f"damspec: {english.path / 'KvK.damsolve'}: has positions of 'english' by other rules"
    out = printed(*words, "3", "-o", str(english.path))
    assert out == "english: 202,280 positions read again from their successors, 0 wrong\n"


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_readers_in_c_and_python_find_the_same(english: Folder, tmp_path: Path) -> None:
    readers = [[sys.executable, str(EXAMPLES / "endgames.py")]]
    if shutil.which("cc"):
        subprocess.run(
            ["cc", "-Wall", "-Werror", "-o", str(tmp_path / "endgames"), str(EXAMPLES / "endgames.c")], check=True
        )
        readers.append([str(tmp_path / "endgames")])
    endgames = Endgames(english)
    for material, fen in {
        "KvK": "W:WK1:BK13",
        "KKvK": "B:WK1,K2:BK14",
        "KMvK": "W:WK25,29:BK10",
        "MMvM": "B:W21,30:B7",
        "MMvK": "B:W29,30:BK7",
    }.items():
        value = endgames.value(english.ruleset.position(fen))
        for reader in readers:
            words = [*reader, str(english.path / f"{material}.damsolve"), fen]
            said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            assert said == f"{value.value} {value.distance}\n", words


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_the_summary_and_its_json(english: Folder) -> None:
    words = ("solve", "english", "--pieces", "2", "-o", str(english.path))
    assert run(*words).out.splitlines()[1].split() == ["KvK", "992", "230", "108", "654", "11", "W:WK1:BK13"]
    printed = printed_json("solve", *words, "--json")
    assert [section["sides"] for each in printed["materials"] for section in each["to_move"]] == [
        "KvK", "KvM", "MvK", "MvM",
    ]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_the_value_of_a_position_and_of_its_moves(english: Folder) -> None:
    """On 27 White's last man is captured, which loses in two plies; on 28 it stands at the edge and is not."""
    fen = "W:W32:B24"
    words = ("solve", "english", "--position", fen, "-o", str(english.path))
    assert run(*words).out == f"{fen}  draw\n32-28  draw\n32-27  loss in 2 plies\n"
    printed = printed_json("solved", *words, "--json")
    assert [each["move"] for each in printed["moves"]] == ["32-28", "32-27"]
    over = run("solve", "english", "--position", "W:W5:B1", "-o", str(english.path))
    assert over.out == "W:W5:B1  loss in 0 plies\n"  # the man on 5 is blocked by that on 1
    said = refused("solve", "english", "--position", fen, "--pieces", "3")
    assert said == "damspec: --pieces does not go with --position"


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_what_is_solved_is_said_where_a_position_is_not(english: Folder, tmp_path: Path) -> None:
    there = f"damspec: {english.path}: has the positions with up to 3 pieces, not "
    solving = "writes those"
    for reader, said in (
        (("--position", "W:WK1,K2:BK30,K31"), f"KKvKK: `damspec solve english --pieces 4 -o {english.path}` {solving}"),
        (("--position", "start"), "24 pieces: at most 8 can be solved"),
        (("--pieces", "4", "--check"), f"KKKvK: `damspec solve english --pieces 4 -o {english.path}` {solving}"),
    ):
        assert refused("solve", "english", *reader, "-o", str(english.path)) == there + said
    assert refused("solve", "english", "--pieces", "2", "--check", "-o", str(tmp_path)) == (
        f"damspec: {tmp_path}: has no positions, not KvK: `damspec solve english --pieces 2 -o {tmp_path}` {solving}"
    )


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_no_distance_is_read_from_a_file_that_has_none(english: Folder, tmp_path: Path) -> None:
    """A win would be one in 0 plies."""
    folder = Folder(english.ruleset, tmp_path)
    solve(folder, 2, distance=False)
    assert "has the positions with up to 2 pieces, not the distances in KvK: `damspec" in refusal(
        data.FileError, Endgames(folder).value, english.ruleset.position("W:WK1:BK13")
    )
    solve(folder, 2)
    assert Endgames(folder).value(english.ruleset.position("W:WK1:BK13")) == ("win", 11)


def test_limits_that_may_cut_a_win_off() -> None:
    """Frisian: two kings against one have seven moves each, so fourteen plies."""
    ruleset = damspec.load_ruleset("frisian")
    material = next(each for each in Materials(Folder(ruleset).retrograde, 3) if each.name == "KKvK")
    for longest, expected in ((14, []), (15, [("draws.endings", 7, 14)])):
        summary = MaterialSummary(material, (SectionSummary(1, 0, 0, longest, 1, None),))
        found = find_limits(ruleset.rules.draws, summary)
        assert [(limit.rule, limit.moves, limit.plies) for limit in found] == expected


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nl-trapdoor", "spin.outcomes: what is won depends on the spinner"),
        ("vl?king-slides=twice", "king.move.slides: found twice, whose moves cannot be made in reverse"),
    ],
)
def test_rules_that_are_not_solved(name: str, complaint: str) -> None:
    assert refused("solve", name, "--pieces", "2") == f"damspec: {complaint}"


@pytest.mark.slow
def test_moves_of_engines_are_worth_what_is_told_of_them(tmp_path: Path) -> None:
    """The table of known/README.md: what each engine plays gives away half a point, and another move does not."""
    text = (PROJECT / "known" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(\w+)` \| `(\S+)` \| (\S+) \| ([^|]+) \| (\S+) \| ([^|]+) \|$", text, re.M)
    assert len(rows) == 5
    for id, fen, *told in rows:
        folder = Folder(damspec.load_ruleset(id), tmp_path / id)
        position = folder.ruleset.position(fen)
        solve(folder, len(position))
        values = {str(action): value.in_words() for action, value in Endgames(folder).moves(position)}
        assert [values[told[0]], values[told[2]]] == [told[1], told[3]]


@pytest.mark.thorough
@pytest.mark.xdist_group("kernel")
def test_workers_that_write_elsewhere_are_told(english: Folder, tmp_path: Path) -> None:
    def elsewhere(function: Callable[[Any], Any], tasks: Mapping[str, Any], title: str = "") -> Iterator[Any]:
        return iter(tasks)

    with pytest.raises(data.FileError, match=r"KvK.damsolve: was written elsewhere: workers have to share the folder"):
        solve(Folder(english.ruleset, tmp_path), 2, elsewhere)
