"""Experiments on an engine: the smallest position in which it is wrong, and what has to change for it to be right.

What is comparable decides everything: an answer after a change counts only where the mistake could still show, and only
in positions that a game may reach. Nothing is said that is not counted.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, pairwise

from damspec import Piece, Position
from damspec.board import opponent
from damspec.king_runs import drop_moot_runs

from ...answers.player import RulePlayer
from ...cases.adapt import AboutIt
from ...positions.random_games import play_random_game
from ...positions.sampling import sample_positions
from ..result import Result
from ..shrink import shrink
from .as_if import LISTS, as_if, mirrored_left_right, shifted
from .imitation import gives, has_answer
from .lab import Laboratory, Symptom, Symptoms, Wrong, legal_moves, size_of, squares_of, symptoms
from .wording import in_numbers, look, many, move_list

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

#: What an experiment shows: wrong in the same way, right, or wrong in another way; None for what is not comparable.
Verdict = str | None


@dataclass(frozen=True)
class Experiment:
    """A group of failures: the smallest position, and what was found out about it, in sentences."""

    position: str
    alike: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Subject:
    """A smallest wrong position: its symptom, and the wrong move that is looked at."""

    position: Position
    symptom: Symptom
    wrong: Wrong

    @property
    def squares(self) -> tuple[int, ...]:
        return squares_of(self.wrong.move, self.position)

    @property
    def start(self) -> int | None:
        return next(iter(self.squares), None)

    @property
    def kind(self) -> AboutIt:
        return "outcome" if self.symptom.what == "outcome" else "moves"


class Contrast:
    """Experiments on an engine in a laboratory; `explained_by` are players that explain a part of its answers."""

    def __init__(self, lab: Laboratory, explained_by: Sequence[RulePlayer] = ()) -> None:
        self.lab, self._explained_by = lab, explained_by
        self._groups: dict[Symptom, list[tuple[Position, Wrong]]] = defaultdict(list)
        self._classes, self._bad = Counter[tuple[str, str, int]](), Counter[tuple[str, str, str, int]]()
        #: Some lists of moves, by the status of the answer.
        self._lists: dict[str, list[tuple[Position, Result]]] = defaultdict(list)
        self._asked = 0
        self._told: set[str] = set()

    def run(self, failed: Iterable[Position]) -> tuple[list[str], list[Experiment]]:
        """Return what can be said of all wrong answers, and the experiments about some groups of them."""
        self.lab.budget.tell("asking further positions, to find the smallest that are answered wrong")
        self.lab.restart()
        self._scan(islice(failed, _FAILED), self._drawn())
        if not self._groups:
            return [], []
        shown = self._choose()
        experiments = [self._experiment(*one) for one in shown]
        return as_if(self.lab, self._lists["failed"], self._lists["passed"]), experiments

    # --- finding wrong answers

    def _drawn(self) -> Iterator[Position]:
        """Yield positions with few pieces, and positions of games."""
        rng, ruleset = random.Random(1), self.lab.ruleset
        few = sample_positions(ruleset, rng, _PIECES)
        while True:
            yield from islice(few, 12)
            game = play_random_game(ruleset, rng, Position.start(ruleset.rules), _PLIES)
            yield from (ply.position for ply in game if rng.random() < _TAKEN)

    def _scan(self, failed: Iterable[Position], drawn: Iterator[Position]) -> None:
        lab, seen = self.lab, set[Position]()
        for position, has_failed in chain(((each, True) for each in failed), ((each, False) for each in drawn)):
            if lab.budget.is_over(*_SCANNED) or len(seen) == _POSITIONS:
                break
            if position in seen or not (has_failed or lab.may_ask(position)):
                continue
            seen.add(position)
            legal = legal_moves(lab.turns, position)
            found: Symptoms = {}
            for kind in lab.kinds:
                leading = has_failed or (len(legal) <= _PLAYED and self._asked < _LED)
                result = lab.ask(position, kind, leading=leading)
                found |= {} if self._is_explained(result) else symptoms(lab.ruleset, position, result)
                if kind == "moves" and len(self._lists[result.status]) < LISTS:
                    self._lists[result.status].append((position, result))
            self._asked += 1
            self._classes.update(_classes(position, map(str, legal)))
            for symptom, wrongs in found.items():
                self._groups[symptom].append((position, wrongs[0]))
                moved = _classes(position, (one.move for one in wrongs))
                self._bad.update((symptom.what, *each) for each in moved)

    def _is_explained(self, result: Result) -> bool:
        """Return whether a part of the explanation gives this wrong answer."""
        if result.status == "passed" or not has_answer(result):
            return False
        leading = "play" in self.lab.hello.questions
        return any(gives(player, result, leading=leading) for player in self._explained_by)

    # --- groups

    def _choose(self) -> list[tuple[_Subject, int, list[str]]]:
        """Return the groups to show, those whose symptoms differ most, each with how it depends on other questions."""
        shown: list[tuple[_Subject, int, list[str]]] = []
        seen: set[Position] = set()
        known: list[set[Symptom]] = []
        for symptom, group in sorted(self._groups.items(), key=lambda each: -len(each[1]))[:_GROUPS]:
            if len(shown) == _SHOWN or (shown and self.lab.budget.is_over(*_SHRUNK)):
                break
            position, wrong = group[0]
            subject = _Subject(position, symptom, wrong)
            state = self._state(subject)
            if not state and symptom.what != "error":
                subject = min(
                    (self._smallest(symptom, *one) for one in sorted(group, key=lambda one: len(one[0]))[:2]), key=_size
                )
            elif not state:
                subject = _Subject(*min(((each, symptom, one) for each, one in group), key=lambda one: len(one[0])))
            is_error = symptom.what == "error" and symptom.piece != "refused"
            if not state and not is_error and not self._is_always_wrong(subject):
                state = [_VARIES]
            if state and any(each[2] for each in shown):
                continue
            here = set(self._symptoms(subject.position, subject.kind))
            if not state and (
                {subject.position, subject.position.mirrored()} & seen or any(here <= each for each in known)
            ):
                continue
            seen.add(subject.position)
            known.append(here)
            shown.append((subject, len(group), state))
        return sorted(shown, key=lambda each: (_size(each[0]), -each[1]))

    def _symptoms(self, position: Position, kind: AboutIt, *, leading: bool = True) -> Symptoms:
        return symptoms(self.lab.ruleset, position, self.lab.ask(position, kind, leading=leading))

    def _smallest(self, symptom: Symptom, position: Position, wrong: Wrong) -> _Subject:
        found, tries = _Subject(position, symptom, wrong), 0

        def shows(smaller: Position) -> bool:
            nonlocal found, tries
            if tries == _TRIES or self.lab.budget.is_over(*_SHRUNK) or not self.lab.may_ask(smaller, position):
                return False
            tries += 1
            wrongs = self._symptoms(smaller, found.kind, leading=symptom.what.startswith("after")).get(symptom)
            if wrongs:
                found = replace(found, position=smaller, wrong=wrongs[0])
            return bool(wrongs)

        shrink(position, shows)
        return found

    # --- state and chance

    def _state(self, subject: _Subject) -> list[str]:
        """Return how an answer depends on chance or on what was asked before, in sentences; nothing if it does not."""
        lab, question = self.lab, (subject.position, subject.kind)
        if question not in lab.log or (subject.symptom.what == "error" and subject.symptom.piece != "refused"):
            return []
        before = lab.log[: lab.log.index(question)]

        def after(questions: Sequence[tuple[Position, AboutIt]], *, playing: bool = True) -> bool:
            return self._is_wrong(subject, lab.ask_afresh([*questions, question], playing=playing))

        alone, again = self._asked_again(subject)
        if all(alone) and all(again):
            return []
        number = f"asked {len(alone + again)} times more, it is answered so {sum(alone + again)} times"
        if any(alone):
            fresh = f"of a fresh process {sum(alone)} of {len(alone)}"
            return [f"the answer is not always the same: {number}, {fresh}"]
        for length in (1, 2, 4, 8, _PLAYED_LOG, 64, _LONGEST):
            if lab.budget.is_over(*_SHRUNK) or length > 4 * len(before):
                break
            if after(before[-length:], playing=length <= _PLAYED_LOG):
                return self._spoiling(question, before, self._shortest(before[-length:], after), after)
        return [f"{_DEPENDS}; {number}"]

    def _is_always_wrong(self, subject: _Subject) -> bool:
        alone, again = self._asked_again(subject)
        return all(alone) and all(again)

    def _asked_again(self, subject: _Subject) -> tuple[list[bool], list[bool]]:
        """Return whether a question is answered wrong alone by fresh processes, and when it is asked again."""
        question = subject.position, subject.kind
        alone = [self._is_wrong(subject, self.lab.ask_afresh([question])) for _ in range(_ALONE)]
        return alone, [self._is_wrong(subject, self.lab.ask_again(*question)) for _ in range(_AGAIN)]

    def _is_wrong(self, subject: _Subject, result: Result) -> bool:
        return subject.symptom in symptoms(self.lab.ruleset, subject.position, result)

    def _shortest(
        self, log: list[tuple[Position, AboutIt]], after: Callable[..., bool]
    ) -> list[tuple[Position, AboutIt]]:
        """Return the shortest log found after which the answer is wrong."""
        step = max(1, len(log) // 2)
        while step and not self.lab.budget.is_over(*_SHRUNK):
            shorter = (log[:place] + log[place + step :] for place in range(0, len(log), step))
            cut = next((each for each in shorter if after(each)), None)
            log, step = (cut, step) if cut is not None else (log, step // 2)
        return log

    def _spoiling(
        self,
        question: tuple[Position, AboutIt],
        before: Sequence[tuple[Position, AboutIt]],
        need: list[tuple[Position, AboutIt]],
        after: Callable[..., bool],
    ) -> list[str]:
        if not all(after(need) for _ in range(_ALONE)):
            return ["the same questions to a fresh process are answered now so, now right: it depends on chance"]
        plays = "play" in self.lab.hello.questions and not after(need, playing=False)
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
        lab, position = self.lab, subject.position
        result = lab.ask(position, subject.kind)
        found = symptoms(lab.ruleset, position, result)
        if state and subject.symptom not in found:  # asked again, it may be right now
            found = {subject.symptom: [subject.wrong]}
        is_shrunk = not state and subject.symptom.what != "error"
        wrong = "smallest wrong position found" if is_shrunk else "wrong position"
        alike_too = f"{alike} of {self._asked} positions asked are wrong in this way"
        lines = [f"{wrong}: {position.fen()} ({alike_too})"]
        lines.append(f"right moves: {move_list([str(action) for action in lab.turns.actions(position)])}")
        for symptom, wrongs in [*found.items()][:3]:
            match symptom.what:
                case "missing" | "extra" | "unparsable":
                    told = [one.move + look(lab.turns, position, symptom.what, one.move) for one in wrongs]
                    word = {"missing": "not listed", "extra": "listed, but wrong"}.get(
                        symptom.what, "listed, but no move"
                    )
                    lines.append(f"{word}: {move_list(told, 4)}")
                case _:
                    lines += [one.note for one in wrongs[:2]]
        lines += state
        if not state and (subject.symptom.what != "error" or subject.symptom.piece == "refused"):
            lines += _Changes(lab, subject).lines()
            lines += self._rates(subject.symptom)
        return Experiment(position.fen(), alike, tuple(lines))

    def _rates(self, symptom: Symptom) -> list[str]:
        """Return how often the mistake was seen with each piece and number of captures, in a sentence."""
        if symptom.what != "missing" and not symptom.what.startswith("after"):
            return []
        told = []
        for kind in ("man", "king"):
            for size in (0, 1, 2):
                sides = [
                    (self._bad[symptom.what, side, kind, size], self._classes[side, kind, size])
                    for side in ("white", "black")
                ]
                who = ("men" if kind == "man" else "kings", ("moving", "taking one", "taking more")[size])
                shares = sorted(bad / of for bad, of in sides if of > 2)
                apart = len(shares) == 2 and shares[0] == 0 and shares[1] > _ONE_SIDE
                if apart:
                    told += [
                        f"{side} {' '.join(who)} {bad} of {of}"
                        for side, (bad, of) in zip(("white", "black"), sides, strict=True)
                    ]
                elif of := sum(of for _, of in sides):
                    told.append(f"{' '.join(who)} {sum(bad for bad, _ in sides)} of {of}")
        line = f"{symptom.what} in how many positions asked that have such moves: {', '.join(told)}"
        known, self._told = line in self._told, {*self._told, line}
        return [line] if told and not known else []


def _classes(position: Position, moves: Iterable[str]) -> set[tuple[str, str, int]]:
    """Return which pieces moves are of, each with its side and kind, and how many they take (2 for more)."""
    starts = ((squares_of(move, position)[:1], size_of(move)) for move in moves)
    pieces = {(position[square], size) for squares, size in starts for square in squares}
    return {(piece.side, piece.kind, size) for piece, size in pieces if piece}


def _size(subject: _Subject) -> tuple[int, int]:
    position = subject.position
    return len(position), (position.white_kings | position.black_kings).bit_count()


class _Changes:
    """Changes of one thing, then of two, in the smallest position: which make it right, and which change nothing."""

    def __init__(self, lab: Laboratory, subject: _Subject) -> None:
        self.lab, self.subject, self.position = lab, subject, subject.position
        self.pieces = dict(subject.position.pieces())
        self.legal = legal_moves(lab.turns, subject.position)
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
            if self.lab.budget.is_over():
                break
            experiment()
        if not self._right and not self.lab.budget.is_over():
            self._two_at_once()
        lines = [f"answered right {'; '.join(self._right)}"] if self._right else []
        lines += self._partly
        lines += [f"still wrong with {'; '.join(dict.fromkeys(self._same))}"] if self._same else []
        lines += self._other_side()
        return [*lines, f"{self.tried} changes of this position were tried"] if self.tried else lines

    def verdict(self, position: Position, start: int | None = None, symptom: Symptom | None = None) -> Verdict:
        """Return what a changed position shows: W, R or O; None where the mistake could not show, or no game has it."""
        symptom, lab = symptom or self.subject.symptom, self.lab
        if lab.budget.is_over() or not lab.may_ask(position, self.position):
            return None
        what, _, size = symptom
        if what in ("missing",) or what.startswith("after"):
            moves = legal_moves(lab.turns, position)
            if not any(size_of(str(move)) == size and start in (None, move.start) for move in moves):
                return None
        result = lab.ask(position, self.subject.kind, leading=what.startswith("after"))
        outcome = result.case.expected.outcome
        if outcome is not None and outcome.result != symptom.piece.split(" ")[0]:
            return None
        self.tried += 1
        found = symptoms(lab.ruleset, position, result)
        for other, wrongs in found.items():
            starts = [squares_of(one.move, position)[:1] for one in wrongs]
            if (
                other.what == what
                and (what == "outcome" or other.size == size)
                and (start is None or (start,) in starts)
            ):
                return "W"
        return "O" if found else "R"

    def report(self, text: str, tried: Sequence[tuple[int, Verdict]]) -> None:
        """Take in what a change on several squares showed."""
        wrong, right = ([square for square, verdict in tried if verdict == each] for each in "WR")
        if wrong and not right:
            self._same.append(text)
        elif right and not wrong:
            self._right.append(f"with {text}" + many(len(right)))
        elif right and wrong and min(len(right), len(wrong)) <= _NAMED:
            short, word = (right, "right") if len(right) <= len(wrong) else (wrong, "wrong")
            others = wrong if short is right else right
            told = f"{in_numbers(others)}" if len(others) <= _NAMED else f"{len(others)} others"
            self._partly.append(
                f"with {text}: {word} on {in_numbers(short)}, {'wrong' if word == 'right' else 'right'} on {told}"
            )

    # --- one thing

    def _touched(self) -> set[int]:
        """Return the squares that a legal or the wrong move goes over or to."""
        board, found = self.position.board, set[int]()
        for path in (*(move.path for move in self.legal), self.subject.squares):
            for one, other in pairwise(path):
                found |= {other, *map(board.number, board.between(one, other) or ())}
        return found

    def _jumped(self) -> set[int]:
        """Return the squares of the pieces that the wrong move jumps: without them it is no such move."""
        board, path = self.position.board, self.subject.squares
        lines = [board.between(one, other) or () for one, other in pairwise(path)]
        return {board.number(bit) for line in lines for bit in line}

    def _pieces_off(self) -> None:
        start = self.subject.start
        fixed = {start} | (self._jumped() if self.subject.symptom.what == "extra" else set())
        tried = {
            square: self.verdict(_without(self.position, square), start)
            for square in self.pieces
            if square not in fixed
        }
        right, wrong = ([str(square) for square, verdict in tried.items() if verdict == each] for each in "RW")
        if right:
            self._right.append(f"as soon as {' or '.join(right)} is empty")
        if wrong:
            self._same.append(f"{' or '.join(wrong)} empty")

    def _other_kinds(self) -> None:
        found: dict[Verdict, list[str]] = defaultdict(list)
        for square, piece in self.pieces.items():
            other = Piece(piece.side, "king" if piece.kind == "man" else "man")
            changed = drop_moot_runs(self.position.with_piece_at(square, other))
            found[self.verdict(changed, self.subject.start)].append(f"{other.kind} on {square}")
        self._right += [f"with a {each}" for each in found["R"]]
        if wrong := found["W"]:
            several = f"another kind of piece on {', '.join(each.split()[-1] for each in wrong)}"
            self._same.append(f"a {wrong[0]}" if len(wrong) == 1 else several)

    def _whole_board(self) -> None:
        position, start, symptom = self.position, self.subject.start, self.subject.symptom
        turned = symptom
        if symptom.what == "outcome":
            swap = {"white": "black", "black": "white"}
            turned = symptom._replace(piece=" ".join(swap.get(word, word) for word in symptom.piece.split(" ")))
        rotated = start and len(position.board) + 1 - start
        self.report("the colours turned round", [(0, self.verdict(position.mirrored(), rotated, turned))])
        path = {square for move in self.legal for square in move.path} | {*self.subject.squares}
        if (mirror := mirrored_left_right(position, path, self.lab.turns)) and mirror[0] != position:
            self.report("left and right exchanged", [(0, self.verdict(mirror[0], start and mirror[1][start]))])
        pick = start if start in self.pieces else next(iter(self.pieces), None)
        tried = [
            (went[pick], self.verdict(moved, start and went[start]))
            for moved, went in shifted(position, path, self.lab.turns)
            if pick
        ]
        self.report(f"all pieces shifted so that the one of {pick} is elsewhere", tried)

    def _elsewhere(self) -> None:
        """Try each piece on other squares, the nearest in line with others first."""
        if len(self.pieces) > 4:
            return
        start, board = self.subject.start, self.position.board
        goals = {*self.subject.squares[1:]}
        for square, piece in self.pieces.items():
            free = [to for to in range(1, len(board) + 1) if to not in self.pieces and to not in goals]
            near = sorted(free, key=lambda to: (all(board.between(to, other) is None for other in self.pieces), to))[
                :_SQUARES
            ]
            tried = []
            for to in near:
                moved = drop_moot_runs(_without(self.position, square).with_piece_at(to, piece))
                tried.append((to, self.verdict(moved, to if square == start else start)))
            self.report(f"the {piece.side} {piece.kind} of {square} elsewhere", tried)

    def _one_more(self) -> None:
        """Try one more piece where it touches no move: the moves that were legal have to stay so."""
        touched, start, legal = self._touched(), self.subject.start, {str(move) for move in self.legal}
        free = [
            square
            for square in range(1, len(self.position.board) + 1)
            if square not in self.pieces and square not in touched
        ]
        for piece in (Piece(side, kind) for side in ("white", "black") for kind in ("man", "king")):
            tried = []
            for square in free[:: max(1, len(free) // _SQUARES)]:
                changed = self.position.with_piece_at(square, piece)
                if self.subject.kind == "outcome" or legal <= {
                    str(move) for move in legal_moves(self.lab.turns, changed)
                }:
                    tried.append((square, self.verdict(changed, start)))
            self.report(f"one more {piece.side} {piece.kind}", tried)
        if len(more := [text for text in self._same if text.startswith("one more ")]) > 1:
            self._same = [text for text in self._same if text not in more]
            self._same.append("one more piece" if len(more) == 4 else " or ".join(more))

    def _fields(self) -> None:
        """Try other sliders and spins where there are any."""
        position, tried = self.position, list[tuple[str, Verdict]]()
        sliders = position.sliders or ""
        for place, letter in enumerate(sliders):
            for other in "LMR".replace(letter, ""):
                changed = replace(position, sliders=f"{sliders[:place]}{other}{sliders[place + 1 :]}")
                tried.append((f"sliders={changed.sliders}", self.verdict(changed, self.subject.start)))
        self._right += [f"with {text}" for text, verdict in tried if verdict == "R"]
        wrong = sum(verdict == "W" for _, verdict in tried)
        self._same += [f"{wrong} other sliders"] if wrong else []

    # --- two things, and the other side

    def _two_at_once(self) -> None:
        """Try two pieces off, of the other kind, or in each other's place."""
        start, position = self.subject.start, self.position
        fixed = {start} | (self._jumped() if self.subject.symptom.what == "extra" else set())
        for one, other in islice(combinations(self.pieces, 2), _PAIRS):
            both_empty = _without(_without(position, one), other)
            if fixed.isdisjoint((one, other)) and self.verdict(both_empty, start) == "R":
                self._right.append(f"as soon as both {one} and {other} are empty")
            if self.pieces[one] != self.pieces[other]:
                swapped = position.with_piece_at(one, self.pieces[other]).with_piece_at(other, self.pieces[one])
                if self.verdict(drop_moot_runs(swapped)) == "R":
                    self._right.append(f"with the pieces on {one} and {other} exchanged")

    def _other_side(self) -> list[str]:
        """Return what is wrong with the other side to move, if anything is."""
        other = drop_moot_runs(replace(self.position, turn=opponent(self.position.turn)))
        if self.subject.kind == "outcome" or self.lab.budget.is_over() or not self.lab.may_ask(other, self.position):
            return []
        found = symptoms(self.lab.ruleset, other, self.lab.ask(other, "moves", leading=False))
        told = [f"{one.move} {symptom.what}" for symptom, wrongs in found.items() for one in wrongs if one.move]
        return [f"with {other.turn.capitalize()} to move: {move_list(told, 3)}"] if told else []


def _without(position: Position, square: int) -> Position:
    return drop_moot_runs(position.without_piece_at(square))
