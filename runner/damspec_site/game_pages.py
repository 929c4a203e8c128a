"""Pages of games: rules, sheets to print, examples, and start pages in each language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from damspec import Clause, Layout, Position, Reading, Ruleset
from damspec.inheritance import overlay, overlay_ids
from damspec.vocabulary import Group, Rule, groups, word_value
from damspec_runner.cases.cases import Case
from damspec_runner.document.compare import are_compared, families, leaflet_game, root
from damspec_runner.document.examples import example, of_the_board, proofs
from damspec_runner.document.rulebook import Language, Section, describe_setup, languages
from damspec_runner.document.trace import plainness

from . import pages
from .boards import Answers, Entry, legend, picture_after, squares
from .case_pages import CaseRow, row
from .diagrams import Picture
from .ending_tables import EndingTable, ending_table
from .library import SiteData, group_by_value
from .pages import SECTIONS, File, Link, Page, of_games


@dataclass(frozen=True)
class Example:
    """A worked action, or all moves of a piece, with its text, its squares in brackets, and the position.

    `after` is the board after the action, or None where the arrows say enough.
    """

    says: str
    fen: str
    before: Picture
    after: Picture | None

    @property
    def boards(self) -> tuple[Picture, ...]:
        """The boards, in order."""
        return (self.before, self.after) if self.after else (self.before,)


@dataclass(frozen=True)
class ExampleCase:
    """A case on a sheet: the name of its caption in the rulebook's words, and the action, or "" for all moves."""

    caption: str
    case: Case
    action: str = ""


#: A case that asks for moves, and its position.
AskedCase = tuple[Case, Position]
#: For a section of the outline the cases that show it.
ExampleCases = Mapping[str, tuple[ExampleCase, ...]]


def example_cases(library: SiteData, answers: Answers, ruleset: Ruleset) -> ExampleCases:
    """Return the examples of a game by the section of the outline that they belong to."""
    asked = [*_move_cases(library, answers, ruleset)]
    choice = _choice(ruleset, asked)
    others = [(case, position) for case, position in asked if not choice or case.id != choice.case.id]
    found = {
        "turn": (_moves_of(answers, asked, "man"), _moves_of(answers, asked, "king")),
        "capturing": (_capture(answers, others), choice),
        "crowning": (_crowning(answers, asked),),
        "doors": (_fall(library, ruleset, asked),),
    }
    chosen = {id: tuple(one for one in shown if one) for id, shown in found.items()}
    return {id: shown for id, shown in chosen.items() if shown}


def _capture(answers: Answers, asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the plainest case with a single capture, of two pieces or more if possible, and by White if possible."""
    found = [
        ((len(taken) < 2, position.turn != "white", plainness(case)), ExampleCase("example", case, text))
        for case, position in asked
        if len(case.expected.moves or ()) == 1
        for text in case.expected.moves or ()
        if (taken := answers.captured(case, text))
    ]
    return _plainest(found)


def _choice(ruleset: Ruleset, asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the case recorded for the choice among captures, if a single capture is left in it."""
    shown = example(ruleset, "capture.choice") if ruleset.values.get("capture.choice") else None
    found = [case for case, _ in asked if shown and case.id == shown.id and len(case.expected.moves or ()) == 1]
    return ExampleCase("choice", found[0], next(iter(found[0].expected.moves or ()))) if found else None


def _moves_of(answers: Answers, asked: Sequence[AskedCase], kind: str) -> ExampleCase | None:
    """Return the plainest case in which one man or king alone can move, to as many squares as may be."""

    def is_plain(case: Case, position: Position) -> bool:
        moves = case.expected.moves or ()
        starts = {path[0] if (path := squares(position, text)) else 0 for text in moves}
        piece = position[min(starts)] if len(starts) == 1 and min(starts) else None
        return piece is not None and piece.kind == kind and not any(answers.captured(case, text) for text in moves)

    return _plainest(
        ((-min(len(case.expected.moves or ()), 4), plainness(case)), ExampleCase(f"{kind}-moves", case))
        for case, position in asked
        if case.topic == f"{kind}-move" and is_plain(case, position)
    )


def _crowning(answers: Answers, asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the plainest case in which the only move makes a man a king, by White if possible."""
    found = []
    for case, position in asked:
        if case.topic != "promotion" or len(case.expected.moves or ()) > 1:
            continue
        for text, fen in (case.expected.moves or {}).items():
            path = squares(position, text)
            if not path:
                continue
            before, after = position[path[0]], answers.library.players[case.ruleset].parse_position(fen)[path[-1]]
            if before is not None and after is not None and (before.kind, after.kind) == ("man", "king"):
                key = (position.turn != "white", bool(answers.captured(case, text)), plainness(case))
                found.append((key, ExampleCase("crowned", case, text)))
    return _plainest(found)


def _fall(library: SiteData, ruleset: Ruleset, asked: Sequence[AskedCase]) -> ExampleCase | None:
    """Return the plainest case in which a slider is pushed and the piece on its door falls, by White if possible."""
    layout = library.layout(ruleset.id)
    doors = _doors(layout) if layout else {}
    found = [
        ((position.turn != "white", plainness(case)), ExampleCase("fall", case, text))
        for case, position in asked
        for text, fen in (case.expected.moves or {}).items()
        if text in doors
        and position[doors[text]]
        and not library.players[case.ruleset].parse_position(fen)[doors[text]]
    ]
    return _plainest(found)


def _plainest(found: Iterable[tuple[tuple[Any, ...], ExampleCase]]) -> ExampleCase | None:
    return min(found, key=lambda one: one[0], default=((), None))[1]


def _examples(
    answers: Answers, ruleset: Ruleset, language: Language, cases: ExampleCases
) -> Mapping[str, tuple[Example, ...]]:
    """Return the examples of a game in the words of a language."""
    return {id: tuple(_example(answers, one, ruleset, language) for one in shown) for id, shown in cases.items()}


def _caption(answers: Answers, shown: ExampleCase, ruleset: Ruleset, language: Language) -> str:
    position, layout, action = answers.position(shown.case), answers.library.layout(shown.case.ruleset), shown.action
    named = {"side": language.word(position.turn), "move": f"[{action}]"}
    if shown.caption == "example":
        named["number"] = language.count("piece", len(answers.captured(shown.case, action)))
    elif shown.caption == "fall":
        assert layout  # or no door is opened
        named |= {"slider": action.partition("=")[0], "door": f"[{_doors(layout)[action]}]"}
    return language.in_own_words(language.word(shown.caption).format(**named), ruleset)


def _doors(layout: Layout) -> Mapping[str, int]:
    """Return the door that each push from the middle opens."""
    ways = {f"{slider.id}=L": slider.left for slider in layout.sliders}
    return ways | {f"{slider.id}=R": slider.right for slider in layout.sliders}


def _move_cases(library: SiteData, answers: Answers, ruleset: Ruleset) -> Iterator[AskedCase]:
    """Yield the cases of a game that ask for moves and have no lapses, with their positions."""
    for case in library.played[ruleset.id]:
        if case.question == "moves" and not case.expected.lapses:
            yield case, answers.position(case)


def _example(answers: Answers, shown: ExampleCase, ruleset: Ruleset, language: Language) -> Example:
    def drawn(picture: Picture, standing: Position) -> Picture:
        return replace(picture, words=language.in_own_words(describe_setup(language, standing, layout), ruleset))

    case, layout = shown.case, answers.library.layout(shown.case.ruleset)
    position, after = answers.position(case), None
    if shown.caption in {"example", "fall"}:
        end = answers.library.players[case.ruleset].parse_position((case.expected.moves or {})[shown.action])
        after = drawn(picture_after(end, layout, position, shown.action), end)
    says = _caption(answers, shown, ruleset, language)
    return Example(says, position.fen(), drawn(answers.picture(case), position), after)


@dataclass(frozen=True)
class Version:
    """A section of a rulebook as some of the games of a sheet have it; `games` is empty if all have it."""

    games: tuple[Ruleset, ...]
    section: Section
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Sheet:
    """The rulebook of a game and its variants.

    `own` is the tag of the words used, that of the language or of a variety of it; `assumed` is whether no source says
    where its trapdoors lie. Each section is a list of its versions. A sign of the legend has the games that have it, or
    none if all do; so has the id of a reading in `unsure`, which a sentence of the sheet rests on.
    """

    language: Language
    own: str
    name: str
    games: tuple[tuple[Ruleset, str], ...]
    sections: tuple[tuple[Version, ...], ...]
    start: Picture
    legend: tuple[tuple[Entry, tuple[Ruleset, ...]], ...]
    assumed: bool
    unsure: tuple[tuple[str, tuple[Ruleset, ...]], ...]
    endings: tuple[tuple[Ruleset, EndingTable], ...]
    others: tuple[tuple[Language, str], ...]

    @property
    def examples(self) -> Mapping[str, tuple[Example, ...]]:
        """The examples of the game itself, by section."""
        return {first.section.id: first.examples for first, *_ in self.sections if first.examples}

    def note(self, reading: str) -> int:
        """Return the number of the footnote that names a reading."""
        return [id for id, _ in self.unsure].index(reading) + 1

    def word(self, name: str) -> str:
        """Return a word or sentence of the text around the rules, in the own words of the game's documents."""
        return self.language.in_own_words(self.language.word(name), self.games[0][0])

    @property
    def otherwise(self) -> list[str]:
        """How what the readings decide is read otherwise, where the language says it."""
        others = [text for id, text in self.language.content["otherwise"].items() if id in dict(self.unsure)]
        return [self.language.in_own_words(text, self.games[0][0]) for text in others]

    @property
    def files(self) -> list[File]:
        """The pictures of the sheet, which are printed with it."""
        examples = [each for versions in self.sections for version in versions for each in version.examples]
        return [self.start.file, *(board.file for each in examples for board in each.boards)]


def sheet(
    library: SiteData, answers: Answers, games: Sequence[Ruleset], language: Language, cases: Sequence[ExampleCases]
) -> Sheet:
    """Return the sheet of a game and its variants in a language, with the examples of each."""
    ruleset = games[0]
    with_words = language.content.get("own", {})
    tags = (tag for id, tag in library.document_languages(ruleset.id) if id in with_words)
    own = next((tag for tag in tags if tag.startswith(language.tag)), language.tag)
    layout = library.layout(ruleset.id)
    signs = {entry: [each for each in games if entry in legend(each, language)] for entry in _entries(games, language)}
    sections = _versions(answers, games, language, cases)
    one_begins = len({each.rules.start.first for each in games}) == 1  # else the board of the start is of either
    setup = describe_setup(language, Position.start(ruleset.rules), layout, with_turn=one_begins)
    return Sheet(
        language,
        own,
        library.name_in(ruleset.id, own),
        tuple((game, library.name_in(game.id, own)) for game in games),
        sections,
        replace(answers.start(ruleset), words=language.in_own_words(setup, ruleset)),
        tuple((entry, tuple(having) if len(having) < len(games) else ()) for entry, having in signs.items()),
        layout is not None and layout.assumed,
        _unsure(sections, games),
        tuple((game, table) for game in games if (table := ending_table(game, language))),
        tuple((other, pages.sheet(other.tag, ruleset.id)) for other in languages()),
    )


def _entries(games: Sequence[Ruleset], language: Language) -> list[Entry]:
    return [*dict.fromkeys(entry for game in games for entry in legend(game, language))]


def _versions(
    answers: Answers, games: Sequence[Ruleset], language: Language, cases: Sequence[ExampleCases]
) -> tuple[tuple[Version, ...], ...]:
    """Return the sections of all games, each in as many versions as there are."""
    found: dict[str, dict[tuple[Section, tuple[Example, ...]], list[Ruleset]]] = {}
    for game, its in zip(games, cases, strict=True):
        examples = _examples(answers, game, language, its)
        for section in language.sections(game):
            found.setdefault(section.id, {}).setdefault((section, examples.get(section.id, ())), []).append(game)
    return tuple(
        tuple(
            Version(tuple(which) if len(which) < len(games) else (), section, its_examples)
            for (section, its_examples), which in versions.items()
        )
        for versions in found.values()
    )


def _unsure(
    sections: tuple[tuple[Version, ...], ...], games: Sequence[Ruleset]
) -> tuple[tuple[str, tuple[Ruleset, ...]], ...]:
    """Return the readings that sentences of a sheet rest on, in their order, with the games that have such a one."""
    found: dict[str, set[str]] = {}
    for version in (version for versions in sections for version in versions):
        for id in (id for part in version.section.paragraphs for ids in part.unsure for id in ids):
            found.setdefault(id, set()).update(game.id for game in version.games or games)
    having = {id: tuple(game for game in games if game.id in ids) for id, ids in found.items()}
    return tuple((id, which if len(which) < len(games) else ()) for id, which in having.items())


def sheet_pages(
    library: SiteData, answers: Answers, games: Sequence[Ruleset], cases: Sequence[ExampleCases]
) -> Iterator[Page | File]:
    """Yield the sheets of a game in all languages except English, which has the page of the ruleset."""
    ruleset = games[0]
    for language in languages()[1:]:
        found = sheet(library, answers, games, language, cases)
        yield from found.files
        yield Page(
            pages.sheet(language.tag, ruleset.id),
            "sheet.html",
            f"{found.name} ({ruleset.id}), {language.word('rulebook')}",
            language.in_own_words(library.about_in(ruleset.id, language.tag), ruleset),
            "rulesets",
            scripts=("print.js", "variants.js") if len(games) > 1 else ("print.js",),
            given={"sheet": found, "rules": ruleset},
            name=found.name,
            language=found.own,
            alternates=tuple((other.tag, href) for other, href in found.others),
            game=ruleset.id,
            notation=of_games(ruleset),
        )


@dataclass(frozen=True)
class StatedRule:
    """A rule of a ruleset: its value, its sources, the ruleset that states it, and a case that shows it.

    If its board is already on the page, `seen` says where: the id of a rule, `sheet`, or `start` for the start of the
    game. If no case is about it, `unseen` says why. `games` are the variants that have it so; none if all have it.
    """

    rule: Rule
    headings: list[tuple[str, str]]
    value: Any
    says: str
    clauses: list[Clause]
    readings: list[Reading]
    stated_by: Ruleset | None
    shown: CaseRow | None
    seen: str = ""
    unseen: str = ""
    games: tuple[Ruleset, ...] = ()


def ruleset_pages(library: SiteData) -> Iterator[Page]:
    """Yield the list of rulesets."""
    yield Page(
        "rulesets/index.html",
        "rulesets.html",
        SECTIONS["rulesets"].text,
        "The games whose rules are stated here, with where their rules come from.",
        "rules",
        given={
            "families": list(families().values()),
            "alone": [ruleset for id, ruleset in library.rulesets.items() if root(id) == id and id not in families()],
            "overlays": [overlay(id).content for id in overlay_ids()],
        },
    )


def in_language(library: SiteData, ruleset: Ruleset, heading: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return a heading in the languages of a ruleset's documents, with their tags, without duplicates."""
    found = {heading[id]: tag for id, tag in library.document_languages(ruleset.id) if id in heading}
    return [(tag, text) for text, tag in found.items()]


def ruleset_page(
    library: SiteData, answers: Answers, games: Sequence[Ruleset], cases: Sequence[ExampleCases]
) -> Iterator[Page | File]:
    """Yield the page of a ruleset and its variants, with the pictures of its sheet."""
    ruleset, first = games[0], languages()[0]
    told = sheet(library, answers, games, first, cases)
    above: dict[object, str] = {
        board.look: "sheet" for shown in told.examples.values() for each in shown for board in each.boards
    }
    stated = [
        (group, in_language(library, ruleset, group.heading), _group(library, answers, games, group, above))
        for group in groups()
        if any(rule.name in game.values for rule in group.rules for game in games)
    ]
    beyond = [clause for clause in library.clauses.values() if clause.beyond and clause.document in ruleset.documents]
    given = {
        "rules": ruleset,
        "sheet": told,
        "own_name": library.own_name(ruleset.id),
        "documents": [library.documents[id] for id in ruleset.documents],
        "family": [library.rulesets[id] for id in ruleset.family],
        "children": [other for other in library.rulesets.values() if ruleset.id in other.family],
        "groups": stated,
        "absent": [
            rule for group in groups() for rule in group.rules if not any(rule.name in game.values for game in games)
        ],
        "conduct": [(entry["says"], *_sources(library, entry["from"])) for entry in ruleset.conduct],
        "beyond": beyond,
        "aside": _aside(ruleset, beyond),
        "readings": ruleset.readings,
        "cases": len(library.played[ruleset.id]),
        "own": sum(case.ruleset == ruleset.id for case in library.played[ruleset.id]),
        "others": [
            (other, pages.comparison(ruleset.id, other.id))
            for other in library.rulesets.values()
            if other is not ruleset and are_compared(ruleset.id, other.id)
        ],
    }
    yield from told.files
    yield Page(
        pages.ruleset(ruleset.id),
        "ruleset.html",
        ruleset.name,
        ruleset.about,
        "rulesets",
        (SECTIONS["rulesets"],),
        ("print.js", "variants.js") if len(games) > 1 else ("print.js",),
        given,
        alternates=tuple((language.tag, href) for language, href in told.others),
        game=ruleset.id,
        notation=of_games(ruleset),
    )


def _aside(ruleset: Ruleset, beyond: list[Clause]) -> list[tuple[str, str]]:
    """Return what the documents of a ruleset say that its rules do not hold, each with its place on the page."""
    about = {clause.beyond for clause in beyond}
    told = ["line" in entry for entry in ruleset.conduct]  # on the sheet, above what is not
    said = {
        ("conduct", "other conduct" if any(told) else "conduct"): not all(told),
        ("beyond", "the openings of tournaments"): "openings" in about,
        ("beyond", "clocks"): "time" in about,
    }
    return [place for place, is_said in said.items() if is_said]


def _group(
    library: SiteData, answers: Answers, games: Sequence[Ruleset], group: Group, above: dict[object, str]
) -> list[StatedRule]:
    """Return the rules of a group, for variants those that differ.

    `above` maps the boards already on the page to their places, and is updated.
    """
    found = []
    for rule in group.rules:
        values = {game.id: game.values[rule.name] for game in games if rule.name in game.values}
        for _, ids in group_by_value(values):
            having = [library.rulesets[id] for id in ids]
            stated = _stated_rule(library, answers, having[0], rule)
            if len(having) < len(games):
                stated = replace(stated, games=tuple(having))
            if of_the_board(rule.name):
                stated = replace(stated, shown=None, seen="start")
            elif stated.shown and stated.shown.picture.look in above:
                stated = replace(stated, seen=above[stated.shown.picture.look])
            elif stated.shown and having[0] is games[0]:
                above[stated.shown.picture.look] = rule.name
            found.append(stated)
    return found


def _stated_rule(library: SiteData, answers: Answers, ruleset: Ruleset, rule: Rule) -> StatedRule:
    clauses, readings = _sources(library, ruleset.rests_on[rule.name])
    owner = library.stated[ruleset.id][rule.name]
    case = example(ruleset, rule.name)
    return StatedRule(
        rule,
        in_language(library, ruleset, rule.heading),
        ruleset.values[rule.name],
        word_value(rule.name, ruleset.values[rule.name]),
        clauses,
        readings,
        library.rulesets[owner] if owner != ruleset.id else None,
        row(library, answers, case) if case else None,
        unseen="" if case else _unseen(ruleset, rule.name),
    )


def _unseen(ruleset: Ruleset, rule: str) -> str:
    """Explain why no position shows the value of a rule: by proofs, or since no other value fits the rest."""
    return " ".join(proofs(ruleset, rule)) or "No other value goes with the other rules of the game."


def _sources(library: SiteData, ids: Any) -> tuple[list[Clause], list[Reading]]:
    return (
        [library.clauses[id] for id in ids if id in library.clauses],
        [library.readings[id] for id in ids if id in library.readings],
    )


@dataclass(frozen=True)
class FrontGame:
    """A game on the first page: what sets it apart in a line, and a position that shows it."""

    link: Link
    line: str
    picture: Picture


def start_pages(library: SiteData, answers: Answers) -> Iterator[Page | File]:
    """Yield the first page in each language, with its pictures."""
    shown = {id: _front_picture(library, id, rule) for id, rule in library.shown["front"].items()}
    yield from (picture.file for picture in shown.values())
    sheets = [id for id in library.rulesets if leaflet_game(id) == id]
    for language in languages():
        words = language.content["front"]
        games = {
            id: FrontGame(_link(library, language, id), line, shown[id]) for id, line in words["lines"].items()
        }
        far = [id for id in games if root(id) == id and id not in (*words["first"], *words["neighbours"])]
        sizes: dict[str, list[Link]] = {}
        for id in sheets:
            if id not in (*words["first"], *words["neighbours"], *far):
                board = library.rulesets[id].rules.board
                sizes.setdefault(f"{board.columns} × {board.rows}", []).append(_link(library, language, id))
        yield Page(
            pages.start(language.tag),
            "front.html",
            language.around("title"),
            language.around("about").format(len(sheets)),
            "rulesets",
            given={
                "games": [games[id] for id in words["first"]],
                "neighbours": [games[id] for id in words["neighbours"]],
                "far": [games[id] for id in far],
                "sizes": {size: sizes[size] for size in sorted(sizes, key=lambda size: int(size.split()[0]))},
                "said": words,
                "tongue": language,
            },
            name=language.name,
            language=language.tag,
            alternates=tuple((other.tag, pages.start(other.tag)) for other in languages()),
        )


def _front_picture(library: SiteData, id: str, rule: str) -> Picture:
    """Return the example of a rule with men about it that leave its answer as it is."""
    case = example(library.rulesets[id], rule)
    assert case  # games.yaml names rules that a case shows
    return Answers(library).picture(case)


def _link(library: SiteData, language: Language, id: str) -> Link:
    return Link(library.name_in(id, language.tag), pages.sheet(language.tag, id))
