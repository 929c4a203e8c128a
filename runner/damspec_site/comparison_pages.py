"""The page that compares two games, with its data, and the map of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations, product
from statistics import fmean
from typing import Any

from damspec import DamspecError, Layout, Position, Ruleset
from damspec.vocabulary import groups, vocabulary
from damspec_runner.document import compare
from damspec_runner.document.compare import Witness, families
from damspec_runner.document.rulebook import Language, RuleSentences, describe_setup, languages
from damspec_runner.mutants.ruleset_diff import on_board_of, toward

from .boards import PlayedAction, Reply, captured, picture_after, reference_answer, squares
from .diagrams import Picture, draw, shapes
from .library import SiteData, group_by_value
from .pages import File, Page, packed_script, page

#: Lines and rules of the rulebook that belong to the sentence of a rule.
_BESIDE = {"man.capture.first": ("straight-man", "man.capture.later"), "king.capture.reach": ("straight-king",)}
#: The most moves that both games allow that a picture shows.
_SHARED = 3

Pair = tuple[str, str]


def comparison_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the page that compares two games, and what its script reads: rules, pictures, and sentences by language."""
    shown = {rule: [*contrasts(library, rule)] for rule in vocabulary()}
    starts = {id: str(draw(library.start(ruleset), "wood")) for id, ruleset in library.rulesets.items()}
    drawn = "".join((*starts.values(), *(svg for each in chain(*shown.values()) for svg in each.pictures.values())))
    used = shapes(drawn)
    for language in languages():
        names = {id: library.name_in(id, language.tag) for id in library.rulesets}
        first: Sequence[str] = language.content["front"]["first"]
        known: str = library.game_facts["known"][language.tag]
        plain = next(id for id in first if id != known and library.layout(id) is None)
        given = {
            "usual": f"{plain},{known}",
            "games": sorted(names, key=lambda id: (first.index(id) if id in first else len(first), names[id])),
            "shapes": used,
        }
        yield page("compare", language=language.tag, given=given)
    yield packed_script("compare/rules", _rules(library, shown))
    yield packed_script("compare/starts", starts)
    for language in languages():
        positions = (each.position for each in chain(*shown.values()))
        said = {each.fen(): describe_setup(language, each, each.layout) for each in positions}
        yield packed_script(f"compare/{language.tag}", {"says": _sentences(library, language), "positions": said})


def _rules(library: SiteData, shown: Mapping[str, Sequence[Contrast]]) -> Mapping[str, Any]:
    """Return the rules with the number of each game's value, how often it matters, and the positions that show it."""
    extensions = {group.id for group in groups() if group.extension}
    numbers = {name: _numbers([each.values.get(name) for each in library.rulesets.values()]) for name in vocabulary()}
    places = {id: place for place, id in enumerate(library.rulesets)}
    often: dict[str, dict[int, dict[int, int]]] = {name: {} for name in vocabulary()}
    for game, entries in compare.strengths().items():
        for entry in entries:
            others = {numbers[entry["rule"]][places[other]]: entry["otherwise"] for other in entry["as"]}
            often[entry["rule"]].setdefault(places[game], {}).update(others)
    return {
        "games": [*library.rulesets],
        "measured": compare.number_of_positions(),
        "rules": {
            name: {
                "group": rule.group,
                "part": rule.group in extensions,
                "values": numbers[name],
                "often": often[name],
                "positions": [each.content(numbers[name], places) for each in shown[name]],
            }
            for name, rule in vocabulary().items()
        },
    }


@dataclass(frozen=True)
class Contrast:
    """A position that tells games apart by a rule: the number of each game's answer, and pictures of two answers.

    `pairs` are games between which the rule makes the difference. A picture is of the first answer, beside the second.
    """

    position: Position
    answers: Mapping[str, int]
    outcomes: Sequence[str]
    pairs: Sequence[Pair]
    pictures: Mapping[tuple[int, int], str]

    def content(self, values: Sequence[int], places: Mapping[str, int]) -> Mapping[str, Any]:
        """Return it for the script, with the values of the rule that it tells apart."""
        told = {
            (self.answers[one], self.answers[other], values[places[one]], values[places[other]])
            for one, other in (*self.pairs, *((other, one) for one, other in self.pairs))
        }
        return {
            "fen": self.position.fen(),
            "answers": [self.answers.get(id, -1) for id in places],
            "outcomes": self.outcomes,
            "told": sorted(told),
            "pictures": {f"{one} {other}": svg for (one, other), svg in self.pictures.items()},
        }


def contrasts(library: SiteData, rule: str) -> Iterator[Contrast]:
    """Yield the positions that show a rule, those with few pieces first, for all games on their boards."""
    picked = [
        (Witness(rule, each["position"], each["board"], "moves", (), False, 0, 0), [tuple(each["between"])])
        for each in library.game_facts["contrasts"].get(rule, ())
    ]
    for witness, pairs in sorted((*compare.witnesses(rule), *picked), key=lambda found: found[0].pieces):
        host = next(each for id in pairs[0] if (each := library.rulesets[id]).values["board.size"] == witness.board)
        there: dict[str, Ruleset] = {}
        replies: dict[str, Reply] = {}
        named = {id for pair in (*pairs, *(each.content["front"]["first"] for each in languages())) for id in pair}
        for id, ruleset in library.rulesets.items():
            board = ruleset.rules.board
            if board == host.rules.board or (id in named and board.squares == host.rules.board.squares):
                with suppress(DamspecError):
                    there[id] = on_board_of(ruleset, host)
                    replies[id] = _answer(there[id], witness)
        distinct = group_by_value({id: (reply.listed, reply.outcome) for id, reply in replies.items()})
        numbers = {id: number for number, (_, ids) in enumerate(distinct) for id in ids}
        of, layout = [replies[ids[0]] for _, ids in distinct], library.layout(host.id)
        keys = {
            pair: tuple((numbers[id], library.rulesets[id].values.get(rule)) for id in pair)
            for pair in permutations(replies, 2)
        }
        shown = {keys[pair]: pair for pair in pairs if pair in keys and not witness.beside}
        for (one, other), (mine, theirs) in keys.items():
            if (mine, theirs) not in shown and mine[0] != theirs[0] and mine[1] != theirs[1]:
                alone = toward(there[one], there[other], (rule,))
                with suppress(DamspecError):
                    changed = alone and _answer(replace(there[one], values=alone).checked(), witness)
                    if changed and (changed.listed, changed.outcome) != distinct[mine[0]][0]:
                        shown[mine, theirs] = one, other
        told = {(numbers[one], numbers[other]) for one, other in shown.values()}
        both = sorted({*told, *((other, one) for one, other in told)})
        yield Contrast(
            witness.position_for(host),
            numbers,
            [each.outcome.outcome.reason or each.outcome.outcome.result if each.outcome else "" for each in of],
            [*shown.values()],
            {(one, other): str(draw(_beside(of[one], of[other], layout), "paper", named=True)) for one, other in both},
        )


def _answer(ruleset: Ruleset, witness: Witness) -> Reply:
    return reference_answer(ruleset, witness.position_for(ruleset), witness.question)


def _beside(own: Reply, other: Reply, layout: Layout | None) -> Picture:
    """Return the picture of an answer, with the same part of the board as that of another."""
    both = _picture(own, other, layout), _picture(other, own, layout)
    return replace(both[0], around=tuple(sorted(both[0].touched | both[1].touched)), least=(5, 5))


def _picture(own: Reply, other: Reply, layout: Layout | None) -> Picture:
    """Return what one game allows in a position and another does not, and what only the other allows as forbidden.

    If the same action leads elsewhere, that is the position after it. Of captures one is shown, and of those forbidden
    the one that begins like it; beside a capture no other move is forbidden, and beside a forbidden capture no other
    move goes far, so that little of the board is shown.
    """
    (mine, lapses), theirs = (_only(own, other)), _only(other, own)[0]
    position = own.position
    if mine and [each.action for each in mine] == [each.action for each in theirs]:
        return replace(picture_after(mine[0].after, layout, position, mine[0].action), words=position.fen())
    moves, lapsing, forbidden = (
        _longest(position, [each.action for each in actions])
        for actions in (mine or own.lists.get("Moves", ())[:_SHARED], lapses, theirs)
    )
    if any(captured(position, text) for text in forbidden) and any(_goes_far(position, text) for text in moves):
        moves = []
    if captures := [text for text in moves if mine and captured(position, text)]:
        paths = [squares(position, text) for text in captures]
        others = [
            text for text in forbidden if captured(position, text) and not _begins(squares(position, text), paths)
        ]
        forbidden = sorted(others, key=lambda text: squares(position, text)[:2] != paths[0][:2])[:1]
        moves = captures[:1]
    arrows, dashed, not_allowed = (
        tuple(path for text in texts if (path := squares(position, text))) for texts in (moves, lapsing, forbidden)
    )
    return Picture(
        position,
        layout,
        arrows=arrows,
        dashed=dashed,
        crosses=tuple(sorted({square for text in moves for square in captured(position, text)})),
        forbidden=tuple(path for path in not_allowed if path not in arrows),
        words=position.fen(),
    )


def _only(own: Reply, other: Reply) -> tuple[list[PlayedAction], list[PlayedAction]]:
    """Return the moves and the lapses of an answer that another has not."""
    moves, lapses = (
        [each for each in own.lists.get(name, ()) if each not in other.lists.get(name, ())]
        for name in ("Moves", "Lapses")
    )
    return moves, lapses


def _longest(position: Position, moves: Sequence[str]) -> list[str]:
    """Return moves; of those in one direction only the longest."""
    paths = {text: squares(position, text) for text in moves}
    return [text for text in moves if not any(_continues(position, other, paths[text]) for other in paths.values())]


def _goes_far(position: Position, text: str) -> bool:
    """Return whether a piece goes over squares without capturing."""
    path = squares(position, text)
    return bool(path and not captured(position, text) and position.board.between(path[0], path[-1]))


def _begins(path: Sequence[int], others: Sequence[Sequence[int]]) -> bool:
    """Return whether a path is the beginning of one of others."""
    return any(path == other[: len(path)] for other in others)


def _continues(position: Position, longer: Sequence[int], path: Sequence[int]) -> bool:
    """Return whether a move without turns goes on over the end of another."""
    if len(path) != 2 or longer[:1] != path[:1]:
        return False
    return path[-1] in map(position.board.number, position.board.between(longer[0], longer[-1]) or ())


def _numbers(values: Sequence[Any]) -> list[int]:
    """Return for each value the place of the first one like it; -1 for none."""
    return [-1 if value is None else values.index(value) for value in values]


def _sentences(library: SiteData, language: Language) -> Mapping[str, Any]:
    """Return for each rule the sentences of a language for its values, and the number of that of each game."""
    found: dict[str, dict[str, None]] = {name: {} for name in vocabulary()}
    said: dict[str, list[int]] = {name: [] for name in vocabulary()}
    for ruleset in library.rulesets.values():
        told = RuleSentences(ruleset, language)
        lines = {key: text for _, key, text in told.told()}
        for name in vocabulary():
            rule = "man.capture.first" if name == "man.capture.later" else name
            text = " ".join(filter(None, (told.of_rule(rule), *map(lines.get, _BESIDE.get(rule, ())))))
            found[name].setdefault(text)
            said[name].append([*found[name]].index(text))
    return {name: [[*found[name]], said[name]] for name in vocabulary()}


#: Of how many in 100 positions the games of a group answer differently at most, from wide groups to narrow ones.
_MOST = (50, 25, 10, 1)
#: The number of neighbours of a game in the table.
_NEIGHBOURS = 3


@dataclass(frozen=True)
class Cluster:
    """Games that answer at most so many in 100 positions differently, on average, with the narrower groups of them."""

    most: int
    games: tuple[str, ...]
    parts: tuple[Cluster, ...] = ()


def map_pages(library: SiteData) -> Iterator[Page]:
    """Yield the page of the map."""
    measured = [id for id in library.rulesets if id in compare.measured_games()]
    yield page(
        "map",
        given={
            "kin": cluster(measured, _apart, _MOST),
            "neighbours": {id: _neighbours(id, measured) for id in measured},
            "positions": compare.number_of_positions(),
            "families": families(),
            "table": _table(library),
        },
    )


def cluster(games: Sequence[str], apart: Callable[[str, str], float], most: Sequence[int]) -> tuple[Cluster, ...]:
    """Return games in groups by average distance, the largest first; each with the least number it keeps to."""
    groups: list[tuple[str, ...]] = [(game,) for game in games]
    while len(groups) > 1:
        pairs = ((fmean(apart(*each) for each in product(*pair)), pair) for pair in combinations(groups, 2))
        distance, joined = min(pairs, key=lambda found: found[0])
        if 100 * distance > most[0]:
            break
        groups = [joined[0] + joined[1], *(group for group in groups if group not in joined)]
    found = []
    for group in sorted(groups, key=len, reverse=True):
        parts = cluster(group, apart, most[1:]) if most[1:] else ()
        found.append(parts[0] if len(parts) == 1 else Cluster(most[0], group, parts))
    return tuple(found)


def _apart(one: str, other: str) -> float:
    share = compare.distance(one, other)
    return 1.0 if share is None else share


def _neighbours(id: str, measured: Sequence[str]) -> list[tuple[float, str]]:
    """Return the nearest games, each after the proportion of positions that it answers differently."""
    return sorted((_apart(id, other), other) for other in measured if other != id)[:_NEIGHBOURS]


def _table(library: SiteData) -> Mapping[str, Sequence[int]]:
    """Return for each game in how many rules it differs from each of those before it."""
    given = [library.rulesets[id].values for id in library.rulesets]
    return {
        id: [sum(given[place].get(rule) != other.get(rule) for rule in vocabulary()) for other in given[:place]]
        for place, id in enumerate(library.rulesets)
    }
