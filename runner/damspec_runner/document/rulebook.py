"""Rulebooks in prose, and positions in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from damspec import Layout, Position, Ruleset, data
from damspec.board import DIRECTION_GROUPS, Board, Side
from damspec.vocabulary import vocabulary

from ..mutants.ruleset_diff import counts_history

_PLACE = re.compile(r"\{([a-z.-]+)\}")
_OUTLINE = "outline"


@dataclass(frozen=True)
class Section:
    """A section of a rulebook: id, title and sentences."""

    id: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """The sentences of a language. `tag` is its web language tag."""

    tag: str
    content: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The language's own name."""
        return str(self.content["name"])

    @property
    def checked(self) -> bool:
        """Whether a speaker of the language has read all of it."""
        return bool(self.content["checked"])

    def word(self, name: str) -> str:
        """Return a word or sentence of the text around the rules."""
        return str(self.content["words"][name])

    def around(self, name: str) -> str:
        """Return a word or sentence of the text around a page of the site."""
        return str(self.content["around"][name])

    def board(self, name: str) -> str:
        """Return a sentence about what stands on a board."""
        return str(self.content["board"][name])

    def kind(self, kind: str, number: int) -> str:
        """Return the singular or plural of `man`, `king` or `piece`."""
        one, many = self.content["phrases"]["pieces"][kind]
        return str(one if number == 1 else many)

    def count(self, kind: str, number: int) -> str:
        """Return a number of `man`, `king` or `piece`."""
        return f"{number} {self.kind(kind, number)}"

    def sections(self, ruleset: Ruleset, spoken: Collection[str] = ()) -> tuple[Section, ...]:
        """Return the rulebook of a game. `spoken` are the languages of its documents, whose own words are used."""
        told = RuleSentences(ruleset, self)
        found = []
        for section in _outline():
            sentences = [said for entry in section["entries"] if (said := told.entry(entry))]
            if sentences:
                title = self.content["sections"][section["id"]]
                words = [self.in_own_words(text, spoken) for text in (title, *sentences)]
                found.append(Section(section["id"], words[0], tuple(words[1:])))
        return tuple(found)

    def in_own_words(self, text: str, spoken: Collection[str]) -> str:
        """Replace words of a text by the documents' own, whose languages are `spoken`."""
        for tag, words in self.content.get("own", {}).items():
            if tag in spoken:
                text = _any_of(words).sub(lambda found, words=words: words[found[0]], text)  # type: ignore[misc]
        return text


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for whole words that prefers longer phrases."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})\b")


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages, English first. Raises FileError for a malformed file."""
    found = []
    for path in sorted((data.root() / "spec" / "rulebook").glob("*.yaml")):
        if path.stem != _OUTLINE:
            content = data.load_yaml(path)
            data.check(content, "rulebook", data.path_text(path))
            found.append(Language(content["language"], content))
    return tuple(sorted(found, key=lambda one: (one.tag != "en", one.tag)))


@cache
def _outline() -> Sequence[Mapping[str, Any]]:
    path = data.root() / "spec" / "rulebook" / f"{_OUTLINE}.yaml"
    content = data.load_yaml(path)
    data.check(content, "rulebook-outline", data.path_text(path))
    sections: Sequence[Mapping[str, Any]] = content["sections"]
    return sections


class RuleSentences:
    """A game's rule values in the sentences of a language."""

    def __init__(self, ruleset: Ruleset, language: Language) -> None:
        self.ruleset, self.values = ruleset, ruleset.values
        self.language, self.content = language, language.content
        self.phrases: Mapping[str, Any] = self.content["phrases"]
        self.join: Mapping[str, str] = self.phrases["join"]

    def entry(self, entry: str | Mapping[str, Any]) -> str:
        """Return the sentence for an entry of the outline; empty if it does not apply to the game."""
        if isinstance(entry, str):
            return self._fill(self._sentence(entry)) if self.values.get(entry) is not None else ""
        holds = all(self._is(rule, wanted) for rule, wanted in entry.get("when", {}).items())
        return self._fill(self.content["lines"][entry["line"]]) if holds else ""

    def _is(self, rule: str, wanted: str | list[str]) -> bool:
        value = self.values.get(rule)
        return (value is not None) == (wanted == "there") if isinstance(wanted, str) else value in wanted

    def _sentence(self, rule: str) -> str:
        texts, value = self.content["rules"][rule], self.values[rule]
        form = (
            ("list" if value else "none")
            if isinstance(value, tuple)
            else next(
                name for name in ("kings", "squares", "mapping") if name in texts and (name != "kings" or name in value)
            )
            if isinstance(value, Mapping)
            else "number"
        )
        return str(texts.get(str(value)) or texts.get(form) or texts["*"])

    def _fill(self, text: str) -> str:
        return _PLACE.sub(lambda found: self._phrase(found[1]), text)

    def _phrase(self, name: str) -> str:
        special: Mapping[str, Callable[[], str]] = {
            "men": lambda: str(len(self._men("white"))),
            "white": lambda: _bracket(self.values["start.men"]["white"], self.ruleset.rules.board),
            "black": lambda: _bracket(self.values["start.men"]["black"], self.ruleset.rules.board),
            "kings": lambda: _bracket(self.values["start.men"]["kings"], self.ruleset.rules.board),
            "layout": self._layout,
            "board.size": lambda: self.values[name].replace("x", " × "),
            "start.men": lambda: self._rows(self.values[name]),
        }
        return special[name]() if name in special else self._value_text(name, self.values[name])

    def _value_text(self, rule: str, value: Any) -> str:
        if counts_history(rule) and isinstance(value, Mapping):
            return self._moves({self._material(key): number for key, number in value.items()})
        if isinstance(value, Mapping):
            return self._moves({self.phrases["spin"][key]: self.phrases["spin"][word] for key, word in value.items()})
        if isinstance(value, tuple) and rule in self.phrases["lists"]:
            between = "of-these" if vocabulary()[rule].ordered else "or"
            return self.join[between].join(self.phrases["lists"][rule][word] for word in value)
        return self._directions(value) if isinstance(value, tuple) else str(value)

    def _directions(self, value: tuple[str, ...]) -> str:
        words = self.phrases["directions"]
        for group, members in DIRECTION_GROUPS.items():
            if set(members) == set(value):
                return str(words[group])
        *before, last = [words[each] for each in value]
        return self.join["or"].join([*([", ".join(before)] if before else []), last])

    def _rows(self, number: int) -> str:
        rows = self.phrases["rows"]
        return str(rows["one"]) if number == 1 else rows["many"].format(number)

    def _moves(self, entries: Mapping[str, Any]) -> str:
        told = (self.join["moves"].format(what=what, number=number) for what, number in entries.items())
        return self.join["next"].join(told)

    def _material(self, key: str) -> str:
        """Return `KKvK KMvK` as pieces against pieces, `4-5` as a number of pieces."""
        if "v" not in key:
            return f"{key} {self.phrases['pieces']['piece'][1]}"
        return self.join["or"].join(
            self.join["against"].join(self._pieces(side) for side in ending.split("v")) for ending in key.split()
        )

    def _pieces(self, letters: str) -> str:
        kinds = {"K": "king", "M": "man"}
        told = [self.language.count(kind, letters.count(letter)) for letter, kind in kinds.items() if letter in letters]
        return self.join["and"].join(told)

    def _layout(self) -> str:
        trapdoors = self.ruleset.rules.trapdoors
        return self.join["next"].join(
            self.phrases["slider"].format(
                id=one.id, colour=self.phrases["colours"][one.colour], left=f"[{one.left}]", right=f"[{one.right}]"
            )
            for one in (trapdoors.layout.sliders if trapdoors else ())
        )

    def _men(self, side: Side) -> list[int]:
        start = Position.start(self.ruleset.rules)
        return start.board.numbers(start.men(side))


def squares_text(squares: Sequence[int]) -> str:
    """Return square numbers as text, runs by their first and last: `41-56`."""
    return _join_runs(_runs(squares, lambda one, other: other == one + 1), str)


def _bracket(squares: Sequence[int], board: Board) -> str:
    """Return squares in brackets, runs along a row or column by their first and last: `[41]-[48]`."""

    def follows(one: int, other: int) -> bool:
        pairs = zip(board.places[one - 1], board.places[other - 1], strict=True)
        return other == one + 1 and any(line == same for line, same in pairs)

    return _join_runs(_runs(squares, follows), lambda square: f"[{square}]")


def _runs(squares: Sequence[int], follows: Callable[[int, int], bool]) -> list[list[int]]:
    runs: list[list[int]] = []
    for square in squares:
        if runs and follows(runs[-1][-1], square):
            runs[-1].append(square)
        else:
            runs.append([square])
    return runs


def _join_runs(runs: Sequence[Sequence[int]], written: Callable[[int], str]) -> str:
    return ", ".join(
        f"{written(run[0])}-{written(run[-1])}" if len(run) > 2 else ", ".join(map(written, run)) for run in runs
    )


def describe_setup(language: Language, position: Position, layout: Layout | None = None) -> str:
    """Describe a position: side to move, pieces of each side, doors and spinner."""
    sides = [_side(language, position, side) for side in get_args(Side)]
    return " ".join([language.board(f"{position.turn}-moves"), *sides, *_doors_and_spinner(language, position, layout)])


def _side(language: Language, position: Position, side: Side) -> str:
    kinds = []
    for kind, mask in (("man", position.men(side)), ("king", position.kings(side))):
        numbers = position.board.numbers(mask)
        if numbers:
            kinds.append(f"{language.kind(kind, len(numbers))} {squares_text(numbers)}")
    return language.board(side).format(pieces=", ".join(kinds) or language.board("nothing"))


def _doors_and_spinner(language: Language, position: Position, layout: Layout | None) -> Iterator[str]:
    if layout is not None:
        standing = zip(layout.sliders, position.sliders or "", strict=False)
        doors = [door for slider, letter in standing if (door := slider.door(letter))]
        yield language.board("doors").format(squares=squares_text(sorted(doors))) if doors else language.board("shut")
    if position.spin == "due":
        yield language.board("spin")
    elif position.spin:
        yield language.board("spun").format(shown=language.content["phrases"]["spin"][position.spin])
