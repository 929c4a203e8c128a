"""Whatever a stranger's text holds, nothing but the documented errors comes of it, in one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs import for_each
from targets import TARGETS, seeds

#: Examples in a usual run and in a thorough one.
USUAL, THOROUGH = 12, 500

#: What texts of all kinds are made of, and what breaks readers of them.
PIECES = [
    *("W", "B", ":", ",", "-", "x", "K", "1", "32", "50", "007", ".", "=", "[", "]", "{", "}", '"', "'", "&", "*", "!"),
    *("|", ">", "#", "%", "?", "@", "`", "\\", "\t"),
    *("\n", "\r\n", " ", "  ", ": ", "- ", "\x00", "\x1b[2J", "\u2028", "\ufeff", "\x85", "٣", "１", "²", "é", "😀"),
    *("sliders=", "spin=due", "spin=green", "huffable=", "compelled", "huff ", "retract", "pass", "G1=", "start"),
    *("+0+", "+105+246", "H0", "F1"),
    *("null", "true", "~", ".nan", ".inf", "NaN", "Infinity", "-0", "1e999", "1.0", "0x1F", "1_000", "2020-01-01"),
    *("&a ", "*a", "<<: ", "!!python/object:x ", "---", "...", "%TAG ! x", "? ", '\\ud800', '"\\ud800"', "1:30:00"),
    *('"id":', '"result":', '"error":{"code":1,"message":"x"}', '{"jsonrpc":"2.0","id":1,', '"params":{}', "extends: "),
    *("9" * 30, "9" * 5000, "[" * 100, "{" * 70, '{"a":' * 2000, "x" * 300, "1x" * 900, "W:W" + "1," * 300, "value: "),
]  # fmt: skip
texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


@st.composite
def mutated(draw: st.DrawFn, name: str) -> str:
    """A text of the corpus with some places replaced."""
    text = draw(st.sampled_from(seeds(name)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 1, 1, 2, 5, 20, 200])))
        put = draw(st.one_of(st.sampled_from(PIECES), st.text(max_size=3), st.just(text[end : end + 40])))
        text = text[:start] + put + text[end:]
    return text


@for_each("name", TARGETS)
def test_the_corpus(name: str) -> None:
    found = seeds(name)
    assert found
    for text in found:
        TARGETS[name](text)


@pytest.mark.parametrize("examples", [USUAL, pytest.param(THOROUGH, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TARGETS)
def test_any_text(name: str, examples: int) -> None:
    @settings(max_examples=examples)
    @given(st.one_of(texts, mutated(name), mutated(name)))
    def held(text: str) -> None:
        TARGETS[name](text)

    held()
