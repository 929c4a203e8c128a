"""Generated positions as cases, lines, PDN or a table, and summaries of the search."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import damspec
from damspec import Action, Outcome, Position, Ruleset, load_readings
from damspec.board import Board
from damspec.pdn.games import record_of
from damspec.vocabulary import vocabulary

from ..answers.player import RulePlayer
from ..cases.adapt import MADE_BY, reference_answer
from ..cases.bundle import make_bundle
from ..cases.case import Case, Expectation
from ..cases.case_files import case_file
from ..cases.cases import TOPICS
from ..mutants.ruleset_diff import ends
from .annotate import AnnotatedPosition, Other, OtherList
from .diversity import Coverage, PositionCounts
from .search import PositionSearch

#: The most rules behind an answer that a case names.
_NAMED = 3
#: The most lines of a file in a folder; a YAML file several times as long cannot be read again.
MOST_LINES = 15_000


def one_file(answered: Sequence[AnnotatedPosition]) -> str:
    """Return all positions as one file of cases."""
    return _text([*_by_topic(answered)])


def case_files_of(answered: Iterable[AnnotatedPosition], most_lines: int = MOST_LINES) -> dict[str, str]:
    """Return the positions as files of cases by name: one for each topic, split if it is long."""
    topics: dict[str, list[tuple[Case, AnnotatedPosition]]] = defaultdict(list)
    for case, one in _by_topic(answered):
        topics[case.topic].append((case, one))
    return {
        f"{topic}{'' if part == 1 else f'-{part}'}.yaml": text
        for topic, cases in topics.items()
        for part, text in enumerate(_parts(cases, most_lines), 1)
    }


def bundle(ruleset: Ruleset, answered: Iterable[AnnotatedPosition]) -> dict[str, Any]:
    """Return the positions as a bundle for this ruleset only, not for those that extend it."""
    return make_bundle([ruleset], ((as_case(one), [ruleset.base]) for one in answered))


def too_long(text: str) -> bool:
    """Return whether a file of cases is too long to be read again."""
    return text.count("\n") > 3 * MOST_LINES


def as_case(answered: AnnotatedPosition) -> Case:
    """Return a position as a case that expects what the reference answers, under other readings too."""
    ruleset, position, rules = answered.ruleset, answered.position, answered.rules
    topic = vocabulary()[rules[0]].topic
    asked = Expectation(outcome=Outcome("ongoing")) if all(map(ends, rules)) else Expectation(moves={})
    under = [*answered.by.under_readings(position, only_outcome=asked.outcome is not None)]
    named = [*rules[: _NAMED - 1], f"{len(rules) - _NAMED + 1} more rules"] if len(rules) > _NAMED else rules
    return Case(
        id=f"{ruleset.base}.{topic}.generated-{answered.digest}",
        ruleset=ruleset.base,
        topic=topic,
        why=f"The answer {'depends on' if answered.by.wanted.goals else 'shows'} {', '.join(named)}.",
        clauses=tuple(_clauses(ruleset, rules)),
        position=answered.fen,
        expected=answered.expected if asked.outcome is None else Expectation(outcome=answered.outcome),
        readings=tuple(dict.fromkeys(id for id, _, _ in under)),
        otherwise={query: reference_answer(other, RulePlayer(other).fit(position), asked) for _, query, other in under},
        tags=("generated",),
        generated=MADE_BY,
        reached=tuple(map(str, answered.game or ())),
    )


def _by_topic(answered: Iterable[AnnotatedPosition]) -> Iterator[tuple[Case, AnnotatedPosition]]:
    return iter(sorted(((as_case(one), one) for one in answered), key=lambda pair: TOPICS.index(pair[0].topic)))


def _parts(cases: Sequence[tuple[Case, AnnotatedPosition]], most_lines: int) -> Iterator[str]:
    """Yield the texts of one or more files."""
    text = _text(cases)
    if text.count("\n") <= most_lines or len(cases) < 2:
        yield text
    else:
        half = len(cases) // 2
        yield from _parts(cases[:half], most_lines)
        yield from _parts(cases[half:], most_lines)


def _text(cases: Sequence[tuple[Case, AnnotatedPosition]]) -> str:
    notes = {
        case.id: [f"with {', or with '.join(other.names)}: {other.in_words()}" for other in answered.others]
        for case, answered in cases
    }
    return case_file([case for case, _ in cases], notes)


def _clauses(ruleset: Ruleset, shown: list[str]) -> list[str]:
    """Return the clauses behind rules: their own, or those of the readings behind them.

    Without any, return a clause of one of the ruleset's documents; none for a file of your own.
    """
    about = {reading.id: reading.clauses for reading in (*load_readings(), *ruleset.own_readings)}
    found: list[str] = []
    for rule in shown[:_NAMED]:
        sources = ruleset.rests_on.get(rule, ())
        own = [source for source in sources if source not in about]
        found += own or [clause for source in sources for clause in about[source]]
    known = damspec.load_clauses()
    mine = [clause for clause in found if known[clause].document in ruleset.documents]
    if mine or not ruleset.shipped:
        return list(dict.fromkeys(mine or found))
    return [next(id for id in known if known[id].document in ruleset.documents)]


def fen(answered: Iterable[AnnotatedPosition]) -> str:
    """Return a FEN on each line, followed by the game that leads there if there is one."""
    return "".join(f"{with_game(one)}\n" for one in answered)


def with_game(answered: AnnotatedPosition) -> str:
    """Return a FEN with the game that leads there: `W:W17,22,...; game "21-17, 9-14";`."""
    game = () if answered.game is None else (_game_text(answered.game),)
    return (
        "; ".join([answered.fen, " ".join([*game, *_solved_operations(answered)])])
        if game or answered.solved_line
        else answered.fen
    )


def epd(answered: Iterable[AnnotatedPosition]) -> str:
    """Return a FEN on each line with operations, each a word and a quoted text: `W:W22:B18; moves "22x15";`."""
    return "".join(f"{one.fen}; {' '.join(_operations(one))}\n" for one in answered)


def jsonl(answered: Iterable[AnnotatedPosition]) -> str:
    """Return a JSON object for each position on a line of its own, with its ruleset."""
    lines = ({"ruleset": one.ruleset.id, **entry(one)} for one in answered)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def entry(answered: AnnotatedPosition) -> dict[str, Any]:
    """Return a position with its answers as plain data."""
    what: dict[str, Any] = {
        "position": answered.fen,
        "pieces": len(answered.position),
        "shows": answered.rules,
        "moves": answered.moves,
        "lapses": answered.lapses,
        "outcome": answered.outcome.as_json(),
    }
    if answered.by.values:
        what["otherwise"] = [_other(other) for other in answered.others]
    if answered.game is not None:
        what["game"] = [str(action) for action in answered.game]
    if answered.solved_line is not None:
        what["solved"] = answered.solved_line.as_json()
    return what


def _other(other: Other) -> dict[str, Any]:
    what: dict[str, Any] = {
        "values": [{"rule": rule, "value": value} for mutant in other.mutants for rule, value in mutant.changes]
    }
    what |= {among: listed.actions for among, listed in other.lists.items()}
    if other.outcome is not None:
        what["outcome"] = other.outcome.as_json()
    return what


def _operations(answered: AnnotatedPosition) -> Iterable[str]:
    yield _operation("id", f"{answered.ruleset.id}.{answered.digest}")
    yield _operation("shows", ", ".join(answered.rules))
    yield _operation("moves", ", ".join(answered.moves))
    if answered.lapses:
        yield _operation("lapses", ", ".join(answered.lapses))
    yield _operation("outcome", str(answered.outcome))
    if answered.game is not None:
        yield _game_text(answered.game)
    yield from _solved_operations(answered)
    for other in answered.others:
        yield _operation("otherwise", f"{', '.join(other.names)}: {_answer(other)}")


def _solved_operations(answered: AnnotatedPosition) -> Iterable[str]:
    if answered.solved_line is not None:
        yield _operation("solved", answered.solved_line.value.in_words())
        yield _operation("keeping", ", ".join(answered.solved_line.keeping))
        if answered.solved_line.line:
            yield _operation("line", ", ".join(answered.solved_line.line))


def _game_text(actions: Iterable[Action]) -> str:
    return _operation("game", ", ".join(map(str, actions)))


def _operation(word: str, text: str) -> str:
    quoted = text.replace('"', "'")
    return f'{word} "{quoted}";'


def _answer(other: Other) -> str:
    """Return another answer in full, but only the parts that differ."""
    said = [f"{among} {_actions(listed)}" for among, listed in other.lists.items()]
    if other.outcome is not None:
        said.append(f"outcome {other.outcome}")
    return " and ".join(said)


def _actions(listed: OtherList) -> str:
    """Return actions as text; those that lead elsewhere have the position after them."""
    texts = (f"{text} > {fen}" if text in listed.elsewhere else text for text, fen in listed.actions.items())
    return ", ".join(texts) or "none"


def pdn(answered: Iterable[AnnotatedPosition]) -> str:
    """Return positions as a PDN file."""
    return "\n".join(map(_pdn_game, answered))


def _pdn_game(answered: AnnotatedPosition) -> str:
    ruleset, game = answered.ruleset, answered.game
    start = answered.position if game is None else Position.start(ruleset.rules)
    tags = {
        "Event": f"damspec {damspec.__version__} generate",
        "Site": "?",
        "Date": "????.??.??",
        "Round": answered.digest,
        "White": "?",
        "Black": "?",
        "Ruleset": ruleset.id,
    }
    return f"{record_of(ruleset, start, game or (), tags)}\n"


#: The columns for men and kings; with the longest rule names the table still fits in 80 columns.
_COLUMNS = ("man\nmove", "\ntake", "king\nmove", "\ntake")


def show_table(found: Coverage, board: Board, console: Console) -> None:
    """Print what positions cover as a table."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("\n\nrule", no_wrap=True)
    table.add_column("\n\nvalues", justify="right", no_wrap=True)
    table.add_column("\n\nall", justify="right", no_wrap=True)
    for side in ("White", "Black"):
        for place, column in enumerate(_COLUMNS):
            table.add_column(f"{'' if place else side}\n{column}", justify="right", no_wrap=True)
    table.add_row("all positions", "", *_numbers(found.every), style="bold")
    for rule, counted in found.rules.items():
        shown, there = found.values_shown(rule)
        table.add_row(rule, f"{shown}/{there}", *_numbers(counted), style=None if shown else "dim")
    console.print(table)
    console.print("\npositions with a piece on the square")
    for line in _heat(found, board):
        console.print(line)


def _numbers(counted: PositionCounts) -> list[str]:
    return [str(number or "·") for number in (counted.positions, *counted.row())]


def _heat(found: Coverage, board: Board) -> Iterator[Text]:
    most = max(found.squares, default=0) or 1
    wide = len(str(most)) + 2
    by_place = dict(zip(board.places, found.squares, strict=True))
    for row in range(board.rows - 1, -1, -1):
        line = Text()
        for column in range(board.columns):
            number = by_place.get((column, row))
            if number is None:
                line.append(" " * wide)
            else:
                line.append(f"{number or '·':^{wide}}", style=_colour(number / most))
        yield line


def _colour(part: float) -> str:
    """Return a style from dark to bright with a readable foreground; `part` is from 0 to 1."""
    red, green, blue = (round(low + part * (high - low)) for low, high in ((60, 255), (40, 190), (30, 90)))
    return f"{'black' if part > 0.45 else 'white'} on rgb({red},{green},{blue})"


def summary(search: PositionSearch) -> str | None:
    """Return what was found as one line; None for a single position, which needs no comment."""
    found = len(search.positions)
    if search.ordered:
        return whole_summary(search)
    said = []
    if found < search.number:
        said.append(f"{found:,} of {search.number:,} found, {search.apart:,} apart: {tried_text(search)}")
    elif found > 1:
        said.append(f"{found:,} positions, {search.apart:,} apart: {tried_text(search)}")
    if said and search.walked_from:
        said.append(f"it is rare, so the search went on from {search.walked_from:,} positions of the cases")
    if search.few:
        said.append(fewest_pieces_text(search))
    return "; ".join(said) or None


def whole_summary(search: PositionSearch) -> str:
    """Return a line saying whether all existing positions were found."""
    first, last = search.goal.pieces
    pieces = _pieces(first, last)
    found = len(search.positions)
    if search.complete:
        return f"all there are: {found:,} positions, {search.apart:,} apart, out of {search.tried:,} with {pieces}"
    return f"not all there are: {found:,} positions, {search.apart:,} apart: {tried_text(search)}"


def fewest_pieces_text(search: PositionSearch) -> str:
    """Return a line saying whether fewer pieces would do."""
    least = len(search.positions[0].position)
    if least <= search.proved_below:
        below = sum(one.positions for one in search.exhausted if one.pieces < least)
        if below:
            whole = f"all {below:,} positions with fewer were tried"
        else:
            whole = "fewer cannot do" if least <= search.goal.criteria.fewest else "fewer were not asked for"
        return f"minimal: {_number(least)}, {whole}"
    partly = [one for one in search.exhausted if one.doors is not None]
    doors = "".join(
        f"; with {_number(one.pieces)} and {'at most one door open' if one.doors else 'all doors shut'} none either"
        for one in partly
    )
    none = f"none with fewer than {search.proved_below}, all tried" if search.exhausted else "nothing exhausted"
    return f"fewest found: {_number(least)}, {search.tried:,} positions tried; {none}{doors}"


def tried_text(search: PositionSearch) -> str:
    """Return a line saying how many positions were tried."""
    first, last = search.goal.pieces
    if search.complete:
        return f"all {search.tried:,} positions with {_pieces(first, last)} were tried"
    said = f"{search.tried:,} positions with {_pieces(first, last)} tried"
    whole = [one.pieces for one in search.exhausted if one.doors is None]
    return said + (f", among them all with up to {max(whole)}" if whole else "")


def summary_json(search: PositionSearch) -> dict[str, Any]:
    """Return the summary of a search as JSON."""
    known: dict[str, Any] = {
        "damspec": damspec.__version__,
        "ruleset": search.goal.ruleset.id,
        "seed": search.seed,
        "goals": [goal.says for goal in search.goal.goals],
        "tried": search.tried,
        "apart": search.apart,
        "complete": search.complete,
    }
    if search.few and search.positions:
        least = len(search.positions[0].position)
        known["minimal"] = {"pieces": least, "proved": least <= search.proved_below, "says": fewest_pieces_text(search)}
    if search.ordered:
        known["all"] = {"proved": search.complete, "says": whole_summary(search)}
    return known


def _pieces(first: int, last: int) -> str:
    return _number(last) if first == last else f"{first} to {last} pieces"


def _number(pieces: int) -> str:
    return "1 piece" if pieces == 1 else f"{pieces} pieces"
