"""PDN read and written as it stands: tags, moves, comments, annotations, variations, results, broken games."""

from __future__ import annotations

import pytest

from damspec import PdnError
from damspec.pdn.parser import LONGEST_CHUNK, chunks, read_records, records_in
from damspec.pdn.record import Comment, Element, GameRecord, Nag, Setup, SkippedMove, Variation, WrittenMove


def body(text: str) -> tuple[Element, ...]:
    (record,) = read_records(text)
    return record.body


def complaints(text: str) -> list[str]:
    """What cannot be read, after the number of its line."""
    found = [record for chunk in chunks(text.splitlines(keepends=True)) for record in records_in(chunk)]
    return [f"{one.line}: {one.says}" for record in found for one in record.unread()]


def test_all_that_stands_in_a_game() -> None:
    text = """% from a newspaper
    [Event "A \\"small\\" cup"]
    [GameType "20"]
    {It begins} 1. 32-28 19-23! (1... 18-23 38-32 (37-32?) {hm}) 2.28x19 $1 14x23(?)
    3. ... 10-14 /FEN "W:W31:B1"/ *
    """
    assert read_records(text) == [
        GameRecord(
            {"Event": 'A "small" cup', "GameType": "20"},
            (
                Comment("It begins"),
                WrittenMove("32-28", "1."),
                WrittenMove("19-23", "", "!"),
                Variation(
                    (
                        WrittenMove("18-23", "1..."),
                        WrittenMove("38-32"),
                        Variation((WrittenMove("37-32", "", "?"),)),
                        Comment("hm"),
                    )
                ),
                WrittenMove("28x19", "2."),
                Nag(1),
                WrittenMove("14x23", "", "(?)"),
                SkippedMove("...", "3."),
                WrittenMove("10-14"),
                Setup("W:W31:B1"),
            ),
        )
    ]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.a3b4", ["a3b4"]),
        ("c3:e5xg7 a10-b11", ["c3:e5xg7", "a10-b11"]),
        ("  1. 33- 28  1- 6 04-09", ["33-28", "1-6", "04-09"]),
        ("47x38x24x13x36 21-17x10", ["47x38x24x13x36", "21-17x10"]),
        ("1-18 2-02 1-10", ["1-18", "2-02", "1-10"]),
    ],
)
def test_moves_in_all_their_forms(text: str, moves: list[str]) -> None:
    assert [item.text for item in body(text) if isinstance(item, WrittenMove)] == moves


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"])
def test_results_end_a_game(result: str) -> None:
    first, second = read_records(f"1. 32-28 {result} 1. 31-27 19-23 {result} {{resigned}}")
    assert first.body == (WrittenMove("32-28", "1."),)
    assert second.body == (WrittenMove("31-27", "1."), WrittenMove("19-23"), Comment("resigned"))


def test_a_result_in_a_variation_ends_no_game() -> None:
    assert body("1. 32-28 (1. 31-27 1-0) 19-23") == (
        WrittenMove("32-28", "1."),
        Variation((WrittenMove("31-27", "1."),)),
        WrittenMove("19-23"),
    )


def test_a_null_character_is_a_space() -> None:
    assert body("1. 32-28 {so\0far}") == (WrittenMove("32-28", "1."), Comment("so far"))


def test_a_result_of_a_tournament_of_its_own_is_no_move() -> None:
    assert body('[Result "4-6"] 1. 32-28 19-23 4-6') == (WrittenMove("32-28", "1."), WrittenMove("19-23"))
    assert body('[Result "2-0"] 1. 32-28 4-6')[-1] == WrittenMove("4-6")


def test_a_star_at_a_move_is_a_forced_move() -> None:
    assert body("1. 1-6* 32-28 *") == (WrittenMove("1-6", "1."), Nag(7), WrittenMove("32-28"))


def test_tags_after_moves_begin_a_game_on_whichever_line() -> None:
    records = read_records('[White "A"]\n1. 32-28\n[White "B"]\n\n[Black "C"]\n1. 31-27 1-0[White "D"]\n')
    assert [(record.tags, record.line) for record in records] == [
        ({"White": "A"}, 1),
        ({"White": "B", "Black": "C"}, 3),
        ({"White": "D"}, 6),
    ]


def test_tags_after_moves_begin_a_game_though_these_stand_behind_tags_and_have_no_result() -> None:
    records = read_records('[White "A"] [Black "B"] 1. 32-28 19-23\n[White "C"] 1. 31-27\n[White "D"]\n[Black "E"]\n')
    assert [(record.tags, len(record.body), record.line) for record in records] == [
        ({"White": "A", "Black": "B"}, 2, 1),
        ({"White": "C"}, 1, 2),
        ({"White": "D", "Black": "E"}, 0, 3),
    ]


def test_moves_in_another_form_are_the_same_moves_on_the_same_lines() -> None:
    usual = body("1. 32-28 19-23!\n2. 28x19 14x23")
    assert usual == (
        WrittenMove("32-28", "1."),
        WrittenMove("19-23", "", "!"),
        WrittenMove("28x19", "2."),
        WrittenMove("14x23"),
    )
    others = ("1.32-28 19-23!\n2. 28x19 14x23", "1 . 32-28, 19-23!\n2. 28 x 19 14x23", "1. 32-28 19-23!\n2.28x19,14x23")
    for other in others:
        assert body(other) == usual
        assert [item.line for item in body(other) if isinstance(item, WrittenMove)] == [1, 1, 2, 2]


def test_a_number_at_the_end_of_a_line_belongs_to_the_move_on_the_next() -> None:
    moves = [item for item in body("1. 32-28 19-23 2.\n28x19 14x23") if isinstance(item, WrittenMove)]
    assert [(move.text, move.number, move.line) for move in moves] == [
        ("32-28", "1.", 1), ("19-23", "", 1), ("28x19", "2.", 2), ("14x23", "", 2),
    ]  # fmt: skip


def test_tags_in_a_row_keep_their_first_value_and_single_spaces() -> None:
    (record,) = read_records('[White  "Ann  A"]\n[Black "Bob\tB"]\n[Event "\\"E\\""]\n[Black "Cid"]\n1. 32-28')
    assert record.tags == {"White": "Ann A", "Black": "Bob B", "Event": '"E"'}


def test_a_move_knows_its_line() -> None:
    lines = [item.line for item in body("\n1. 32-28\n19-23 2. 28x19\n{a\nb} 14x23\n") if isinstance(item, WrittenMove)]
    assert lines == [2, 3, 3, 5]


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ('[White "x]\n1. 32-28', "found '[White \"x]', expected a tag like [White \"Name\"]"),
        ("1. 32-28 {no end", "after 32-28: found {, expected } at the end of the comment"),
        ("1. 32-28 (1. 31-27", "after 31-27: found the end of the game, expected that of the variation '('"),
        ("1. 32-28 19x 2.", "after 32-28: found '19x', expected a move"),
        ("1. 33-29 { nested { comment } }", "after 33-29: found '}', expected a move"),
        ("1. 32-28 [White \"x\"] 19-23", "found the tag White among the moves, expected it before them"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_costs_no_other_game(broken: str, expected: str) -> None:
    text = f'[Event "1"]\n1. 31-27 *\n[Event "2"]\n{broken}\n[Event "3"]\n1. 34-30 *\n'
    line = 5 if broken.startswith("[White") and "\n" not in broken else 4
    assert complaints(text) == [f"{line}: {expected}"]
    with pytest.raises(PdnError, match=f"^game 2, line {line}: "):
        read_records(text)


def test_variations_have_a_depth_and_games_a_length() -> None:
    assert complaints("1. 32-28 " + "(19-23 " * 60 + ")" * 60) == ["1: variations within variations, more than 50 deep"]
    long = "1. 32-28 " + "{" + "x" * LONGEST_CHUNK + "}"
    assert complaints(f'{long}\n[White "B"]\n1. 31-27') == [
        "1: found a game of 1,000,012 characters, expected at most 1,000,000"
    ]


def test_a_record_is_written_so_that_it_reads_as_the_same() -> None:
    record = GameRecord(
        {"White": 'A "\\" B', "Event": ""},
        (
            WrittenMove("32-28", "1.", "!?"),
            Comment("a long comment, " * 20 + "which ends [%clk 1:55:21]"),
            Variation((WrittenMove("31-27", "1."), Variation((Nag(20),)), SkippedMove("-"))),
            Setup("W:W31:B1"),
            SkippedMove("...", "7."),
            *(WrittenMove("19-23") for _ in range(40)),
        ),
    )
    assert read_records(str(record)) == [record]
    assert max(map(len, str(record).splitlines())) <= 80
    assert "1. 32-28!?" in str(record)
    assert "(1. 31-27 ($20) -)" in str(record)


def test_no_text_is_no_game() -> None:
    assert read_records("") == read_records("% nothing\n") == []


def games(text: str) -> list[tuple[int, list[str]]]:
    """The line of each game, and its moves and comments."""
    found = [record for chunk in chunks(text.splitlines(keepends=True)) for record in records_in(chunk)]
    return [(one.line, [getattr(item, "text", "()") for item in one.body]) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 19-23\n2. 28x19\n\n1. 33-28 18-22", [(1, ["32-28", "19-23", "28x19"]), (4, ["33-28", "18-22"])]),
        ("1. 32-28 19-23 {so} 1. 31-27 *\n1. 31-26", [(1, ["32-28", "19-23", "so"]), (1, ["31-27"]), (2, ["31-26"])]),
        ("1. 32-28\n\n1. 31-27", [(1, ["32-28"]), (3, ["31-27"])]),
        # One game: the number before both moves, dots for the first side, another position, a variation.
        ("1. 32-28\n1. 19-23 2. 28x19 2. 14x23", [(1, ["32-28", "19-23", "28x19", "14x23"])]),
        (
            "1. 32-28 {so} 1... 19-23 2. 28x19 {or} 2. ... 14x23",
            [(1, ["32-28", "so", "19-23", "28x19", "or", "...", "14x23"])],
        ),
        ('1. 32-28 19-23 /FEN "W:W31:B1"/ 1. 31-27 1-6', [(1, ["32-28", "19-23", "()", "31-27", "1-6"])]),
        ("1. 32-28 19-23 (1... 18-23 2. 28x19\n1. 33-28) 2. 28x19", [(1, ["32-28", "19-23", "()", "28x19"])]),
        (
            '[Ruleset "nl-trapdoor"]\n1. 21-17 {spin=disc} 1. 22-18 2. 9-13',
            [(1, ["21-17", "spin=disc", "22-18", "9-13"])],
        ),
        # A semicolon begins a comment to the end of the line.
        ("1. 32-28 ; 19-23 ( {\n18-23", [(1, ["32-28", "19-23 ( {", "18-23"])]),
        ("1. 32-28;x}\n18-23;", [(1, ["32-28", "x)", "18-23", ""])]),
        ("1. 32-28 {a; b}18-23 ; \u0430", [(1, ["32-28", "a; b", "18-23", "\u0430"])]),
        ('; by hand\n[White "A; B"]\n; {\n[Black "C"]\n1. 3228;1923', [(1, ["by hand", "{", "3228", "1923"])]),
        ('{by hand}\n[White "A"]\n1. 32-28 % {\n18-23 (1... 19-23 ; )\n)', [(2, ["32-28", "18-23", "()"])]),
    ],
)
def test_where_games_and_comments_begin_and_end(text: str, expected: list[tuple[int, list[str]]]) -> None:
    assert games(text) == expected


def test_games_told_apart_by_their_numbers_alone_can_be_many() -> None:
    """More of them than one game may have characters; the brace in the remark opens no comment."""
    game = "1. 32-28 19-23 ; a {\n2. 28x19 14x23 {see {this}\n(2... 13x24\n1. 33-28)\n"
    text = game * (LONGEST_CHUNK // len(game) + 2)
    moves = ["32-28", "19-23", "a {", "28x19", "14x23", "see {this", "()"]
    assert [told for _, told in games(text)] == [moves] * text.count(game)
