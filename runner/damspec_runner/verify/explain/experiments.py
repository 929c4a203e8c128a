"""Experiments on an engine: the smallest position in which it is wrong, and what has to change for it to be right.

What is comparable decides everything: an answer after a change counts only where the mistake could still show, and only
in positions that a game may reach. Nothing is said that is not counted.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, product
from typing import Literal

from damspec import Piece, Position
from damspec.board import SIDES
from damspec.king_runs import drop_moot_runs
from damspec.sampling import sample_positions

from ...answers.player import RulePlayer
from ...cases.adapt import AboutIt
from ...positions.random_games import play_random_game
from ..result import Result
from ..shrink import shrink, with_slider
from .engine_under_test import AskedQuestion, EngineUnderTest
from .imitation import gives, has_answer
from .position_misreadings import LISTS, find_misreading, mirrored_left_right, other_turn, shifted, without_piece
from .symptoms import Occurrence, Symptom, Symptoms, capture_size, legal_moves, symptoms
from .wording import crossed, describe_wrong, in_numbers, move_list

#: The shares of the limits up to which wrong answers are looked for, and positions shrunk: of seconds and of questions.
_SCANNED, _SHRUNK = (0.7, 0.5), (0.85, 0.75)
#: Positions of failed cases that are asked again, all positions asked, groups that are looked into, and shown.
_FAILED, _POSITIONS, _GROUPS, _SHOWN = 60, 220, 8, 3
#: The most positions asked to shrink one, and legal moves that are all played, in so many positions of the scan.
_TRIES, _PLAYED, _LED = 100, 6, 130
#: Pieces and plies of positions drawn, and the share of the positions of games that are asked.
_PIECES, _PLIES, _TAKEN = (2, 6), 90, 0.08
#: How often a question is asked again, and alone of a fresh process; the longest log that is tried, and the longest in
#: which moves are played; how often others are put in its place.
_AGAIN, _ALONE, _LONGEST, _PLAYED_LOG, _OTHERS = 4, 2, 300, 16, 6
#: The most squares on which one more piece is tried, and pairs of changes.
_SQUARES, _PAIRS = 12, 24
#: The share of wrong answers about one side from which it is told apart from one that is always right.
_ONE_SIDE = 0.7
#: The most squares that a sentence names.
_NAMED = 8

_DEPENDS = "right when a fresh process is asked nothing else: it depends on earlier questions or on chance"

_VARIES = "the same question is answered now so, now otherwise: it depends on earlier questions or on chance"

#: How a wrong move is introduced, by what is wrong with it.
_WORDS = {"missing": "not listed", "extra": "listed, but wrong", "unparsable": "listed, but no move"}

#: What an experiment shows: wrong in the same way, right, or wrong in another way; None for what is not comparable.
Verdict = Literal["W", "R", "O"] | None


@dataclass(frozen=True)
class Experiment:
    """A group of failures: the smallest position, and what was found out about it, in sentences."""

    position: str
    alike: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Subject:
    """A wrong position that is looked into: its symptom, and the wrong move that is looked at."""

    position: Position
    symptom: Symptom
    wrong: Occurrence

    @property
    def start(self) -> int | None:
        return next(iter(self.wrong.path), None)

    @property
    def question(self) -> tuple[Position, AboutIt]:
        return self.position, "outcome" if self.symptom.what == "outcome" else "moves"

    @property
    def breaks(self) -> bool:
        """Whether the engine gives no answer, and does not refuse the question."""
        return self.symptom.what == "error" and self.symptom.piece != "refused"

    @property
    def size(self) -> tuple[int, int]:
        return len(self.position), (self.position.white_kings | self.position.black_kings).bit_count()


class Experiments:
    """Experiments on an engine; `explained_by` are players that explain a part of its answers."""

    def __init__(self, engine: EngineUnderTest, explained_by: Sequence[RulePlayer] = ()) -> None:
        self.engine, self._explained_by = engine, explained_by
        #: What is wrong and not explained, and in how many positions the same is wrong, explained or not.
        self._groups: dict[Symptom, list[_Subject]] = defaultdict(list)
        self._alike = Counter[Symptom]()
        #: In how many positions pieces have legal moves, and wrong ones: by what is wrong, side, kind, number taken.
        self._legal, self._bad = Counter[tuple[str, str, int]](), Counter[tuple[str, str, str, int]]()
        #: Some answers with lists of moves, by their status.
        self._lists: dict[str, list[Result]] = defaultdict(list)
        self._asked = 0
        self._told: set[str] = set()

    def run(self, failed: Iterable[Position]) -> tuple[list[str], list[Experiment]]:
        """Return what can be said of all wrong answers, and the experiments about some groups of them."""
        self.engine.budget.tell("asking further positions, to find the smallest that are answered wrong")
        self.engine.close()
        self._scan(islice(failed, _FAILED), self._drawn())
        if not self._groups:
            return [], []
        experiments = [self._experiment(*one) for one in self._choose()]
        return find_misreading(self.engine, self._lists["failed"], self._lists["passed"]), experiments

    # --- finding wrong answers

    def _drawn(self) -> Iterator[Position]:
        """Yield positions with few pieces, and positions of games."""
        rng, ruleset = random.Random(1), self.engine.ruleset
        few = sample_positions(ruleset, rng, _PIECES)
        while True:
            yield from islice(few, 12)
            game = play_random_game(ruleset, rng, Position.start(ruleset.rules), _PLIES)
            yield from (ply.position for ply in game if rng.random() < _TAKEN)

    def _scan(self, failed: Iterable[Position], drawn: Iterator[Position]) -> None:
        engine, seen = self.engine, set[Position]()
        for position, has_failed in chain(((each, True) for each in failed), ((each, False) for each in drawn)):
            if engine.budget.is_over(*_SCANNED) or len(seen) == _POSITIONS:
                break
            if position in seen or not (has_failed or engine.may_ask(position)):
                continue
            seen.add(position)
            legal = legal_moves(engine.turns, position)
            with_successors = has_failed or (len(legal) <= _PLAYED and self._asked < _LED)
            found: Symptoms = {}
            for kind in engine.kinds:
                result = engine.ask(position, kind, with_successors=with_successors)
                wrong = symptoms(result)
                found |= wrong
                for symptom, wrongs in wrong.items() if not self._is_explained(result) else ():
                    self._groups[symptom].append(_Subject(position, symptom, wrongs[0]))
                if kind == "moves" and len(self._lists[result.status]) < LISTS:
                    self._lists[result.status].append(result)
            self._asked += 1
            self._legal.update({(*piece, capture_size(move)) for move in legal if (piece := position[move.start])})
            self._alike.update(found.keys())
            for symptom, wrongs in found.items():
                pieces = {piece for one in wrongs if one.path and (piece := position[one.path[0]])}
                self._bad.update((symptom.what, *piece, symptom.size) for piece in pieces)

    def _is_explained(self, result: Result) -> bool:
        """Return whether a part of the explanation gives this wrong answer."""
        if result.status == "passed" or not has_answer(result):
            return False
        with_successors = "play" in self.engine.hello.questions
        return any(gives(player, result, with_successors=with_successors) for player in self._explained_by)

    # --- groups

    def _choose(self) -> list[tuple[_Subject, int, list[str]]]:
        """Return the groups to show, those whose symptoms differ most, each with how it depends on other questions."""
        shown: list[tuple[_Subject, int, list[str]]] = []
        seen: set[Position] = set()
        known: list[set[Symptom]] = []
        for group in sorted(self._groups.values(), key=len, reverse=True)[:_GROUPS]:
            if len(shown) == _SHOWN or (shown and self.engine.budget.is_over(*_SHRUNK)):
                break
            subject, state = group[0], self._state(group[0])
            if not state:
                few = sorted(group, key=lambda one: len(one.position))
                is_error = subject.symptom.what == "error"
                subject = few[0] if is_error else min(map(self._smallest, few[:2]), key=lambda one: one.size)
                state = [] if subject.breaks or all(chain(*self._ask_again(subject))) else [_VARIES]
            if state and any(each[2] for each in shown):
                continue
            here = set(symptoms(self.engine.ask(*subject.question)))
            both = {subject.position, subject.position.mirrored()}
            if not state and (both & seen or any(here <= each for each in known)):
                continue
            seen.add(subject.position)
            known.append(here)
            shown.append((subject, self._alike[subject.symptom], state))
        return sorted(shown, key=lambda each: (each[0].size, -each[1]))

    def _smallest(self, found: _Subject) -> _Subject:
        first, tries = found, 0

        def shows(smaller: Position) -> bool:
            nonlocal found, tries
            engine, what = self.engine, first.symptom.what
            if tries == _TRIES or engine.budget.is_over(*_SHRUNK) or not engine.may_ask(smaller, first.position):
                return False
            tries += 1
            result = engine.ask(smaller, first.question[1], with_successors=what.startswith("after"))
            wrongs = symptoms(result).get(first.symptom)
            if wrongs:
                found = replace(found, position=smaller, wrong=wrongs[0])
            return bool(wrongs)

        shrink(first.position, shows)
        return found

    # --- state and chance

    def _state(self, subject: _Subject) -> list[str]:
        """Return how an answer depends on chance or on what was asked before, in sentences; nothing if it does not."""
        engine, question = self.engine, subject.question
        if question not in engine.log or subject.breaks:
            return []
        before = engine.log[: engine.log.index(question)]

        def after(questions: Sequence[AskedQuestion], *, playing: bool = True) -> bool:
            return subject.symptom in symptoms(engine.ask_afresh([*questions, question], playing=playing))

        alone, again = self._ask_again(subject)
        if all(alone + again):
            return []
        number = f"asked {len(alone + again)} times more, it is answered so {sum(alone + again)} times"
        if any(alone):
            fresh = f"of a fresh process {sum(alone)} of {len(alone)}"
            return [f"the answer is not always the same: {number}, {fresh}"]
        for length in (1, 2, 4, 8, _PLAYED_LOG, 64, _LONGEST):
            if engine.budget.is_over(*_SHRUNK) or length > 4 * len(before):
                break
            if after(before[-length:], playing=length <= _PLAYED_LOG):
                return self._spoiling(question, before, self._shortest(before[-length:], after), after)
        return [f"{_DEPENDS}; {number}"]

    def _ask_again(self, subject: _Subject) -> tuple[list[bool], list[bool]]:
        """Return whether a question is answered wrong alone by fresh processes, and when it is asked again."""
        alone = [self.engine.ask_afresh([subject.question]) for _ in range(_ALONE)]
        again = [self.engine.ask_again(*subject.question) for _ in range(_AGAIN)]
        first, second = ([subject.symptom in symptoms(one) for one in results] for results in (alone, again))
        return first, second

    def _shortest(self, log: list[AskedQuestion], after: Callable[..., bool]) -> list[AskedQuestion]:
        """Return the shortest log found after which the answer is wrong."""
        step = max(1, len(log) // 2)
        while step and not self.engine.budget.is_over(*_SHRUNK):
            shorter = (log[:place] + log[place + step :] for place in range(0, len(log), step))
            cut = next((each for each in shorter if after(each)), None)
            log, step = (cut, step) if cut is not None else (log, step // 2)
        return log

    def _spoiling(
        self,
        question: AskedQuestion,
        before: Sequence[AskedQuestion],
        need: list[AskedQuestion],
        after: Callable[..., bool],
    ) -> list[str]:
        if not all(after(need) for _ in range(_ALONE)):
            return ["the same questions to a fresh process are answered now so, now right: it depends on chance"]
        plays = "play" in self.engine.hello.questions and not after(need, playing=False)
        words = {"moves": "moves, and play of each," if plays else "moves", "outcome": "outcome"}
        told = [f"{words[kind]} of {position.fen()}" for position, kind in need]
        more = f" and {len(told) - 3} more before" if len(told) > 3 else ""
        lines = [f"answered right by a fresh process, and wrong after just: {' and then '.join(told[-3:])}{more}"]
        number = len(need)
        others = [each for each in dict.fromkeys(before) if each not in need and each != question]
        instead = [others[place : place + number] for place in range(0, len(others) - number + 1, number)][-_OTHERS:]
        if instead:
            spoilt = sum(after(each) for each in instead)
            what = "that one, others" if number == 1 else f"those {number}, others"
            lines.append(f"with {what} before it instead, it is wrong too in {spoilt} of {len(instead)} tries")
        return lines

    # --- one group

    def _experiment(self, subject: _Subject, alike: int, state: list[str]) -> Experiment:
        engine, position = self.engine, subject.position
        found = symptoms(engine.ask(*subject.question))
        if state and subject.symptom not in found:  # asked again, it may be right now
            found = {subject.symptom: [subject.wrong]}
        wrong = "wrong position" if state or subject.symptom.what == "error" else "smallest wrong position found"
        lines = [
            f"{wrong}: {position.fen()} ({alike} of {self._asked} positions asked are wrong in this way)",
            f"right moves: {move_list([str(action) for action in engine.turns.actions(position)])}",
        ]
        legal = legal_moves(engine.turns, position)
        for symptom, wrongs in [*found.items()][:3]:
            if word := _WORDS.get(symptom.what):
                told = [one.move + describe_wrong(legal, position, symptom.what, one) for one in wrongs]
                lines.append(f"{word}: {move_list(told, 4)}")
            else:
                lines += [one.note for one in wrongs[:2]]
                lines += [f"and wrong after {len(wrongs) - 2} more of its moves"] if len(wrongs) > 2 else []
        lines += state
        if not state and not subject.breaks:
            lines += [*_Changes(engine, subject).lines(), *self._rates(subject.symptom.what)]
        return Experiment(position.fen(), alike, tuple(lines))

    def _rates(self, what: str) -> list[str]:
        """Return how often the mistake was seen with each piece and number of captures, in a sentence."""
        if what != "missing" and not what.startswith("after"):
            return []
        told = []
        for kind, size in product(("man", "king"), (0, 1, 2)):
            who = f"{'men' if kind == 'man' else 'kings'} {('moving', 'taking one', 'taking more')[size]}"
            sides = {side: (self._bad[what, side, kind, size], self._legal[side, kind, size]) for side in SIDES}
            shares = sorted(bad / of for bad, of in sides.values() if of > 2)
            if len(shares) == 2 and shares[0] == 0 and shares[1] > _ONE_SIDE:
                told += [f"{side} {who} {bad} of {of}" for side, (bad, of) in sides.items()]
            elif of := sum(of for _, of in sides.values()):
                told.append(f"{who} {sum(bad for bad, _ in sides.values())} of {of}")
        line = f"{what} in how many positions asked that have such moves: {', '.join(told)}"
        known, self._told = line in self._told, {*self._told, line}
        return [line] if told and not known else []


class _Changes:
    """Changes of one thing, then of two, in the smallest position: which make it right, and which change nothing."""

    def __init__(self, engine: EngineUnderTest, subject: _Subject) -> None:
        self.engine, self.subject, self.position = engine, subject, subject.position
        self.pieces = dict(subject.position.pieces())
        self.legal = legal_moves(engine.turns, subject.position)
        # Without the pieces that a wrong move jumps it is no such move.
        jumped = crossed(self.position, subject.wrong.path) if subject.symptom.what == "extra" else []
        self._fixed = {subject.start, *chain(*jumped)}
        self._right: list[str] = []
        self._same: list[str] = []
        self._partly: list[str] = []
        self.tried = 0

    def lines(self) -> list[str]:
        """Return what was found out, in sentences."""
        for experiment in (
            self._pieces_off,
            self._other_kinds,
            self._whole_board,
            self._elsewhere,
            self._one_more,
            self._fields,
        ):
            if self.engine.budget.is_over():
                break
            experiment()
        if not self._right and not self.engine.budget.is_over():
            self._two_at_once()
        lines = [f"answered right {'; '.join(self._right)}"] if self._right else []
        lines += self._partly
        lines += [f"still wrong with {'; '.join(dict.fromkeys(self._same))}"] if self._same else []
        lines += self._other_side()
        return [*lines, f"{self.tried} changes of this position were tried"] if self.tried else lines

    def verdict(self, position: Position, start: int | None = None, outcome: str | None = None) -> Verdict:
        """Return what a changed position shows: W, R or O; None where the mistake could not show, or no game has it.

        `outcome` is the right one there, if it is not that of the position itself.
        """
        engine, (what, right, size, _) = self.engine, self.subject.symptom
        if engine.budget.is_over() or not engine.may_ask(position, self.position):
            return None
        if what == "missing" or what.startswith("after"):
            moves = legal_moves(engine.turns, position)
            if not any(capture_size(move) == size and start in (None, move.start) for move in moves):
                return None
        result = engine.ask(position, self.subject.question[1], with_successors=what.startswith("after"))
        if what == "outcome" and result.question.expected.outcome != (outcome or right):
            return None
        self.tried += 1
        found = symptoms(result)
        for other, wrongs in found.items():
            is_alike = other.what == what and other.size == size
            if is_alike and (start is None or any(one.path[:1] == (start,) for one in wrongs)):
                return "W"
        return "O" if found else "R"

    def report(self, text: str, tried: Sequence[tuple[int, Verdict]]) -> None:
        """Take in what a change on several squares showed."""
        wrong, right = ([square for square, verdict in tried if verdict == each] for each in "WR")
        if wrong and not right:
            self._same.append(text)
        elif right and not wrong:
            where = in_numbers(right) if in_numbers(right).count(",") < _NAMED else f"{len(right)} tried"
            self._right.append(f"with {text}" + (f" ({where})" if len(right) > 1 else ""))
        elif right and wrong and min(len(right), len(wrong)) <= _NAMED:
            few = [(right, "right"), (wrong, "wrong")]
            (short, word), (others, other) = few if len(right) <= len(wrong) else reversed(few)
            told = in_numbers(others) if len(others) <= _NAMED else f"{len(others)} others"
            self._partly.append(f"with {text}: {word} on {in_numbers(short)}, {other} on {told}")

    # --- one thing

    def _pieces_off(self) -> None:
        tried = {
            square: self.verdict(without_piece(self.position, square), self.subject.start)
            for square in self.pieces
            if square not in self._fixed
        }
        right, wrong = ([str(square) for square, verdict in tried.items() if verdict == each] for each in "RW")
        self._right += [f"as soon as {' or '.join(right)} is empty"] if right else []
        self._same += [f"{' or '.join(wrong)} empty"] if wrong else []

    def _other_kinds(self) -> None:
        found: dict[Verdict, list[tuple[int, str]]] = defaultdict(list)
        for square, piece in self.pieces.items():
            other = Piece(piece.side, "king" if piece.kind == "man" else "man")
            changed = drop_moot_runs(self.position.with_piece_at(square, other))
            found[self.verdict(changed, self.subject.start)].append((square, f"a {other.kind} on {square}"))
        self._right += [f"with {text}" for _, text in found["R"]]
        if len(wrong := found["W"]) > 1:
            self._same.append(f"another kind of piece on {', '.join(str(square) for square, _ in wrong)}")
        self._same += [text for _, text in wrong] if len(wrong) == 1 else []

    def _whole_board(self) -> None:
        position, start, turns = self.position, self.subject.start, self.engine.turns
        rotated = start and len(position.board) + 1 - start
        outcome = {"white": "black", "black": "white"}.get(self.subject.symptom.piece)
        self.report("the colours turned round", [(0, self.verdict(position.mirrored(), rotated, outcome))])
        path = {square for move in self.legal for square in move.path} | {*self.subject.wrong.path}
        if (mirror := mirrored_left_right(position, path, turns)) and mirror[0] != position:
            self.report("left and right exchanged", [(0, self.verdict(mirror[0], start and mirror[1][start]))])
        pick = start if start in self.pieces else next(iter(self.pieces), None)
        tried = [
            (went[pick], self.verdict(moved, start and went[start]))
            for moved, went in shifted(position, path, turns)
            if pick
        ]
        self.report(f"all pieces shifted so that the one of {pick} is elsewhere", tried)

    def _elsewhere(self) -> None:
        """Try each piece on other squares, the nearest in line with others first."""
        if len(self.pieces) > 4:
            return
        start, board = self.subject.start, self.position.board
        free = {*range(1, len(board) + 1)} - {*self.pieces, *self.subject.wrong.path[1:]}
        for square, piece in self.pieces.items():
            near = sorted(free, key=lambda to: (all(board.between(to, other) is None for other in self.pieces), to))
            tried = []
            for to in near[:_SQUARES]:
                moved = drop_moot_runs(without_piece(self.position, square).with_piece_at(to, piece))
                tried.append((to, self.verdict(moved, to if square == start else start)))
            self.report(f"the {piece.side} {piece.kind} of {square} elsewhere", tried)

    def _one_more(self) -> None:
        """Try one more piece where it touches no move: the moves that were legal have to stay so."""
        paths = [*(move.path for move in self.legal), self.subject.wrong.path]
        touched = {square for path in paths for square in chain(path[1:], *crossed(self.position, path))}
        squares = range(1, len(self.position.board) + 1)
        free = [square for square in squares if square not in self.pieces and square not in touched]
        is_outcome, legal, before = self.subject.symptom.what == "outcome", {*self.legal}, len(self._same)
        for piece in (Piece(side, kind) for side in SIDES for kind in ("man", "king")):
            tried = []
            for square in free[:: max(1, len(free) // _SQUARES)]:
                changed = self.position.with_piece_at(square, piece)
                if is_outcome or legal.issubset(legal_moves(self.engine.turns, changed)):
                    tried.append((square, self.verdict(changed, self.subject.start)))
            self.report(f"one more {piece.side} {piece.kind}", tried)
        if len(more := self._same[before:]) > 1:
            self._same[before:] = ["one more piece" if len(more) == 4 else " or ".join(more)]

    def _fields(self) -> None:
        """Try other sliders and spins where there are any."""
        position, tried = self.position, list[tuple[str, Verdict]]()
        sliders = position.sliders or ""
        for place, letter in enumerate(sliders):
            for other in "LMR".replace(letter, ""):
                changed = with_slider(position, place, other)
                tried.append((f"sliders={changed.sliders}", self.verdict(changed, self.subject.start)))
        self._right += [f"with {text}" for text, verdict in tried if verdict == "R"]
        wrong = sum(verdict == "W" for _, verdict in tried)
        self._same += [f"{wrong} other sliders"] if wrong else []

    # --- two things, and the other side

    def _two_at_once(self) -> None:
        """Try two pieces off, of the other kind, or in each other's place."""
        start, position = self.subject.start, self.position
        for one, other in islice(combinations(self.pieces, 2), _PAIRS):
            both_empty = without_piece(without_piece(position, one), other)
            if self._fixed.isdisjoint((one, other)) and self.verdict(both_empty, start) == "R":
                self._right.append(f"as soon as both {one} and {other} are empty")
            if self.pieces[one] != self.pieces[other]:
                swapped = position.with_piece_at(one, self.pieces[other]).with_piece_at(other, self.pieces[one])
                if self.verdict(drop_moot_runs(swapped)) == "R":
                    self._right.append(f"with the pieces on {one} and {other} exchanged")

    def _other_side(self) -> list[str]:
        """Return what is wrong with the other side to move, if anything is."""
        engine, other = self.engine, other_turn(self.position)
        is_outcome = self.subject.symptom.what == "outcome"
        if is_outcome or engine.budget.is_over() or not engine.may_ask(other, self.position):
            return []
        found = symptoms(engine.ask(other, "moves", with_successors=False))
        told = [f"{one.move} {symptom.what}" for symptom, wrongs in found.items() for one in wrongs if one.move]
        return [f"with {other.turn.capitalize()} to move: {move_list(told, 3)}"] if told else []
