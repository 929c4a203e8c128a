"""Games as programs and sites write them: no legal move is called illegal. Derived by hand, or from games played."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from damspec_runner.replay.files import PdnFile, find_files, guess_encoding
from replays import check_games, random_game, replayed
from runner_fixtures import damspec, printed
from runs import for_each

#: A legal beginning of international draughts.
MOVES = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14"


def remarks(text: str, ruleset: str | None = None) -> list[str]:
    """The remarks on one game, which is legal."""
    (one,) = replayed(text, ruleset)
    assert one.verdict == "legal", one
    assert one.moves
    return [fault.says for fault in one.faults]


@pytest.mark.parametrize(
    ("number", "moves"),
    [
        *(
            (20, moves)
            for moves in (
                "1. 32–28 19—23 2. 28×19 14х23 3. 37−32 10‑14",
                "1.32-28,19-23, 2.28x19,14x23",
                "1. 3228 1923 2. 2819 1423 3. 3732 1014",
                "1 32-28 19-23 2 28x19 14x23",
                "32-28 19-23 28-19 14-23",
                "1. 32-28 19-23 2. 28:19 14X23 ½-½",
                "1. 32-28 … 19-23 2. 28x19 14x23 1/2",
            )
        ),
        (25, "1. C3-D4 B6-C5 2. D4:B6 A7:C5 *"),
        (25, "1. c3d4 b6c5 2. d4b6 a7c5 *"),
        (25, "1. С3-d4 b6-с5 *"),
    ],
)
def test_signs_separators_and_letters_of_all_kinds(number: int, moves: str) -> None:
    assert remarks(f'[GameType "{number}"]\n{moves}') == []


@pytest.mark.parametrize(
    ("tag", "id"),
    [
        ('[Variant "Frisian"]', "frisian"),
        ('[Variant "frysk!"]', "frysk"),
        ('[GameType "98"]', "international+losing"),
        ('[GameType "20"] [Variant "Breakthrough"]', "international+breakthrough"),
        ('[Variant "American/English"]', "english"),
    ],
)
def test_the_names_and_numbers_of_sites(tag: str, id: str) -> None:
    (one,) = replayed(f"{tag}\n*")
    assert (one.ruleset, one.verdict) == (id, "legal")


def test_games_without_a_gametype_are_played_by_the_ruleset_that_they_fit() -> None:
    texts = (f'[Event "{n}"]\n\n{random_game("italian", n).pdn().partition(chr(10) * 2)[2]}' for n in range(5))
    found = replayed("\n".join(texts))
    assert {(one.ruleset, one.verdict) for one in found} == {("italian", "legal")}
    assert found[0].faults[0].says.startswith("no GameType or Variant: fits italian: 5 of 5")


def test_what_was_guessed_accuses_nobody() -> None:
    (unfit,) = replayed("1. 1-7 *")
    assert (unfit.verdict, [fault.says for fault in unfit.faults]) == (
        "undecided",
        ["no GameType or Variant, and no ruleset fits: --ruleset names one"],
    )
    right = f'[Event "1"]\n{MOVES} *\n[Event "2"]\n1. 31-27 17-22 2. 36-31 11-17 *\n'
    *_, wrong = replayed(f'{right}[Event "3"]\n1. 32-28 19-23 2. 1-7 *')
    assert wrong.verdict == "undecided"
    says = "could not be decided: by international, which was guessed, White is to move, and the piece on 1 is Black's"
    assert wrong.faults[-1].says == f"{says}; no ruleset fits all of it: --ruleset names one"


#: 18 takes 29 by international and Frisian draughts; only by the latter 13 takes 23 straight on, and lands on 33.
ALSO_FRISIAN = "1. 33-28 17-21 2. 28-23 18x29 (2... 13x33)"
FRISIAN = "1. 33-28 17-21 2. 28-23 13x33"
#: By Frisian rules the man on 22 has to take two.
INTERNATIONAL = "1. 31-26 17-22 2. 33-28 22x33"


@for_each(
    ("text", "verdicts", "says"),
    [
        (ALSO_FRISIAN, ["frisian legal"], "no GameType or Variant: fits frisian: 1 of 1"),
        (
            f"{INTERNATIONAL}\n\n{INTERNATIONAL}",
            ["international legal"] * 2,
            "2 of 2 (so does damme, deferred, ghanaian, killer and 2 more)",
        ),
        # No game has the variation; then another game fits the one that stops early.
        (
            f"{INTERNATIONAL} (2... 1-8)",
            ["international undecided"],
            "; no ruleset fits all of it: --ruleset names one",
        ),
        (
            f"{INTERNATIONAL} *\n{INTERNATIONAL} *\n{FRISIAN} *",
            ["international legal", "international legal", "international undecided"],
            "; the game fits frisian: --ruleset names one",
        ),
        # The tag of four games is wrong, one of which goes straight on in a variation only.
        (
            "\n".join([f'[GameType "20"] {moves}' for moves in (*[FRISIAN] * 3, ALSO_FRISIAN)]),
            ["frisian legal"] * 4,
            "",
        ),
        (f'[GameType "20"] {ALSO_FRISIAN}', ["international illegal"], ""),
        # The side to move was guessed: Black begins, though the FEN has White.
        ('[GameType "20"] [FEN "W:W32:B10"] 1. 10-14 32-28 (32-22)', ["international undecided"], ""),
        # White has lost the last piece.
        ('[FEN "B:W28:B23"] 1. 23x32 2-0', ["international legal"], "won by Black by international, which was guessed"),
    ],
)
def test_variations_count_in_a_guess_and_it_calls_nothing_illegal(text: str, verdicts: list[str], says: str) -> None:
    found = replayed(text)
    assert [f"{one.ruleset} {one.verdict}" for one in found] == verdicts
    assert says in found[-1].faults[-1].says


def test_the_status_and_the_json_of_a_guess(tmp_path: Path) -> None:
    (file := tmp_path / "games.pdn").write_text(f"{INTERNATIONAL} (2... 1-8) *")
    ran = damspec("replay", str(file), "--json")
    assert (ran.status, ran.out.count('"illegal"')) == (2, 1)  # the number of such games, which is 0


def test_a_word_that_cannot_be_read_is_named_where_no_ruleset_fits() -> None:
    (one,) = replayed("1. 32-28 19x 2. 28-22 *")
    assert (one.verdict, [fault.says for fault in one.faults]) == (
        "text",
        ["after 32-28: found '19x', expected a move"],
    )


def test_a_gametype_that_most_games_contradict_is_doubted() -> None:
    """Men and kings of Frisian draughts also take straight on, which is illegal in international draughts."""
    game = random_game("frisian", 2, 60)
    text = f'[GameType "20"]\n\n{game.pdn().partition(chr(10) * 2)[2]}'
    found = replayed("\n".join([text] * 4))
    assert {(one.ruleset, one.verdict) for one in found} == {("frisian", "legal")}
    assert found[0].faults[0].says.startswith("4 games break the rules of international, which their GameType names; ")
    (alone,) = replayed(text)
    assert alone.verdict == "illegal"


def test_an_ambiguous_capture_is_decided_by_what_follows() -> None:
    fen = '[GameType "20"] [FEN "W:WK47:B14,19,29,31,42"]'
    assert remarks(f"{fen} 1. 47x36 14-20 *") == remarks(f"{fen} 1. 47x36 19-23 *") == []
    (says,) = remarks(f"{fen} 1. 47x36 *")
    assert says.startswith("ambiguous: it can be 47x38x20x9x36 or 47x38x24x13x36")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'[GameType "20"] [Result "2-0"] {MOVES} 0-2', ["the tag Result says 2-0, and the moves end with 0-2"]),
        (f'[GameType "20"] [Result "1-0"] {MOVES} 2-0', []),
        # White takes Black's last man.
        (
            '[GameType "20"] [FEN "W:W28:B23"] [Result "0-2"] 1. 28x19 *',
            ["the result is 0-2, and the last position is won by White by international"],
        ),
        ('[GameType "20"] [FEN "W:W28:B23"] [Result "2-0"] 1. 28x19 *', []),
        (
            '[GameType "20"] [FEN "W:W32:B10"] 1. 10-14 32-28 *',
            ["the first move is of the other side than the one to move in FEN; played so"],
        ),
        (
            '[GameType "20"] 1. 32-28 19-23 (28x19 14x23) 2. 28x19 14x23 *',
            ["a variation goes on after the move before it, instead of standing in its place; it is played so"],
        ),
    ],
)
def test_what_does_not_fit_is_a_remark(text: str, expected: list[str]) -> None:
    """Results that contradict each other or the position, the side to move, a variation one move late."""
    assert remarks(text) == expected


def test_a_game_that_has_only_tags_takes_none_of_the_next() -> None:
    found = replayed(f'[Event "1"]\n[GameType "20"]\n\n[Event "2"]\n[GameType "20"]\n[Result "1-1"]\n\n{MOVES} 1-1\n')
    assert [(one.moves, one.verdict) for one in found] == [(0, "legal"), (6, "legal")]


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866", "cp1252"])
def test_an_encoding_is_seen_in_the_bytes(encoding: str) -> None:
    name = "Кубок города, Иванов" if encoding != "cp1252" else "Fryslân, Piet Bouma"
    assert guess_encoding(name.encode(encoding)) == encoding


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1251"])
@pytest.mark.parametrize("name", ["games.pdn", "games.pdn.gz", "games.zip"])
def test_files_of_all_kinds(tmp_path: Path, name: str, encoding: str) -> None:
    content = f'[White "Иванов Пётр"]\n[GameType "20"]\n{MOVES} *\n'.encode(encoding)
    path = tmp_path / "collection" / name
    path.parent.mkdir()
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inside.pdn", content)
    else:
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (found,) = find_files([path.parent])
    assert found == PdnFile(path, "inside.pdn" if name.endswith(".zip") else "")
    (one,) = check_games(found.lines(), None, None)
    assert (one.players, one.moves, one.verdict) == ("Иванов Пётр - ?", 6, "legal")


def test_a_folder_is_replayed_and_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / "one.pdn").write_text(f'[GameType "20"] {MOVES} *', encoding="utf-8")
    assert "one.pdn" in printed("replay", str(tmp_path))
    broken = tmp_path / "broken.pdn.gz"
    broken.write_bytes(b"no gzip")
    ran = damspec("replay", str(broken))
    assert ran.status == 2
    assert "cannot be read" in ran.err
