"""Sheets of rules: a game on a page, with a picture beside each rule, what makes it another game first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import damspec
from damspec import Layout, Position, PositionError, Ruleset, RulesetError
from damspec_runner.cases.cases import Case
from damspec_runner.document.examples import example, of_the_board
from damspec_runner.document.links import plainness
from damspec_runner.document.rulebook import (
    Language,
    Paragraph,
    describe_setup,
    language_of,
    languages,
    on_sheet,
    rank_of_strongest,
)

from .boards import captured, describe, outcome_in_words, picture_after, squares
from .diagrams import Picture, alike
from .endgame_tables import EndgameTable, endgame_table
from .library import SiteData
from .pages import Page, of_games, page

#: How many lines say what is different, how many actions a picture shows, and how many of them a caption names.
_LINES, _ACTIONS, _NAMED = 3, 6, 3
#: How many cases are tried for one that shows what the known game allows.
_TRIED = 40


@dataclass(frozen=True)
class Example:
    """Boards beside a rule with their caption, its squares in brackets, and the position to play on from."""

    boards: tuple[Picture, ...]
    says: str
    fen: str


@dataclass(frozen=True)
class ExampleCase:
    """A case on a sheet: the name of its caption in the rulebook's words, and the action, or "" for all moves."""

    caption: str
    case: Case
    action: str = ""


#: A case that asks for moves, and its position.
AskedCase = tuple[Case, Position]


@dataclass(frozen=True)
class SheetRow:
    """A paragraph of the outline as a game has it: id, the section that it opens, title, text and picture."""

    id: str
    section: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    example: Example | None

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it tells."""
        return tuple(rule for part in self.paragraphs for rules in part.rules for rule in rules)

    @property
    def place(self) -> str | None:
        """Where it stands if not in its section: among the `toy`, or at the `foot`."""
        return on_sheet(self.id).get("place")

    @property
    def text(self) -> tuple[object, ...]:
        """What it says."""
        return tuple((part.sentences, part.items) for part in self.paragraphs)


@dataclass(frozen=True)
class Version:
    """A row as some of the games of a sheet have it; `games` is empty if all have it."""

    games: tuple[Ruleset, ...]
    row: SheetRow


@dataclass(frozen=True)
class Note:
    """What a reading leaves open: what the rule could be instead.

    `games` is empty if it is about all games of the sheet.
    """

    reading: str
    otherwise: tuple[str, ...]
    games: tuple[Ruleset, ...]


@dataclass(frozen=True)
class Sheet:
    """The rules of a game and its variants.

    `own` is the tag of the words used, that of the language or of a variety of it; `known` is the game that its reader
    knows, and `lines` say what is different from that one, or what the game is if nothing is. The rows that are
    `special` differ from it.
    """

    language: Language
    own: str
    name: str
    about: str
    games: tuple[tuple[Ruleset, str], ...]
    known: tuple[Ruleset, str]
    is_different: bool
    lines: tuple[str, ...]
    start: Picture
    special: tuple[tuple[Version, ...], ...]
    usual: tuple[tuple[Version, ...], ...]
    writing: tuple[Version, ...]
    assumed: bool
    notes: tuple[Note, ...]
    endgames: tuple[tuple[Ruleset, EndgameTable], ...]

    @property
    def is_known(self) -> bool:
        """Whether it is the sheet of the game that its reader knows."""
        return self.known[0].id == self.games[0][0].id

    @property
    def sections(self) -> Iterator[tuple[str, tuple[tuple[Version, ...], ...]]]:
        """The rows that there are below each heading, by its word."""
        toy = tuple(row for row in self.special if row[0].row.place == "toy")
        yield "toy", toy
        yield "rulebook" if self.is_known else "special", tuple(row for row in self.special if row not in toy)
        yield "besides" if self.is_known else "usual", self.usual

    @property
    def examples(self) -> Iterator[Example]:
        """The examples of the game itself."""
        return (first.row.example for first, *_ in (*self.special, *self.usual) if first.row.example)

    @property
    def length(self) -> int:
        """The number of characters that it says, by which print chooses a size."""
        rows = [row[0].row for row in (*self.special, *self.usual)]
        told = [text for row in rows for part in row.paragraphs for text in (*part.sentences, *part.items)]
        noted = [text for note in self.notes for text in note.otherwise]
        shown = [example.says for example in self.examples]
        return sum(map(len, (*self.lines, *told, *noted, *shown)))

    def note(self, reading: str) -> int | None:
        """Return the number of the note about a reading, None if the sheet says the same by all its alternatives."""
        return next((number for number, note in enumerate(self.notes, 1) if note.reading == reading), None)

    def word(self, name: str) -> str:
        """Return a word or sentence of the text around the rules, in the own words of the game's documents."""
        return self.language.in_own_words(self.language.word(name), self.games[0][0])


class SheetWriter:
    """Writes the sheets of a game and its variants in all languages."""

    def __init__(self, library: SiteData, games: Sequence[Ruleset]) -> None:
        self.library, self.games = library, games
        asked = {
            game.id: [each for each in library.played[game.id] if each.question == "moves" and not each.expected.lapses]
            for game in games
        }
        self._plain = {game.id: self._plain_cases(game, asked[game.id]) for game in games}
        self._by_plainness = {id: sorted(cases, key=plainness)[:_TRIED] for id, cases in asked.items()}

    def pages(self) -> Iterator[Page]:
        """Yield the sheets in all languages except English, which has the page of the game."""
        ruleset = self.games[0]
        for language in languages()[1:]:
            found = self.sheet(language)
            yield page(
                "sheet",
                ruleset.id,
                names=(
                    f"{found.name}, {language.word('rulebook')}",
                    language.in_own_words(self.library.about_in(ruleset.id, language.tag), ruleset),
                ),
                given={"sheet": found, "rules": ruleset},
                language=found.own,
                notation=of_games(ruleset),
            )

    def sheet(self, language: Language) -> Sheet:
        """Return the sheet in a language."""
        library, ruleset = self.library, self.games[0]
        with_words = language.content.get("own", {})
        tags = (tag for id, tag in library.document_languages(ruleset.id) if id in with_words)
        own = next((tag for tag in tags if tag.startswith(language.tag)), language.tag)
        layout = library.layout(ruleset.id)
        known = library.rulesets[library.game_facts["known"][language.tag]]
        # Else the board of the start is of either.
        one_begins = len({each.rules.start.first for each in self.games}) == 1
        setup = describe_setup(language, Position.start(ruleset.rules), layout, with_turn=one_begins)
        versions = self._versions(language, known)
        rows = [row for row in versions if row[0].row.place != "foot"]
        writing = tuple(each for row in versions for each in row if each.row.place == "foot")
        different = ruleset.id != known.id and language.strongest(ruleset, known)
        lines = (different or language.strongest(ruleset, ruleset))[:_LINES]
        theirs = _texts(language, known, ruleset)

        def differs(rule: str) -> bool:
            return ruleset.id == known.id or ruleset.values.get(rule) != known.values.get(rule)

        told = {rule for line in lines for rule in line.rules}
        special = [
            row
            for row in rows
            if (told & {*row[0].row.rules} if ruleset.id == known.id else row[0].row.text != theirs.get(row[0].row.id))
        ]
        special.sort(
            key=lambda row: (
                rank_of_strongest([*filter(differs, row[0].row.rules)]),
                row[0].row.place != "toy" and not row[0].row.example,
            )
        )
        usual = [row for row in rows if row not in special]
        return Sheet(
            language,
            own,
            library.name_in(ruleset.id, own),
            language.in_own_words(re.split(r"(?<=[.])\s", library.about_in(ruleset.id, language.tag))[0], ruleset),
            tuple((game, library.name_in(game.id, own)) for game in self.games),
            (known, library.name_in(known.id, language.tag)),
            bool(different),
            tuple(line.text for line in lines),
            replace(
                self.library.start(ruleset),
                words=language.in_own_words(setup, ruleset),
                knobs=tuple(language.slider(slider) for slider in (layout.sliders if layout else ())),
            ),
            tuple(special),
            tuple(usual),
            writing,
            layout is not None and layout.assumed,
            tuple(self._notes([*special, *usual, writing], language)),
            tuple((game, table) for game in self.games if (table := endgame_table(game, language))),
        )

    def _versions(self, language: Language, known: Ruleset) -> list[tuple[Version, ...]]:
        """Return the rows of all games, each in as many versions as there are."""
        found: dict[str, dict[SheetRow, list[Ruleset]]] = {}
        for game in self.games:
            for row in self._rows(game, language, known):
                found.setdefault(row.id, {}).setdefault(row, []).append(game)
        return [
            tuple(Version(tuple(which) if len(which) < len(self.games) else (), row) for row, which in versions.items())
            for versions in found.values()
        ]

    def _rows(self, game: Ruleset, language: Language, known: Ruleset) -> Iterator[SheetRow]:
        shown = {case.case.id for case in self._plain[game.id].values()}
        for section in language.sections(game):
            opens = section.id
            for id in dict.fromkeys(part.id for part in section.paragraphs):
                parts = tuple(part for part in section.paragraphs if part.id == id)
                title = language.in_own_words(language.content["rows"].get(id, ""), game)
                row = SheetRow(id, opens, title, parts, None)
                yield replace(row, example=self._example(row, game, language, known, shown))
                opens = ""

    def _notes(self, rows: Iterable[tuple[Version, ...]], language: Language) -> Iterator[Note]:
        """Yield what the sentences of the rows leave open, in their order."""
        versions = [version for row in rows for version in row]
        told = [
            (id, version, part)
            for version in versions
            for part in version.row.paragraphs
            for ids in part.unsure
            for id in ids
        ]
        for id in dict.fromkeys(id for id, *_ in told):
            having = {game.id for other, version, _ in told if other == id for game in version.games or self.games}
            games = tuple(game for game in self.games if game.id in having)
            parts = [part for other, version, part in told if other == id and games[0] in (version.games or games)]
            texts = (_otherwise(language, *each, parts) for each in _alternatives(games[0], id))
            if otherwise := tuple(filter(None, dict.fromkeys(texts))):
                yield Note(id, otherwise, games if len(games) < len(self.games) else ())

    # --- pictures ------------------------------------------------------------------------------

    def _example(
        self, row: SheetRow, game: Ruleset, language: Language, known: Ruleset, shown: set[str]
    ) -> Example | None:
        """Return the picture of a row: a plain one for what all games share, else what shows a rule that differs.

        It shows none of the cases that are `shown`, to which it is added.
        """
        wanted = on_sheet(row.id)
        told = (rule for rule in dict.fromkeys(row.rules) if rule in wanted.get("rules", row.rules))
        rules = sorted(
            told, key=lambda rule: (rule != wanted.get("first"), game.values.get(rule) == known.values.get(rule))
        )
        shows = wanted.get("shows")
        plain = self._plain[game.id].get(row.id)
        if plain and rules[:1] != ["promotion.mid-capture"]:
            return self._drawn(plain, game, language, _free(game) if shows == "choice" else None)
        cases = (example(game, rule) for rule in rules if rule in game.values and not of_the_board(rule))
        sign = "x" if shows == "captures" else ""
        case = next((case for case in cases if case and case.id not in shown and _is_shown(case, sign)), None)
        if not case:
            return self._drawn(plain, game, language, None) if plain else None
        shown.add(case.id)
        drawn = self._drawn(ExampleCase("", case), game, language, None, shows != "whole")
        others = (self._forbidding(game, other) for rule in rules if (other := _with_value_of(game, known, rule)))
        if sign and (found := next(filter(None, others), None)):
            case, forbidden = found
            board = self._drawn(ExampleCase("", case), game, language, None).boards[0]
            board = replace(board, arrows=(), crosses=(), forbidden=forbidden)
            board = replace(board, around=tuple(board.marked_squares))
            says = f"{drawn.says} {language.in_own_words(language.word('forbidden'), game)}"
            return Example(alike((*drawn.boards, board)), says, drawn.fen)
        return drawn

    def _forbidding(self, game: Ruleset, other: Ruleset) -> tuple[Case, tuple[tuple[int, ...], ...]] | None:
        """Return the plainest case in which other rules allow captures that the game forbids, with their paths."""
        for case in self._by_plainness[game.id]:
            position = self.library.positions[case.id]
            if position.board == other.rules.board and not position.spin:
                found = _forbidden(game, other, position)
                if found and all(captured(position, "x".join(map(str, path))) for path in found):
                    return case, found
        return None

    def _drawn(
        self, shown: ExampleCase, game: Ruleset, language: Language, other: Ruleset | None, close: bool = True
    ) -> Example:
        """Draw a case; with moves marked that are allowed by `other` rules only."""
        case, layout = shown.case, self.library.layout(shown.case.ruleset)
        position, expected = self.library.positions[case.id], case.expected

        picture = describe(self.library.pictures[case.id], language, game)
        if expected.outcome is not None:
            says = f"{outcome_in_words(expected.outcome, language)}."
            return Example((picture,), language.in_own_words(says, game), position.fen())
        same = other is not None and other.rules.board == position.board
        forbidden = _forbidden(game, other, position) if other and same else ()
        picture = replace(picture, forbidden=forbidden)
        if close:
            doors = _doors(layout) if layout and shown.caption == "fall" else {}
            pushed = {door for push, door in doors.items() if push[:2] == shown.action[:2]}
            picture = replace(picture, around=tuple(pushed or picture.marked_squares))
        boards: tuple[Picture, ...] = (picture,)
        says = self._caption(shown, position, language)
        if shown.caption in {"fall", "crowned"}:
            end = self.library.players[case.ruleset].parse_position((expected.moves or {})[shown.action])
            after = describe(picture_after(end, layout, position, shown.action), language, game)
            boards = (picture, replace(after, around=picture.around))
        for word, marks in (("forbidden", forbidden), ("lapse", picture.dashed)):
            says = f"{says} {language.word(word)}" if marks else says
        return Example(boards, language.in_own_words(says, game), position.fen())

    def _caption(self, shown: ExampleCase, position: Position, language: Language) -> str:
        moves, layout = [*(shown.case.expected.moves or ())], self.library.layout(shown.case.ruleset)
        side, either = language.word(position.turn), language.content["phrases"]["join"]["or"]
        named = [shown.action] if shown.action else moves[: _NAMED + 1]
        shows_paths = shown.caption == "fall" or all(squares(position, one) for one in named)
        if shown.caption.endswith("-moves") or len(named) > _NAMED or not shows_paths:
            return language.word(shown.caption or "every-move")
        words = {"side": side, "move": f"[{named[0]}]", "moves": either.join(f"[{move}]" for move in named)}
        if shown.caption == "fall":
            assert layout  # or no door is opened
            slider = next(each for each in layout.sliders if each.id == shown.action.partition("=")[0])
            words |= {"slider": language.slider(slider), "door": f"[{_doors(layout)[shown.action]}]"}
        return language.word(shown.caption or ("choice" if len(moves) == 1 else "may")).format(**words)

    def _plain_cases(self, ruleset: Ruleset, cases: Sequence[Case]) -> Mapping[str, ExampleCase]:
        """Return for paragraphs of the outline the plainest case that shows them."""
        asked = [(case, self.library.positions[case.id]) for case in cases]
        choice = _choice(ruleset, asked)
        others = [(case, position) for case, position in asked if not choice or case.id != choice.case.id]
        found = {
            "man-move": _moves_of(asked, "man"),
            "king-move": _moves_of(asked, "king"),
            "capture": _capture(others),
            "choice": choice,
            "crowning": self._crowning(asked),
            "falls": self._fall(ruleset, asked),
        }
        return {id: shown for id, shown in found.items() if shown}

    def _crowning(self, asked: Sequence[AskedCase]) -> ExampleCase | None:
        """Return the plainest case in which the only move makes a man a king, by White if possible."""
        found = []
        for case, position in asked:
            if case.topic != "promotion" or len(case.expected.moves or ()) > 1:
                continue
            for text, fen in (case.expected.moves or {}).items():
                path = squares(position, text)
                if not path:
                    continue
                before, after = position[path[0]], self.library.players[case.ruleset].parse_position(fen)[path[-1]]
                if before is not None and after is not None and (before.kind, after.kind) == ("man", "king"):
                    key = (position.turn != "white", bool(captured(position, text)), plainness(case))
                    found.append((key, ExampleCase("crowned", case, text)))
        return _plainest(found)

    def _fall(self, ruleset: Ruleset, asked: Sequence[AskedCase]) -> ExampleCase | None:
        """Return the plainest case in which a slider is pushed and a piece falls, by White if possible."""
        layout = self.library.layout(ruleset.id)
        doors = _doors(layout) if layout else {}
        found = [
            ((position.turn != "white", plainness(case)), ExampleCase("fall", case, text))
            for case, position in asked
            for text, fen in (case.expected.moves or {}).items()
            if text in doors
            and position[doors[text]]
            and not self.library.players[case.ruleset].parse_position(fen)[doors[text]]
        ]
        return _plainest(found)


def _texts(language: Language, known: Ruleset, ruleset: Ruleset) -> Mapping[str, tuple[object, ...]]:
    """Return what the rows of the known game say, in the own words of another game's documents."""

    def said(text: str) -> str:
        return language.in_own_words(text, ruleset)

    return {
        id: tuple((tuple(map(said, part.sentences)), tuple(map(said, part.items))) for part in parts)
        for id, parts in _rows_of(language.tag, known.id).items()
    }


@cache
def _rows_of(tag: str, id: str) -> Mapping[str, Sequence[Paragraph]]:
    """Return the paragraphs of a game by the ids of the outline."""
    found: dict[str, list[Paragraph]] = {}
    for section in language_of(tag).sections(damspec.load_ruleset(id)):
        for part in section.paragraphs:
            found.setdefault(part.id, []).append(part)
    return found


def _otherwise(language: Language, rules: Collection[str], game: Ruleset, parts: Sequence[Paragraph]) -> str:
    """Return what a game says of some rules otherwise than `parts` of a sheet, or what of theirs does not hold in it.

    It is empty if the game says the same.
    """
    rulebook = [part for section in language.sections(game) for part in section.paragraphs]
    told, gone = (
        " ".join(dict.fromkeys(text for part in those for text in _sentences(language, part, rules, others)))
        for those, others in ((rulebook, parts), (parts, rulebook))
    )
    return told or (language.word("unsure-gone").format(text=gone) if gone else "")


def _sentences(
    language: Language, part: Paragraph, rules: Collection[str], others: Iterable[Paragraph]
) -> Iterator[str]:
    """Yield what a paragraph says of some rules, as one text, if other paragraphs do not say all of it."""
    said: set[object] = {text for other in others for text in (*other.sentences, other.items, ())}
    found = [text for text, told in zip(part.sentences, part.rules, strict=True) if {*rules} & {*told}]
    items = part.items if found and found[-1] == part.sentences[-1] else ()
    listed = f" {language.content['phrases']['join']['next'].join(items)}." if items else ""
    if not {*found, items} <= said:
        yield " ".join(text for text in found if items or text not in said) + listed


@cache
def _alternatives(ruleset: Ruleset, reading: str) -> Sequence[tuple[Collection[str], Ruleset]]:
    """Return a game with a reading taken otherwise, in all ways that rules can express, with the rules that change."""
    found = next(each for each in ruleset.readings if each.id == reading)
    others = [(word, other.set) for word, other in found.alternatives.items() if other.set and word != found.chosen]
    return [(tuple(rules), ruleset.with_reading(f"{found.key}={word}")) for word, rules in others]


@cache
def _with_value_of(game: Ruleset, known: Ruleset, rule: str) -> Ruleset | None:
    """Return a game with one rule as in the known game; None if that changes nothing or does not fit."""
    value = known.values.get(rule)
    if value is None or value == game.values[rule]:
        return None
    try:
        return game.with_value(rule, value)
    except RulesetError:
        return None


@cache
def _free(game: Ruleset) -> Ruleset | None:
    """Return a game in which any capture may be chosen; None if that does not fit its other rules."""
    try:
        return game.with_value("capture.choice", [])
    except RulesetError:
        return None


def _forbidden(game: Ruleset, other: Ruleset, position: Position) -> tuple[tuple[int, ...], ...]:
    """Return the paths of moves that only other rules allow; none if there are too many to see.

    Nor are there any where the position cannot come up by those rules, such as a huff of who could not capture.
    """
    try:
        allowed, found = ({str(move) for move in damspec.legal_moves(rules, position)} for rules in (game, other))
    except PositionError:
        return ()
    paths = tuple(path for text in sorted(found - allowed) if (path := squares(position, text)))
    return paths if len(paths) <= _NAMED else ()


def _is_shown(case: Case, sign: str) -> bool:
    """Return whether a picture shows a case: a few moves, one with a `sign` in it, or how the game has ended there."""
    if case.history or case.expected.game:
        return False
    outcome, moves = case.expected.outcome, case.expected.moves or ()
    return outcome.is_over if outcome is not None else len(moves) <= _ACTIONS and any(sign in move for move in moves)


def _capture(asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the plainest case with a single capture, of two pieces or more if possible, and by White if possible."""
    found = [
        ((len(taken) < 2, position.turn != "white", plainness(case)), ExampleCase("", case, text))
        for case, position in asked
        if len(case.expected.moves or ()) == 1
        for text in case.expected.moves or ()
        if (taken := captured(position, text))
    ]
    return _plainest(found)


def _choice(ruleset: Ruleset, asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the case recorded for the choice among captures, if a single capture is left in it."""
    shown = example(ruleset, "capture.choice") if ruleset.values.get("capture.choice") else None
    found = [case for case, _ in asked if shown and case.id == shown.id and len(case.expected.moves or ()) == 1]
    return ExampleCase("", found[0]) if found else None


def _moves_of(asked: Sequence[AskedCase], kind: str) -> ExampleCase | None:
    """Return the plainest case in which one man or king alone can move, to as many squares as may be."""

    def is_plain(case: Case, position: Position) -> bool:
        moves = case.expected.moves or ()
        starts = {path[0] if (path := squares(position, text)) else 0 for text in moves}
        piece = position[min(starts)] if len(starts) == 1 and min(starts) else None
        return piece is not None and piece.kind == kind and not any(captured(position, text) for text in moves)

    return _plainest(
        ((-min(len(case.expected.moves or ()), 4), plainness(case)), ExampleCase(f"{kind}-moves", case))
        for case, position in asked
        if case.topic == f"{kind}-move" and is_plain(case, position)
    )


def _doors(layout: Layout) -> Mapping[str, int]:
    """Return the door that each push from the middle opens."""
    ways = {f"{slider.id}=L": slider.left for slider in layout.sliders}
    return ways | {f"{slider.id}=R": slider.right for slider in layout.sliders}


def _plainest(found: Iterable[tuple[tuple[Any, ...], ExampleCase]]) -> ExampleCase | None:
    return min(found, key=lambda one: one[0], default=((), None))[1]
