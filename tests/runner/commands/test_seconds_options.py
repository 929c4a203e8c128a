"""Options that take seconds: only a finite number of them makes sense."""

from __future__ import annotations

import pytest

from runner_fixtures import refused
from runs import for_each


@pytest.mark.parametrize("given", ["nan", "inf", "-inf", "1e400", "0", "-1", "1e300", "x"])
@for_each(
    ("option", "words"),
    [
        ("--time", ("generate", "lb", "-n", "1")),
        ("--seconds", ("check", "lb", "--games", "1")),
        ("--timeout", ("check", "lb")),
    ],
)
def test_seconds_that_are_none_are_refused_in_one_line(option: str, words: tuple[str, ...], given: str) -> None:
    command = [*words, f"{option}={given}", *(["--", "no-such-engine"] if words[0] == "check" else [])]
    said = refused(*command)
    assert option in said
    assert said.count("\n") <= 1
