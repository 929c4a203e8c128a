"""Commands in reports, which ask the engine of a run again with the same options."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from damspec import data

from ...engines import registry
from ...engines.lines import LineFormat
from ...engines.protocol import strip_control_characters
from ..result import Report, Result

#: The options that `damspec check` and `damspec ask` share, and the further ones of `check`.
_BY: tuple[str, ...] = (
    "lines",
    "hub",
    "plays",
    "level",
    "param",
    "dxp",
    "dxp-listen",
    "numbering",
    "rotate",
    "swap-colours",
)
_BY += ("full-stop", "notation", "timeout", "max-answer", "max-moves", "env", "memory", "cpu", "scratch", "sandbox")
_OF_CHECK = ("cases", "repeat")
#: The options that say what is compared beyond the cases, and those that what comes up there depends on.
_BEYOND = ("games", "seconds", "positions", "drawn")
_OF_BEYOND = ("k", "topic", *_BEYOND, "seed")
#: Those that change how a question is written.
_OTHER_WORDS = ("hub", "dxp", "dxp-listen", "numbering", "rotate", "swap-colours", "full-stop", "notation")
#: Characters of a request shown.
_REQUEST_SHOWN = 400


def check_again(report: Report, result: Result) -> str:
    """Return the command that checks a case again, or for what is no case all that was compared beyond the cases."""
    which = ["-k", result.case.id]
    if result in report.answers[len(report.results) :]:
        alone = any(name in report.options for name in _BEYOND)
        which = [*_options(report, _OF_BEYOND), *(["--no-cases"] if alone else [])]
    words = ["damspec", "check", _ruleset(report), *which, *_options(report, (*_BY, *_OF_CHECK))]
    return _with_engine(report, words, "--install")


def ask_again(report: Report, result: Result) -> str:
    """Return what asks the question of a result again; "" if there is none.

    It is the line that the engine was sent, in its own protocol, or where that is not a line of its own, or too long,
    the command that asks it.
    """
    if not result.request:
        return ""
    message = json.loads(result.request)
    method, params = message["method"], message.get("params")
    hello = report.hello
    made_up = hello.steps or not hello.setup or hello.manner != "listed" or method not in (*hello.answers, "hello")
    if not made_up and not any(name in _all_options(report) for name in _OTHER_WORDS):
        line = LineFormat().request(1, method, params) if _speaks_lines(report) else result.request
        if len(line) <= _REQUEST_SHOWN:
            return line
    if params is None or method not in ("start", "moves", "play", "outcome", "plays"):
        return result.request
    move = params.get("move", "")
    asked = ["--move", move if isinstance(move, str) else json.dumps(move)] if move else []
    asked += ["--outcome"] if method == "outcome" else []
    asked += [word for played in params.get("moves", ()) for word in ("--after", played)]
    position = [params["position"]] if "position" in params else []
    words = ["damspec", "ask", _ruleset(report), *position, *asked, *_options(report, _BY)]
    return _with_engine(report, words)


def _speaks_lines(report: Report) -> bool:
    return "lines" in report.options or (_is_named(report) and registry.speaks_lines(report.label))


def _is_named(report: Report) -> bool:
    return report.label == registry.REFERENCE or report.label in registry.adapters()


def _ruleset(report: Report) -> str:
    """Return the ruleset as a command names it: one of your own by its file."""
    ruleset = report.ruleset
    shipped = data.root() / "spec" / "rulesets" / f"{ruleset.base}.yaml"
    if ruleset.source == ruleset.base or Path(ruleset.source).resolve() == shipped.resolve():
        return ruleset.id
    _, mark, query = ruleset.id.partition("?")
    return f"{ruleset.source}{mark}{query}"


def _options(report: Report, names: tuple[str, ...]) -> Iterator[str]:
    options = _all_options(report)
    for name in names:
        value = options.get(name)
        for each in value if isinstance(value, list | tuple) else [value]:
            if each is not None and each is not False:
                yield f"--{name}" if len(name) > 1 else f"-{name}"
                if each is not True:
                    yield f"{each:g}" if isinstance(each, float) else str(each)


def _all_options(report: Report) -> Mapping[str, Any]:
    """Return the options of a run, with the notation that the preflight found."""
    return {**({"notation": report.hello.notation} if report.hello.notation else {}), **report.options}


def _with_engine(report: Report, words: list[str], *install: str) -> str:
    """Return a command with its engine. A player of DXP is named by an option."""
    if "dxp" in report.options or "dxp-listen" in report.options:
        return strip_control_characters(shlex.join(words))
    if _is_named(report):
        return strip_control_characters(shlex.join([*words, "--engine", report.label, *install]))
    return strip_control_characters(f"{shlex.join(words)} -- {report.label}")
