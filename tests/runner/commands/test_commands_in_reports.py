"""The commands in reports run as they are printed, and show the failure that they stand beside."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import damspec as library
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.journal import load_reports
from damspec_runner.verify.report import render, wording
from damspec_runner.verify.report.commands import ask_again, check_again
from damspec_runner.verify.result import Report
from reports import EVERYTHING, FAILED, FOUND, NASTY, RIGHT, SHOWN
from runner_fixtures import TESTS, Ran, damspec
from runs import usually


def run(line: str) -> Ran:
    """Run a command as it is printed, but for the search for what explains the failure."""
    words = shlex.split(line)
    assert words[0] == "damspec"
    quickly = ("--no-diagnose",) if words[1] == "check" else ()
    return damspec(words[1], *quickly, *words[2:])


def engine(folder: Path, *options: str) -> list[str]:
    """The reference, without the last move of each list, as it is asked by these options."""
    file = folder / "engine one.py"
    lines, rotate = "--lines" in options, "--rotate" in options
    file.write_text(
        f"""import io, sys
from damspec_runner.engines import lines, protocol, serve
import json, re
def turned(text):
    return re.sub("(?<![a-z0-9])[0-9]+", lambda found: str(33 - int(found[0])), text) if {rotate} else text
for line in sys.stdin:
    if {lines}:
        method, params = lines.read_request(line)
    else:
        message = json.loads(line)
        method, params = message["method"], message.get("params") or {{}}
    params = dict(params or {{}})
    for key in ("position", "move"):
        if key in params:
            params[key] = turned(params[key].rstrip("."))
    if method == "hello":
        params = protocol.hello_params()
    reply, _ = serve.respond(protocol.request(1, method, params or None))
    result = reply["result"]
    if method == "hello":
        result["questions"] = ["moves"]
        result.update(ahead=1, rules=False)
    if method == "moves" and isinstance(result, dict):
        result["moves"] = [turned(move) for move in result["moves"]][:-1]
    if {lines}:
        print(lines.format_answer(method, result), flush=True)
    else:
        print(json.dumps({{**reply, "id": message["id"]}}), flush=True)
    if method == "quit":
        break
"""
    )
    return [*options, "--", sys.executable, str(file)]


ALL = ("--lines", "--rotate", "--full-stop")


@pytest.mark.parametrize("options", usually([ALL], [(), ("--lines",), ALL], [()]))
def test_a_failure_is_shown_again(options: tuple[str, ...], tmp_path: Path) -> None:
    """From the text of an issue and from a report on a terminal, by an engine with a blank in its name."""
    command = engine(tmp_path, *options, "--timeout", "20")
    first = damspec("check", "lb", "-k", "lb.man-capture", "--max-fail", "1", "--no-diagnose", "--json", *command)
    saved = tmp_path / "report.json"
    saved.write_text(first.out)
    (report,) = load_reports(str(saved))
    (failed,) = report.with_status("failed")
    issue = damspec("report", str(saved), "--format", "issue").out
    (line,) = [line.strip() for line in issue.splitlines() if line.startswith("    damspec check")]
    again = run(line)
    assert (again.status, again.err) == (1, "")
    assert f"FAILED {failed.case.id}" in again.out
    assert f"missing {', '.join(failed.missing)}" in again.out
    said = ask_again(report, failed)
    if any(option in options for option in ("--rotate", "--full-stop")):
        answer = run(said)
        assert (answer.status, answer.err) == (0, "")
        assert set(json.loads(answer.out)["moves"]) == set(failed.case.expected.moves or ()) - set(failed.missing)
    elif options == ("--lines",):
        assert said == f"moves lb {failed.case.position}"
    else:
        assert json.loads(said)["params"]["position"] == failed.case.position
    for form in ("pretty", "markdown", "html"):
        out = damspec("report", str(saved), "--format", form).out
        assert said in out.replace("&#39;", "'").replace("&#34;", '"').replace("&quot;", '"')


def test_an_engine_of_hub_is_asked_by_a_command(tmp_path: Path) -> None:
    """The reference speaks Hub and plays Russian draughts where it is asked about international."""
    hub = f"{sys.executable} -m damspec_runner serve --hub"
    options = {"hub": True, "param": ["variant=normal"], "timeout": 20.0, "level": "depth=3"}
    request = '{"jsonrpc":"2.0","id":1,"method":"moves","params":{"ruleset":"lb","position":"W:W21:B17"}}'
    report = replace(RIGHT, label=hub, hello=replace(RIGHT.hello, manner="probed"), options=options)
    result = replace(report.results[0], status="failed", request=request)
    asked = "--hub --level depth=3 --param variant=normal --timeout 20"
    assert ask_again(report, result) == f"damspec ask vl W:W21:B17 {asked} -- {hub}"
    assert check_again(report, result) == f"damspec check vl -k {result.case.id} {asked} -- {hub}"


@pytest.mark.slow
def test_a_failure_over_hub_is_shown_again(tmp_path: Path) -> None:
    """Hub has no one line for the moves of a position: both commands are whole, and run."""
    command = ["--hub", "--", sys.executable, str(TESTS / "fakes" / "hub_engine.py"), "capture.duty = optional"]
    words = ("-k", "international.duty", "--max-fail", "1", "--no-diagnose", "--json")
    saved = tmp_path / "report.json"
    saved.write_text(damspec("check", "international", *words, *command).out)
    (report,) = load_reports(str(saved))
    (failed,) = report.with_status("failed")
    again = run(check_again(report, failed))
    assert again.status == 1
    assert f"extra {', '.join(failed.extra)}" in again.out
    answer = run(ask_again(report, failed))
    assert (answer.status, answer.err) == (0, "")
    assert set(failed.extra) <= set(json.loads(answer.out)["moves"])


def test_rules_of_ones_own_are_named_by_their_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "damspec: 1\nid: mine\nname: Mine\nabout: Flemish draughts with kings that stop.\nextends: vl\n"
        "rules:\n  king.capture.landing: {value: behind}\n"
    )
    report = replace(EVERYTHING, ruleset=library.load_ruleset_file(str(file)), options={})
    assert check_again(report, FAILED) == f"damspec check {file} -k {FAILED.case.id} -- ./fake --fast"


def test_a_player_of_dxp_needs_no_command() -> None:
    report = replace(RIGHT, label="DXP", options={"dxp": "localhost:27531"})
    assert check_again(report, report.results[0]).endswith("--dxp localhost:27531")


def test_a_long_request_is_a_command_with_the_engine() -> None:
    """Where the rules are sent whole the line is too long; what stands for it names the engine."""
    assert FAILED.request is not None
    long = FAILED.request.replace('"position"', f'"rules":{json.dumps({"x": "y" * 500})},"position"')
    said = ask_again(EVERYTHING, replace(FAILED, request=long))
    assert said == "damspec ask lb W:W21:B17 --timeout 1 -- ./fake --fast"


def test_what_games_have_found_is_found_again_by_games() -> None:
    played = replace(SHOWN, options={"k": ["start"], "games": 20, "seed": 4})
    command = "damspec check lb -k start --games 20 --seed 4 --no-cases -- other"
    assert check_again(played, FOUND.result) == command
    # Without options it is a player, which is asked in drawn positions after the cases.
    assert check_again(SHOWN, FOUND.result) == "damspec check lb -- other"


def test_known_failures_are_not_said_to_be_explained() -> None:
    """A list may have failures that nobody has looked into yet: that they are known is all that is known."""
    for form in ("pretty", "markdown", "html"):
        out = render([replace(EVERYTHING, unexpected=())], form)
        assert "As expected: " in out
        assert "explained (known" not in out
        assert "known and explained" not in out


def test_what_an_engine_says_of_itself_is_no_markup() -> None:
    name = f"{NASTY} [x](http://example.org) ![y](z)"
    report: Report = replace(EVERYTHING, hello=Hello(name, "1.0", None, frozenset(), False))
    issue = render([report], "issue")
    heading = issue.splitlines()[0]
    assert heading.endswith(f"by `````{name} 1.0`````")
    assert "<script>" not in issue.replace(f"`````{name} 1.0`````", "").replace(NASTY, "")
    for form in ("html", "junit"):
        assert "<script>alert" not in render([report], form)
    assert wording.engine(report) in render([report], "pretty")
