"""Hub, a protocol for playing that cannot list moves, and engines that speak it (docs/hub.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from damspec import Move, Position, data, ruleset_ids
from damspec.board import Board
from damspec.errors import quote_value
from damspec.written_position import HUB_LETTERS

from .position_parts import HUB, check_carries
from .process import EngineDiedError, SubprocessEngine
from .protocol import (
    LEVEL,
    LIMITS,
    AnswerLimits,
    EngineError,
    Hello,
    Manner,
    UnsupportedError,
    clean_text,
    level_seconds,
    move_entry,
)
from .sandbox import SandboxConfig

#: A move: from, to, captured squares.
Squares = tuple[int, int, frozenset[int]]
#: A name, optionally with a value, which is quoted if it is empty or contains spaces.
_PAIR = re.compile(r'\s*([^\s="\x00-\x1f\x7f]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="\x00-\x1f\x7f]+)))?')
_NAME = re.compile(r'[^\s="\x00-\x1f\x7f]+')
_MOVE = re.compile(r"([0-9]{1,3})([-x])([0-9]{1,3})((?:x[0-9]{1,3}){0,100})")


@dataclass(frozen=True)
class HubMessage:
    """A line: its command and its values by name; a name without a value has an empty one."""

    command: str
    values: Mapping[str, str]


def read_message(line: str) -> HubMessage:
    """Parse a line. Raises ValueError."""
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
    return HubMessage(words[0][0], dict(words[1:]))


def format_message(command: str, *flags: str, **values: str) -> str:
    """Format a line; underscores in names stand for hyphens."""
    pairs = [f"{name.replace('_', '-')}={_value(value)}" for name, value in values.items()]
    return " ".join([command, *flags, *pairs])


def _value(value: str) -> str:
    """Quote a value where necessary; drop characters that no line can contain."""
    plain = "".join(letter for letter in value if letter.isprintable() and letter != '"')
    return plain if _NAME.fullmatch(plain) else f'"{plain}"'


def position_text(position: Position, letters: str = HUB_LETTERS) -> str:
    """Format a position: the side to move, and a letter for each square in order.

    `letters` are those for White's men and kings, Black's men and kings, and empty squares.
    """
    text = [letters[4]] * len(position.board)
    for number, piece in position.pieces():
        text[number - 1] = letters[2 * (piece.side == "black") + (piece.kind == "king")]
    return ("W" if position.turn == "white" else letters[3]) + "".join(text)


def move_text(start: int, end: int, captured: Iterable[int]) -> str:
    """Format a move: from, to, and the captured squares."""
    taken = "".join(f"x{square}" for square in sorted(captured))
    return f"{start}{'x' if taken else '-'}{end}{taken}"


def move_squares(move: Move) -> Squares:
    """Return the squares by which Hub tells a move from others."""
    return move.start, move.end, frozenset(move.captured)


def read_move(text: str) -> Squares:
    """Parse the text of a move, whose squares may be on no board. Raises ValueError."""
    found = _MOVE.fullmatch(text)
    if found is None or (found[2] == "-" and found[4]):
        raise ValueError(f"{quote_value(text[:60])} is no move: expected one like 32-28 or 28x19x23")
    return int(found[1]), int(found[3]), frozenset(map(int, found[4].split("x")[1:]))


@dataclass(frozen=True)
class Variants:
    """The games of Hub: the parameter that selects one, its default and possible values, and each ruleset's value."""

    parameter: str
    default: str
    values: tuple[str, ...]
    of: Mapping[str, str]

    def of_ruleset(self, id: str) -> tuple[str, ...]:
        """Return the values by which a ruleset is known: Hub's, and its own id."""
        base = id.partition("?")[0]
        return tuple(dict.fromkeys((self.of.get(base, base), base)))


@cache
def variants() -> Variants:
    """Load the games from `spec/hub.yaml`. Raises FileError."""
    path = data.root() / "spec" / "hub.yaml"
    content = data.load_yaml(path)
    data.check(content, "hub", data.path_text(path))
    of = {ruleset: entry["value"] for entry in content["variants"] for ruleset in entry["rulesets"]}
    values = tuple(entry["value"] for entry in content["variants"])
    return Variants(content["parameter"], content["default"], values, of)


#: Returns the moves worth offering in a position, each with its notation in an answer.
Offers = Callable[[Position], Sequence[tuple[Squares, Any]]]
#: A position that Hub can express, and the moves from there to one that it cannot.
LeadIn = tuple[Position, Sequence[Squares]]
#: Finds the lead-in to a position; None if there is none.
LeadIns = Callable[[Position], LeadIn | None]
#: The runner's defaults for parameters that an engine declares: no opening book.
_DEFAULTS = {"book": "false"}
#: The maximum number of parameters that an engine may declare.
_MAX_PARAMETERS = 1000


class HubEngine(SubprocessEngine):
    """A process that speaks Hub.

    It answers `moves` by those of `offers` that it accepts, or without `offers` answers `plays` by the move it plays. A
    position that Hub cannot express is reached by moves if `lead_ins` finds some, else unsupported. `parameters` are
    set before anything is asked, `level` is how long it thinks about a move. The game is selected by the parameter for
    the variant; for another game the process is restarted.
    """

    def __init__(
        self,
        command: Sequence[str],
        board: Board,
        offers: Offers | None,
        *,
        lead_ins: LeadIns = lambda position: None,
        timeout: float = 10.0,
        environment: Mapping[str, str] | None = None,
        limits: AnswerLimits = LIMITS,
        sandbox: SandboxConfig | None = None,
        level: str = LEVEL,
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(command, timeout=timeout, environment=environment, limits=limits, sandbox=sandbox)
        self.board = board
        self._offers, self._lead_ins = offers, lead_ins
        self.set_level(level)
        self._parameters = dict(parameters or {})
        #: The parameters that the process has declared.
        self._declared: dict[str, Mapping[str, str]] = {}
        #: The game that the process is set to.
        self._variant: str | None = None
        #: The message of its last error since lines were last written.
        self._error: str | None = None
        self._notes: tuple[str, ...] = ()

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        notes, self._notes = self._notes, ()
        return notes

    def set_level(self, level: str) -> None:
        """Set how long it thinks about each move from now on. Raises ValueError if it is no level."""
        self._level, self._seconds = level, level_seconds(level)

    # --- instead of JSON ----------------------------------------------------------------------

    def _handshake(self) -> Hello:
        hello: Hello = self._exchange_or_end("hello", {})
        return hello

    def _say_hub(self) -> Hello:
        """Return what the engine says of itself, and read its parameters."""
        self._declared, self._variant = {}, None
        name, version = "unnamed", ""
        for message in self._talk("hub\n", "hub"):
            match message.command:
                case "id":
                    name, version = message.values.get("name", name), message.values.get("version", version)
                case "param" if len(self._declared) < _MAX_PARAMETERS:
                    self._declared[message.values.get("name", "")] = message.values
                case "wait":
                    break
        if unknown := sorted(self._parameters.keys() - self._declared.keys()):
            known = ", ".join(map(clean_text, sorted(self._declared))) or "none"
            raise EngineError("param", f"has no parameter {quote_value(unknown[0])}; it has {known}")
        manner: Manner = "probed" if self._offers else "played"
        questions = frozenset({"moves" if self._offers else "plays"})
        return Hello(clean_text(name), clean_text(version), self._rulesets(), questions, False, manner=manner)

    def _rulesets(self) -> frozenset[str] | None:
        """Return the rulesets of the variants it declares; None, for all, if it declares none or the user has set one.

        An engine without the parameter plays one game, and does not say which.
        """
        table = variants()
        if table.parameter in self._parameters or (known := self._values()) is None:
            return None
        return frozenset(id for id in ruleset_ids() if known.intersection(table.of_ruleset(id)))

    def _values(self) -> set[str] | None:
        """Return the values of the parameter for the variant; None if it is not declared."""
        declared = self._declared.get(variants().parameter)
        return None if declared is None else {*declared.get("values", declared.get("value", "")).split()}

    def _exchange(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "hello":
            return self._say_hub()
        self._select_game(params["ruleset"])
        if method != ("moves" if self._offers else "plays"):
            raise UnsupportedError(f"Hub does not ask for {method}")
        position = Position.from_fen(params["position"], self.board)
        origin, before = self._lead_in(position)
        if self._offers:
            offers = self._offers(position)
            legal = self._probe(origin, before, position, [move for move, _ in offers])
            return {"moves": [notation for (_, notation), is_legal in zip(offers, legal, strict=True) if is_legal]}
        return {"move": self._play(origin, before)}

    def _lead_in(self, position: Position) -> LeadIn:
        """Return a position that Hub can express and the moves from there. Raises UnsupportedError."""
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

    def _quit_message(self) -> str:
        return "quit"

    def _select_game(self, ruleset: str) -> None:
        """Set the parameters for a ruleset's game, in a new process if this one is set to another."""
        table = variants()
        known = self._values() or set()
        named = next((value for value in table.of_ruleset(ruleset) if value in known), table.default)
        variant = self._parameters.get(table.parameter, named)
        if self._variant == variant:
            return
        if self._variant is not None:
            self._end()
            self._ensure_hello()
        values = {name: value for name, value in _DEFAULTS.items() if name in self._declared} | self._parameters
        if table.parameter in self._declared:
            values[table.parameter] = variant
        lines = [format_message("set-param", name=name, value=value) for name, value in values.items()]
        self._talk_until("ready", "\n".join([*lines, "init", ""]), "init")
        if self._error is not None:
            raise EngineError("param", f"answered set-param and init with error: {clean_text(self._error)}")
        self._variant = variant

    # --- questions ----------------------------------------------------------------------------

    def _probe(
        self, origin: Position, before: Sequence[Squares], position: Position, moves: Sequence[Squares]
    ) -> list[bool]:
        """Return for each move whether the engine accepts it.

        It is first asked about no move and about an impossible one, to find an engine that does not look at moves or
        gives more answers than questions.
        """
        offers = [(), (_impossible(position),), *((move,) for move in moves)]
        asked = (f"{_position_line(origin, (*before, *offer))}\nping\n" for offer in offers)
        errors: list[str | None] = [None]
        for message in self._talk("".join(asked), "pos", answer="pong"):
            if message.command == "error":
                errors[-1] = message.values.get("message", "")
            elif message.command == "pong":
                if len(errors) == len(offers):
                    break
                errors.append(None)
        if errors[0] is not None:
            raise _position_error(origin, before, errors[0])
        if errors[1] is None:
            move = move_text(*_impossible(position))
            raise EngineError("form", f"took the impossible move {move} for a legal one: does not say what is illegal")
        return [error is None for error in errors[2:]]

    def _play(self, origin: Position, before: Sequence[Squares]) -> Any:
        """Return the move it plays. A `ping` before it thinks and one afterwards reveal superfluous answers."""
        self._talk_until("pong", f"{_position_line(origin, before)}\nping\n", "pos")
        if self._error is not None:
            raise _position_error(origin, before, self._error)
        done = self._talk_until("done", f"level {self._level}\ngo think\n", "go think", more=self._seconds)
        why = f" after error: {clean_text(self._error)}" if self._error is not None else ""
        self._talk_until("pong", "ping\n", "ping")
        move = done.values.get("move")
        if move is None and why:
            raise EngineError("form", f"answered go think with done and no move{why}")
        if move is None:
            return None
        if why:
            raise EngineError("form", f"answered go think with done move={clean_text(move)}{why}")
        try:
            start, end, captured = read_move(move)
        except ValueError as wrong:
            raise EngineError("form", f"answered go think with done: {clean_text(str(wrong))}") from None
        return move_entry(start, end, captured) if captured else move

    def _talk_until(self, answer: str, text: str, method: str, *, more: float = 0.0) -> HubMessage:
        """Write lines and return the first message with the command `answer`."""
        return next(message for message in self._talk(text, method, more=more) if message.command == answer)

    def _talk(self, text: str, method: str, *, answer: str = "", more: float = 0.0) -> Iterator[HubMessage]:
        """Write lines and yield the messages that come meanwhile and afterwards, without end.

        A message with the command `answer` restarts the timeout, which is `more` seconds longer than usual. Lines that
        are not Hub are ignored. Raises EngineError, quoting the engine's last error if there is one, also for an answer
        to something else than `method`.
        """
        assert self._process is not None
        self._error = None
        try:
            for line in self._process.converse(
                text, method, self.timeout + more, lambda line: line.split()[:1] == [answer]
            ):
                try:
                    message = read_message(line)
                except ValueError:
                    continue
                if message.command == "error":
                    self._error = message.values.get("message", "")
                elif message.command in _ANSWERS and message.command != _ANSWERED_BY[method]:
                    raise EngineError("form", f"said {clean_text(line.strip())} where {method} was to be answered")
                yield message
        except (EngineError, EngineDiedError) as error:
            kind = getattr(error, "kind", None)
            if self._error is None or kind == "form":
                raise
            said = f"{error}, after error: {clean_text(self._error or 'without a message')}"
            raise (EngineError(kind, said) if kind else EngineDiedError(said)) from None


#: The command that ends the answer to each request.
_ANSWERED_BY = {"hub": "wait", "init": "ready", "pos": "pong", "ping": "pong", "go think": "done"}
_ANSWERS = frozenset(_ANSWERED_BY.values())


def _position_line(origin: Position, moves: Sequence[Squares]) -> str:
    """Format the line that sets up a position and makes moves in it."""
    line = format_message("pos", pos=position_text(origin))
    texts = " ".join(move_text(*move) for move in moves)
    return f'{line} moves="{texts}"' if texts else line


def _position_error(origin: Position, before: Sequence[Squares], error: str) -> Exception:
    """Return the error to raise if an engine refuses a position, or the moves that lead there."""
    if not before:
        return EngineError("refused", f"answered pos with error: {clean_text(error)}")
    moves = " ".join(move_text(*move) for move in before)
    return UnsupportedError(f"cannot be led there: answers {moves} from {origin.fen()} with error: {clean_text(error)}")


def _impossible(position: Position) -> Squares:
    """Return a move that no rules allow: from a square without a piece of the mover's."""
    own = position.occupied(position.turn)
    free = [number for number in range(1, len(position.board) + 1) if not position.board.bit(number) & own]
    return (free[0], free[-1], frozenset()) if len(free) > 1 else (1, 1, frozenset())
