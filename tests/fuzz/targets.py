"""The doors through which texts of strangers come in, each a function that takes any text.

A target returns if what came of the text is right: a value, or one of the errors documented for that door, whose
message is one line that can be shown and is not too long. It raises anything else.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import damspec
from damspec import DamspecError, PdnError, Position, read_pdn
from damspec.board import Board
from damspec.errors import LONGEST, InvalidMoveError, MoveError, PositionError
from damspec.layout import layout_of
from damspec.move import read_squares
from damspec.safe_yaml import UnsafeTextError, read_json, read_yaml
from damspec.written_position import read_hub
from damspec_runner.cases import cases, notation
from damspec_runner.engines import dxp, hub, protocol
from damspec_runner.engines.serve import HubServer
from damspec_runner.engines.serve import serve as serve_lines
from damspec_runner.replay.games import check_files
from damspec_runner.verify.journal import load_reports, read_journal

Target = Callable[[str], None]

CORPUS = Path(__file__).with_name("corpus")
#: Rulesets that between them have each kind of field in a position and of action in a turn.
RULESETS = ("lb", "nl-trapdoor", "de", "international")
_FILE = Path(tempfile.mkdtemp(prefix="damspec-fuzz-")) / f"{os.getpid()}.yaml"


@contextmanager
def documented(*errors: type[Exception]) -> Iterator[None]:
    """Let these errors pass, if their messages are as they should be."""
    try:
        yield
    except errors as error:
        check_message(str(error))


def check_message(message: str) -> None:
    """A message is one line that can be shown, and not too long."""
    assert message
    assert message.isprintable(), message
    assert len(message) <= LONGEST, len(message)


def fen(text: str) -> None:
    """A position; what is read is written as a text that means the same."""
    for id in RULESETS:
        with documented(PositionError):
            position = damspec.load_ruleset(id).position(text)
            assert Position.from_fen(position.fen(), position.board) == position


def move(text: str) -> None:
    """A move or another action in the positions in which games begin, and the squares of its notation."""
    for legal in _starts():
        with documented(MoveError):
            legal.after(text)
        with documented(InvalidMoveError):
            notation.move_effect(legal.position, text)
    with documented(InvalidMoveError):
        read_squares(text, Board(26, 26, "all"))


def yaml(text: str) -> None:
    """YAML; what is read can be written as JSON and is read from there as the same."""
    with documented(UnsafeTextError):
        value = read_yaml(text)
        assert read_json(json.dumps(value)) == value


def ruleset(text: str) -> None:
    """A ruleset's file."""
    with documented(DamspecError):
        damspec.load_ruleset_file(str(_written(text))).checked().position()


def layout(text: str) -> None:
    """A layout's file."""
    with documented(DamspecError):
        layout_of(str(_written(text)), damspec.load_ruleset("nl-trapdoor").rules.board, "rules.trapdoors.layout")


def case_file(text: str) -> None:
    """A file of cases."""
    path = _written(text)
    with documented(DamspecError):
        for case in cases.read_cases(path):
            assert case.file == path
    with documented(DamspecError):
        cases.set_aside.__wrapped__(path)


def journal(text: str) -> None:
    """A journal."""
    with documented(DamspecError):
        read_journal(text.encode("utf-8", "surrogatepass"), "journal.jsonl")


def report(text: str) -> None:
    """A report, JSON or a journal, in a file."""
    with documented(DamspecError):
        load_reports(str(_written(text)))


def pdn(text: str) -> None:
    """Games in PDN; what is read is written as a text that means the same, and is played."""
    with documented(PdnError):
        for record in read_pdn(text):
            assert read_pdn(str(record)) == [record]
    lines = text.encode("utf-8", "replace").decode("latin-1").splitlines(True)
    for _, checked in check_files([("", lines)], None, None):
        for fault in checked.faults:
            check_message(fault.says)


def answer(text: str) -> None:
    """An engine's answer to each question."""
    for method in ("hello", "quit", *protocol.QUESTIONS):
        with documented(protocol.EngineError, protocol.UnsupportedError):
            found = protocol.result(text, 1, method)
            if method == "hello":
                assert protocol.hello(found).name.isprintable()


def questions(text: str) -> None:
    """Lines of a runner to `damspec serve`: each that is not blank has one line as an answer, until one says quit."""
    answers = io.StringIO()
    serve_lines(io.StringIO(text, newline="\n"), answers)
    asked = [line for line in text.split("\n") if line.strip()]
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert len(told) == len(asked) or (len(told) < len(asked) and told[-1]["result"] is None)
    for one in told:
        assert ("error" in one) != ("result" in one)
        if "error" in one:
            check_message(one["error"]["message"])


def hub_lines(text: str) -> None:
    """Lines of Hub, to `damspec serve --hub` and from an engine; what is read is written so that it means the same."""
    answers = io.StringIO()
    HubServer(lambda value: damspec.load_ruleset("international"), ("normal",)).serve(io.StringIO(text), answers)
    for line in answers.getvalue().splitlines():
        check_message(hub.read_message(line).values.get("message", line))
    for line in text.splitlines():
        with documented(ValueError):
            said = hub.read_message(line)
            with documented(ValueError):
                assert hub.read_move(hub.move_text(*hub.read_move(said.values.get("move", "")))) is not None
            with documented(ValueError):
                position = read_hub(said.values.get("pos", ""), Board(10, 10))
                assert hub.position_text(position) == said.values["pos"]


def dxp_message(text: str) -> None:
    """A message of DXP; what is read is written as a text that means the same."""
    with documented(ValueError):
        found = dxp.read_message(text)
        assert str(dxp.read_message(str(found))) == str(found)


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        *(fen, move, yaml, ruleset, layout, case_file, journal, report, pdn, answer, questions),
        *(hub_lines, dxp_message),
    )
}


def seeds(name: str) -> list[str]:
    """The texts of the corpus for a target."""
    return [path.read_bytes().decode("utf-8") for path in sorted((CORPUS / name).glob("*.txt"))]


@cache
def _starts() -> list[damspec.LegalMoves]:
    return [damspec.legal_moves(id, damspec.load_ruleset(id).position()) for id in RULESETS]


def _written(text: str) -> Path:
    _FILE.write_bytes(text.encode("utf-8", "surrogatepass"))
    return _FILE
