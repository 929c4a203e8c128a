"""Games in PDN: tokens and the tree of variations, and games written and read."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damspec
from damspec import Game, PdnError, PositionError, RulesetError, pdn
from damspec.pdn.games import replay, ruleset_for
from damspec.pdn.notation import GameType, claims, gametype_of, known_types, notation_of, ruleset_of
from damspec.pdn.parser import LONGEST_CHUNK, chunks, read_record, read_records, records_in
from damspec.pdn.record import Comment, Element, Nag, Setup, SkippedMove, Variation, WrittenGame, WrittenMove
from damspec.ruleset import load_ruleset
from refusals import refusal
from runs import SPREAD, for_each


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
        WrittenGame(
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
    assert body("2\n. {a} 28x19") == (Comment("a"), WrittenMove("28x19", "2."))
    assert body("2\n. 28 x 19") == (WrittenMove("28x19", "2."),)


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
    assert refusal(PdnError, read_records, text).startswith(f"game 2, line {line}: ")


def test_variations_have_a_depth_and_games_a_length() -> None:
    assert complaints("1. 32-28 " + "(19-23 " * 60 + ")" * 60) == ["1: variations within variations, more than 50 deep"]
    long = "1. 32-28 " + "{" + "x" * LONGEST_CHUNK + "}"
    assert complaints(f'{long}\n[White "B"]\n1. 31-27') == [
        "1: found a game of 1,000,012 characters, expected at most 1,000,000"
    ]


def test_a_record_is_written_so_that_it_reads_as_the_same() -> None:
    record = WrittenGame(
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


# --- Games in PDN as trees: read, edited, written; what is expected is worked out by hand.


#: A game in the form that is written: numbers, comments and variations where they belong, lines of 80 characters.
STANDARD = """[White "Ann"]
[Black "Bob"]
[Result "1-1"]
[GameType "20"]

{From a club} 1. 32-28! $10 {[%clk 1:59:50] as always} 19-23 ({or} 1... 18-23
2. 38-32 {solid} (2. 37-32? $2)) 2. 28x19 14x23 3. 37-32 10-14 1-1
"""


def game(text: str = STANDARD) -> pdn.GameRecord:
    return pdn.GameRecord.from_pdn(text)


def test_a_game_in_standard_form_is_written_as_it_was_read() -> None:
    assert f"{game()}\n" == STANDARD
    assert f"{damspec.Game.from_pdn(STANDARD).pdn()}\n" == STANDARD


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[1] / "data").glob("games*.pdn")), ids=lambda p: p.name)
def test_games_of_a_file_are_read_one_after_another(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with path.open(encoding="utf-8") as handle:
        found = [*iter(lambda: pdn.read_game(handle), None)]
    assert found == damspec.read_pdn(text)
    assert [pdn.GameRecord.from_pdn(str(one)) for one in found] == found
    assert not any(one.errors for one in found)


def test_what_stands_at_a_move() -> None:
    root = game()
    first, second = root.next, root.next.next if root.next else None
    assert first
    assert second
    assert (first.text, first.strength, first.nags, first.comment) == ("32-28", "!", [10], "[%clk 1:59:50] as always")
    assert (first.clock, second.clock, second.is_mainline, second.ply) == (7190, None, True, 2)
    assert root.comment == "From a club"
    assert (root.headers["White"], root.result, root.ruleset.id) == ("Ann", "1-1", "international")
    assert [node.text for node in root.mainline()] == ["32-28", "19-23", "28x19", "14x23", "37-32", "10-14"]
    other = first.variations[1]
    assert (other.starting_comments, [node.text for node in other.variations]) == (["or"], ["38-32", "37-32"])
    assert not other.is_mainline


def test_the_clock_is_that_of_the_side_that_moved() -> None:
    """Lidraughts gives both clocks; in English draughts Black begins."""
    text = '[GameType "{}"] 1. {} {{[%clock w0:05:00 B0:04:50]}} {} {{[%clock W0:04:10 b0:04:50]}} *'
    international, english = (game(text.format(*given)) for given in ((20, "32-28", "19-23"), (21, "9-13", "22-18")))
    assert [node.clock for node in international.mainline()] == [300, 290]
    assert [node.clock for node in english.mainline()] == [290, 250]


def test_positions_and_moves_are_found_when_they_are_asked_for() -> None:
    root = game()
    first = root.next
    assert first
    assert str(first.move) == "32-28"
    assert first.position == damspec.play("international", "start", "32-28")
    # 18-23 38-32, in the variation
    assert root.end.position.fen().startswith("W:W28,31,") or root.end.position.turn == "white"
    assert first.variations[1].end.position == damspec.play(
        "international", damspec.play("international", first.position, "18-23"), "38-32"
    )


def test_a_game_is_edited() -> None:
    root = game('[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 *')
    first = root.next
    assert first
    other = first.add_variation("18-23", comment="safer", nags=[1])
    other.add_line(["38-32", "12-18"])
    root.end.add_variation("37-32").clock = 75
    first.comment = "best"
    root.result = "1-1"
    root.headers["White"] = "Ann"
    assert str(root) == (
        '[GameType "20"]\n[Result "1-1"]\n[White "Ann"]\n\n'
        "1. 32-28 {best} 19-23 (1... 18-23 $1 {safer} 2. 38-32 12-18) 2. 28x19 14x23\n3. 37-32 {[%clk 0:01:15]} 1-1"
    )
    other.promote_to_main()
    assert [node.text for node in root.mainline()] == ["32-28", "18-23", "38-32", "12-18"]
    other.demote()
    assert [node.text for node in first.variations] == ["19-23", "18-23"]
    other.promote()
    other.promote()  # it is the first already
    assert [node.text for node in first.variations] == ["18-23", "19-23"]
    only = other.variations[0]
    only.remove()
    assert not only.is_mainline
    first.variations[0].remove()
    assert "18-23" not in str(root)
    first.add_main_variation("17-22", comment="sharp")
    assert str(root).endswith(
        "1. 32-28 {best} 17-22 {sharp} (1... 19-23 2. 28x19 14x23 3. 37-32 {[%clk\n0:01:15]}) 1-1"
    )


def test_a_move_that_is_not_legal_cannot_be_added() -> None:
    root = game()
    assert refusal(PdnError, root.add_variation, "32-23").startswith("'32-23' is illegal in W:W31,")
    assert refusal(PdnError, pdn.GameRecord().add_variation, "x") == "found 'x', expected a move such as 32-28"
    assert (
        str(pdn.GameRecord({"White": "Ann"}).add_line(["32-28", "19-23"]).game) == '[White "Ann"]\n\n1. 32-28 19-23 *'
    )


def test_a_game_that_breaks_the_rules_is_read_and_written() -> None:
    root = game('[GameType "20"]\n\n1. 32-23 *')
    assert str(root).endswith("1. 32-23 *")
    with pytest.raises(PdnError, match="is illegal"):
        _ = root.end.position


def test_a_word_that_cannot_be_read_is_an_error_of_its_game() -> None:
    handle = io.StringIO('[White "A"]\n1. 32-28 19x 2. 28-22 *\n[White "B"]\n1. 32-28 *')
    first, second, none = (pdn.read_game(handle) for _ in range(3))
    assert first is not None
    assert second is not None
    assert first.errors == ["line 2: after 32-28: found '19x', expected a move"]
    assert pdn.read_game(io.StringIO(str(first))) == first
    assert (second.errors, second.headers, none) == ([], {"White": "B"}, None)


def test_a_game_played_on_keeps_what_was_said() -> None:
    played = damspec.Game.from_pdn('[GameType "20"] 1. 32-28 {a} 19-23 (1... 18-23) 2. 28x19 14x23 *')
    played.push("37-32")
    assert played.pdn().endswith("1. 32-28 {a} 19-23 (1... 18-23) 2. 28x19 14x23 3. 37-32 *")
    for _ in range(4):
        played.pop()
    played.push("17-22")
    assert played.pdn().endswith("1. 32-28 {a} 17-22 *")


def test_an_ambiguous_capture_is_the_one_that_can_be_played_on() -> None:
    """The king on 47 ends on 36 over 42, 29, 31 and either 14 or 19; then Black moves what was left."""
    for left, gone in ((14, "14-20"), (19, "19-23")):
        root = pdn.GameRecord.from_pdn(f'[GameType "20"] [FEN "W:WK47:B14,19,29,31,42"] 1. 47x36 {gone} *')
        assert str(root.end.move) == gone
        *_, last = root.mainline()
        assert last.parent.position[left] is not None
        assert last.parent.position[33 - left] is None
        assert damspec.Game.from_pdn(str(root)).position == root.end.position


#: Text without what ends a comment or a tag's line, as files have it: runs of spaces are one.
_words = st.text(st.characters(codec="utf-8", exclude_characters="{}", exclude_categories=["C"]), max_size=12).map(
    lambda text: " ".join(text.split())
)
_squares = st.integers(1, 50)
_moves = st.builds("{}{}{}".format, _squares, st.sampled_from("-x"), _squares).filter(lambda text: text not in ("1-1",))
_strengths = st.sampled_from(["", "!", "??", "!?", "(!)"])


@st.composite
def trees(draw: st.DrawFn) -> pdn.GameRecord:
    """Games with headers, comments, annotations and variations; their moves need not be legal."""
    headers = draw(st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True), _words, max_size=3))
    headers = {name: value for name, value in headers.items() if name not in ("GameType", "Ruleset", "Result", "FEN")}
    root = pdn.GameRecord(headers)
    nodes: list[pdn.GameNode] = [root]
    for _ in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from(nodes))
        comments = draw(st.lists(_words, max_size=2))
        node = parent.add_variation(draw(_moves))
        node.comments, node.strength = comments, draw(_strengths)
        node.nags = draw(st.lists(st.integers(0, 999), max_size=2))
        if parent.variations[0] is not node:
            node.starting_comments = draw(st.lists(_words, max_size=1))
        nodes.append(node)
    root.comments = draw(st.lists(_words, max_size=1))
    root.termination_marker = draw(st.sampled_from(["*", "1-0", "1-1", "1/2-1/2"]))
    return root


@settings(max_examples=60)
@given(trees())
def test_what_is_written_is_read_as_the_same(root: pdn.GameRecord) -> None:
    again = pdn.GameRecord.from_pdn(str(root)) if str(root) != "*" else root
    assert again == root
    assert str(again) == str(root)


@pytest.mark.parametrize("text", ["x \u00bd y", '"\u00bd', 'say "\u00bd \u2013 \u00bd" \\'])
def test_typographic_signs_in_a_tag_are_its_text(text: str) -> None:
    root = pdn.GameRecord({"Event": text, "Result": "*"})
    assert pdn.GameRecord.from_pdn(str(root)).headers["Event"] == text


# --- Games in PDN played by a ruleset, and games played written as PDN; positions and moves worked out by hand.


#: The king on 47 takes 42, 29, 31 and either 19 or 14 on two ways that end on 36: the example of the standard.
TWO_WAYS = "W:WK47:B14,19,29,31,42"


def problems(text: str, ruleset: str = "international") -> list[str]:
    return [str(problem) for problem in replay(read_record(text), load_ruleset(ruleset)).problems]


# --- the tag GameType


@for_each("id", claims())
def test_a_claim_is_that_of_the_board(id: str) -> None:
    tag, rules = claims()[id], load_ruleset(id).rules
    assert tag.number in known_types()
    assert (tag.columns, tag.rows, tag.first) == (rules.board.columns, rules.board.rows, rules.start.first)
    assert tag.inverted == (rules.board.dark_corner == "right")
    if tag.notation == "A":  # letters begin in its corner
        column, row = rules.board.places[rules.board.square("a1") - 1]
        assert tag.numbering == f"{'top' if row else 'bottom'}-{'right' if column else 'left'}"
    else:
        assert tag.numbering == rules.board.numbering


@for_each("number", known_types())
def test_a_number_alone_stands_for_the_whole_tag(number: int) -> None:
    assert str(GameType.of_text(str(number))) == known_types()[number].full


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("20", "international"),
        ("21,B,8,8,N1,0", "english"),
        ("23", "pool"),
        ("23,B,8,8,A1,1", "jamaican"),
        ("23,W,8,8,A0,0", "unified-pool"),
        ("25,W,8,8,A0", "russian"),
        ("26,W,8,8,N2,0", "brazilian"),
    ],
)
def test_a_tag_means_a_ruleset(text: str, id: str) -> None:
    assert ruleset_of(text).id == id


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("77", "unknown GameType '77'; there is 20 (International draughts), 21"),
        ("draughts", "found GameType 'draughts', expected one like '20' or '20,W,10,10,N2,0'"),
        ("20,W,10", "found GameType '20,W,10', expected one like"),
        ("20,W,12,12,N2,0", "no ruleset for GameType '20,W,12,12,N2,0', International draughts on 12x12; there is"),
    ],
)
def test_a_tag_that_means_none(text: str, expected: str) -> None:
    assert refusal(PdnError, ruleset_of, text).startswith(expected)


def test_a_ruleset_with_the_moves_of_a_claimant_has_its_number() -> None:
    # lb has English draughts' moves; white and black are as there, and squares are counted alike.
    assert str(gametype_of(load_ruleset("lb"))) == "21,B,8,8,N1,0"
    assert gametype_of(load_ruleset("nl-trapdoor")) is None


def test_the_ruleset_of_a_game_is_its_tag_ruleset_or_what_its_gametype_means() -> None:
    assert ruleset_for(read_record('[Ruleset "vl"] [GameType "20"] *')).id == "vl"
    assert (
        refusal(PdnError, ruleset_for, read_record('[White "A"] *'))
        == "no tag GameType, so the ruleset has to be given"
    )
    assert "unknown ruleset 'vla'" in refusal(RulesetError, ruleset_for, read_record('[Ruleset "vla"] *'))


# --- squares and moves


def test_moves_are_read_in_numbers_and_letters_with_any_sign() -> None:
    notation = notation_of(load_ruleset("russian"))
    # On 8x8, 22 is c3 and 15 is e5: row 1 of the board is a1, c1, e1, g1, numbers 29 to 32.
    for text in ("22x15", "c3x15", "c3:e5", "22:15"):
        assert notation.squares(text) == ((22, 15), 1)
    assert notation.squares("c3-d4") == notation.squares("c3d4") == notation.squares("22-18") == ((22, 18), 0)


def test_a_sign_decides_only_where_both_are_there() -> None:
    assert problems('[FEN "W:W32:B19"] 1. 32x28 19:23 *') == []


@pytest.mark.parametrize("path", ["47x38x24x13x36", "47x38x20x9x36"])
def test_an_ambiguous_capture_is_written_with_every_square(path: str) -> None:
    game = Game("international", TWO_WAYS)
    game.push(path)
    assert path in game.pdn()
    assert Game.from_pdn(game.pdn()).history == game.history


def test_a_capture_that_is_not_ambiguous_is_written_with_its_ends() -> None:
    # The man on 33 takes 28 and 18: 33x22x13.
    game = Game("international", "W:W33:B18,28")
    game.push("33x22x13")
    assert "1. 33x13 *" in game.pdn()


def test_an_ambiguous_capture_that_is_short_is_named() -> None:
    assert problems(f'[FEN "{TWO_WAYS}"] 1. 47x36 *') == [
        "move 1. 47x36: ambiguous: it can be 47x38x20x9x36 or 47x38x24x13x36"
    ]


def test_any_square_of_a_straight_way_will_do() -> None:
    assert problems(f'[FEN "{TWO_WAYS}"] 1. 47x33x24x13x36 *') == []


@pytest.mark.parametrize(
    ("id", "position", "move", "written", "result"),
    [
        ("international", "W:W28:B23", "28x19", "1. 28x19 *", "2-0"),
        ("english", "B:W18:B15", "15x22", "1. 15x22 *", "0-1"),
        ("russian", "W:W18:B15", "18x11", "1. d4:f6 *", "1-0"),
        ("brazilian", "W:W18:B15", "18x11", "1. d4xf6 *", "1-0"),
        ("vl", "W:W18:B15", "18x11", "1. 18x11 *", "1-0"),
    ],
)
def test_each_game_has_its_own_squares_signs_and_results(
    id: str, position: str, move: str, written: str, result: str
) -> None:
    game = Game(id, position)
    game.push(move)
    assert game.pdn().endswith(written)
    assert f'[Result "{result}"]' in game.pdn()


# --- checking


def test_the_first_move_that_breaks_the_rules_ends_a_game() -> None:
    # After 19-23 White has to take: the man on 28 takes 23 and lands on 19.
    found = replay(read_record("1. 32-28 19-23 2. 34-30 20-24 3. 1-50 *"), load_ruleset("international"))
    (problem,) = found.problems
    assert (found.moves, problem.kind, problem.text, problem.line) == (2, "illegal", "34-30", 1)
    assert str(problem) == "move 2. 34-30: illegal; legal: 28x19"
    assert problem.position is not None
    assert problem.position.turn == "white"


def test_a_variation_stands_instead_of_the_move_before_it() -> None:
    assert problems("1. 32-28 19-23 (18-23 38-32 (37-32? 23-29) 12-18) 28x19 14x23") == []
    assert problems("1. 32-28 19-23 (1... 19-24 2. 28-23 18x29) (28-22) 2. 28x19 *") == [
        "move 1... 28-22: illegal; legal: 16-21, 17-21, 17-22, 18-22, 18-23, 19-23, 19-24, 20-24 and 1 more"
    ]


def test_a_position_set_up_among_the_moves() -> None:
    assert problems('1. 32-28 /FEN "W:W31:B1"/ 31-27 1-7 *') == []
    assert problems('1. 32-28 /FEN "W:W31:B99"/ 31-27 *') == [
        "FEN among the moves: position 'W:W31:B99': no square 99: the board has squares 1 to 50"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 19-23 3. 28x19 14x23 4. 37-32", ["move 3. 28x19: found the move number 3., expected 2."]),
        ("1. 32-28 1... 19-23 2. 28x19 2. 14x23 3. 37-32", []),
        ("31. 32-28 19-23 32. 28x19", []),
        ("1. 32-28 19-23 28x19 14x23 3. 37-32 10-14 5. 41-37 4. 14-19", [
            "move 5. 41-37: found the move number 5., expected 4.",
            "move 4. 14-19: found the move number 4., expected 5.",
        ]),
        ('[FEN "B:W28:B19,1"] 1. ... 19-23 2. 28x19 1-7 3. 19-14', []),
        ('[FEN "B:W28:B19,1"] 1... 19-23 1. 28x19', ["move 1. 28x19: found the move number 1., expected 2."]),
    ],
)  # fmt: skip
def test_numbers_of_moves_follow_each_other(text: str, expected: list[str]) -> None:
    assert problems(f"{text} *") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 - 2. 31-27", "move -: nobody knows this move"),
        ("1. 32-51", "move 1. 32-51: '32-51' is no move: no square 51: the board has squares 1 to 50"),
        ('[FEN "x"] 1. 32-28', "tag FEN: position 'x': expected a FEN like"),
        (
            '[FEN "W:W1:B50"] 1. 32-28',
            "tag FEN: position 'W:W1:B50' in international: white man on its promotion row: 1",
        ),
    ],
)
def test_what_cannot_be_played_is_told(text: str, expected: str) -> None:
    (problem,) = problems(f"{text} *")
    assert problem.startswith(expected)


# --- games


def test_a_game_comes_from_its_text() -> None:
    game = Game.from_pdn('[GameType "20"] 1. 32-28 {[%clk 1:00:00]} 19-23 (18-23) 2. 28x19 14x23 1-1')
    assert [str(action) for action in game.history] == ["32-28", "19-23", "28x19", "14x23"]
    assert game.ruleset == load_ruleset("international")
    assert Game.from_pdn("1. 9-13 *", "english").fen() == damspec.play("english", "start", "9-13").fen()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[GameType "20"] 1. 32-28 19-24 2. 28x10 *', "line 1: move 2. 28x10: illegal; legal: "),
        ('[GameType "20"] 1. 32-28 * [GameType "20"] *', "found 2 games, expected one"),
        ("", "found 0 games, expected one"),
        ('[GameType "20"] 1. 32-28 /FEN "W:W31:B1"/ *', "line 1: FEN among the moves: a game cannot go on from"),
    ],
)
def test_a_text_that_is_no_game(text: str, expected: str) -> None:
    assert refusal(PdnError, Game.from_pdn, text).startswith(expected)


def test_a_position_of_another_board_is_told() -> None:
    assert "tag FEN: position 'W:W50:B1': no square 50" in refusal(
        PdnError, Game.from_pdn, '[GameType "21"] [FEN "W:W50:B1"] *'
    )
    refusal(PositionError, Game, "english", "W:W50:B1")


def test_spins_and_slides_are_comments_and_come_back() -> None:
    game = Game("nl-trapdoor", "W:W21:B5,14")
    for action in ("spin=green", "G1=L"):
        game.push(action)
    text = game.pdn({"White": "Ann"})
    assert text == (
        '[White "Ann"]\n[Result "*"]\n[Ruleset "nl-trapdoor"]\n[FEN "W:W21:B5,14:sliders=MMMM"]\n'
        "\n{spin=green} {G1=L} *"
    )
    assert Game.from_pdn(text).history == game.history


def test_huffs_are_comments_and_lapses_are_moves() -> None:
    # White's man on 22 can take 18; it plays 32-28 instead, and Black removes it.
    game = Game("de", "W:W22,32:B1,18")
    for action in ("32-28", "huff 22", "1-5"):
        game.push(action)
    text = game.pdn()
    assert "1... 32-28 {huff 22} 2. 1-5" in text
    assert Game.from_pdn(text).history == game.history
    assert problems(text.replace("huff 22", "huff 28"), "de") == ["huff 28: illegal; legal: 18x25, huff 22, retract"]


def random_game(id: str, seed: int, actions: int) -> Game:
    choose, game = random.Random(seed), Game(id)
    for _ in range(actions):
        open_to_it = [*game.legal_moves, *game.legal_moves.lapses]
        if not open_to_it:
            break
        game.push(choose.choice(open_to_it))
    return game


def comes_back(game: Game) -> bool:
    again = Game.from_pdn(game.pdn())
    return (again.history, again.position, again.ruleset) == (game.history, game.position, game.ruleset)


@pytest.mark.parametrize("id", ["english", "russian", "vl"])
def test_games_come_back(id: str) -> None:
    assert comes_back(random_game(id, 1, 30))


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_games_of_rulesets_come_back(id: str) -> None:
    for seed in range(3):
        game = random_game(id, seed, 90)
        assert comes_back(game)
        middle = Game(id, random_game(id, seed, len(game.history) // 2).position)
        for action in game.history[len(game.history) // 2 :]:
            middle.push(action)
        assert comes_back(middle)


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_checking_agrees_with_playing(id: str) -> None:
    """What is found in bits is what the game has, in every game, and a wrong move is found in each."""
    for seed in range(3):
        game = random_game(id, seed, 60)
        found = replay(read_record(game.pdn()), game.ruleset)
        assert (found.problems, found.moves) == ((), sum(isinstance(a, damspec.Move) for a in game.history))
        wrong = game.pdn().removesuffix("*") + "1-1x3 *"
        assert len(replay(read_record(wrong), game.ruleset).problems) == 1
