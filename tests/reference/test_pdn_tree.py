"""Games in PDN as trees: read, edited, written; what is expected is worked out by hand."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damspec
from damspec import PdnError, pdn

#: A game in the form that is written: numbers, comments and variations where they belong, lines of 80 characters.
STANDARD = """[White "Ann"]
[Black "Bob"]
[Result "1-1"]
[GameType "20"]

{From a club} 1. 32-28! $10 {[%clk 1:59:50] as always} 19-23 ({or} 1... 18-23
2. 38-32 {solid} (2. 37-32? $2)) 2. 28x19 14x23 3. 37-32 10-14 1-1
"""


def game(text: str = STANDARD) -> pdn.Game:
    return pdn.Game.from_pdn(text)


def test_a_game_in_standard_form_is_written_as_it_was_read() -> None:
    assert f"{game()}\n" == STANDARD
    assert f"{damspec.Game.from_pdn(STANDARD).pdn()}\n" == STANDARD


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[1] / "data").glob("games*.pdn")), ids=lambda p: p.name)
def test_games_of_a_file_are_read_one_after_another(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with path.open(encoding="utf-8") as handle:
        found = [*iter(lambda: pdn.read_game(handle), None)]
    assert found == damspec.read_pdn(text)
    assert [pdn.Game.from_pdn(str(one)) for one in found] == found
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
    first.variations[0].remove()
    assert "18-23" not in str(root)
    first.add_main_variation("17-22", comment="sharp")
    assert str(root).endswith(
        "1. 32-28 {best} 17-22 {sharp} (1... 19-23 2. 28x19 14x23 3. 37-32 {[%clk\n0:01:15]}) 1-1"
    )


def test_a_move_that_is_not_legal_cannot_be_added() -> None:
    root = game()
    with pytest.raises(PdnError, match=r"^'32-23' is illegal in W:W31,"):
        root.add_variation("32-23")
    with pytest.raises(PdnError, match=r"^found 'x', expected a move such as 32-28$"):
        pdn.Game().add_variation("x")
    assert str(pdn.Game({"White": "Ann"}).add_line(["32-28", "19-23"]).game) == '[White "Ann"]\n\n1. 32-28 19-23 *'


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
        root = pdn.Game.from_pdn(f'[GameType "20"] [FEN "W:WK47:B14,19,29,31,42"] 1. 47x36 {gone} *')
        assert str(root.end.move) == gone
        assert root.end.parent
        assert root.end.parent.position[left] is not None
        assert root.end.parent.position[33 - left] is None
        assert damspec.Game.from_pdn(str(root)).position == root.end.position


#: Text without what ends a comment or a tag's line, as files have it: runs of spaces are one.
_words = st.text(st.characters(codec="utf-8", exclude_characters="{}", exclude_categories=["C"]), max_size=12).map(
    lambda text: " ".join(text.split())
)
_squares = st.integers(1, 50)
_moves = st.builds("{}{}{}".format, _squares, st.sampled_from("-x"), _squares).filter(lambda text: text not in ("1-1",))
_strengths = st.sampled_from(["", "!", "??", "!?", "(!)"])


@st.composite
def trees(draw: st.DrawFn) -> pdn.Game:
    """Games with headers, comments, annotations and variations; their moves need not be legal."""
    headers = draw(st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True), _words, max_size=3))
    headers = {name: value for name, value in headers.items() if name not in ("GameType", "Ruleset", "Result", "FEN")}
    root = pdn.Game(headers)
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
    root.ending = draw(st.sampled_from(["*", "1-0", "1-1", "1/2-1/2"]))
    return root


@settings(max_examples=60)
@given(trees())
def test_what_is_written_is_read_as_the_same(root: pdn.Game) -> None:
    again = pdn.Game.from_pdn(str(root)) if str(root) != "*" else root
    assert again == root
    assert str(again) == str(root)
