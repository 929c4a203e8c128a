"""Observations: what the results of a run show of an engine; and engines simulated by changed rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from damspec import Action, DamspecError, LegalMoves, Move, MoveError, Outcome, Position, Ruleset
from damspec.endings import outcome_of_game, outcome_of_position
from damspec.game import unchecked_moves
from damspec.perft_counts import count_nodes

from ..answers.player import CaseQuestion, Fields, RulePlayer, case_questions, fields, key, keys
from ..cases.notation import Key, move_effect
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import QUESTIONS, EngineError, Hello
from ..mutants.fault_catalogue import FaultyGenerator
from .ask import ask
from .result import LAPSE, Result, reported_key

HELLO = Hello("imitation", "1", None, frozenset(QUESTIONS) - {"plays"}, False, history=True)


class SimulatedEngine(Engine):
    """An engine that plays these rules whatever the ruleset of a question, on its own board.

    Like most engines it takes the positions it is given; if `strict`, it refuses those that no game of its own can
    have, as the reference does. `player` is those rules ready to answer, if they are.
    """

    def __init__(self, ruleset: Ruleset, *, strict: bool = False, player: RulePlayer | None = None) -> None:
        self.ruleset, self.strict = ruleset, strict
        self._player = player or RulePlayer(ruleset)
        self._last: tuple[str, LegalMoves] | None = None

    def hello(self) -> Hello:
        """Return a hello that accepts every question about every ruleset."""
        return HELLO

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises EngineError for a position that it cannot have."""
        try:
            return self._answer(method, params)
        except DamspecError as error:
            raise EngineError("refused", f"answered {method} with error -32602: {error}") from None

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "start":
            return {"position": self._player.parse_position("start").fen()}
        if method == "perft":
            return {"nodes": count_nodes(self._player.turns, self._parse(params["position"]), params["depth"])}
        legal = self._legal(params["position"])
        match method:
            case "moves":
                return {"moves": [str(action) for action in legal], "lapses": [str(move) for move in legal.lapses]}
            case "play":
                return {"position": self._player.turns.after(legal.position, legal.find(params["move"])).fen()}
            case _ if "moves" in params:
                return protocol.outcome(self._outcome_after(legal, params["moves"]))
            case _:
                return protocol.outcome(outcome_of_position(self._player.turns, legal.position, legal))

    def _legal(self, text: str) -> LegalMoves:
        """Return the legal moves of a position; the last ones are cached, since each may be played next."""
        if self._last is None or self._last[0] != text:
            self._last = text, unchecked_moves(self.ruleset, self._parse(text))
        return self._last[1]

    def _outcome_after(self, legal: LegalMoves, moves: Iterable[str]) -> Outcome:
        positions, history = [legal.position], list[Action]()
        for text in moves:
            history.append(legal.find(text))
            positions.append(legal.after(history[-1]))
            legal = unchecked_moves(self.ruleset, positions[-1])
        return outcome_of_game(self._player.turns, positions, history)

    def _parse(self, text: str) -> Position:
        return self.ruleset.position(text) if self.strict else self._player.parse_position(text)


@dataclass(frozen=True)
class ListedMoves:
    """The moves an engine listed, and the position it gave after each, if it was asked for that."""

    listed: frozenset[Key | None]
    after: Mapping[Key | None, Fields | None]

    def agrees(self, player: RulePlayer, position: Position, actions: Sequence[Action]) -> bool:
        """Return whether a player that lists these actions in a position would have answered the same."""
        if keys(actions) != self.listed:
            return False
        answer = player.answer(position, actions)
        return all((key, after) in answer for key, after in self.after.items() if key in self.listed)


@dataclass(frozen=True)
class Observation:
    """An engine's answer to a case, reconstructed from the result."""

    question: CaseQuestion
    passed: bool
    faults: Mapping[str, Any] = field(default_factory=dict)
    moves: ListedMoves | None = None
    lapses: ListedMoves | None = None
    outcome: str | None = None
    game: tuple[tuple[bool, Fields | None], ...] = ()
    #: The engine's start, if it was asked for and given.
    start: Fields | None = None
    #: Whether it was asked where its moves lead.
    leading: bool = True
    #: The move that it played, if it was not asked for a list.
    played: Key | None = None

    def agrees(self, player: RulePlayer, *, at_once: bool = False) -> bool:
        """Return whether a player would have given this answer.

        If `at_once`, a capture listed beside a longer one that it may be short for is not looked into.
        """
        if player.ruleset.rules.board != self.question.reader.ruleset.rules.board:
            return self._written_by(player)  # by its numbers they mean other squares
        if self.start is not None and self.start != self.question.start_of(player):
            return False
        try:
            if self.played is not None:
                position = player.fit(self.question.position)
                return self.played in keys([*player.actions(position), *player.lapsing(position)])
            if self._is_expected_of(player) if self.passed else self._agrees(player):
                return True
        except DamspecError:
            return False
        by_rules = not isinstance(player.turns, FaultyGenerator)
        return by_rules and not at_once and self._may_be_written_by(player) and self._written_by(player)

    def _may_be_written_by(self, player: RulePlayer) -> bool:
        """Return whether the player's other moves may be short forms of those listed, or are written as those."""
        question = self.question
        if (
            question.expected.moves is None
            or self.lapses
            or question.expected.lapses
            or not (self.passed or self.moves)
        ):
            return question.may_be_shortened
        if not question.may_be_shortened:
            return False
        listed = self.moves.listed if self.moves else {squares for squares, _ in question.moves}
        others = [one for one in player.ruleset.turns.actions(player.fit(question.position)) if key(one) not in listed]
        extra = self.faults.get("extra", ())
        return bool(others) and all(
            isinstance(one, Move) and (question.may_be_short(one) or str(one) in extra) for one in others
        )

    def _written_by(self, player: RulePlayer) -> bool:
        """Return whether a simulated engine with this player would have had the same result, word for word."""
        imitation = SimulatedEngine(player.ruleset, player=player)
        left_out = ({"start"} if self.start is None else set()) | (set() if self.leading else {"play"})
        hello = replace(HELLO, questions=HELLO.questions - left_out)
        result = ask(imitation, self.question.reader.ruleset, hello, self.question.case)
        if self.passed or result.status not in ("failed", "reading"):
            return self.passed and result.status == "passed"
        return _canonical_faults(self.question, result.faults()) == _canonical_faults(self.question, self.faults)

    def _is_expected_of(self, player: RulePlayer) -> bool:
        return self.question.answered_by(player, starting=False, leading=self.leading)

    def _agrees(self, player: RulePlayer) -> bool:
        if self.question.expected.outcome is not None:
            return self.question.put_to(player).outcome_by(player) == self.outcome
        position = player.fit(self.question.position)
        if self.question.expected.end is not None:
            return bool(self.game) and self._same_game(player)
        if self.moves is None or (self._is_beyond_rules and not isinstance(player.turns, FaultyGenerator)):
            return False
        if not self.moves.agrees(player, position, player.actions(position)):
            return False
        return self.lapses is None or self.lapses.agrees(player, position, player.lapsing(position))

    @cached_property
    def _is_beyond_rules(self) -> bool:
        """Whether a listed move begins where the side to move has no piece, so that no rules list it."""
        own = {square for square, piece in self.question.position.pieces() if piece[0] == self.question.position.turn}
        return any(isinstance(key, tuple) and key[0] not in own for key in self.moves.listed) if self.moves else False

    def _same_game(self, player: RulePlayer) -> bool:
        last = self.question.position
        for (before, action, _), (listed, after) in zip(self.question.game, self.game, strict=True):
            position = player.fit(before)
            answer = player.moves(position) | player.lapses(position)
            if listed != (action in {key for key, _ in answer}):
                return False
            if listed and after is not None and (action, after) not in answer:
                return False
            last = position
        final = self.question.reader.parse_position(self.question.expected.game[-1][1]) if self.game else last
        return self.outcome is None or player.outcome(player.fit(final)) == self.outcome


def observations(ruleset: Ruleset, results: Sequence[Result], *, leading: bool = True) -> list[Observation]:
    """Return the observations of results; unless `leading`, the engine was not asked where its moves lead."""
    asked = case_questions(ruleset, [result.case for result in results])
    seen = (
        observe(
            question,
            result.status,
            result.faults() | {"start_told": result.start_told, "played": result.played},
            leading=leading,
        )
        for question, result in zip(asked, results, strict=True)
    )
    return [observation for observation in seen if observation]


def observe(
    question: CaseQuestion, status: str, faults: Mapping[str, Any], *, leading: bool = True
) -> Observation | None:
    """Reconstruct the engine's answer from the faults of a result; None if it gave none.

    `faults` may have `start_told` and `played` besides, as a report has them. An answer that makes no sense on this
    board may make sense on another.
    """
    start = _start(question, faults)
    if played := faults.get("played"):
        return Observation(question, status == "passed", faults, played=_played_move(question, played))
    if status == "passed":
        return Observation(question, True, start=start, leading=leading)
    if status not in ("failed", "reading") or "message" in faults:
        return None
    try:
        seen = _observe(question, faults)
    except DamspecError:
        seen = None
    if seen and seen.moves and not leading:
        seen = replace(seen, moves=replace(seen.moves, after={}))
    return replace(seen or Observation(question, False, faults), start=start, leading=leading)


def _played_move(question: CaseQuestion, text: str) -> Key:
    """Return the move that an engine played, or its text if the board has no such move."""
    return _key_or_text(question.position, text)


def _start(question: CaseQuestion, faults: Mapping[str, Any]) -> Fields | None:
    if "start" in faults:
        return _fields(question, faults["start"]["got"])
    return fields(question.position) if faults.get("start_told") else None


def _observe(question: CaseQuestion, faults: Mapping[str, Any]) -> Observation | None:
    expected = question.expected
    if expected.outcome is not None:
        return Observation(question, False, faults, outcome=_outcome(faults, expected.outcome))
    if expected.end is not None:
        outcome = _outcome(faults, expected.end)
        return Observation(question, False, faults, outcome=outcome, game=tuple(_played_fields(question, faults)))
    moves = _listed_moves(question, expected.moves or {}, faults, "")
    lapses = None
    if question.lapses is not None:
        lapses = _listed_moves(question, expected.lapses or {}, faults, LAPSE)
    if moves is None or (question.lapses is not None and lapses is None):
        return None
    return Observation(question, False, faults, moves, lapses)


def _outcome(faults: Mapping[str, Any], expected: Outcome) -> str:
    return str(faults["outcome"]["got"]) if "outcome" in faults else expected.result


def _listed_moves(
    question: CaseQuestion,
    expected: Mapping[str, str],
    faults: Mapping[str, Any],
    prefix: str,
    *,
    leading: bool = True,
) -> ListedMoves | None:
    """Return what an engine listed; None if some is no move of the board."""
    position = question.position
    missing = [text.removeprefix(prefix) for text in faults.get("missing", ()) if _is(text, prefix)]
    after: dict[Key | None, Fields | None] = {}
    for text, fen in expected.items():
        if text not in missing:
            wrong = faults.get("after", {}).get(text)
            after[move_effect(position, text)] = _fields(question, wrong["got"] if wrong else fen)
    listed = [*faults.get("extra", ()), *faults.get("unparsable", ())]
    extra = [reported_key(position, text.removeprefix(prefix)) for text in listed if _is(text, prefix)]
    if None in extra:
        return None
    return ListedMoves(frozenset([*after, *extra]), after if leading else {})


def _key_or_text(position: Position, text: str) -> Key:
    """Return what a notation does on the board, or the text itself if that is unclear."""
    try:
        return reported_key(position, text) or text
    except DamspecError:
        return text


def _is(text: str, prefix: str) -> bool:
    return text.startswith(LAPSE) == bool(prefix)


def _played_fields(question: CaseQuestion, faults: Mapping[str, Any]) -> Iterator[tuple[bool, Fields | None]]:
    for place, (action, fen) in enumerate(question.expected.game, 1):
        name = f"{place}. {action}"
        wrong = faults.get("after", {}).get(name)
        yield name not in faults.get("missing", ()), _fields(question, wrong["got"] if wrong else fen)


def _fields(question: CaseQuestion, fen: str) -> Fields | None:
    """Return an engine's position in comparable form; an invalid one equals no other."""
    try:
        return fields(question.reader.parse_position(fen))
    except (DamspecError, MoveError):
        return (fen,)


def _canonical_faults(question: CaseQuestion, faults: Mapping[str, Any]) -> tuple[object, ...]:
    """Return faults in a form independent of the order of moves and squares."""
    after = {move: _fields(question, wrong["got"]) for move, wrong in faults.get("after", {}).items()}
    lists = (frozenset(faults.get(word, ())) for word in ("missing", "extra", "unparsable"))
    start = _fields(question, faults["start"]["got"]) if "start" in faults else None
    return (*lists, start, after, faults.get("outcome", {}).get("got"))
