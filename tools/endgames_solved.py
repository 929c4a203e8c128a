"""What the record of endgames has of a game: its materials, its longest wins, its rules changed, other readings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from damspec import Reading, Ruleset, RulesetError, load_ruleset, ruleset_ids
from damspec.kernel.retrograde import LOSS, WIN, Retrograde
from damspec.mutations import equivalent_mutants
from damspec.rules import rule_names
from damspec_runner.document.compare import each_with_each
from damspec_runner.mutants.mutants import Mutant, mutants
from damspec_runner.mutants.ruleset_diff import in_no_position, places_pieces
from damspec_runner.solve.compare import SolvedCodes, compare_endgames, rules_of_values, without_doors
from damspec_runner.solve.endgame_change import ChangedEndgame, MaterialChange
from damspec_runner.solve.lookup import Endgames
from damspec_runner.solve.material import Materials
from damspec_runner.solve.solve import Folder, solve
from damspec_runner.solve.summary import MaterialSummary, find_limits, find_main_road

from .parts import digest

#: The most entries to solve: of a game with four pieces; with up to three, read otherwise; and three kings beside them.
_MOST_SOLVED, _MOST_READ, _MOST_READ_WITH_KINGS = 60_000_000, 3_000_000, 1_000_000
#: Materials of which more is recorded; the first is solved of every game.
_THREE_KINGS, _TWO_KINGS = "KKKvK", "KKvK"


def rules_digest(id: str) -> str:
    """Return a digest of the rules on which the values of a game's positions rest."""
    return digest(rules_of_values(without_doors(load_ruleset(id))))


def solve_games(ids: tuple[str, ...]) -> dict[str, Any]:
    """Return by game what is recorded of some with the same rules; their limits of moves and readings differ."""
    ruleset = without_doors(load_ruleset(ids[0]))
    rules = Retrograde(ruleset.rules)
    whole = 4 if _entries(rules, 4) <= _MOST_SOLVED else 3
    few = [material.name for material in Materials(rules, 3)]
    with TemporaryDirectory() as path:
        folder = Folder(ruleset, Path(path))
        summaries = solve(folder, whole)
        if whole < 4:
            summaries += solve(folder, 4, only=[_THREE_KINGS])
        rows = {id: [*_rows(load_ruleset(id), folder, summaries)] for id in ids}
        wins = [*_wins(folder, summaries)]
    entries = _entries(rules, 3)
    changes = _changes(ruleset) if {*ids} & {*each_with_each()} else {}
    read = {*few, _THREE_KINGS} if entries <= _MOST_READ_WITH_KINGS else {*few}
    codes = SolvedCodes(ruleset, 4, read) if entries <= _MOST_READ else None
    return {
        id: {
            "pieces": whole,
            "without": None if without_doors(load_ruleset(id)) is load_ruleset(id) else "trapdoors",
            "rows": rows[id],
            "wins": wins,
            "changes": changes,
            "readings": [*_readings(load_ruleset(id), codes, read)] if codes else [],
        }
        for id in ids
    }


def _entries(rules: Retrograde, pieces: int) -> int:
    return sum(rules.size(section) for material in Materials(rules, pieces) for section in material.sections)


# --- materials --------------------------------------------------------------------------------


def _rows(ruleset: Ruleset, folder: Folder, summaries: Sequence[MaterialSummary]) -> Iterator[list[Any]]:
    """Yield the lines of a game's table, without its name."""
    for summary in summaries:
        limits = [limit.rule for limit in find_limits(ruleset.rules.draws, summary)]
        material = summary.material
        for section, (sides, found) in zip(material.sections, summary.rows(), strict=True):
            road: tuple[int | None, ...] = (None, None, None)
            if (there := find_main_road(folder.retrograde, ruleset.rules.board, section)) is not None:
                values = folder.open(material).codes(section)[there] & 3
                road = len(values), *(int((values == value).sum()) for value in (WIN, LOSS))
            numbers = found.positions, found.won, found.lost, found.drawn
            longest = found.longest, found.longest_positions, found.longest_position
            yield [sides, *numbers, *longest, [*dict.fromkeys(limits)], *road]


def _wins(folder: Folder, summaries: Sequence[MaterialSummary]) -> Iterator[dict[str, Any]]:
    """Yield the longest win of each material of up to three pieces, and of three kings, move by move."""
    endgames, ruleset = Endgames(folder), folder.ruleset
    for summary in summaries:
        if summary.material.pieces > 3 and summary.material.name != _THREE_KINGS:
            continue
        for sides, found in summary.rows():
            if found.longest_position is None or not found.longest:
                continue
            position, moves = ruleset.position(found.longest_position), []
            for _ in range(found.longest or 0):
                action, _ = endgames.moves(position)[0]
                moves.append(str(action))
                position = ruleset.turns.after(position, action)
            yield {"sides": sides, "position": found.longest_position, "moves": moves}


# --- changed rules ----------------------------------------------------------------------------


def _changes(ruleset: Ruleset) -> dict[str, dict[str, int]]:
    """Return how many endgames with up to three pieces change if a rule is changed alone, by rule and other value."""
    codes, found = SolvedCodes(ruleset, 3), dict[str, dict[str, int]]()
    for mutant in _mutants(ruleset):
        changes = _compare(codes, mutant.ruleset)
        if changes is not None:
            (rule,), value = mutant.rules_changed, mutant.name.partition(" = ")[2]
            found.setdefault(rule, {})[value] = sum(each.changed for each in changes)
    return found


def _mutants(ruleset: Ruleset) -> Iterator[Mutant]:
    """Yield each change of a rule, on which values may rest, to a value that it has in some game."""
    values, seen = ruleset.values, [rules_of_values(ruleset)]
    for rule in rule_names():
        if in_no_position(rule) or places_pieces(rule) or rule not in values:
            continue
        others = (load_ruleset(id).values.get(rule) for id in ruleset_ids())
        for mutant in mutants(ruleset, (((rule, other),) for other in others if other is not None)):
            if (ruleset.id, mutant.name) in equivalent_mutants() or rules_of_values(mutant.ruleset) in seen:
                continue
            seen.append(rules_of_values(mutant.ruleset))
            yield mutant


def _compare(codes: SolvedCodes, other: Ruleset, only: Collection[str] | None = None) -> list[MaterialChange] | None:
    """Return what becomes of endgames by other rules; None where these cannot be solved."""
    try:
        pieces = max(material.pieces for material in codes.materials)
        return [*compare_endgames(codes, SolvedCodes(without_doors(other), pieces, only))]
    except RulesetError:
        return None


# --- readings ---------------------------------------------------------------------------------


def _readings(ruleset: Ruleset, codes: SolvedCodes, only: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield what becomes of a game's endgames if one of its documents is read otherwise."""
    before = rules_of_values(without_doors(ruleset))
    for reading in ruleset.readings:
        for word in reading.alternatives:
            other = _read_otherwise(ruleset, reading, word)
            if other is None or rules_of_values(without_doors(other)) == before:
                continue
            changes = _compare(codes, other, only)
            if changes is None:
                continue
            few = [each for each in changes if each.pieces <= 3]
            smallest = next((each.example for each in changes if each.example), None)
            yield {
                "reading": reading.id,
                "alternative": word,
                "endgames": sum(each.won.positions for each in few),
                "changed": sum(each.changed for each in few),
                **({"smallest": _smallest(smallest)} if smallest else {}),
                "won": {
                    each.sides: {
                        "of": each.won.positions,
                        "as-chosen": each.won.by[0],
                        "otherwise": each.won.by[1],
                    }
                    for each in changes
                    if each.sides in (_TWO_KINGS, _THREE_KINGS)
                },
            }


def _read_otherwise(ruleset: Ruleset, reading: Reading, word: str) -> Ruleset | None:
    """Return a ruleset by an alternative of a reading.

    None where no rule expresses it, it goes with no others, or it is of another board.
    """
    if word == reading.chosen or not reading.alternatives[word].set:
        return None
    try:
        other = load_ruleset(f"{ruleset.id}?{reading.key}={word}")
    except RulesetError:
        return None
    return other if other.rules.board == ruleset.rules.board else None


def _smallest(endgame: ChangedEndgame) -> Mapping[str, Any]:
    return {"position": endgame.position, "as-chosen": endgame.values[0], "otherwise": endgame.values[1]}
