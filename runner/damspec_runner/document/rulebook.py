"""Rulebooks in prose, and positions in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, get_args

from damspec import Layout, Position, Ruleset, data
from damspec.board import DIRECTION_GROUPS, Board, Side
from damspec.layout import Slider
from damspec.pdn.notation import notation_of
from damspec.vocabulary import vocabulary

from ..mutants.ruleset_diff import counts_history

_PLACE = re.compile(r"\{([a-z.-]+)\}")
#: A text that ends with the parts of a value, which stand below it as a list.
_LISTED = re.compile(r"(.*:)\s*\{((?:draws|spin|capture)\.[a-z-]+|layout)\}\.")
_OUTLINE = "outline"
#: How many characters a line about a game has if it can do with fewer sentences, and how many items it lists.
_LONG, _ITEMS = 110, 2
#: The spaces that French has before marks and inside quotation marks.
_FRENCH_SPACE = re.compile(r" (?=[:;?!»])|(?<=«) ")


@dataclass(frozen=True)
class Paragraph:
    """Sentences that stand together. The last one introduces `items`, if there are any.

    `id` is that of the outline. `rules` has for each sentence the rules that it tells, and `unsure` the ids of the
    readings of less than high confidence that give what it says.
    """

    id: str
    sentences: tuple[str, ...]
    items: tuple[str, ...] = ()
    rules: tuple[tuple[str, ...], ...] = ()
    unsure: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Line:
    """What makes a game another one, in a line, and the rules that it tells."""

    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A section of a rulebook: id, title and paragraphs, and what stands between the items of a list in a line."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    between: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order, the items of a list within the one that introduces them."""
        return tuple(sentence for each in self.paragraphs for sentence in _with_items(each, self.between))


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

    def text(self, key: str) -> str:
        """Return a text by its key: `GROUP.NAME`, or the name alone of one in `texts`. Raises KeyError."""
        group, _, name = (key if "." in key else f"texts.{key}").partition(".")
        return str(self.content[group][name])

    def word(self, name: str) -> str:
        """Return a word or sentence of the text around the rules."""
        return self.text(f"words.{name}")

    def kind(self, kind: str, number: int) -> str:
        """Return the singular or plural of `man`, `king` or `piece`."""
        one, many, *_ = self.content["phrases"]["pieces"][kind]
        return str(one if number == 1 else many)

    def count(self, kind: str, number: int, *, stressed: bool = True) -> str:
        """Return a number of `man`, `king` or `piece`, up to twelve in words; `stressed` where one is not just `a`."""
        words = self.content["phrases"]["numbers"]
        if number == 1:
            return str(self.content["phrases"]["pieces"][kind][2 if stressed else -1])
        return f"{words[number - 2] if number - 2 < len(words) else number} {self.kind(kind, number)}"

    def slider(self, slider: Slider) -> str:
        """Return the name of a slider, which begins as its colour does."""
        return f"{self.content['phrases']['colours'][slider.colour][0].upper()}{slider.id[1:]}"

    def sections(self, ruleset: Ruleset) -> tuple[Section, ...]:
        """Return the rulebook of a game, in the own words of its documents."""
        told = RuleSentences(ruleset, self)
        found = []
        for section in _outline()["sections"]:
            paragraphs = [
                part for each in section["paragraphs"] for part in told.paragraphs(each["entries"], each["id"])
            ]
            if paragraphs:
                title = self.in_own_words(self.content["sections"][section["id"]], ruleset)
                between = self.content["phrases"]["join"]["next"]
                found.append(
                    Section(section["id"], title, tuple(self._own(each, ruleset) for each in paragraphs), between)
                )
        return tuple(found)

    def _own(self, paragraph: Paragraph, ruleset: Ruleset) -> Paragraph:
        texts = (paragraph.sentences, paragraph.items)
        sentences, items = (tuple(self.in_own_words(text, ruleset) for text in each) for each in texts)
        return replace(paragraph, sentences=sentences, items=items)

    def strongest(self, ruleset: Ruleset, known: Ruleset) -> tuple[Line, ...]:
        """Return what makes a game another one than a known game, the strongest first; of the known game all."""
        found, between = [], self.content["phrases"]["join"]["next"]
        for entries in _outline()["strongest"]:
            parts, other = ([*RuleSentences(each, self).paragraphs(entries)] for each in (ruleset, known))
            told, theirs = ([*self._flowing(each)] for each in (parts, other))
            if told and (ruleset.id == known.id or told != theirs):
                while len(" ".join(told)) > _LONG and {*told[:-1]} - {*theirs}:
                    told.pop()
                items = " ".join(told).split(between)
                text = between.join(items[:_ITEMS]) + (" …" if len(items) > _ITEMS else "")
                rules = tuple(rule for part in parts for rules in part.rules for rule in rules)
                found.append(Line(self.in_own_words(text, ruleset), rules))
        return tuple(found)

    def _flowing(self, paragraphs: Sequence[Paragraph]) -> Iterator[str]:
        between = self.content["phrases"]["join"]["next"]
        return (sentence for part in paragraphs for sentence in _with_items(part, between))

    def in_own_words(self, text: str, ruleset: Ruleset) -> str:
        """Replace words of a text by those of the game's document, the first if there are more."""
        for document, words in self.content.get("own", {}).items():
            if document in ruleset.documents[:1]:
                text = _any_of(words).sub(lambda found, words=words: words[found[0]], text)  # type: ignore[misc]
        return text


def rank_of_strongest(rules: Collection[str]) -> int:
    """Return the rank of the strongest of some rules among those that make a game another one."""
    toy = any(vocabulary()[rule].group in ("spin", "trapdoors") for rule in rules)
    wanted = {*rules, *(["spin.when"] if toy else [])}
    told = (str(entries) for entries in _outline()["strongest"])
    return next((place for place, text in enumerate(told) if any(f"'{rule}'" in text for rule in wanted)), 99)


def _with_items(paragraph: Paragraph, between: str) -> tuple[str, ...]:
    *before, last = paragraph.sentences
    return (*before, f"{last} {between.join(paragraph.items)}.") if paragraph.items else paragraph.sentences


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for whole words that prefers longer phrases."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})\b")


def _space_marks(content: Any) -> Any:
    """Give French marks the narrow space before them that keeps them on the line of their word."""
    if isinstance(content, Mapping):
        return {key: _space_marks(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_space_marks(each) for each in content]
    return _FRENCH_SPACE.sub("\N{NARROW NO-BREAK SPACE}", content) if isinstance(content, str) else content


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages, English first. Raises FileError for a malformed file."""
    found = []
    for path in sorted((data.root() / "spec" / "rulebook").glob("*.yaml")):
        if path.stem != _OUTLINE:
            content = data.load_yaml(path)
            data.check(content, "rulebook", data.path_text(path))
            tag = content["language"]
            found.append(Language(tag, _space_marks(content) if tag == "fr" else content))
    return tuple(sorted(found, key=lambda one: (one.tag != "en", one.tag)))


def language_of(tag: str) -> Language:
    """Return the language of a tag, or of a variety of it such as `nl-BE`."""
    return next(each for each in languages() if each.tag == tag.partition("-")[0])


@cache
def _outline() -> Mapping[str, Any]:
    path = data.root() / "spec" / "rulebook" / f"{_OUTLINE}.yaml"
    content: Mapping[str, Any] = data.load_yaml(path)
    data.check(content, "rulebook-outline", data.path_text(path))
    return content


@cache
def on_sheet(paragraph: str) -> Mapping[str, Any]:
    """Return how a paragraph of the outline differs from others on the sheet of a game."""
    parts = (part for section in _outline()["sections"] for part in section["paragraphs"])
    found: Mapping[str, Any] = next(part.get("sheet", {}) for part in parts if part["id"] == paragraph)
    return found


class RuleSentences:
    """A game's rule values in the sentences of a language."""

    def __init__(self, ruleset: Ruleset, language: Language) -> None:
        self.ruleset, self.values = ruleset, ruleset.values
        self.language, self.content = language, language.content
        self.phrases: Mapping[str, Any] = self.content["phrases"]
        self.join: Mapping[str, str] = self.phrases["join"]

    def paragraphs(self, entries: Sequence[str | Mapping[str, Any]], id: str = "") -> Iterator[Paragraph]:
        """Yield the sentences for entries of the outline, with a new paragraph after each list."""
        sentences: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
        items: Sequence[str] = ()
        for entry in entries:
            if text := self._text(entry):
                if items:
                    yield _paragraph(id, sentences, items)
                    sentences = []
                head, items = self._items(text)
                rules = _rules_of(entry, text)
                sentences.append((self._fill(head), rules, self._unsure(entry, text)))
        if sentences:
            yield _paragraph(id, sentences, items)

    def _unsure(self, entry: str | Mapping[str, Any], text: str) -> tuple[str, ...]:
        """Return the ids of readings of less than high confidence that could give a rule of a text another value."""
        rules = {entry if isinstance(entry, str) else entry.get("rule"), *_PLACE.findall(text)}
        return tuple(id for id, changed in self._open_readings if rules & changed)

    @cached_property
    def _open_readings(self) -> Sequence[tuple[str, set[str]]]:
        """The readings of less than high confidence by id, with the rules that their alternatives change."""
        return [
            (reading.id, {rule for alternative in reading.alternatives.values() for rule in alternative.set or ()})
            for reading in self.ruleset.readings
            if reading.confidence != "high"
        ]

    def _text(self, entry: str | Mapping[str, Any]) -> str:
        """Return the text for an entry of the outline; empty if it does not apply to the game."""
        if isinstance(entry, str):
            return self._sentence(entry) if self.values.get(entry) is not None else ""
        differing = (self.values.get(one) != self.values.get(other) for one, other in entry.get("other", {}).items())
        if not all(self._is(rule, wanted) for rule, wanted in entry.get("when", {}).items()) or not all(differing):
            return ""
        if "unless" in entry and all(self._is(rule, wanted) for rule, wanted in entry["unless"].items()):
            return ""
        return self._text(entry["rule"]) if "rule" in entry else str(self.content["lines"][entry["line"]])

    def _is(self, name: str, wanted: str | list[str]) -> bool:
        """Return whether a rule, the notation of squares or an entry of the conduct is as `wanted`."""
        value: Any = self.values.get(name)
        if name == "notation":
            value = "letters" if notation_of(self.ruleset).algebraic else "numbers"
        elif name == "conduct":
            value = tuple(entry["line"] for entry in self.ruleset.conduct if "line" in entry)
        match wanted:
            case "there":
                return value is not None
            case "absent":
                return value is None
            case "none" | "some":
                return bool(value) == (wanted == "some")
            case "forward-only":
                return all(str(each).startswith("forward") for each in value)
            case _:
                has = value if isinstance(value, tuple) else (value,)
                return any(str(each) in wanted for each in has)

    def _sentence(self, rule: str) -> str:
        texts, value = self.content["rules"][rule], self.values[rule]
        form = (
            "more"
            if rule == "man.capture.later" and {*self.values["man.capture.first"]} < {*value}
            else (("order" if len(value) > 1 and "order" in texts else "list") if value else "none")
            if isinstance(value, tuple)
            else next(
                name for name in ("kings", "squares", "mapping") if name in texts and (name != "kings" or name in value)
            )
            if isinstance(value, Mapping)
            else "number"
        )
        return str(texts.get(str(value)) or texts.get(form) or texts["*"])

    def of_rule(self, name: str) -> str:
        """Return what says the value of a rule in the game's own words; empty if the game has no such rule.

        That is the rule's own sentence, or else that of the rule whose sentence names it.
        """
        if self.values.get(name) is None:
            return ""
        texts: Mapping[str, Mapping[str, str]] = self.content["rules"]
        naming = (
            rule
            for rule, said in texts.items()
            if self.values.get(rule) is not None and any(f"{{{name}}}" in str(text) for text in said.values())
        )
        host = name if name in texts else next(naming, None)
        return self._whole(self._sentence(host)) if host else ""

    def told(self) -> Iterator[tuple[str, str, str]]:
        """Yield what the rulebook tells, in the game's own words: the section, the rule or line, and the text."""
        for section in _outline()["sections"]:
            for entry in (entry for paragraph in section["paragraphs"] for entry in paragraph["entries"]):
                if text := self._text(entry):
                    key = entry if isinstance(entry, str) else entry.get("rule") or entry["line"]
                    yield section["id"], key, self._whole(text)

    def _whole(self, text: str) -> str:
        """Return a filled text in the game's own words, with the parts of a value in the line."""
        head, items = self._items(text)
        (said,) = _with_items(Paragraph("", (self._fill(head),), tuple(items)), self.join["next"])
        return self.language.in_own_words(said, self.ruleset)

    def _items(self, text: str) -> tuple[str, list[str]]:
        """Split a text that ends with a colon and a value of several parts into what is before it, and the parts."""
        found = _LISTED.fullmatch(text)
        return (found[1], self._parts(found[2])) if found else (text, [])

    def _fill(self, text: str) -> str:
        return _PLACE.sub(lambda found: self._phrase(found[1]), text)

    def _phrase(self, name: str) -> str:
        special: Mapping[str, Callable[[], str]] = {
            "men": lambda: str(len(self._men("white"))),
            "white": lambda: _bracket(self.values["start.men"]["white"], self.ruleset.rules.board),
            "black": lambda: _bracket(self.values["start.men"]["black"], self.ruleset.rules.board),
            "kings": lambda: _bracket(self.values["start.men"]["kings"], self.ruleset.rules.board),
            "also": lambda: self._directions(
                tuple(each for each in self.values["man.capture.later"] if each not in self.values["man.capture.first"])
            ),
            "squares": lambda: str(self.ruleset.rules.board.columns * self.ruleset.rules.board.rows),
            "board.size": lambda: self.values[name].replace("x", " × "),
            "start.men": lambda: self._rows(self.values[name]),
        }
        return special[name]() if name in special else self._value_text(name, self.values[name])

    def _value_text(self, rule: str, value: Any) -> str:
        if isinstance(value, tuple) and rule not in self.phrases["lists"]:
            return self._directions(value)
        if isinstance(value, tuple):
            return self.join["or"].join(self._parts(rule))
        return str(value)

    def _parts(self, rule: str) -> list[str]:
        """Return the words for each part of a value: a list, a mapping or the doors."""
        value = self.values.get(rule)
        if rule == "layout":
            return self._layout()
        if isinstance(value, Mapping) and counts_history(rule):
            return [self._move_count(rule, number, self._material(key)) for key, number in value.items()]
        if isinstance(value, Mapping):
            spin = self.phrases["spin"]
            return [self.join["moves"].format(what=spin[key], does=spin[word]) for key, word in value.items()]
        words, weighed = self.phrases["lists"][rule], "-weighed" if self.values.get("capture.king-weight") else ""
        return [words.get(word + weighed, words[word]) for word in value or ()]

    def _move_count(self, rule: str, number: int, what: str) -> str:
        """Return how many moves of which side draw the game with the pieces `what`."""
        side = "each" if rule == "draws.balance" else self.values.get("draws.counted-side") or "each"
        text = self.join["balance" if rule == "draws.balance" else "counted"]
        return text.format(number=number, side=self.phrases["counted"][side], what=what)

    def _directions(self, value: tuple[str, ...]) -> str:
        words = self.phrases["directions"]
        for group, members in DIRECTION_GROUPS.items():
            if set(members) == set(value):
                return str(words[group])
        return self._either([words[each] for each in value])

    def _either(self, words: Sequence[str], last: str = "or") -> str:
        *before, end = words
        return self.join[last].join([*([", ".join(before)] if before else []), end])

    def _rows(self, number: int) -> str:
        rows = self.phrases["rows"]
        return str(rows["one"]) if number == 1 else rows["many"].format(number)

    def _material(self, key: str) -> str:
        """Return `KKvK KMvK` as pieces against pieces, by what all of a group face, `4-5` as a number of pieces."""
        if "v" not in key:
            return f"{key.replace('-', '–')} {self.phrases['pieces']['piece'][1]}"
        endgames = [one.split("v") for one in key.split()]
        facing = {
            weak: [self._pieces(one, stressed=False) for one, other in endgames if other == weak]
            for _, weak in endgames
        }
        return self.join["next"].join(
            self._either(strong, "last" if len(strong) > 2 else "or") + self.join["against"] + self._pieces(weak)
            for weak, strong in facing.items()
        )

    def _pieces(self, letters: str, *, stressed: bool = True) -> str:
        counts = [(kind, letters.count(letter)) for letter, kind in (("K", "king"), ("M", "man"))]
        told = [self.language.count(kind, number, stressed=stressed) for kind, number in counts if number]
        return self.join["and"].join(told)

    def _layout(self) -> list[str]:
        trapdoors = self.ruleset.rules.trapdoors
        return [
            self.phrases["slider"].format(
                id=self.language.slider(one),
                colour=self.phrases["colours"][one.colour],
                left=f"[{one.left}]",
                right=f"[{one.right}]",
            )
            for one in (trapdoors.layout.sliders if trapdoors else ())
        ]

    def _men(self, side: Side) -> list[int]:
        start = Position.start(self.ruleset.rules)
        return start.board.numbers(start.men(side))


def squares_text(squares: Sequence[int]) -> str:
    """Return square numbers as text, runs by their first and last: `41-56`."""
    return _join_runs(_runs(squares, lambda one, other: other == one + 1), str)


def _paragraph(
    id: str, sentences: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]], items: Sequence[str]
) -> Paragraph:
    texts, rules, unsure = zip(*sentences, strict=True)
    return Paragraph(id, texts, tuple(items), rules, unsure)


def _rules_of(entry: str | Mapping[str, Any], text: str) -> tuple[str, ...]:
    """Return the rules that the text of an entry tells: its own and those inside it; of a line, those it depends on."""
    own = [entry] if isinstance(entry, str) else [entry["rule"]] if "rule" in entry else [*entry.get("when", {})]
    return tuple(rule for rule in (*own, *_PLACE.findall(text)) if "." in rule)


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


def describe_setup(
    language: Language, position: Position, layout: Layout | None = None, *, with_turn: bool = True
) -> str:
    """Describe a position: side to move if wanted, pieces of each side, doors and spinner."""
    turn = [language.text(f"position.{position.turn}-moves")] if with_turn else []
    sides = [_side(language, position, side) for side in get_args(Side)]
    return " ".join([*turn, *sides, *_doors_and_spinner(language, position, layout)])


def _side(language: Language, position: Position, side: Side) -> str:
    kinds = []
    for kind, mask in (("man", position.men(side)), ("king", position.kings(side))):
        numbers = position.board.numbers(mask)
        if numbers:
            kinds.append(f"{language.kind(kind, len(numbers))} {squares_text(numbers)}")
    return language.text(f"position.{side}").format(pieces=", ".join(kinds) or language.text("position.nothing"))


def _doors_and_spinner(language: Language, position: Position, layout: Layout | None) -> Iterator[str]:
    if layout is not None:
        standing = zip(layout.sliders, position.sliders or "", strict=False)
        doors = [door for slider, letter in standing if (door := slider.door(letter))]
        yield (
            language.text("position.doors").format(squares=squares_text(sorted(doors)))
            if doors
            else language.text("position.shut")
        )
    if position.spin == "due":
        yield language.text("position.spin")
    elif position.spin:
        yield language.text("position.spun").format(shown=language.content["phrases"]["spin"][position.spin])
