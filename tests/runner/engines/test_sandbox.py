"""What an engine is let have: the environment without secrets, its folder, limits, a sandbox."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from unittest import mock

import pytest

from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.sandbox import SandboxConfig
from runner_fixtures import EXAMPLES, PROJECT, printed, refused
from runs import for_each

needs_bubblewrap = pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not on the PATH")

#: An engine that says hello, with what it finds for a name.
TELLING = """
import json, os, sys
asked = json.loads(input())
named = {"protocol": 1, "name": %s, "version": "1", "rulesets": "*", "questions": []}
print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": named}), flush=True)
input()
"""


def told(expression: str, sandbox: SandboxConfig) -> str:
    """What an engine so confined finds the value of an expression to be."""
    with SubprocessEngine(
        [sys.executable, "-c", TELLING % f"str(({expression}))"], timeout=30, sandbox=sandbox
    ) as engine:
        return engine.hello().name


@for_each(
    ("name", "value", "passes"),
    [
        ("HOME", "/home/x", True),
        ("PATH", "/bin", True),
        ("KEYBOARD", "dvorak", True),
        ("AUTHOR", "x", True),
        ("XKEYS", "x", True),
        ("PROXY", "http://proxy:3128", True),
        ("GITHUB_TOKEN", "x", False),
        ("MYTOKEN", "x", False),
        ("client_secret", "x", False),
        ("PGPASSWORD", "x", False),
        ("DB_PASS", "x", False),
        ("AWS_ACCESS_KEY_ID", "x", False),
        ("API_KEY", "x", False),
        ("SSH_AUTH_SOCK", "x", False),
        ("GOOGLE_APPLICATION_CREDENTIALS", "x", False),
        ("DATABASE_URL", "postgres://me:word@host/db", False),
    ],
)
def test_secrets_are_kept_back_unless_named(name: str, value: str, passes: bool) -> None:
    with mock.patch.dict(os.environ, {name: value}):
        assert (name in SandboxConfig().environment()) is passes
        assert SandboxConfig((name,)).environment()[name] == value


def test_an_engine_does_not_see_secrets() -> None:
    with mock.patch.dict(os.environ, {"A_TOKEN": "secret", "B_TOKEN": "let"}):
        found = told("os.environ.get('A_TOKEN'), os.environ.get('B_TOKEN')", SandboxConfig(("B_TOKEN",)))
        assert found == "(None, 'let')"


def test_an_engine_runs_where_the_caller_is() -> None:
    assert told("os.getcwd()", SandboxConfig()) == os.getcwd()


def test_a_scratch_folder_is_its_own_and_goes_with_it() -> None:
    folder, temporary = told("os.getcwd() + '|' + os.environ['TMPDIR']", SandboxConfig(scratch=True)).split("|")
    assert folder == temporary != os.getcwd()
    assert not Path(folder).exists()


@pytest.mark.parametrize("option", ["--scratch", None])
def test_a_command_means_what_it_means_here(option: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    options = [option] if option else []
    relative = str((EXAMPLES / "engine.py").relative_to(PROJECT))
    assert printed("check", "lb", "-k", "lb.start.*", *options, "--", sys.executable, relative)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory cannot be limited so")
@pytest.mark.parametrize("sandbox", [False, pytest.param(True, marks=needs_bubblewrap)])
def test_limits_are_those_of_the_process(sandbox: bool) -> None:
    expression = "[__import__('resource').getrlimit(n)[0] for n in (9, 0)]"  # RLIMIT_AS, RLIMIT_CPU
    assert told(expression, SandboxConfig(memory=300, cpu=7, sandbox=sandbox)) == str([300 << 20, 7])


def test_without_bubblewrap_one_line_says_so() -> None:
    with mock.patch.object(shutil, "which", return_value=None), pytest.raises(EngineError) as caught:
        SubprocessEngine([sys.executable, "-c", ""], sandbox=SandboxConfig(sandbox=True)).hello()
    assert caught.value.kind == "start"
    assert str(caught.value) == "--sandbox needs bubblewrap, and there is no `bwrap` on the PATH"


def test_a_sandbox_has_its_own_tmp_and_shows_what_the_command_names(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.touch()
    with mock.patch.object(shutil, "which", return_value="/bin/bwrap"):
        words = SandboxConfig(sandbox=True).wrap([sys.executable, str(engine)], None)
    assert words[0] == "/bin/bwrap"
    assert "--unshare-all" in words
    assert words[-3:] == ["--", sys.executable, str(engine)]
    assert words[words.index("--tmpfs") + 1] == "/tmp"
    if Path("/tmp") in tmp_path.parents:
        assert str(tmp_path) in words[words.index("--tmpfs") :]


@needs_bubblewrap
@pytest.mark.parametrize("scratch", [True, False])
def test_a_sandboxed_engine_writes_to_tmp_alone_and_has_no_network(scratch: bool) -> None:
    def tried(expression: str) -> str:
        return told(f"{expression}", SandboxConfig(sandbox=True, scratch=scratch))

    assert tried("open('/tmp/x', 'w').write('x')") == "1"
    assert not Path("/tmp/x").exists()
    assert tried(f"os.access({str(PROJECT)!r}, os.W_OK)") == "False"
    assert tried("os.listdir('/sys/class/net') and open('/proc/net/dev').read().count(':')") == "1"
    assert int(tried("os.getpid()")) < 10


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        ("--timeout nan", "nan is no number of seconds"),
        ("--timeout inf", "inf is no number of seconds"),
        ("--timeout 0", "0.0 is not in the range 0.01<=x<=31536000"),
        ("--max-answer 10", "10 is not in the range x>=1024"),
        ("--max-moves 0", "0 is not in the range x>=1"),
        ("--memory 0", "0 is not in the range x>=1"),
        ("--cpu x", "'x' is not a valid integer range"),
    ],
)
def test_options_that_make_no_sense_are_refused(words: str, piece: str) -> None:
    assert piece in refused("check", "lb", *words.split(), "--", "true")


def test_options_reach_the_engine() -> None:
    words = ["--", sys.executable, str(EXAMPLES / "engine.py")]
    few = refused("check", "lb", "-k", "lb.start.*", "--max-moves", "3", *words, status=3)
    assert "answered moves with 7 moves, expected at most 3: " in few
