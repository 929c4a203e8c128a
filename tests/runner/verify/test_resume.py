"""Interrupted, killed and resumed runs: no answer is lost, and the journal is the report, however far it got."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from damspec import __version__, data, load_ruleset
from damspec_runner.cases.case_files import case_entry
from damspec_runner.cases.cases import cases_for, cases_of, select
from damspec_runner.tasks.journal import JsonLinesFile
from damspec_runner.verify.journal import CUT_OFF, as_jsonl, footer_entry, header_entry, read_journal
from damspec_runner.verify.report.serialize import as_json, result_entry
from damspec_runner.verify.result import Report, Result
from refusals import refusal
from reports import EVERYTHING, FAILED, LB, PASSED, RIGHT, result
from ruleset_files import child
from runner_fixtures import DAMSPEC, damspec, fake, refused, wait_until
from runs import for_each

#: An engine that answers from a file what it is asked, quickly, and now and then wrongly: of the cases, every 7th.
BY_HEART = """
import json, sys
known = json.load(open(sys.argv[1]))
pause = float(sys.argv[2])
import time
for line in sys.stdin:
    asked = json.loads(line)
    method, params = asked["method"], asked.get("params", {})
    if method == "hello":
        result = {"protocol": 1, "name": "by heart", "version": "1", "rulesets": "*", "questions": ["moves", "outcome"]}
    elif method == "quit":
        result = None
    else:
        time.sleep(pause)
        result = known[method].get(params["position"], {"moves": []} if method == "moves" else {"outcome": "draw"})
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
    if method == "quit":
        break
"""


pytestmark = pytest.mark.usefixtures("nothing_left")


def prepared(folder: Path, number: int, pause: float) -> tuple[list[str], list[str]]:
    """Words that choose a bundle with so many cases of `lb`, and an engine that knows most of the answers."""
    shipped = [case for case in cases_of("lb") if not case.expected.game and case.position != "start"]
    plain = [{**case_entry(case), "rulesets": ["lb"]} for case in shipped]
    cases = [{**plain[place % len(plain)], "id": f"lb.many.case-{place}"} for place in range(number)]
    content = {"damspec": 1, "version": "1", "rulesets": {}, "cases": cases}
    (folder / "cases.json").write_text(json.dumps(content), encoding="utf-8")
    known: dict[str, dict[str, Any]] = {"moves": {}, "outcome": {}}
    for place, case in enumerate(plain):
        if "moves" in case:
            known["moves"][case["position"]] = {"moves": list(case["moves"])[place % 7 == 0 :]}
        else:
            known["outcome"][case["position"]] = {"outcome": case["outcome"]["result"]}
    (folder / "known.json").write_text(json.dumps(known), encoding="utf-8")
    (folder / "engine.py").write_text(BY_HEART, encoding="utf-8")
    engine = [sys.executable, str(folder / "engine.py"), str(folder / "known.json"), str(pause)]
    return ["check", "lb", "--cases", str(folder / "cases.json"), "--json", "--no-diagnose"], engine


def has_lines(journal: Path, number: int) -> Callable[[], bool]:
    """Whether a journal has more lines than so many."""
    return lambda: journal.exists() and journal.read_bytes().count(b"\n") > number


def timeless(text: str) -> str:
    """A report without what cannot be the same twice."""
    return re.sub(r'"seconds": [0-9.]+', '"seconds": 0', text)


def killed_and_resumed(folder: Path, number: int, kills: int, within: float, pause: float, *more: str) -> None:
    """Kill a run at random moments, go on with it each time, and hold the report against one of a run of its own."""
    words, engine = prepared(folder, number, pause)
    whole = subprocess.run([*DAMSPEC, *words, "--", *engine], capture_output=True, encoding="utf-8", check=False)
    assert whole.returncode == 1, whole.stderr
    journal = folder / "journal.jsonl"
    rng = random.Random(4)
    lines = [0]
    for _ in range(kills):
        how = ["--resume" if journal.exists() and journal.stat().st_size else "--journal", str(journal)]
        process = subprocess.Popen(
            [*DAMSPEC, *words, *more, *how, "--", *engine], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        wait_until(has_lines(journal, lines[-1]))
        time.sleep(rng.uniform(0, within))
        process.kill()
        process.communicate()
        lines.append(journal.read_bytes().count(b"\n"))
    assert lines == sorted(set(lines)), "each run added to the journal"
    assert lines[-1] < number, "the kills came too late to show anything"
    last = subprocess.run(
        [*DAMSPEC, *words, *more, "--resume", str(journal), "--", *engine],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert last.returncode == 1, last.stderr
    assert timeless(last.stdout) == timeless(whole.stdout)
    (report,) = json.loads(last.stdout)["reports"]
    assert sum(report["counts"].values()) == number
    assert report["counts"]["failed"] > number / 20


@pytest.mark.slow
def test_twenty_kills_and_ten_thousand_cases(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 10_000, 20, 0.3, 0.002)


@pytest.mark.parametrize(
    ("sent", "status", "jobs"),
    [
        (signal.SIGINT, 130, "2"),
        pytest.param(signal.SIGTERM, 143, "1", marks=pytest.mark.thorough),
    ],
)
def test_an_interruption_reports_what_was_done(sent: int, status: int, jobs: str, tmp_path: Path) -> None:
    words, engine = prepared(tmp_path, 1000, 0.01)
    journal, junit = tmp_path / "journal.jsonl", tmp_path / "junit.xml"
    outputs = ["--journal", str(journal), "--junit", str(junit), "-j", jobs]
    with subprocess.Popen(
        [*DAMSPEC, *words, *outputs, "--", *engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_until(has_lines(journal, 20))
        process.send_signal(sent)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (status, b"damspec: interrupted\n")
    (report,) = json.loads(out)["reports"]
    assert report["interrupted"] is True
    assert report["counts"]["passed"] > 10
    assert sum(report["counts"].values()) == 1000
    assert report["counts"]["not-asked"] > 0
    assert junit.read_text(encoding="utf-8").count("<testcase") == 1000
    assert journal.read_text(encoding="utf-8").splitlines()[-1].startswith('{"end": "interrupted"')
    again = damspec(*words, "--resume", str(journal), "-k", "none-of-these", "--", *engine)
    assert again.status == 2


def test_the_counts_come_before_the_explanation_and_last(tmp_path: Path) -> None:
    words = ["check", "lb", "-k", "whole-round", "--junit", str(tmp_path / "junit.xml")]
    ran = damspec(*words, "--", *fake("reading", "?origin=occupied"))
    lines = ran.out.splitlines()
    counts = [place for place, line in enumerate(lines) if line.startswith("lb by damspec ")]
    assert counts == [0, len(lines) - 1]
    assert lines[1] == "Explanation"
    assert ran.status == 1


def cases_about(topic: str) -> int:
    """How many cases of lb are about a topic."""
    return len(select(cases_for(load_ruleset("lb")), [f"lb.{topic}"], ()))


class TestJournal:
    """What a journal has to be to be gone on with."""

    WORDS = ("check", "lb", "-k", "lb.man-capture", "--json", "--no-diagnose")

    def test_a_finished_one_is_just_reported(self, tmp_path: Path) -> None:
        journal = str(tmp_path / "journal")
        first = damspec(*self.WORDS, "--journal", journal, "--", *fake("right"))
        pids = (tmp_path / "pids").read_text()
        content = Path(journal).read_bytes()
        for _ in range(2):
            again = damspec(*self.WORDS, "--resume", journal, "--", *fake("right"))
            assert (again.status, again.out) == (0, first.out)
            assert (tmp_path / "pids").read_text() == pids  # nothing was started
            assert Path(journal).read_bytes() == content

    @pytest.mark.parametrize(
        ("words", "piece"),
        [
            (("check", "vl", "-k", "vl.man-capture", "--", *fake("right")), "is of lb by"),
            (("check", "lb", "-k", "lb.man-capture", "--", *fake("right", "2")), "is of lb by"),
            (
                ("check", "lb", "-k", "lb.king-move", "--", *fake("right")),
                f"is of other cases of lb than are chosen now: {cases_about('man-capture')} with"
                f' k=["lb.man-capture"], expected {cases_about("king-move")} with k=["lb.king-move"]',
            ),
            (("check", "lb", "-k", "lb.man-capture", "--repeat", "2", "--", *fake("right")), "is of a run with k="),
        ],
    )
    def test_of_another_run_it_is_refused(self, words: tuple[str, ...], piece: str, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        assert damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right")).status == 0
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        for far in (len(lines), 3, 1):  # however far it has come
            journal.write_text("".join(lines[:far]), encoding="utf-8")
            assert piece in refused(*words[:1], "--resume", str(journal), *words[1:])
            assert journal.read_text(encoding="utf-8") == "".join(lines[:far])

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            (f'"damspec": "{__version__}"', '"damspec": "0.0.9"', f"is of damspec 0.0.9, expected {__version__}"),
            ('"options": ', '"option": ', 'unknown key "option"'),
        ],
    )
    def test_of_another_version_it_is_refused(self, old: str, new: str, said: str, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        text = journal.read_text(encoding="utf-8")
        assert text.count(old) == 1
        journal.write_text(text.replace(old, new), encoding="utf-8")
        assert said in refused(*self.WORDS, "--resume", str(journal), "--", *fake("right"))
        assert journal.read_text(encoding="utf-8") == text.replace(old, new)

    @pytest.mark.slow
    def test_of_rules_that_have_changed_it_is_refused(self, tmp_path: Path) -> None:
        journal, mine = tmp_path / "journal", tmp_path / "mine.yaml"
        words = ["check", str(mine), "-k", "start", "--json", "--no-diagnose", "--resume", str(journal)]
        journal.touch()
        for first, status in (("white", 0), ("white", 0), ("black", 2)):
            mine.write_text(yaml.safe_dump(child("vl", start__first=first)), encoding="utf-8")
            ran = subprocess.run(
                [*DAMSPEC, *words, "--", *DAMSPEC, "serve"], capture_output=True, text=True, check=False
            )
            assert ran.returncode == status, ran.stderr
        assert ran.stderr.endswith(f"{journal}: is of other rules of mine than there are now\n")

    def test_of_cases_that_have_changed_it_is_refused(self, tmp_path: Path) -> None:
        journal, cases = tmp_path / "journal", tmp_path / "cases.json"
        words, engine = prepared(tmp_path, 5, 0)
        damspec(*words, "--journal", str(journal), "--", *engine)
        before = damspec(*words, "--resume", str(journal), "--", *engine)
        assert (before.status, before.err) == (1, "")
        content = json.loads(cases.read_text(encoding="utf-8"))
        content["cases"][2]["why"] = "Another reason."
        cases.write_text(json.dumps(content), encoding="utf-8")
        said = refused(*words, "--resume", str(journal), "--", *engine)
        assert said.endswith(f"{journal}: is of cases of lb that have changed since")

    @pytest.mark.parametrize(("option", "characters"), [("--journal", 0), ("--resume", 1), ("--resume", 40)])
    def test_one_without_a_whole_header_begins_anew(self, option: str, characters: int, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        first = damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        whole = journal.read_text(encoding="utf-8")
        journal.write_text(whole[:characters], encoding="utf-8")
        ran = damspec(*self.WORDS, option, str(journal), "--", *fake("right"))
        assert (ran.status, ran.err, timeless(ran.out)) == (0, "", timeless(first.out))
        assert timeless(journal.read_text(encoding="utf-8")) == timeless(whole)

    @pytest.mark.parametrize(
        "content",
        [
            b"Dear friend,\n",
            b"x",
            b"\x89PNG\r\n\x1a\n\x00",
            b'{"damspec": 1, "version": "1", "rulesets": {}, "cases": []}',  # a bundle of cases
            b'{"damspec": "0.1.0", "ruleset": "lb", "reports": []}\n',  # a report
            b'{"work": "perft", "damspec": "0.1.0", "arguments": {}}\n',  # a journal of other work
            b"\n",
        ],
    )
    def test_a_file_that_is_no_journal_is_never_replaced(self, content: bytes, tmp_path: Path) -> None:
        file = tmp_path / "mine"
        file.write_bytes(content)
        said = refused(*self.WORDS, "--journal", str(file), "--", *fake("right"))
        assert f"--journal: {str(file)!r} is no journal: found " in said
        assert file.read_bytes() == content

    def test_an_engine_that_cannot_be_run_costs_no_journal(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        whole = journal.read_bytes()
        assert damspec(*self.WORDS, "--journal", str(journal), "--", *fake("dying-at-start")).status == 3
        assert journal.read_bytes() == whole

    def test_one_that_another_run_is_writing_is_refused(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        words = [*DAMSPEC, *self.WORDS, "--timeout", "600", "--journal", str(journal), "--", *fake("silent", "16")]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            wait_until(has_lines(journal, 0))
            before = journal.read_bytes()
            said = refused(*self.WORDS, "--timeout", "600", "--resume", str(journal), "--", *fake("right"))
            assert f"--resume: {journal}: another run is writing to it" in said
            assert journal.read_bytes() == before
            running.kill()
        again = damspec(*self.WORDS, "--timeout", "600", "--resume", str(journal), "--", *fake("right"))
        assert "is of lb by" in again.complaint  # it is read: nothing of a run that was killed is in the way

    def test_of_another_engine_it_is_refused(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        lines = journal.read_text(encoding="utf-8").splitlines()
        journal.write_text("\n".join([lines[0].replace('"name": "damspec"', '"name": "x"'), lines[1], ""]))
        said = refused(*self.WORDS, "--resume", str(journal), "--", *fake("right"), status=3)
        assert "and the journal's is x" in said

    def test_one_that_is_not_finished_is_not_written_over(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        assert damspec(*self.WORDS, "--journal", str(journal), "--", *fake("right")).status == 0
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        journal.write_text("".join(lines[:4]) + lines[4][:20], encoding="utf-8")
        assert "resume it by --resume" in refused(*self.WORDS, "--journal", str(journal), "--", *fake("right"))
        assert damspec(*self.WORDS, "--resume", str(journal), "--", *fake("right")).status == 0
        again = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        assert again[:-1] == lines[:-1]

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    @pytest.mark.parametrize(
        ("does", "is_there"),
        [
            ("os.remove(path)", False),
            ("os.replace(path, path + '.old'); open(path, 'w').write('x')", False),
            ("os.truncate(path, 100)", True),
            ("open(path, 'w')", True),
            ("open(path, 'a').write('{}\\n')", True),
            ("open(path, 'r+').write('{\"damspec\": \"9')", True),  # as long as it was
        ],
    )
    @pytest.mark.parametrize("at", ["hello", "moves"])
    def test_an_engine_that_changes_it_is_found_out(self, at: str, does: str, is_there: bool, tmp_path: Path) -> None:
        journal = tmp_path / "run.jsonl"
        damspec("check", "lb", "-k", "lb.start.*", "--journal", str(journal), "--", *fake("right"))
        assert journal.stat().st_size > 200
        words, command = prepared(tmp_path, 8, 0)
        change = f"def change():\n    if os.path.exists(path) and os.path.getsize(path) > 200:\n        {does}\n"
        asked = BY_HEART.replace("    if method", f'    if method == "{at}": change()\n    if method', 1)
        Path(command[1]).write_text(f"import os\npath = {str(journal)!r}\n{change}{asked}", encoding="utf-8")
        ran = damspec(*words, "--journal", str(journal), "--", *command)
        assert ran.status == 4
        assert f"--journal: cannot write '{journal}': another program removed or changed it" in ran.err
        if is_there:  # nothing that the engine has written is ever read
            assert damspec("report", str(journal)).status == 2
        else:
            assert not journal.exists() or journal.read_text() == "x"

    def test_a_full_disk_costs_the_journal_only(self) -> None:
        ran = damspec(*self.WORDS, "--journal", "/dev/full", "--", *fake("right"))
        assert ran.status == 4
        assert "cannot write '/dev/full': No space left on device; the run does without it" in ran.complaint
        assert json.loads(ran.out)["reports"][0]["counts"]["not-asked"] == 0


# --- A journal: what is written as a run goes is the report of the run, however far it got.


def write(journal: JsonLinesFile, report: Report, results: int | None = None) -> None:
    """Write a run as it comes, as far as so many results."""
    cases = [each.case for each in report.results]
    journal.write(header_entry(report.ruleset, report.label, report.hello, cases, report.options))
    for each in report.results[:results]:
        journal.write(result_entry(each))


def read(path: Path) -> list[Report]:
    return read_journal(path.read_bytes(), "journal")


def cut(report: Report, results: int) -> Report:
    """What is known of a run that was cut off after so many results."""
    left = tuple(Result(each.question, "not-asked", message=CUT_OFF) for each in report.results[results:])
    return replace(
        report,
        results=(*report.results[:results], *left),
        noise=(),
        seconds=0.0,
        interrupted=True,
        unexpected=None,
        diagnosis=None,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a journal may be written."""
    return tmp_path / "journal.jsonl"


def test_whole_runs(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        for report in (EVERYTHING, RIGHT):
            write(journal, report)
            journal.write(footer_entry(report))
    assert path.read_text(encoding="utf-8") == as_jsonl([EVERYTHING, RIGHT])
    assert as_json(read(path)) == as_json([EVERYTHING, RIGHT])


def test_every_line_has_its_schema() -> None:
    lines = as_jsonl([EVERYTHING, RIGHT]).splitlines()
    assert len(lines) == 2 + 9 + 2 + 3
    assert [data.schema_problem(json.loads(line), "journal") for line in lines] == [None] * len(lines)


def test_each_line_is_there_at_once(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        write(journal, EVERYTHING, 2)
        assert as_json(read(path)) == as_json([cut(EVERYTHING, 2)])


@pytest.mark.parametrize("characters", range(1, 60, 7))
def test_a_line_cut_off_loses_itself_only(path: Path, characters: int) -> None:
    lines = as_jsonl([EVERYTHING]).splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:characters], encoding="utf-8")
    assert as_json(read(path)) == as_json([cut(EVERYTHING, 2)])


def test_the_last_result_of_a_case_counts(path: Path) -> None:
    report = replace(EVERYTHING, results=(PASSED, FAILED))
    with JsonLinesFile(path) as journal:
        write(journal, report)
        journal.write(result_entry(result(FAILED.case)))
        journal.write(footer_entry(report))
    (found,) = read(path)
    assert [*map(result_entry, found.results)] == [*map(result_entry, (PASSED, result(FAILED.case)))]


def test_a_new_header_ends_what_was_cut_off(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        write(journal, EVERYTHING, 4)
        write(journal, RIGHT)
        journal.write(footer_entry(RIGHT))
    assert as_json(read(path)) == as_json([cut(EVERYTHING, 4), RIGHT])


HEADER, RESULT, FOOTER = (json.loads(as_jsonl([RIGHT]).splitlines()[place]) for place in (0, 1, -1))


@for_each(
    ("lines", "complaint"),
    [
        ([], "journal: found no line, expected a journal's header"),
        ([RESULT], 'journal:1: found {"id": "vl.'),
        ([HEADER, FOOTER, RESULT], 'journal:3: found {"id": "vl.'),
        ([HEADER, FOOTER, FOOTER], 'journal:3: found {"end": "finished"'),
        ([HEADER, [1]], "journal:2: found [1], expected an object"),
        ([HEADER, {"id": 1}], "journal:2: "),
        (
            [HEADER, {**RESULT, "id": "lb.start.x"}],
            'journal:2: id: found "lb.start.x", expected a case that the header',
        ),
        ([HEADER, {**RESULT, "status": "bad"}], 'journal:2: status: found "bad", expected one of "passed"'),
        ([{**HEADER, "cases": ["vl.a.b"]}], "journal:1: no case 'vl.a.b' in vl; is it of another version?"),
        ([{**HEADER, "casse": []}], "journal:1: top level: unknown key \"casse\"; did you mean 'cases'?"),
        ([HEADER, {**FOOTER, "end": "well"}], 'journal:2: end: found "well", expected one of "finished"'),
        ([{**HEADER, "ruleset": "chess"}], "journal:1: unknown ruleset 'chess'"),
        ([HEADER, {**RESULT, "reading": "a=b"}], "journal:2: "),
        ([HEADER, {**RESULT, "position": "W:W99:B"}], "journal:2: "),
    ],
)
def test_what_is_no_journal_is_told_in_one_line(lines: list[Any], complaint: str) -> None:
    said = refusal(data.FileError, read_journal, "".join(json.dumps(line) + "\n" for line in lines).encode(), "journal")
    assert complaint in said


def test_a_broken_line_that_is_not_the_last_is_told_with_its_place(path: Path) -> None:
    lines = as_jsonl([RIGHT]).splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[1][:20] + "\n", *lines[2:]]), encoding="utf-8")
    assert f"{path}:2: not JSON: " in refused("report", str(path))


def test_a_label_that_no_encoding_can_say_is_written(path: Path) -> None:
    with JsonLinesFile(path) as journal:
        journal.write(header_entry(LB, "./\udcff", EVERYTHING.hello, [], {}))
    assert read(path)[0].label == r"./\udcff"


def test_an_empty_ruleset_of_cases_is_a_report_too() -> None:
    header = {**HEADER, "cases": []}
    (report,) = read_journal(f"{json.dumps(header)}\n{json.dumps(FOOTER)}\n".encode(), "journal")
    assert (report.results, report.counts["passed"]) == ((), 0)
