"""What all tests share: the settings of Hypothesis, names for the cases of a table, what is made once for all of them.

A failure prints what reproduces it; no example is timed.
"""

from __future__ import annotations

import fcntl
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from javascript import Interpreter

settings.register_profile(
    "damspec", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("damspec")

# Started in the background of a shell, the tests would ignore Ctrl-C, and so would the commands that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Ten thousand tests are gathered before the first of them runs, and all of them stay: there is no garbage to look for.
gc.disable()


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker begin with other modules: in a fresh clone it finds most of them compiled by the others."""
    config, worker, tests = session.config, os.environ.get("PYTEST_XDIST_WORKER"), Path(__file__).parent
    if worker and [Path(word).resolve() for word in config.args] == [tests]:
        modules = sorted(map(str, tests.rglob("test_*.py")))
        count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        number = int(worker.removeprefix("gw")) % count  # one that takes the place of another has the next number
        first = len(modules) * number // count
        while first and Path(modules[first - 1]).parent == Path(modules[first]).parent:
            first -= 1  # a folder that is gathered in two parts has its fixtures in the first alone
        config.args = modules[first:] + modules[:first]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the tests of all workers into the same order."""
    items.sort(key=lambda item: item.path)


def pytest_collection_finish() -> None:
    """Look for garbage from here on, but not among the tests."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a browser, or for engines that do not answer."""
    return (os.cpu_count() or 1) + 1


#: How much of a text names its test: each worker tells the others the names of all tests.
LONGEST = 60


def pytest_make_parametrize_id(val: Any) -> str | None:
    """Name a test by the beginning of a long text."""
    return f"{val[:LONGEST]}..." if isinstance(val, str) and len(val) > 300 else None


@pytest.fixture
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """No engine that a test has started is running after it."""
    from runner_fixtures import all_gone

    with all_gone(tmp_path):
        yield


@pytest.fixture(scope="session", autouse=True)
def _memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What fake engines remember (fakes/memory.py), in all processes; the user's engines, but not his endgames."""
    from damspec_runner.engines import registry

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "memory"
    folder.mkdir(exist_ok=True)
    engines = str(registry.home())
    with mock.patch.dict(os.environ, FAKE_MEMORY=str(folder), DAMSPEC_ENGINES=engines, XDG_DATA_HOME=str(folder)):
        yield


#: What is open in this process: Chromium, once a test has asked for it.
_open = ExitStack()
_browsers: list[Browser] = []


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Chromium without a screen: the same for all modules of a group, since a start of it costs more than a test."""
    from browser import chromium

    if not _browsers:
        _browsers.append(_open.enter_context(chromium()))
        _open.callback(_browsers.clear)
    return _browsers[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close Chromium after the last test of a group: beside it no test could run an event loop of its own."""
    if nextitem is None or _group(nextitem) != _group(item):
        _open.close()


def _group(item: pytest.Item) -> tuple[object, ...]:
    mark = item.get_closest_marker("xdist_group")
    return mark.args if mark else (item.path,)


def _site_sources() -> str:
    """Return a digest of the files that the site is made from, by path, size and time of change."""
    root = Path(__file__).resolve().parent.parent
    folders = (root / name for name in ("cases", "docs", "known", "reference", "runner", "schemas", "spec"))
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix != ".pyc" and path.is_file())
    facts = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return sha256(repr(facts).encode()).hexdigest()


@pytest.fixture(scope="session")
def javascript() -> Iterator[Interpreter]:
    """The interpreter in JavaScript, a process that all its tests ask."""
    from javascript import interpreter

    with interpreter() as found:
        yield found


@pytest.fixture(scope="session")
def site(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulebook site, built by the first process of a run that needs it.

    The cache of pytest keeps it for later runs, until a file changes that it is made from (`--cache-clear`).
    """
    from damspec_site.build import build

    own = tmp_path_factory.getbasetemp()
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    folder = cache.mkdir("site") if cache else own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built_from, sources = folder / "sources", _site_sources()
        if not built_from.exists() or built_from.read_text() != sources:
            build(folder / "site")
            built_from.write_text(sources)
    return folder / "site"
