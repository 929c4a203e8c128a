"""Plain lines: how questions are written and answers read, what is wrong with one, and engines that speak so."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from damspec_runner.engines.lines import LineFormat, format_answer, read_request
from damspec_runner.engines.protocol import LIMITS, EngineError, UnsupportedError
from damspec_runner.engines.registry import template_folder, template_languages
from refusals import raised, refusal
from runner_fixtures import PROJECT, printed, refused, transcript
from runner_fixtures import damspec as run
from runs import for_each

FEN = "W:W22:B18"
SERVE = [sys.executable, "-m", "damspec_runner", "serve", "--lines"]


@for_each(
    ("method", "params", "line"),
    [
        ("hello", {"protocol": 1, "runner": {}}, "hello 1"),
        ("start", {"ruleset": "lb"}, "start lb"),
        ("moves", {"ruleset": "vl?draws=none", "position": FEN}, f"moves vl?draws=none {FEN}"),
        ("play", {"ruleset": "lb", "position": FEN, "move": "22x15"}, f"play lb {FEN} 22x15"),
        ("play", {"ruleset": "de", "position": FEN, "move": "huff 22"}, f"play de {FEN} huff:22"),
        (
            "play",
            {"ruleset": "lb", "position": FEN, "move": {"move": "22x15", "captured": [18]}},
            f"play lb {FEN} 22x15(18)",
        ),
        ("outcome", {"ruleset": "lb", "position": FEN}, f"outcome lb {FEN}"),
        ("outcome", {"ruleset": "lb", "position": FEN, "moves": ["22-17", "18-22"]}, f"outcome lb {FEN} 22-17 18-22"),
        ("perft", {"ruleset": "lb", "position": FEN, "depth": 3}, f"perft lb {FEN} 3"),
        ("legal", {"ruleset": "lb", "position": FEN, "move": "22x15"}, f"legal lb {FEN} 22x15"),
        ("moves", {"ruleset": "lb", "position": "start", "moves": ["11-15"]}, "moves lb start 11-15"),
        (
            "play",
            {"ruleset": "lb", "position": FEN, "moves": ["22x15", {"move": "15x8", "captured": [11]}], "move": "8x1"},
            f"play lb {FEN} 22x15 15x8(11) 8x1",
        ),
        ("quit", None, "quit"),
    ],
)
def test_a_question_is_a_line(method: str, params: Any, line: str) -> None:
    assert LineFormat().request(7, method, params) == line
    assert method == "hello" or read_request(line) == (method, params)


@for_each(
    ("method", "line", "result"),
    [
        ("moves", "moves", {"moves": []}),
        ("moves", "  moves 22-17  22-18 ", {"moves": ["22-17", "22-18"]}),
        ("moves", "moves 22x15>B:W15:B1 | 22-17", {"moves": ["22x15"], "lapses": ["22-17"]}),
        (
            "moves",
            "moves 22x15(18) 22:15()",
            {"moves": [{"move": "22x15", "captured": [18]}, {"move": "22:15", "captured": []}]},
        ),
        ("moves", "moves huff:22 22:15 spin=green G1=L", {"moves": ["huff 22", "22:15", "spin=green", "G1=L"]}),
        ("play", "B:W15:B", {"position": "B:W15:B"}),
        ("outcome", "black no moves", {"outcome": "black", "reason": "no moves"}),
        ("outcome", "ongoing", {"outcome": "ongoing", "reason": None}),
        ("perft", "302", {"nodes": 302}),
        ("legal", "yes", {"legal": True}),
        ("legal", "no it is not", {"legal": False}),
        ("legal", "lapse", {"legal": "lapse"}),
    ],
)
def test_an_answer_is_read(method: str, line: str, result: Any) -> None:
    assert LineFormat().result(line, 1, method, LIMITS) == result


@for_each(
    ("line", "written", "expected"),
    [
        (
            "hello",
            "hello unnamed questions=start,moves,play,outcome",
            {"name": "unnamed", "rulesets": "*", "questions": ["start", "moves", "play", "outcome"], "history": None},
        ),
        (
            "hello big 2.1 rulesets=lb,vl questions=moves",
            "hello big 2.1 rulesets=lb,vl questions=moves",
            {"name": "big", "version": "2.1", "rulesets": ["lb", "vl"], "questions": ["moves"], "history": None},
        ),
        (
            "hello questions=outcome,perft,history",
            "hello unnamed questions=outcome,perft,history",
            {"questions": ["outcome", "perft"], "history": True},
        ),
        (
            "hello questions=legal,play,steps,no-setup,ends",
            "hello unnamed questions=legal,play,steps,no-setup,ends",
            {"questions": ["legal", "play"], "steps": True, "setup": False, "ends": True},
        ),
    ],
)
def test_what_an_engine_says_of_itself_and_what_it_need_not(line: str, written: str, expected: dict[str, Any]) -> None:
    said = LineFormat().result(line, 1, "hello", LIMITS)
    assert {key: said.get(key) for key in expected} == expected
    assert format_answer("hello", said) == written


@for_each(
    ("method", "line", "says", "kind"),
    [
        ("hello", "ready", "found 'ready', expected hello NAME [VERSION]", "form"),
        ("hello", "hello a b c", "found 'hello a b c', expected hello NAME [VERSION]", "form"),
        ("hello", "hello a depth=3", "expected hello NAME [VERSION]", "form"),
        (
            "hello",
            "hello a questions=moves,search",
            "found the question 'search', expected some of start, moves",
            "form",
        ),
        ("moves", "22-17 22-18", "found '22-17', expected moves and then each move", "form"),
        ("moves", "", "found nothing, expected moves and then each move", "form"),
        (
            "moves",
            "[ActionPath 22-17]",
            "found '[ActionPath', expected moves and then each move, or moves alone: ",
            "form",
        ),
        ("moves", "[ActionPath 22-17]", "; standard output is for answers alone", "form"),
        ("moves", "moves >B:W15:B1", "found '>B:W15:B1', expected a move like", "form"),
        ("moves", "moves 22-17 | 1-5 | 2-6", "found | twice", "form"),
        ("play", "B:W15:B ok", "found 2 words, expected one, a position", "form"),
        ("outcome", "lost", "found 'lost', expected one of ongoing, white, black, draw", "form"),
        ("legal", "maybe", "found 'maybe', expected one of yes, no, lapse", "form"),
        ("perft", "many", "found 'many', expected one word, a number", "form"),
        ("perft", "-3", "found '-3', expected one word, a number", "form"),
        ("perft", "", "found nothing, expected one word, a number", "form"),
        ("outcome", "\ufeffdraw", "it begins with a byte order mark", "form"),
        ("moves", "moves" + " 1-5" * 1001, "1001 moves, expected at most 1000", "size"),
        ("moves", f"moves 1-5>{'W' * 2000}", "a position of 2000 characters, expected at most 1000", "size"),
        ("moves", "error out of room", "answered moves with error: out of room", "refused"),
    ],
)
def test_what_is_no_answer_is_said_in_one_line(method: str, line: str, says: str, kind: str) -> None:
    error = raised(EngineError, LineFormat().result, line, 1, method, LIMITS)
    assert error.kind == kind
    assert says in str(error)


def test_an_engine_may_decline() -> None:
    assert "no kings yet" in refusal(
        UnsupportedError, LineFormat().result, "unsupported no kings yet", 1, "moves", LIMITS
    )


def test_where_a_move_leads_is_known_as_long_as_the_question_is_about_the_same() -> None:
    lines = LineFormat()
    here = {"ruleset": "lb", "position": FEN}
    lines.request(1, "moves", here)
    lines.result("moves 22x15>B:W15:B1 22x13(17)>B:W13:B1 22-17", 1, "moves", LIMITS)
    assert lines.known_answer("play", {**here, "move": "22x15"}) == {"position": "B:W15:B1"}
    assert lines.known_answer("play", {**here, "move": {"move": "22x13", "captured": [17]}}) == {"position": "B:W13:B1"}
    assert lines.known_answer("play", {**here, "move": "22-17"}) is None
    assert lines.known_answer("play", {"ruleset": "vl", "position": FEN, "move": "22x15"}) is None
    assert lines.known_answer("outcome", here) is None
    lines.request(2, "moves", {**here, "moves": ["22x15"]})
    lines.result("moves 15x8>B:W8:B1", 2, "moves", LIMITS)
    assert lines.known_answer("play", {**here, "moves": ["22x15"], "move": "15x8"}) == {"position": "B:W8:B1"}
    assert lines.known_answer("play", {**here, "move": "15x8"}) is None
    assert lines.known_answer("play", {**here, "move": "22x15"}) == {"position": "B:W15:B1"}
    lines.request(3, "moves", here)
    lines.result("moves 22x13", 3, "moves", LIMITS)
    assert lines.known_answer("play", {**here, "move": "22x15"}) is None


# --- engines


def test_the_transcript_of_the_page_is_what_passes(tmp_path: Path) -> None:
    asked, answers = transcript("lines.md")
    # Where endgames are solved already, `go` says more than the page does.
    nothing_solved = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        SERVE, input=asked, capture_output=True, text=True, timeout=120, check=True, env=nothing_solved
    )
    assert done.stdout.splitlines() == [*answers, "quit"]


def test_a_question_of_a_report_is_put_as_a_line() -> None:
    request = '{"jsonrpc":"2.0","id":1,"method":"moves","params":{"ruleset":"lb","position":"W:W21:B17"}}'
    assert printed("ask", "--lines", "--request", request, "--", *SERVE) == '{"moves": ["21x14"]}\n'


# --- adapters to begin with: each is made an engine that knows how a white man on 22 moves, and nothing else
# `english.man-move.white-man-steps-up`: 22-17 and 22-18, by the rule of one step diagonally forward.

FILLED = {
    "c": (
        "    (void)p;\n    (void)move;\n    return 0; /* not filled in yet */",
        """    for (int to = 17; to <= 18; to++) {
        Position after = *p;
        char text[9];
        after.turn = 'B', after.on[22] = ' ', after.on[to] = 'w';
        sprintf(text, "22-%d", to);
        move(text, &after);
    }
    return 1;""",
    ),
    "cpp": (
        "legal_moves(const Position &, const std::vector<std::string> &)\n"
        "{\n    return std::nullopt; // not filled in yet",
        """legal_moves(const Position &position, const std::vector<std::string> &hops)
{
    std::vector<Move> moves;
    for (int to : {17, 18}) {
        Position after = position;
        after.turn = 'B', after.on.erase(22), after.on[to] = 'w';
        moves.push_back({"22-" + std::to_string(to), after});
    }
    return moves;""",
    ),
    "python": (
        '    raise NotImplementedError("legal_moves() in adapter.py is not filled in yet")',
        "    men = {n: p for n, p in position.on.items() if n != 22}\n"
        '    return {f"22-{to}": Position("B", {**men, to: "w"}) for to in (17, 18)}',
    ),
    "node": (
        "  return null; // not filled in yet",
        """  return [17, 18].map((to) => {
    const { 22: moved, ...on } = position.on;
    return [`22-${to}`, { turn: 'B', on: { ...on, [to]: 'w' } }];
  });""",
    ),
    "rust": (
        "legal_moves(_position: &Position, _hops: &[&str]) -> Option<Vec<Move>> {\n    None // not filled in yet",
        """legal_moves(position: &Position, hops: &[&str]) -> Option<Vec<Move>> {
    let step = |to: u32| {
        let mut after = position.clone();
        after.turn = 'B';
        after.on.remove(&22);
        after.on.insert(to, 'w');
        Move { text: format!("22-{to}"), after }
    };
    Some(vec![step(17), step(18)])""",
    ),
    "java": (
        "        return null; // not filled in yet",
        """        Map<String, Position> moves = new LinkedHashMap<>();
        for (int to : new int[] {17, 18}) {
            Position after = Position.read(position.write());
            after.turn = 'B';
            after.on.remove(22);
            after.on.put(to, 'w');
            moves.put("22-" + to, after);
        }
        return moves;""",
    ),
    "go": (
        "    return nil, false // not filled in yet".replace("    ", "\t"),
        """	var moves []damspecMove
	for _, to := range []int{17, 18} {
		after := position.copy()
		after.turn = 'B'
		delete(after.on, 22)
		after.on[to] = 'w'
		moves = append(moves, damspecMoveBetween(22, to, position, after))
	}
	return moves, true""",
    ),
    "csharp": (
        "            return null; // not filled in yet",
        """            foreach (var to in new[] { 17, 18 })
            {
                var after = position.Copy();
                after.Turn = 'B';
                after.On.Remove(22);
                after.On[to] = 'w';
                yield return Move.Between(22, to, position, after);
            }""",
    ),
    "kotlin": (
        "    return null // not filled in yet",
        """    return listOf(17, 18).map { to ->
        val after = position.copy()
        after.turn = 'B'
        after.on.remove(22)
        after.on[to] = 'w'
        moveBetween(22, to, position, after)
    }""",
    ),
}

#: How each is made, and how it is run then; `{}` is its folder.
MADE = {
    "c": (["cc", "-Wall", "-Wextra", "-Werror", "-o", "{}/adapter", "{}/adapter.c"], ["{}/adapter"]),
    "cpp": (["c++", "-std=c++17", "-Wall", "-Wextra", "-o", "{}/adapter", "{}/adapter.cpp"], ["{}/adapter"]),
    "python": ([], [sys.executable, "{}/adapter.py"]),
    "node": ([], ["node", "{}/adapter.mjs"]),
    "rust": (["rustc", "-o", "{}/adapter", "{}/adapter.rs"], ["{}/adapter"]),
    "java": (["javac", "-d", "{}", "{}/Adapter.java", "{}/Position.java"], ["java", "-cp", "{}", "Adapter"]),
    "go": (["go", "build", "-o", "{}/adapter", "{}/adapter.go", "{}/fen.go"], ["{}/adapter"]),
    "csharp": (["mcs", "-out:{}/adapter.exe", "{}/Adapter.cs", "{}/Position.cs"], ["mono", "{}/adapter.exe"]),
    "kotlin": (
        ["kotlinc", "-include-runtime", "-d", "{}/adapter.jar", "{}/Adapter.kt", "{}/Position.kt"],
        ["java", "-jar", "{}/adapter.jar"],
    ),
}
#: The files of a template, not what is made of them.
SOURCES = {path.suffix for language in MADE for path in template_folder(language).glob("*.*")}
LANGUAGES = [
    pytest.param(language, marks=[pytest.mark.slow] if language in ("rust", "java", "kotlin") else [])
    for language in MADE
]


def made(language: str, folder: Path) -> list[str]:
    """The command of an adapter after it was compiled. Skips the test where the language is not there."""
    build, command = ([word.replace("{}", str(folder)) for word in words] for words in MADE[language])
    for words in (build, command):
        if words and not words[0].startswith("/") and shutil.which(words[0]) is None:
            pytest.skip(f"{words[0]} is not on the PATH: the {language} adapter is NOT tested")
    if build:
        subprocess.run(build, check=True, timeout=120)
    return command


@pytest.fixture
def folder(language: str, tmp_path: Path) -> Path:
    """A new adapter."""
    assert run("new", "adapter", language, str(tmp_path / "mine")).status == 0
    return tmp_path / "mine"


def program(folder: Path) -> Path:
    """The file of an adapter that is to be filled in."""
    return next(path for path in folder.iterdir() if path.suffix in SOURCES and path.stem.lower() == "adapter")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_compiles_as_it_is_and_knows_the_start(language: str, folder: Path) -> None:
    command = made(language, folder)
    assert printed("ask", "english", "--lines", "--", *command) == '{"position": "B:W21-32:B1-12"}\n'
    said = refused("ask", "english", "W:W22:B1", "--lines", "--", *command, status=1)
    assert f"oves() in {program(folder).name} is not filled in yet" in said


def test_every_template_is_tested() -> None:
    assert sorted([*MADE, "checkerboard"]) == template_languages()  # that one in test_bridge.py


@pytest.mark.thorough
@pytest.mark.parametrize(
    "language", [pytest.param("cpp", marks=pytest.mark.slow) if "cpp" in each.values else each for each in LANGUAGES]
)
def test_an_adapter_that_is_filled_in_passes_what_it_should(language: str, folder: Path) -> None:
    text = program(folder).read_text(encoding="utf-8")
    empty, filled = FILLED[language]
    assert text.count(empty) == 1
    program(folder).write_text(text.replace(empty, filled), encoding="utf-8")
    command = made(language, folder)
    case = "english.man-move.white-man-steps-up"
    assert "1 passed, 0 failed of 1 cases" in printed("check", "english", "-k", case, "--lines", "--", *command)
    out = printed(
        "check",
        "english",
        "-k",
        "english.man-move.left-edge-leaves-one-step",
        "--no-diagnose",
        "--lines",
        "--",
        *command,
        status=1,
    )
    assert "missing 13-9" in out
    # Kings, ranges, an empty side, fields that are not about pieces, by way of the position after a move.
    assert answers(command, "W:W21-22,K30:BK5,9", "W:W22:B", "W:W22,K9:B1:sliders=MM") == [
        "moves 22-17>B:W17,21,K30:BK5,9 22-18>B:W18,21,K30:BK5,9",
        "moves 22-17>B:W17:B 22-18>B:W18:B",
        "moves 22-17>B:WK9,17:B1 22-18>B:WK9,18:B1",
    ]


def answers(command: list[str], *positions: str) -> list[str]:
    """What an adapter lists in positions."""
    asked = "".join(f"moves lb {position}\n" for position in positions)
    return subprocess.run(command, input=asked, capture_output=True, text=True, timeout=120, check=True).stdout.split(
        "\n"
    )[:-1]


#: Texts that are no piece of a position: none may be dropped, or taken for another.
NO_PIECES = ("12K", "k12", "KK12", "x", "0", "+5", "12.", "12-", "5-1", "1-2-3", "5K6", "1234")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_of_positions_names_what_it_cannot_read(language: str, folder: Path) -> None:
    command = made(language, folder)
    for before, after in (("W:W", ":B1"), ("B:W22-24,K9:B", "")):
        found = answers(command, *(f"{before}{piece}{after}" for piece in NO_PIECES))
        assert found == [f"error no piece: {piece}" for piece in NO_PIECES]
    nowhere = ("X", "W:W22", "W:K12:B1", "W:W22:W1", "W:W22:")
    assert answers(command, *nowhere) == [f"error no position: {position}" for position in nowhere]
    (fine,) = answers(command, "B:B1,K2:WK22-24")
    assert fine.startswith("unsupported ")


#: How each lists the jumps of a white man on 22 over 18 and 10.
HOPS = {
    "c": """    Position after = *p;
    if (!*hops) {
        move("22x15", &after);
        return 1;
    }
    after.turn = 'B';
    move(strcmp(hops, "22x15") ? hops : "15x6", &after);
    return 1;""",
    "cpp": """legal_moves(const Position &position, const std::vector<std::string> &hops)
{
    Position after = position;
    if (hops.empty())
        return std::vector<Move>{{"22x15", after}};
    after.turn = 'B';
    return std::vector<Move>{{hops[0].substr(3) + "x6", after}};""",
    "python": """    if not hops:
        return {"22x15": position}
    return {f"{hops[0][3:]}x6": Position("B", position.on)}""",
    "node": """  if (!hops.length) return [['22x15', position]];
  return [[`${hops[0].slice(3)}x6`, { ...position, turn: 'B' }]];""",
    "rust": """legal_moves(position: &Position, hops: &[&str]) -> Option<Vec<Move>> {
    let mut after = position.clone();
    if hops.is_empty() {
        return Some(vec![Move { text: "22x15".to_string(), after }]);
    }
    after.turn = 'B';
    Some(vec![Move { text: format!("{}x6", &hops[0][3..]), after }])""",
    "java": """        Position after = Position.read(position.write());
        if (hops.length == 0) {
            return Map.of("22x15", after);
        }
        after.turn = 'B';
        return Map.of(hops[0].substring(3) + "x6", after);""",
    "go": """	after := position.copy()
	if len(hops) == 0 {
		return []damspecMove{{"22x15", after}}, true
	}
	after.turn = 'B'
	return []damspecMove{{hops[0][3:] + "x6", after}}, true""",
    "csharp": """            var after = position.Copy();
            if (hops.Length == 0)
                return new[] { new Move("22x15", after) };
            after.Turn = 'B';
            return new[] { new Move(hops[0].Substring(3) + "x6", after) };""",
    "kotlin": """    val after = position.copy()
    if (hops.isEmpty()) return listOf(Move("22x15", after))
    after.turn = 'B'
    return listOf(Move(hops[0].substring(3) + "x6", after))""",
}


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_may_list_single_jumps(language: str, folder: Path) -> None:
    text = re.sub(
        r"^(.*\bhops(: bool)? *=? )(0|false)\b",
        lambda found: found[1] + {"0": "1", "False": "True"}.get(found[3], "true"),
        program(folder).read_text(encoding="utf-8"),
        flags=re.IGNORECASE | re.MULTILINE,
    )
    program(folder).write_text(text.replace(FILLED[language][0], HOPS[language]), encoding="utf-8")
    command = made(language, folder)
    assert printed("ask", "english", "W:W22:B10,18", "--lines", "--", *command) == '{"moves": ["22x15x6"]}\n'


@pytest.mark.thorough
def test_an_engine_in_go_gets_a_verdict_by_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("go") is None:
        pytest.skip("go is not on the PATH: the page's engine in Go is NOT tested")
    page = (PROJECT / "docs" / "engines.md").read_text(encoding="utf-8")
    commands = [line[2:] for line in page.splitlines() if line.startswith("$ ")]
    first = commands.index("mkdir -p cmd")
    made, new, build, check = commands[first : first + 4]
    engine = tmp_path / "dam"
    shutil.copytree(PROJECT / "tests" / "data" / "go", engine)
    monkeypatch.chdir(engine)
    subprocess.run(made.split(), check=True)
    assert run(*new.split()[1:]).status == 0
    adapter = Path("cmd/damspec/adapter.go")
    text = adapter.read_text(encoding="utf-8").replace('"strings"\n', '"strings"\n\n\t"example.com/dam"\n')
    filled = page.partition("```go\n")[2].partition("```")[0].rstrip()
    adapter.write_text(text.replace(FILLED["go"][0], filled), encoding="utf-8")
    subprocess.run(build.split(), check=True, timeout=120)
    out = printed(*check.split()[1:])
    assert out.splitlines()[-1].startswith(
        "english by my-engine 1.0: 117 passed, 0 failed, 15 unsupported, 14 duplicate moves"
    )
    rules = (engine / "dam.go").read_text(encoding="utf-8")
    wrong = rules.replace("return captures\n", "return append(captures, steps...)\n")
    (engine / "dam.go").write_text(wrong, encoding="utf-8")
    subprocess.run(build.split(), check=True, timeout=120)
    assert "(capture.duty = optional" in printed(*check.split()[1:], "--max-fail", "2", status=1)


def test_an_engine_in_lines_that_is_asked_in_json_is_told_the_option() -> None:
    assert "an engine in plain lines is asked so with --lines" in refused("ask", "lb", "--", *SERVE, status=3)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "adapter.c").write_text("mine")
    said = refused("new", "adapter", "c", str(tmp_path / "mine"))
    assert "is there already, expected a new or empty folder for the adapter" in said
