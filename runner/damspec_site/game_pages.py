"""Pages of games: rules, sheets to print, examples, and start pages in each language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from damspec import Clause, Piece, Position, Ruleset, legal_moves
from damspec.inheritance import overlay, overlay_ids
from damspec.validity import find_invalidity
from damspec.vocabulary import Group, Rule, groups
from damspec_runner.cases.cases import Case
from damspec_runner.document.compare import are_compared, families, leaflet_game, root
from damspec_runner.document.examples import example, of_the_board, proofs
from damspec_runner.document.explain import clauses_and_readings, rules_by_provenance
from damspec_runner.document.rulebook import Language, languages

from . import pages
from .boards import describe
from .diagrams import Picture
from .library import SiteData, group_by_value
from .pages import File, Link, Page, of_games, page
from .sheets import SheetWriter


@dataclass(frozen=True)
class StatedRule:
    """A rule as a ruleset has it, and the case that shows it, if there is one.

    If its board is already on the page, `seen` says where: the id of a rule, `sheet`, or `start` for the start of the
    game. `games` are the variants that have it so; none if all have it.
    """

    rule: Rule
    ruleset: Ruleset
    shown: Case | None
    seen: str = ""
    games: tuple[Ruleset, ...] = ()


def ruleset_pages(library: SiteData) -> Iterator[Page]:
    """Yield the list of rulesets."""
    yield page(
        "rulesets",
        given={
            "families": list(families().values()),
            "alone": [ruleset for id, ruleset in library.rulesets.items() if root(id) == id and id not in families()],
            "overlays": [overlay(id).content for id in overlay_ids()],
        },
    )


def ruleset_page(library: SiteData, writer: SheetWriter) -> Page:
    """Return the page of a ruleset and its variants, with its sheet."""
    games, ruleset, told = writer.games, writer.games[0], writer.sheet(languages()[0])
    above: dict[object, str] = {board.look: "sheet" for shown in told.examples for board in shown.boards}
    stated = [
        (group, _group(library, games, group, above))
        for group in groups()
        if any(rule.name in game.values for rule in group.rules for game in games)
    ]
    beyond = [clause for clause in library.clauses.values() if clause.beyond and clause.document in ruleset.documents]
    given = {
        "rules": ruleset,
        "sheet": told,
        "own_name": library.own_name(ruleset.id),
        "documents": [library.documents[id] for id in ruleset.documents],
        "children": [other for other in library.rulesets.values() if ruleset.id in other.family],
        "groups": stated,
        "absent": [
            rule for group in groups() for rule in group.rules if not any(rule.name in game.values for game in games)
        ],
        "sources": clauses_and_readings,
        "unseen": unseen,
        "beyond": beyond,
        "aside": _aside(ruleset, beyond),
        "provenances": rules_by_provenance(ruleset),
        "own": sum(case.ruleset == ruleset.id for case in library.played[ruleset.id]),
        "others": [
            (other, pages.comparison(ruleset.id, other.id))
            for other in library.rulesets.values()
            if other is not ruleset and are_compared(ruleset.id, other.id)
        ],
    }
    return page(
        "ruleset",
        ruleset.id,
        names=(ruleset.name, ruleset.about),
        given=given,
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


def _group(library: SiteData, games: Sequence[Ruleset], group: Group, above: dict[object, str]) -> list[StatedRule]:
    """Return the rules of a group, for variants those that differ.

    `above` maps the boards already on the page to their places, and is updated.
    """
    found = []
    for rule in group.rules:
        values = {game.id: game.values[rule.name] for game in games if rule.name in game.values}
        for _, ids in group_by_value(values):
            having = [library.rulesets[id] for id in ids]
            case = None if of_the_board(rule.name) else example(having[0], rule.name)
            look = library.pictures[case.id].look if case else None
            seen = "start" if of_the_board(rule.name) else above.get(look, "")
            if case and not seen and having[0] is games[0]:
                above[look] = rule.name
            found.append(StatedRule(rule, having[0], case, seen, tuple(having) if len(having) < len(games) else ()))
    return found


def unseen(ruleset: Ruleset, rule: str) -> str:
    """Explain why no position shows the value of a rule: by proofs, or since no other value fits the rest."""
    return " ".join(proofs(ruleset, rule)) or "No other value goes with the other rules of the game."


@dataclass(frozen=True)
class FrontGame:
    """A game on the first page: what sets it apart in a line, a position that shows it, and one with all its men."""

    link: Link
    line: str
    small: Picture
    large: Picture


def start_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the first page in each language, with its pictures."""
    shown = {id: _front_pictures(library, library.cases[case]) for id, case in library.game_facts["front"].items()}
    sheets = [id for id in library.rulesets if leaflet_game(id) == id]
    for language in languages():
        words = language.content["front"]
        told = {
            id: [describe(each, language, library.rulesets[id]) for each in pictures] for id, pictures in shown.items()
        }
        games = {id: FrontGame(_link(library, language, id), line, *told[id]) for id, line in words["lines"].items()}
        far = [id for id in games if root(id) == id and id not in (*words["first"], *words["neighbours"])]
        sizes: dict[str, list[Link]] = {}
        for id in sheets:
            if id not in (*words["first"], *words["neighbours"], *far):
                board = library.rulesets[id].rules.board
                sizes.setdefault(f"{board.columns} × {board.rows}", []).append(_link(library, language, id))
        given = {
            "games": [games[id] for id in words["first"]],
            "neighbours": [games[id] for id in words["neighbours"]],
            "far": [games[id] for id in far],
            "sizes": {size: sizes[size] for size in sorted(sizes, key=lambda size: int(size.split()[0]))},
            "said": words,
            "tongue": language,
        }
        yield page("front", language=language.tag, names=(str(len(sheets)),), given=given)


def _front_pictures(library: SiteData, case: Case) -> tuple[Picture, Picture]:
    """Return a case's position with its moves twice: without the pieces far from them, and among men at home.

    If its moves open doors, the piece on one of them falls.
    """
    ruleset, picture = library.rulesets[case.ruleset], replace(library.pictures[case.id], dashed=())
    moves = [*legal_moves(ruleset, picture.position)]
    afters = (step.after for step in library.answer(case).lists["Moves"])
    after = picture.position if picture.arrows else min(afters, key=len)
    picture = replace(picture, falls=tuple({*picture.position} - {*after}))

    def changed(changes: Iterable[tuple[int, Piece | None]]) -> Picture:
        position = picture.position
        for square, piece in changes:
            other = position.with_piece_at(square, piece) if piece else position.without_piece_at(square)
            if not find_invalidity(ruleset.turns, other) and [*legal_moves(ruleset, other)] == moves:
                position = other
        return replace(picture, position=replace(position, sliders=after.sliders))

    places = picture.position.board.places
    touched = [places[square - 1] for path in (*picture.arrows, picture.falls) for square in path]

    def is_far(square: int) -> bool:
        return any(
            not min(line) - 1 <= here <= max(line) + 1
            for here, line in zip(places[square - 1], zip(*touched, strict=True), strict=True)
        )

    home = enumerate(Position.start(ruleset.rules).pieces())
    return (
        changed((square, None) for square in picture.position if is_far(square)),
        changed(each for place, each in home if is_far(each[0]) and not picture.position[each[0]] and place % 3),
    )


def _link(library: SiteData, language: Language, id: str) -> Link:
    return Link(library.name_in(id, language.tag), pages.sheet(language.tag, id))
