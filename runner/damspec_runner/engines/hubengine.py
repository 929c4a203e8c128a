"""An engine that speaks Hub: it lists no moves, but says which of those offered are illegal, and what it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from damspec import Position
from damspec.board import Board
from damspec.errors import quoted

from . import hub
from .confinement import Confinement
from .forms import LIMITS, Limits
from .hub import Said, Squares, variants
from .process import Engine
from .protocol import EngineError, Hello, Manner, Unsupported, shown

#: The moves worth offering in a position, each with its notation in an answer.
Offers = Callable[[Position], Sequence[tuple[Squares, Any]]]
#: How long it thinks about a move, if nothing else is said: a tenth of a second.
LEVEL = "move-time=0.1"
#: Parameters that are set where an engine has them and nobody says otherwise: nothing is played that was looked up.
_SET = {"book": "false"}
#: Parameters that an engine may declare; more are no list of parameters.
_MOST = 1000
_PROBED: Manner = "probed"
_PLAYED: Manner = "played"


class HubEngine(Engine):
    """A running engine that speaks Hub. It answers `moves` by the `offers` it takes; without any, `plays` by its move.

    `parameters` are set before it is asked anything, `level` is how long it thinks about a move. The game is told it
    by the parameter for the variant; another game is asked of a new process.
    """

    def __init__(
        self,
        command: Sequence[str],
        board: Board,
        offers: Offers | None,
        *,
        timeout: float = 10.0,
        restarts: int = 3,
        environment: Mapping[str, str] | None = None,
        limits: Limits = LIMITS,
        confinement: Confinement | None = None,
        level: str = LEVEL,
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            command,
            timeout=timeout,
            restarts=restarts,
            environment=environment,
            limits=limits,
            confinement=confinement,
        )
        self._board, self._offers = board, offers
        self._level, self._seconds = level, hub.level_seconds(level)
        self._wanted = dict(parameters or {})
        #: The parameters that the process has declared, with what each says of itself.
        self._declared: dict[str, Mapping[str, str]] = {}
        #: The game that the process was told to play.
        self._variant: str | None = None

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
            raise EngineError("param", f"has no parameter {quoted(unknown[0])}; it has {known}")
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
        position = Position.from_fen(params["position"], self._board)
        text = hub.written("pos", pos=hub.position_text(position))
        if method == "moves" and self._offers:
            offers = self._offers(position)
            taken = self._taken(text, position, [move for move, _ in offers])
            return {"moves": [named for (_, named), is_legal in zip(offers, taken, strict=True) if is_legal]}
        if method == "plays":
            return {"move": self._played(text)}
        raise Unsupported(f"Hub does not ask for {method}")

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
        lines = [hub.written("set-param", name=name, value=value) for name, value in setting.items()]
        for said in self._talk("\n".join([*lines, "init", ""]), "init"):
            if said.command == "ready":
                break
        self._variant = variant

    # --- what it is asked ---------------------------------------------------------------------

    def _taken(self, text: str, position: Position, moves: Sequence[Squares]) -> list[bool]:
        """Which of some moves it does not call an error.

        Before them it is asked about none, and about an impossible one, so that an engine that does not look at moves,
        or gives more answers than it is asked for, is found.
        """
        offers = [(), (_impossible(position),), *((move,) for move in moves)]
        asked = (
            f'{text} moves="{hub.move_text(*offer[0])}"\nping\n' if offer else f"{text}\nping\n" for offer in offers
        )
        errors: list[str | None] = [None]
        for said in self._talk("".join(asked), "pos", answer="pong"):
            if said.command == "error":
                errors[-1] = said.values.get("message", "")
            elif said.command == "pong":
                if len(errors) == len(offers):
                    break
                errors.append(None)
        if errors[0] is not None:
            raise EngineError("refused", f"answered pos with error: {shown(errors[0])}")
        if errors[1] is None:
            move = hub.move_text(*_impossible(position))
            raise EngineError("form", f"took the impossible move {move} for a legal one: does not say what is illegal")
        return [error is None for error in errors[2:]]

    def _played(self, text: str) -> Any:
        """The move it plays."""
        error: str | None = None
        for said in self._talk(f"{text}\nlevel {self._level}\ngo think\n", "go think", more=self._seconds):
            if said.command == "error":
                error = said.values.get("message", "")
            elif said.command == "done":
                break
        move = said.values.get("move")
        if move is None:
            why = f" after error: {shown(error)}" if error is not None else ""
            raise EngineError("form", f"answered go think with done and no move{why}")
        try:
            start, end, captured = hub.read_move(move)
        except ValueError as wrong:
            raise EngineError("form", f"answered go think with done: {shown(str(wrong))}") from None
        return {"move": f"{start}{'x' if captured else '-'}{end}", "captured": sorted(captured)} if captured else move

    def _talk(self, text: str, method: str, *, answer: str = "", more: float = 0.0) -> Iterator[Said]:
        """Write lines and give what it says meanwhile and afterwards. A line of an `answer` renews the time there is.

        What is no line of Hub is left out. Raises EngineError.
        """
        assert self._running is not None
        wanted = f"{answer}\n"
        for line in self._running.converse(
            text, method, self.timeout + more, lambda said: f"{said.strip()}\n" == wanted
        ):
            try:
                yield hub.read(line)
            except ValueError:
                continue


def _impossible(position: Position) -> Squares:
    """A move that no rules allow: of a piece that is not there, or not the mover's."""
    own = position.occupied(position.turn)
    free = [number for number in range(1, len(position.board) + 1) if not position.board.bit(number) & own]
    return (free[0], free[-1], frozenset()) if len(free) > 1 else (1, 1, frozenset())
