"""Hub, the protocol of engines that play and list nothing, and an engine that speaks it (docs/hub.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from damspec import Position, data
from damspec.board import Board, Side
from damspec.errors import quote_value

from .position_parts import HUB, check_carries
from .process import EngineDiedError, SubprocessEngine
from .protocol import LIMITS, AnswerLimits, EngineError, Hello, Manner, UnsupportedError, shown
from .sandbox import SandboxConfig

#: A move by value: from, to, what it captures.
Squares = tuple[int, int, frozenset[int]]
#: How many squares a board has that Hub knows.
SQUARES = 50
#: A name, and perhaps a value, which is quoted if it is empty or has spaces in it.
_PAIR = re.compile(r'\s*([^\s="\x00-\x1f\x7f]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="\x00-\x1f\x7f]+)))?')
_NAME = re.compile(r'[^\s="\x00-\x1f\x7f]+')
_MOVE = re.compile(r"([0-9]{1,3})([-x])([0-9]{1,3})((?:x[0-9]{1,3}){0,100})")
_LETTERS = "wWbBe"
#: How long an engine thinks about a move: until a depth, so many nodes, so many seconds.
_LEVEL = re.compile(r"(?:depth|nodes)=[1-9][0-9]{0,14}|move-time=([0-9]{1,5}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class Said:
    """A line: its command and what it says by names; a name without a value has an empty one."""

    command: str
    values: Mapping[str, str]


def read(line: str) -> Said:
    """A line as a value. Raises ValueError for one that is none."""
    words: list[tuple[str, str]] = []
    place, text = 0, line.strip()
    while place < len(text):
        found = _PAIR.match(text, place)
        if found is None:
            raise ValueError(
                f'found {quote_value(text[place : place + 40])}, expected a name, NAME=VALUE or NAME="VALUE"'
            )
        words.append((found[1], found[2] or found[3] or ""))
        place = found.end()
    if not words or words[0][1]:
        raise ValueError(f"found {quote_value(text[:40])}, expected a command")
    return Said(words[0][0], dict(words[1:]))


def written(command: str, *flags: str, **values: str) -> str:
    """A line; underscores in names stand for hyphens."""
    pairs = [f"{name.replace('_', '-')}={_value(value)}" for name, value in values.items()]
    return " ".join([command, *flags, *pairs])


def _value(value: str) -> str:
    """A value as a line has it; what no line can have is left out."""
    plain = "".join(letter for letter in value if letter.isprintable() and letter != '"')
    return plain if _NAME.fullmatch(plain) else f'"{plain}"'


def position_text(position: Position, letters: str = _LETTERS) -> str:
    """A position: the side to move, and a letter for each square in order.

    `letters` are those of White's men and kings, Black's men and kings, and empty squares.
    """
    text = [letters[4]] * len(position.board)
    for number, piece in position.pieces():
        text[number - 1] = letters[2 * (piece.side == "black") + (piece.kind == "king")]
    return ("W" if position.turn == "white" else letters[3]) + "".join(text)


def read_position(text: str, board: Board, letters: str = _LETTERS) -> Position:
    """The position of such a text. Raises ValueError."""
    turn: Side = "white" if text[:1] == "W" else "black"
    if text[:1] not in ("W", letters[3]) or len(text) != len(board) + 1 or not set(text[1:]) <= set(letters):
        raise ValueError(
            f"position {quote_value(text[:60])}: expected W or {letters[3]} and {len(board)} letters, each of {letters}"
        )
    on = {letter: board.mask(number for number, each in enumerate(text[1:], 1) if each == letter) for letter in letters}
    men, kings, black_men, black_kings = (on[letter] for letter in letters[:4])
    return Position(board, men, kings, black_men, black_kings, turn)


def move_text(start: int, end: int, captured: Iterable[int]) -> str:
    """A move: from, to, and all that it captures."""
    taken = "".join(f"x{square}" for square in sorted(captured))
    return f"{start}{'x' if taken else '-'}{end}{taken}"


def read_move(text: str) -> Squares:
    """The move of such a text, whether or not any board has it. Raises ValueError."""
    found = _MOVE.fullmatch(text)
    if found is None or (found[2] == "-" and found[4]):
        raise ValueError(f"{quote_value(text[:60])} is no move: expected one like 32-28 or 28x19x23")
    return int(found[1]), int(found[3]), frozenset(map(int, found[4].split("x")[1:]))


def level_seconds(text: str) -> float:
    """The seconds that a level gives an engine for a move, as far as it says. Raises ValueError if it is none."""
    found = _LEVEL.fullmatch(text)
    if found is None or (found[1] and not float(found[1])):
        raise ValueError(f"found {quote_value(text[:40])}, expected move-time=SECONDS, depth=N or nodes=N")
    return float(found[1] or 0)


@dataclass(frozen=True)
class Variants:
    """What games engines play: the parameter that says which, its value where there is none, each ruleset's value."""

    parameter: str
    default: str
    values: tuple[str, ...]
    of: Mapping[str, str]


@cache
def variants() -> Variants:
    """The games that `spec/hub.yaml` has."""
    path = data.root() / "spec" / "hub.yaml"
    content = data.load_yaml(path)
    data.check(content, "hub", data.path_text(path))
    of = {ruleset: entry["value"] for entry in content["variants"] for ruleset in entry["rulesets"]}
    values = tuple(entry["value"] for entry in content["variants"])
    return Variants(content["parameter"], content["default"], values, of)


#: The moves worth offering in a position, each with its notation in an answer.
Offers = Callable[[Position], Sequence[tuple[Squares, Any]]]
#: A position that Hub has words for, and the moves from there to one that it has none for.
LeadIn = tuple[Position, Sequence[Squares]]
#: Finds the lead-in to a position; None if there is none.
LeadIns = Callable[[Position], LeadIn | None]
#: How long it thinks about a move, if nothing else is said: a tenth of a second.
LEVEL = "move-time=0.1"
#: Parameters that are set where an engine has them and nobody says otherwise: nothing is played that was looked up.
_SET = {"book": "false"}
#: Parameters that an engine may declare; more are no list of parameters.
_MOST = 1000
_PROBED: Manner = "probed"
_PLAYED: Manner = "played"


class HubEngine(SubprocessEngine):
    """A running engine that speaks Hub. It answers `moves` by the `offers` it takes; without any, `plays` by its move.

    A position that Hub has no word for is reached by moves where `lead_ins` finds some, and otherwise unsupported.
    `parameters` are set before it is asked anything, `level` is how long it thinks about a move. The game is told it
    by the parameter for the variant; another game is asked of a new process.
    """

    def __init__(
        self,
        command: Sequence[str],
        board: Board,
        offers: Offers | None,
        *,
        lead_ins: LeadIns = lambda position: None,
        timeout: float = 10.0,
        restarts: int = 3,
        environment: Mapping[str, str] | None = None,
        limits: AnswerLimits = LIMITS,
        sandbox: SandboxConfig | None = None,
        level: str = LEVEL,
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            command,
            timeout=timeout,
            restarts=restarts,
            environment=environment,
            limits=limits,
            sandbox=sandbox,
        )
        self._board, self._offers, self._lead_ins = board, offers, lead_ins
        self._level, self._seconds = level, level_seconds(level)
        self._wanted = dict(parameters or {})
        #: The parameters that the process has declared, with what each says of itself.
        self._declared: dict[str, Mapping[str, str]] = {}
        #: The game that the process was told to play.
        self._variant: str | None = None
        #: The last error that it has named in answer to the lines written last.
        self._error: str | None = None
        self._notes: tuple[str, ...] = ()

    def take_notes(self) -> tuple[str, ...]:
        """How the answers since the last time came about."""
        notes, self._notes = self._notes, ()
        return notes

    # --- how it is spoken to ------------------------------------------------------------------

    def _greeting(self) -> Hello:
        hello: Hello = self._answer("hello", {})
        return hello

    def _introduced(self) -> Hello:
        """What it says of itself, and the parameters it has."""
        self._declared, self._variant = {}, None
        name, version = "unnamed", ""
        for said in self._talk("hub\n", "hub"):
            match said.command:
                case "id":
                    name, version = said.values.get("name", name), said.values.get("version", version)
                case "param" if len(self._declared) < _MOST:
                    self._declared[said.values.get("name", "")] = said.values
                case "wait":
                    break
        if unknown := sorted(self._wanted.keys() - self._declared.keys()):
            known = ", ".join(map(shown, sorted(self._declared))) or "none"
            raise EngineError("param", f"has no parameter {quote_value(unknown[0])}; it has {known}")
        question, manner = ("moves", _PROBED) if self._offers else ("plays", _PLAYED)
        return Hello(shown(name), shown(version), self._rulesets(), frozenset({question}), False, manner=manner)

    def _rulesets(self) -> frozenset[str] | None:
        """What it plays by the variants it has; None for anything, where the variant is given from outside."""
        table = variants()
        if table.parameter in self._wanted:
            return None
        declared = self._declared.get(table.parameter)
        known = {table.default} if declared is None else set(declared.get("values", table.default).split())
        return frozenset(ruleset for ruleset, value in table.of.items() if value in known)

    def _asked(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "hello":
            return self._introduced()
        self._told(params["ruleset"])
        if method != ("moves" if self._offers else "plays"):
            raise UnsupportedError(f"Hub does not ask for {method}")
        position = Position.from_fen(params["position"], self._board)
        origin, before = self._reached(position)
        if self._offers:
            offers = self._offers(position)
            taken = self._taken(origin, before, position, [move for move, _ in offers])
            return {"moves": [named for (_, named), is_legal in zip(offers, taken, strict=True) if is_legal]}
        return {"move": self._played(origin, before)}

    def _reached(self, position: Position) -> LeadIn:
        """The position that Hub is told and the moves after it. Raises UnsupportedError if it has no words for it."""
        check_carries(HUB, position, by_moves=True)
        try:
            check_carries(HUB, position)
        except UnsupportedError as reason:
            found = self._lead_ins(position)
            if found is None:
                raise UnsupportedError(f"{reason}, and no moves were found that lead there") from None
            self._notes = ("by-moves",)
            return found
        return position, ()

    def _farewell(self) -> str:
        return "quit"

    def _told(self, ruleset: str) -> None:
        """Have the process ready for a ruleset's game."""
        table = variants()
        variant = self._wanted.get(table.parameter) or table.of.get(ruleset.partition("?")[0], table.default)
        if self._variant == variant:
            return
        if self._variant is not None:
            self._end()
            self._greeted()
        setting = {name: value for name, value in _SET.items() if name in self._declared} | self._wanted
        if table.parameter in self._declared:
            setting[table.parameter] = variant
        lines = [written("set-param", name=name, value=value) for name, value in setting.items()]
        for said in self._talk("\n".join([*lines, "init", ""]), "init"):
            if said.command == "ready":
                break
        if self._error is not None:
            raise EngineError("param", f"answered set-param and init with error: {shown(self._error)}")
        self._variant = variant

    # --- what it is asked ---------------------------------------------------------------------

    def _taken(
        self, origin: Position, before: Sequence[Squares], position: Position, moves: Sequence[Squares]
    ) -> list[bool]:
        """Which of some moves it does not call an error.

        Before them it is asked about none, and about an impossible one, so that an engine that does not look at moves,
        or gives more answers than it is asked for, is found.
        """
        offers = [(), (_impossible(position),), *((move,) for move in moves)]
        asked = (f"{_position_line(origin, (*before, *offer))}\nping\n" for offer in offers)
        errors: list[str | None] = [None]
        for said in self._talk("".join(asked), "pos", answer="pong"):
            if said.command == "error":
                errors[-1] = said.values.get("message", "")
            elif said.command == "pong":
                if len(errors) == len(offers):
                    break
                errors.append(None)
        if errors[0] is not None:
            raise _refused(origin, before, errors[0])
        if errors[1] is None:
            move = move_text(*_impossible(position))
            raise EngineError("form", f"took the impossible move {move} for a legal one: does not say what is illegal")
        return [error is None for error in errors[2:]]

    def _played(self, origin: Position, before: Sequence[Squares]) -> Any:
        """The move it plays. A `ping` before it thinks and one afterwards show what it says that nobody waits for."""
        self._synchronise(f"{_position_line(origin, before)}\n", "pos")
        if self._error is not None:
            raise _refused(origin, before, self._error)
        for said in self._talk(f"level {self._level}\ngo think\n", "go think", answer="done", more=self._seconds):
            if said.command == "done":
                break
        why = f" after error: {shown(self._error)}" if self._error is not None else ""
        self._synchronise("", "ping")
        move = said.values.get("move")
        if move is None:
            raise EngineError("form", f"answered go think with done and no move{why}")
        if why:
            raise EngineError("form", f"answered go think with done move={shown(move)}{why}")
        try:
            start, end, captured = read_move(move)
        except ValueError as wrong:
            raise EngineError("form", f"answered go think with done: {shown(str(wrong))}") from None
        return {"move": f"{start}{'x' if captured else '-'}{end}", "captured": sorted(captured)} if captured else move

    def _synchronise(self, text: str, method: str) -> None:
        """Write lines and a `ping`, and read all that it says up to its `pong`."""
        for said in self._talk(f"{text}ping\n", method, answer="pong"):
            if said.command == "pong":
                break

    def _talk(self, text: str, method: str, *, answer: str = "", more: float = 0.0) -> Iterator[Said]:
        """Write lines and give what it says meanwhile and afterwards. A line of an `answer` renews the time there is.

        What is no line of Hub is left out. An answer that `method` does not have is one too many: whatever it answers,
        it is not what was asked. Raises EngineError, which has the engine's own error if it has named one.
        """
        assert self._running is not None
        self._error = None
        try:
            for line in self._running.converse(
                text, method, self.timeout + more, lambda said: said.split()[:1] == [answer]
            ):
                try:
                    said = read(line)
                except ValueError:
                    continue
                if said.command == "error":
                    self._error = said.values.get("message", "")
                elif said.command in _ANSWERS and said.command != _ANSWERED_BY[method]:
                    raise EngineError("form", f"said {shown(line.strip())} where {method} was to be answered")
                yield said
        except EngineError as error:
            if self._error is None or error.kind == "form":
                raise
            raise EngineError(error.kind, f"{error}{self._named_error()}") from None
        except EngineDiedError as end:
            if self._error is None:
                raise
            raise EngineDiedError(f"{end}{self._named_error()}") from None

    def _named_error(self) -> str:
        return f", after error: {shown(self._error or 'without a message')}"


#: What ends an answer to each line, and which lines are such ends.
_ANSWERED_BY = {"hub": "wait", "init": "ready", "pos": "pong", "ping": "pong", "go think": "done"}
_ANSWERS = frozenset(_ANSWERED_BY.values())


def _position_line(origin: Position, moves: Sequence[Squares]) -> str:
    """The line that sets up a position and makes moves in it."""
    line = written("pos", pos=position_text(origin))
    texts = " ".join(move_text(*move) for move in moves)
    return f'{line} moves="{texts}"' if texts else line


def _refused(origin: Position, before: Sequence[Squares], error: str) -> Exception:
    """What is raised where an engine takes no position, or not the moves before it."""
    if not before:
        return EngineError("refused", f"answered pos with error: {shown(error)}")
    moves = " ".join(move_text(*move) for move in before)
    return UnsupportedError(f"cannot be led there: answers {moves} from {origin.fen()} with error: {shown(error)}")


def _impossible(position: Position) -> Squares:
    """A move that no rules allow: of a piece that is not there, or not the mover's."""
    own = position.occupied(position.turn)
    free = [number for number in range(1, len(position.board) + 1) if not position.board.bit(number) & own]
    return (free[0], free[-1], frozenset()) if len(free) > 1 else (1, 1, frozenset())
