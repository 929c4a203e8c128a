"""An engine in solved endgames: it is asked for its move, and a move that gives away half a point or more is a blunder.

A value holds for play without end. Where a limit of moves of the ruleset may draw a win before its end, a move is only
a blunder if it is one in both cases.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from damspec import Position
from damspec.kernel.retrograde import DRAW, LOSS, WIN
from damspec.move import Action
from damspec.outcomes import outcome_of_position

from ..answers.player import key
from ..cases.answer import move_text
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from ..solve.lookup import HALF_POINTS, Endgames, SolvedValue
from ..solve.material import Material, Materials
from ..solve.place import Value
from ..solve.solve import Folder, position_of
from .ask import check_plays
from .exchange import ask_params, read_played

#: How often an entry is drawn for each position that is wanted: in most of them nothing can be given away.
_DRAWS = 200
#: After so many errors the engine is asked no more.
_ERRORS = 10


class Blunder(NamedTuple):
    """A move that gives away half a point (`lost` is 1) or a whole one (2), and a better one.

    Values are those for the side to move. A limit of moves may make less of a win or a loss that takes longer than any
    limit; `lost` is then what is given away for certain.
    """

    material: str
    position: Position
    value: SolvedValue
    move: Action
    after: SolvedValue
    better: Action
    better_value: SolvedValue
    lost: int

    def as_json(self) -> dict[str, Any]:
        """Return the blunder as plain data."""
        return {
            "material": self.material,
            "position": self.position.fen(),
            "value": self.value._asdict(),
            "move": str(self.move),
            "after": self.after._asdict(),
            "better": {"move": str(self.better), **self.better_value._asdict()},
            "points": self.lost / 2,
        }


class Misjudgement(NamedTuple):
    """A position whose value the engine states wrongly."""

    material: str
    position: Position
    value: SolvedValue
    stated: Value

    def as_json(self) -> dict[str, Any]:
        """Return the misjudgement as plain data."""
        return {
            "material": self.material,
            "position": self.position.fen(),
            "value": self.value._asdict(),
            "stated": self.stated,
        }


@dataclass
class EndgamesPlayed:
    """What an engine did in solved endgames: for each material how many positions it was asked for a move in."""

    ruleset: str
    engine: str
    pieces: int
    seed: int
    positions: dict[str, int] = field(default_factory=dict)
    #: How many values it stated where the right one is certain.
    stated: int = 0
    blunders: list[Blunder] = field(default_factory=list)
    misjudged: list[Misjudgement] = field(default_factory=list)
    #: Positions without a legal move as an answer, each with the reason in one line.
    unanswered: list[tuple[str, str]] = field(default_factory=list)
    unsupported: int = 0
    #: Positions that were drawn and not asked, since a limit of moves may excuse every move.
    uncertain: int = 0
    interrupted: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether there is a finding, or a position without an answer."""
        return bool(self.blunders or self.misjudged or self.unanswered)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data (schemas/endgames.schema.json)."""
        return {
            "ruleset": self.ruleset,
            "engine": self.engine,
            "pieces": self.pieces,
            "seed": self.seed,
            "materials": [
                {"material": material, "asked": number, "blunders": len(self.blunders_in(material))}
                for material, number in self.positions.items()
            ],
            "values_stated": self.stated,
            "blunders": [blunder.as_json() for blunder in self.blunders],
            "misjudged": [each.as_json() for each in self.misjudged],
            "unanswered": [{"position": position, "message": message} for position, message in self.unanswered],
            "unsupported": self.unsupported,
            "uncertain": self.uncertain,
            "interrupted": self.interrupted,
        }

    def blunders_in(self, material: str) -> list[Blunder]:
        """Return the blunders in a material."""
        return [blunder for blunder in self.blunders if blunder.material == material]


def play_endgames(
    folder: Folder,
    engine: Engine,
    pieces: int,
    number: int,
    seed: int,
    report_progress: Callable[[str], None] = lambda material: None,
) -> EndgamesPlayed:
    """Ask an engine for its move in at most `number` positions of each material and each value.

    The positions of the materials have been solved. The engine answers `plays`, as a CapabilityAdapter makes sure.
    Blunders are sorted, those with the fewest pieces first. Raises EngineError, FileError.
    """
    ruleset, hello = folder.ruleset, engine.hello()
    check_plays(hello, ruleset)
    found = EndgamesPlayed(ruleset.id, f"{hello.name} {hello.version}".strip(), pieces, seed)
    player, materials = _Player(folder, engine, hello, found, number), Materials(folder.retrograde, pieces)
    try:
        for material in materials:
            report_progress(material.name)
            found.positions[material.name] = 0
            for value in (WIN, DRAW, LOSS):
                player.ask(material, value, random.Random(f"{seed} {material.name} {value}"))
            if len(found.unanswered) >= _ERRORS:
                break
    except KeyboardInterrupt:
        found.interrupted = True
    found.blunders.sort(key=lambda each: (len(each.position), -each.lost, each.value.distance + each.after.distance))
    found.misjudged.sort(key=lambda each: (len(each.position), each.value.distance))
    return found


class _Player:
    """An engine that is asked for its moves, and what is found."""

    def __init__(self, folder: Folder, engine: Engine, hello: Hello, found: EndgamesPlayed, number: int) -> None:
        self._folder, self._ruleset, self._engine, self._hello = folder, folder.ruleset, engine, hello
        self._found, self._number, self._endgames = found, number, Endgames(folder)
        self._states_values = False

    def ask(self, material: Material, value: int, rng: random.Random) -> None:
        """Ask for a move in positions with a value in which one can be given away, or whose value is stated."""
        left = {True: self._number, False: self._number}
        for position in self._draw(material, value, rng):
            if len(self._found.unanswered) >= _ERRORS or not (left[True] or (left[False] and self._states_values)):
                return
            here, moves = self._endgames.value(position), self._endgames.moves(position)
            least = self._points(here, position)[0]
            critical = any(self._points(after, position)[1] < least for _, after in moves)
            if not critical:
                self._found.uncertain += any(after.half_points < here.half_points for _, after in moves)
            if not left[critical] or not (critical or self._states_values):
                continue
            left[critical] -= 1
            try:
                answer = self._engine.ask("plays", ask_params(self._ruleset, self._hello, position.fen()))
            except UnsupportedError:
                self._found.unsupported += 1
                continue
            except EngineError as error:
                self._found.unanswered.append((position.fen(), str(error)))
                continue
            self._found.positions[material.name] += 1
            self._judge_value(material, position, here, answer.get("value"))
            self._judge_move(material, position, here, moves, answer["move"])

    def _draw(self, material: Material, value: int, rng: random.Random) -> Iterator[Position]:
        """Yield different unfinished positions of a material with a value, by lot, with either side to move."""
        retrograde, ruleset, file = self._folder.retrograde, self._ruleset, self._folder.open(material)
        tables = {section: retrograde.tables([section]) for section in material.sections}
        seen = set[str]()
        for _ in range(_DRAWS * self._number):
            section = rng.choice(material.sections)
            runs = retrograde.runs(section)
            number = rng.randrange(retrograde.size(section) // runs) * runs
            turned = retrograde.sides == 1 and rng.random() < 0.5
            if file.code(section, number) & 3 != value:
                continue
            position = position_of(ruleset, tables[section], number)
            if turned:
                position = position.mirrored()
            if position.fen() not in seen and not outcome_of_position(ruleset.turns, position).is_over:
                seen.add(position.fen())
                yield position

    def _judge_value(self, material: Material, position: Position, here: SolvedValue, stated: Value | None) -> None:
        if stated is None:
            return
        self._states_values = True
        least, most = self._points(here, position)
        self._found.stated += least == most
        if not least <= HALF_POINTS[stated] <= most:
            self._found.misjudged.append(Misjudgement(material.name, position, here, stated))

    def _judge_move(self, material: Material, position: Position, here: SolvedValue, moves: _Moves, given: Any) -> None:
        if given is None:
            self._found.unanswered.append((position.fen(), "plays no move"))
            return
        legal = {key(move): (move, after) for move, after in moves}
        played, _ = read_played(position, {one: str(move) for one, (move, _) in legal.items()}, given)
        if played not in legal:
            self._found.unanswered.append((position.fen(), f"plays {move_text(given)}, which is not legal"))
            return
        move, after = legal[played]
        lost = self._points(here, position)[0] - self._points(after, position)[1]
        if lost > 0:
            self._found.blunders.append(Blunder(material.name, position, here, move, after, *moves[0], lost))

    def _points(self, value: SolvedValue, position: Position) -> tuple[int, int]:
        """Return the fewest and the most half points that a value is worth: a limit of moves may make it a draw."""
        worth = value.half_points
        if self._endgames.is_certain(position, value):
            return worth, worth
        return min(worth, 1), max(worth, 1)


_Moves = Sequence[tuple[Action, SolvedValue]]
