"""The reference passes every ruleset over every protocol and way of asking; what one cannot say is unsupported."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

import damspec
from damspec import Ruleset
from damspec_runner.cases.cases import Case, cases_for
from damspec_runner.engines import hub
from damspec_runner.engines.dxp import DxpEngine, Opponent
from damspec_runner.engines.hub import HubEngine
from damspec_runner.engines.position_parts import DXP, HUB, TEN, parts_of
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.verify.ask import ask
from damspec_runner.verify.candidates import lead_in, offers
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.exchange import NOT_PLAYED, NOTHING_TO_PLAY
from damspec_site.programmer_pages import as_json
from fake_engines import able
from runner_fixtures import DAMSPEC, node
from runs import SPREAD, usually

pytestmark = pytest.mark.thorough

EVERY = damspec.ruleset_ids()
every_ruleset = pytest.mark.parametrize("id", usually((), EVERY, ["frisian", "nl-trapdoor"]))
#: Those that Hub has a variant for, and those on its board.
OF_HUB = sorted(hub.variants().of)
OF_DXP = [id for id in EVERY if damspec.load_ruleset(id).rules.board in TEN]
SECONDS = 60.0
ENGINE_JS = Path(__file__).parents[3] / "reference" / "javascript" / "engine.js"


class PythonReference:
    """The commands of `damspec serve`, which has the rules of every game."""

    def json(self) -> list[str]:
        return [*DAMSPEC, "serve"]

    def lines(self) -> list[str]:
        return [*self.json(), "--lines"]

    def hub(self, ruleset: Ruleset) -> list[str]:
        return [*self.json(), "--hub"]

    def dxp(self, ruleset: Ruleset) -> list[str]:
        return [*self.json(), "--dxp", "127.0.0.1:0", "--ruleset", ruleset.id]


class JavaScriptReference:
    """The commands of `engine.js`, which takes the rules of games from files where a protocol cannot send them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for id in EVERY:
            (folder / f"{id}.json").write_text(as_json(damspec.load_ruleset(id)), encoding="utf-8")

    def json(self) -> list[str]:
        return [node(), str(ENGINE_JS)]

    def lines(self) -> list[str]:
        return [*self.json(), "--lines", *(f"--rules={self._folder / id}.json" for id in EVERY)]

    def hub(self, ruleset: Ruleset) -> list[str]:
        variant = hub.variants().of[ruleset.id]
        return [*self.json(), "--hub", f"--rules={variant}={self._folder / ruleset.id}.json"]

    def dxp(self, ruleset: Ruleset) -> list[str]:
        return [*self.json(), "--dxp", "127.0.0.1:0", f"--rules={self._folder / ruleset.id}.json"]


Reference = PythonReference | JavaScriptReference


@pytest.fixture(scope="module", params=["python", "javascript"])
def reference(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """The commands of a reference by each protocol."""
    if request.param == "python":
        return PythonReference()
    return JavaScriptReference(tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="module")
def of_json(reference: Reference) -> Iterator[Engine]:
    """A reference asked in JSON about one ruleset after another."""
    with SubprocessEngine(reference.json(), timeout=SECONDS) as engine:
        yield engine


@pytest.fixture(scope="module")
def of_lines(reference: Reference) -> Iterator[Engine]:
    """A reference asked in plain lines about one ruleset after another."""
    with SubprocessEngine(reference.lines(), timeout=SECONDS, lines=True) as engine:
        yield engine


@contextmanager
def dxp_port(reference: Reference, ruleset: Ruleset) -> Iterator[int]:
    """The port where a reference waits for players of DXP."""
    with subprocess.Popen(reference.dxp(ruleset), stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r":([0-9]+)\s*$", process.stderr.readline())
            assert found is not None
            yield int(found[1])
        finally:
            process.kill()


def unsupported(engine: Engine, ruleset: Ruleset, cases: Sequence[Case]) -> dict[str, str]:
    """The cases that are unsupported, with the reason; all others pass."""
    hello = engine.hello()
    assert cases
    results = [ask(engine, ruleset, hello, case) for case in cases]
    wrong = [result for result in results if result.status not in ("passed", "unsupported")]
    assert wrong == []
    return {result.case.id: str(result.message) for result in results if result.status == "unsupported"}


@every_ruleset
def test_in_json(id: str, of_json: Engine) -> None:
    ruleset = damspec.load_ruleset(id)
    assert unsupported(CapabilityAdapter(of_json, ruleset), ruleset, cases_for(ruleset)) == {}


@every_ruleset
def test_in_lines(id: str, of_lines: Engine) -> None:
    ruleset = damspec.load_ruleset(id)
    assert unsupported(CapabilityAdapter(of_lines, ruleset), ruleset, some(id, cases_for(ruleset))) == {}


@pytest.mark.parametrize("id", usually((), EVERY, ["nl-trapdoor"]))
def test_by_single_hops(id: str) -> None:
    """The fake lists no lapses and takes no history, and says so; nothing else is left out."""
    ruleset = damspec.load_ruleset(id)
    left = unsupported(able("steps", ruleset), ruleset, some(id, cases_for(ruleset)[::4]))
    assert set(left.values()) <= {"does not list lapses", "takes no moves with outcome"}


@pytest.mark.parametrize("id", usually((), EVERY, ["frisian"]))
def test_by_whether_a_move_is_legal(id: str) -> None:
    """The fake knows no lapses; it tells no outcomes, so those that do not follow from its moves are left out."""
    ruleset = damspec.load_ruleset(id)
    cases = [case for case in cases_for(ruleset) if case.expected.moves is not None and not case.expected.lapses][::24]
    assert unsupported(able("legal", ruleset), ruleset, some(id, cases)) == {}


@pytest.mark.parametrize("id", usually((), OF_HUB, ["frisian"]))
def test_by_hub(id: str, reference: Reference) -> None:
    """What Hub cannot say is unsupported, what it can say by moves is reached where there is a way."""
    ruleset = damspec.load_ruleset(id)
    cases = of_moves(ruleset) if id == "international" else of_moves(ruleset)[::16]
    board = ruleset.rules.board
    leading, offered = partial(lead_in, ruleset), partial(offers, ruleset)
    with HubEngine(reference.hub(ruleset), board, offered, lead_ins=leading, timeout=SECONDS) as engine:
        left = unsupported(engine, ruleset, cases)
    with_more = {case.id: ruleset.position(case.position) for case in cases if more(ruleset, case)}
    assert left.keys() == {id for id, position in with_more.items() if leading(position) is None}
    assert all(HUB.name in reason and "no moves were found that lead there" in reason for reason in left.values())


@pytest.mark.parametrize("id", usually((), OF_DXP, ["international"]))
def test_by_dxp(id: str, reference: Reference) -> None:
    ruleset = damspec.load_ruleset(id)
    cases = some(id, of_moves(ruleset))
    with dxp_port(reference, ruleset) as port:
        engine = DxpEngine(Opponent("127.0.0.1", port), ruleset.rules.board, timeout=SECONDS)
        try:
            left = unsupported(engine, ruleset, cases)
        finally:
            engine.hang_up()
    about = {case.id: case for case in cases}
    for id, reason in left.items():
        if reason not in (NOT_PLAYED, NOTHING_TO_PLAY):
            assert reason.startswith(f"{DXP.name} has no word for ")
            assert more(ruleset, about[id])
    assert not [case for case in cases if more(ruleset, case) and case.id not in left]


def some(id: str, cases: list[Case]) -> list[Case]:
    """All cases of the games in the spread; of the others, which have most of their rules from these, some."""
    return cases if id in SPREAD else cases[8::16] or cases[:1]


def of_moves(ruleset: Ruleset) -> list[Case]:
    """The cases about the moves of a position."""
    return [case for case in cases_for(ruleset) if case.expected.moves is not None]


def more(ruleset: Ruleset, case: Case) -> bool:
    """Whether the position of a case has more than its pieces and the side to move."""
    return bool(parts_of(ruleset.position(case.position)) - {"pieces", "turn"})
