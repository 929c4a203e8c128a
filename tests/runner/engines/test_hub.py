"""Hub: lines, positions and moves by the protocol's own examples; engines that speak it, and programs that do not."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest

import damspec
from damspec import Board, Move, Position, load_ruleset
from damspec.written_position import read_hub
from damspec_runner.engines import dxp, hub
from damspec_runner.engines.hub import HubEngine, HubMessage
from damspec_runner.engines.protocol import EngineError, level_seconds
from damspec_runner.engines.serve import HubServer
from damspec_runner.verify.candidates import offers
from refusals import refusal
from runner_fixtures import DAMSPEC, TESTS, printed, refused, transcript

BOARD = Board(10, 10)
START = "W:W31-50:B1-20"
SERVE = [*DAMSPEC, "serve", "--hub"]
#: A program that says what an engine of international draughts does, as long as nobody looks at its moves.
RIGHT = [sys.executable, str(TESTS / "fakes" / "hub_hostile.py"), "taking-all"]

# --- lines, as protocol.txt of Scan 3.1 has them


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("wait", HubMessage("wait", {})),
        ("  go   think ", HubMessage("go", {"think": ""})),
        (
            'id name=Scan version=3.1 author="Fabien Letouzey" country=France',
            HubMessage("id", {"name": "Scan", "version": "3.1", "author": "Fabien Letouzey", "country": "France"}),
        ),
        ("done move=32-28 ponder=17-22", HubMessage("done", {"move": "32-28", "ponder": "17-22"})),
        ('error message=""', HubMessage("error", {"message": ""})),
        ("level moves = 9 time= 291.587", HubMessage("level", {"moves": "9", "time": "291.587"})),
    ],
)
def test_a_line_is_read(line: str, said: HubMessage) -> None:
    assert hub.read_message(line) == said


@pytest.mark.parametrize("line", ["", "   ", "=", "name=1", 'say "', 'id name="Scan', "id =1", "a\x00b"])
def test_what_is_no_line_is_said(line: str) -> None:
    assert "expected a " in refusal(ValueError, hub.read_message, line)


def test_a_line_is_written() -> None:
    assert hub.format_message("go", "think") == "go think"
    assert hub.format_message("level", move_time="0.1") == "level move-time=0.1"
    assert hub.format_message("error", message='no "such" move\n') == 'error message="no such move"'
    assert hub.format_message("id", country="") == 'id country=""'


def test_positions_have_a_letter_for_each_square() -> None:
    """The example of the protocol: kings on 4, 5, 38 and 48, men on 25, 35 and 36."""
    text = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee"
    position = Position.from_fen("B:WK4,K5,25,35,36:BK38,K48", BOARD)
    assert hub.position_text(position) == text
    assert read_hub(text, BOARD) == position
    start = Position.from_fen(START, BOARD)
    assert hub.position_text(start) == "W" + 20 * "b" + 10 * "e" + 20 * "w"


@pytest.mark.parametrize("text", ["", "W", "X" + 50 * "e", "W" + 49 * "e", "B" + 49 * "e" + "q"])
def test_what_is_no_position_is_said(text: str) -> None:
    assert "expected W or B and 50 letters" in refusal(ValueError, read_hub, text, BOARD)


def test_moves_have_their_ends_and_all_that_they_capture() -> None:
    assert hub.read_move("32-28") == (32, 28, frozenset())
    assert hub.read_move("28x19x23") == (28, 19, frozenset({23}))
    assert hub.move_text(39, 30, {34}) == "39x30x34"
    assert hub.move_text(22, 22, {31, 18}) == "22x22x18x31"
    for text in ("", "28", "28x", "32-28x23", "28:19", "28x19x", "0x28x19x1234", "e2e4"):
        assert "expected one like 32-28 or 28x19x23" in refusal(ValueError, hub.read_move, text)


def test_levels() -> None:
    assert [level_seconds(text) for text in ("move-time=0.5", "depth=3", "nodes=1000")] == [0.5, 0, 0]
    for text in (
        "",
        "depth=0",
        "move-time=soon",
        "move-time=0",
        "move-time=0.00",
        "move-time=nan",
        "infinite",
        "depth=1 nodes=2",
    ):
        assert "expected move-time=SECONDS, depth=N or nodes=N" in refusal(ValueError, level_seconds, text)


def test_the_table_of_variants_names_shipped_rulesets_with_as_many_squares() -> None:
    table = hub.variants()
    assert table.default in table.values
    assert set(table.of) <= set(damspec.ruleset_ids())
    assert {len(load_ruleset(id).rules.board) for id in table.of} == {dxp.SQUARES}
    assert table.of["international"] == table.default


# --- the reference


def test_the_transcript_of_the_page_is_what_passes() -> None:
    asked, answers = transcript("hub.md")
    assert served(asked) == [line.replace("0.1.0", damspec.__version__) for line in answers]


def served(asked: str) -> list[str]:
    """What the reference answers."""
    ids = {"normal": "international", "killer": "killer", "frisian": "frisian"}
    out = io.StringIO()
    HubServer(lambda value: load_ruleset(ids[value]), tuple(ids)).serve(io.StringIO(asked), out)
    return out.getvalue().splitlines()


def test_the_reference_says_what_is_wrong_and_goes_on() -> None:
    start = "W" + 20 * "b" + 10 * "e" + 20 * "w"
    asked = f"""what now=1
=
set-param name=depth value=3
set-param name=variant value=chess
go think
pos pos=Wb
pos pos={start} moves="32-28 19-23 28x19x23"
ping
pos pos={start} moves="32-28 19-23 33-29"
ping
"""
    said = served(asked)
    assert [line.split()[0] for line in said] == ["error"] * 5 + ["pong", "error", "pong"]
    assert said[-2] == 'error message="illegal move 33-29"'


def test_the_reference_plays_where_it_was_led() -> None:
    """After 32-28 and 19-23 White has to capture, on 28."""
    start = "W" + 20 * "b" + 10 * "e" + 20 * "w"
    said = served(f'pos pos={start} moves="32-28 19-23"\nlevel depth=1\ngo think\n')
    assert said[-1] == "done move=28x19x23"


# --- engines


def engine(
    command: Sequence[str] = SERVE, *, plays: bool = False, timeout: float = 20.0, **parameters: str
) -> HubEngine:
    """An engine that speaks Hub, offered the two moves of a man on 32 and some that it has not."""
    moves: list[Any] = [((32, 27, frozenset()), "32-27"), ((32, 28, frozenset()), "32-28")]
    moves += [((32, 23, frozenset({28})), "32x23"), ((32, 32, frozenset()), "32-32")]
    offered = None if plays else lambda position: moves
    return HubEngine(command, BOARD, offered, timeout=timeout, parameters=parameters)


def asked(of: HubEngine, method: str, ruleset: str = "international", position: str = START) -> Any:
    with of:
        return of.ask(method, {"ruleset": ruleset, "position": position})


def test_an_engine_takes_the_legal_moves_of_those_offered() -> None:
    with engine() as reference:
        hello = reference.hello()
        assert (hello.name, hello.version, hello.manner) == ("damspec", damspec.__version__, "probed")
        assert {"international", "killer", "frisian", "frysk", "russian"} <= (hello.rulesets or frozenset())
        assert hello.questions == {"moves"}
        for position, moves in ((START, ["32-27", "32-28"]), ("W:W32:B28", ["32x23"]), ("W:W33:B28", [])):
            assert reference.ask("moves", {"ruleset": "international", "position": position}) == {"moves": moves}


@pytest.mark.thorough
def test_another_ruleset_is_asked_under_its_variant() -> None:
    """A man on 33 captures over 23 straight ahead by Frisian rules alone (clause frisian-7)."""
    straight: Any = ((33, 13, frozenset({23})), "33x13")
    with HubEngine(SERVE, BOARD, lambda position: [straight], timeout=20.0) as reference:
        for ruleset, moves in (("international", []), ("frisian", ["33x13"]), ("international", [])):
            assert reference.ask("moves", {"ruleset": ruleset, "position": "W:W33:B23"}) == {"moves": moves}


@pytest.mark.thorough
def test_ten_thousand_moves_take_seconds() -> None:
    """And of processor time on this side not one. The start has the nine moves of the five men in front."""
    many: list[Any] = [((a % 50 + 1, a // 50 % 50 + 1, frozenset({1} if a % 3 else ())), a) for a in range(10_000)]
    with HubEngine(SERVE, BOARD, lambda position: many, timeout=60.0) as reference:
        reference.ask("moves", {"ruleset": "international", "position": "W:W32:B1"})
        began = time.process_time()
        taken = reference.ask("moves", {"ruleset": "international", "position": START})["moves"]
        assert time.process_time() - began < 2.0
    pairs = {(a % 50 + 1, a // 50 % 50 + 1) for a in taken}
    assert pairs == {(31, 26), (31, 27), (32, 27), (32, 28), (33, 28), (33, 29), (34, 29), (34, 30), (35, 30)}


def test_an_engine_is_asked_what_it_plays() -> None:
    assert asked(engine(RIGHT, plays=True), "plays") == {"move": "32-28"}
    nothing = [sys.executable, str(TESTS / "fakes" / "hub_hostile.py"), "playing-nothing"]
    assert asked(engine(nothing, plays=True), "plays") == {"move": None}


def test_a_parameter_is_set_if_there_is_one() -> None:
    with engine(RIGHT, variant="normal") as right:
        assert right.hello().rulesets is None
    with engine(RIGHT) as right:
        assert right.hello().rulesets == frozenset({"international"})
    assert refusal(EngineError, engine(RIGHT, depth="3").hello) == "has no parameter 'depth'; it has variant"


def test_what_is_offered_is_known_by_its_squares() -> None:
    """A king that captures two in a circle and ends where it began: no move from 28 that ends on one of the two."""
    ruleset = load_ruleset("international")
    for fen in (START, "W:WK28:B22,12,13,23", "W:W32,33,K46:B9,18,28,29,K5"):
        position = ruleset.position(fen)
        moves = [move for move in damspec.legal_moves(ruleset, position) if isinstance(move, Move)]
        legal = {frozenset((move.start, move.end, *move.captured)): move for move in moves}
        offered = offers(ruleset, position)
        assert len(offered) > len(legal)
        for (start, end, captured), _ in offered:
            known = legal.get(frozenset((start, end, *captured)))
            assert known is None or (known.start, known.end, frozenset(known.captured)) == (start, end, captured)


# --- programs that are no good engines

HOSTILE = {
    "silent": ("timeout", r"^did not answer hub within 0\.6 seconds"),
    "garbage": ("size", r"^answered hub with more than 20000 lines that are no answer$"),
    "endless-line": ("size", "^answered hub with a line of more than"),
    "unready": ("timeout", r"^did not answer init within 0\.6 seconds"),
    "leaving": ("died", r"^ended while asked hub, exit status 0$"),
    "dying": ("died", r"^ended while asked pos, exit status 1, having said 'out of memory'$"),
    "refusing": ("refused", "^answered pos with error: no such position$"),
    "taking-all": ("form", "^took the impossible move 1-30 for a legal one: does not say what is illegal$"),
    "doubling": ("form", "^took the impossible move 1-30 for a legal one"),
    "erring-at-hub": ("timeout", r"^did not answer hub within 0\.6 seconds.*, after error: license expired$"),
    "erring-at-init": ("param", "^answered set-param and init with error: no such variant$"),
    "erring-at-pos": ("refused", "^answered pos with error: no such position$"),
    "done-unasked": ("form", "^said done move=32-28 where pos was to be answered$"),
    "ready-unasked": ("form", "^said ready where pos was to be answered$"),
}
PLAYING = {
    "searching": ("size", "^answered go think with more than 20000 lines that are no answer$"),
    "mute-search": ("timeout", r"^did not answer go think within 0\.7 seconds"),
    "erring-at-pos": ("refused", "^answered pos with error: no such position$"),
    "erring-at-go": ("form", "^answered go think with done move=32-28 after error: no hash table$"),
    "erring-mutely": ("timeout", r"^did not answer go think within 0\.7 seconds.*, after error: no hash table$"),
    "erring-and-dying": ("died", "^ended while asked go think, after error: no hash table, exit status 1$"),
    "done-twice": ("form", "^said done move=31-27 where ping was to be answered$"),
    "done-unasked": ("form", "^said done move=32-28 where pos was to be answered$"),
    "doubling": ("form", "^said pong where go think was to be answered$"),
    "playing-nonsense": ("form", "^answered go think with done: 'e2e4' is no move: expected one like 32-28"),
}


@pytest.mark.parametrize(("mode", "plays"), [*((mode, False) for mode in HOSTILE), *((mode, True) for mode in PLAYING)])
def test_it_is_told_in_one_line(mode: str, plays: bool) -> None:
    kind, says = (PLAYING if plays else HOSTILE)[mode]
    timeout = 0.6 if kind == "timeout" else 20.0
    command = [sys.executable, str(TESTS / "fakes" / "hub_hostile.py"), mode]
    with pytest.raises(EngineError, match=says) as error:
        asked(engine(command, plays=plays, timeout=timeout), "plays" if plays else "moves")
    assert error.value.kind == kind
    assert str(error.value).isprintable()


# --- the command


def test_the_reference_passes_by_probing() -> None:
    said = printed("check", "international", "--hub", "--topic", "duty", "--", *SERVE).splitlines()[-1]
    assert re.fullmatch(r"international by damspec .* \(probed, not listed\): 6 passed, 0 failed of 6 cases.*", said)


def test_the_reference_passes_by_playing() -> None:
    out = printed("check", "killer", "--hub", "--plays", "--drawn", "4", "-k", "behind", "--json", "--", *SERVE)
    assert '"manner": "played"' in out
    assert '"played": ' in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("international", "--hub", "--lines"), "an engine speaks one of them"),
        (("international", "--param", "a=1"), "--param: expected it with --hub"),
        (("international", "--hub", "--param", "a"), "--param: found 'a', expected NAME=VALUE"),
        (("international", "--hub", "--level", "soon"), "expected move-time=SECONDS, depth=N or nodes=N"),
        (("international", "--hub", "--drawn", "3"), "--drawn: positions are drawn for an engine that plays"),
    ],
)
def test_what_does_not_go_together_is_said(words: tuple[str, ...], says: str) -> None:
    assert says in refused("check", *words, "--", "./no-engine")
