"""Engines that can do less than others, or write otherwise: `partial.py WAY [RULESET CHANGE]`, as a process or not.

They play the rules they are asked about, or the mutant of that name. What they do to questions and answers is written
here anew, without the runner's own way to undo it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import damspec
from damspec import LegalMoves, Move, Ruleset

Params = dict[str, Any]
#: What each way says of itself besides name and version.
HELLOS: dict[str, Params] = {
    "steps": {"questions": ["start", "moves", "play", "outcome"], "steps": True},
    "stuck": {"questions": ["start", "moves", "play"], "steps": True},
    "two-pieces": {"questions": ["start", "moves", "play"], "steps": True},
    "endless": {"questions": ["start", "moves", "play"], "steps": True},
    "steps-of-objects": {"questions": ["moves", "play"], "steps": True},
    "legal": {"questions": ["legal"]},
    "legal-play": {"questions": ["legal", "play"]},
    "yes": {"questions": ["legal"]},
    "ends": {"questions": ["legal"], "ends": True},
    "legal-steps": {"questions": ["legal", "play"], "steps": True},
    "led": {"questions": ["moves", "play", "outcome"], "setup": False},
    "led-steps": {"questions": ["moves", "play"], "setup": False, "steps": True},
    "led-unwilling": {"questions": ["moves", "play"], "setup": False},
    "silent": {"questions": ["moves", "play"]},
    "nothing-to-move": {"questions": ["moves"]},
    "nothing-to-move-then": {"questions": ["moves"], "history": True},
    "lists": {"questions": ["moves"]},
    "plays": {"questions": ["plays"]},
    "plays-nothing": {"questions": ["plays"]},
    "plays-by-ends": {"questions": ["plays"]},
    "plays-from-0": {"questions": ["plays"]},
    "led-plays": {"questions": ["plays"], "setup": False},
}


class Refused(Exception):
    """An answer that is an error."""


@cache
def mutant(id: str, change: str) -> Ruleset:
    """The rules with a change."""
    from damspec_runner.mutants.mutants import single_mutants

    return next(one.ruleset for one in single_mutants(damspec.load_ruleset(id)) if one.name == change)


def hops(path: tuple[int, ...], move: Move) -> list[str]:
    """The single steps and jumps of a path."""
    slides = len(path) - 1 - len(move.captured) if move.captured else len(path)
    return [f"{a}{'-' if n < slides else 'x'}{b}" for n, (a, b) in enumerate(pairwise(path))]


def moves(legal: LegalMoves) -> list[Move]:
    """The moves of pieces."""
    return [action for action in legal if isinstance(action, Move)]


def actions(legal: LegalMoves) -> list[str]:
    """What is no move of a piece: a spin, a slide, a huff."""
    return [str(action) for action in legal if not isinstance(action, Move)]


class Partial:
    """An engine as a function from question to answer."""

    def __init__(self, way: str, change: str = "") -> None:
        self.way, self.change = way, change
        self._before = ""

    def answer(self, method: str, params: Params) -> Any:
        """The answer. Raises Refused, or a DamspecError."""
        if method == "hello":
            every = {"questions": ["start", "moves", "play", "outcome"]}
            return {"protocol": 1, "name": self.way, "version": "1", "rulesets": "*", **HELLOS.get(self.way, every)}
        if method == "quit":
            return None
        write = WRITERS.get(self.way)
        if write is not None:
            return write(self, method, params)
        return self.plainly(method, params)

    def plainly(self, method: str, params: Params) -> Any:
        """The answer in the conventions of damspec."""
        ruleset = self.ruleset(params["ruleset"])
        if method == "start":
            return {"position": ruleset.position().fen()}
        if self.way.startswith("led") and params["position"] != "start":
            raise Refused("cannot be set up")
        if "steps" in HELLOS.get(self.way, {}):
            return self.by_hops(ruleset, method, params)
        legal = damspec.legal_moves(ruleset, self.reached(ruleset, params))
        if method == "moves":
            texts = [str(action) for action in legal]
            if self.way == "led-unwilling":
                texts = texts[1:]
            return {"moves": [] if self.way.startswith("nothing-to-move") else texts}
        if method == "play":
            return {"position": legal.after(params["move"]).fen()}
        if method == "legal":
            return {"legal": self.accepts(legal, params["move"])}
        if method == "plays":
            return {"move": self.chosen(legal)}
        return {"outcome": damspec.outcome(ruleset, legal.position).result}

    def ruleset(self, id: str) -> Ruleset:
        """What it plays."""
        return mutant(id, self.change) if self.change else damspec.load_ruleset(id)

    def reached(self, ruleset: Ruleset, params: Params) -> damspec.Position:
        """The position after the moves so far."""
        game = damspec.Game(ruleset, ruleset.position(params["position"]))
        for move in params.get("moves", ()):
            game.push(move)
        return game.position

    def chosen(self, legal: LegalMoves) -> str | None:
        """The move that it plays: a quiet one of a low square if it can."""
        texts = sorted(map(str, legal), key=lambda text: ("x" in text, text))
        if not texts or self.way == "plays-nothing":
            return None
        if self.way == "plays-by-ends":
            return "x".join(re.split("[-x]", texts[0])[:: len(re.split("[-x]", texts[0])) - 1])
        if self.way == "plays-from-0":
            return re.sub("[0-9]+", lambda square: str(int(square[0]) - 1), texts[0])
        return texts[0]

    def accepts(self, legal: LegalMoves, move: str) -> bool:
        """Whether a move is legal, by every square that it touches or by its ends."""
        if self.way == "yes" or move in actions(legal):
            return True
        if self.way != "ends":
            return any(move == "".join(path_text(path, one)) for one in moves(legal) for path in one.paths)
        ends = re.split("[-x]", move)
        return any([str(one.start), str(one.end)] == [ends[0], ends[-1]] for one in moves(legal))

    def by_hops(self, ruleset: Ruleset, method: str, params: Params) -> Any:
        """The answer of an engine that goes from hop to hop: those of a turn that is not complete come last."""
        played = [hop if isinstance(hop, str) else hop["move"] for hop in params.get("moves", ())]
        if "move" in params and method == "play":
            move = params["move"]
            played.append(move if isinstance(move, str) else move["move"])
        game = damspec.Game(ruleset, ruleset.position(params["position"]))
        turn: list[str] = []
        for hop in played:
            if hop in actions(game.legal_moves):
                game.push(hop)
                continue
            turn.append(hop)
            for move in moves(game.legal_moves):
                if turn in [hops(path, move) for path in move.paths]:
                    game.push("".join(path_text(next(p for p in move.paths if hops(p, move) == turn), move)))
                    turn = []
                    break
        if method == "outcome":
            return {"outcome": game.outcome().result}
        if method == "play":
            side = game.position.turn[0].upper()
            return {"position": f"{side} goes on after {turn[-1]}" if turn else game.position.fen()}
        following = self.following(game.legal_moves, turn)
        following += [] if turn else actions(game.legal_moves)
        if method == "legal":
            return {"legal": params["move"] in following}
        return {"moves": following}

    def following(self, legal: LegalMoves, turn: list[str]) -> list[Any]:
        """The hops that may come next."""
        if turn and self.way == "stuck":
            return []
        if turn and self.way == "two-pieces":
            return ["1x10"]
        if turn and self.way == "endless":
            back = re.split("[-x]", turn[-1])
            return [f"{back[-1]}x{back[0]}"]
        found = {
            hops(path, move)[len(turn)]: move
            for move in moves(legal)
            for path in move.paths
            if hops(path, move)[: len(turn)] == turn and len(hops(path, move)) > len(turn)
        }
        if self.way != "steps-of-objects":
            return [*found]
        return [{"move": hop, "captured": taken(hop, legal)} for hop in found]


def taken(hop: str, legal: LegalMoves) -> list[int]:
    """What a hop captures."""
    if "x" not in hop:
        return []
    position = legal.position
    start, end = map(int, hop.split("x"))
    between = position.board.numbers(sum(position.board.between(start, end) or ()))
    return [square for square in between if square in position]


def path_text(path: tuple[int, ...], move: Move) -> list[str]:
    """A path's notation in parts."""
    parts = [str(path[0])]
    for hop in hops(path, move):
        parts.append(re.sub("^[0-9]+", "", hop))
    return parts


# --- other conventions


def renumbered(text: str, number: Callable[[int], int], swap: bool = False) -> str:
    """A position or a move with other numbers, and perhaps other colours."""
    text = re.sub("[0-9]+", lambda found: str(number(int(found[0]))), text)
    return text.translate(str.maketrans("WB", "BW")) if swap else text


def writer(number: Callable[[int], int], swap: bool = False) -> Callable[[Partial, str, Params], Any]:
    """An engine that writes by its own numbers; on 8x8 boards."""

    def write(engine: Partial, method: str, params: Params) -> Any:
        asked = dict(params)
        for key in {"position", "move"} & asked.keys():
            asked[key] = renumbered(asked[key], number, swap and key == "position")
        answer = engine.plainly(method, asked)
        if "moves" in answer:
            return {"moves": [renumbered(move, number) for move in answer["moves"]]}
        if "position" in answer:
            return {"position": renumbered(answer["position"], number, swap)}
        other = {"white": "black", "black": "white"} if swap else {}
        return {"outcome": other.get(answer["outcome"], answer["outcome"])}

    return write


def late(engine: Partial, method: str, params: Params) -> Any:
    """Answers about the position that was asked before."""
    now = str(params.get("position", ""))
    before, engine._before = engine._before or now, now
    return engine.plainly(method, {**params, "position": before} if now else params)


def stopping(engine: Partial, method: str, params: Params) -> Any:
    """Reads a FEN up to its last character, which it takes for a full stop: so the last square may be another."""
    if "position" not in params:
        return engine.plainly(method, params)
    return engine.plainly(method, {**params, "position": params["position"][:-1].rstrip(",K")})


def refusing(engine: Partial, method: str, params: Params) -> Any:
    """Takes no FEN without a full stop."""
    if "position" in params and not params["position"].endswith("."):
        raise Refused("FEN: unexpected end")
    return engine.plainly(method, params)


def elsewhere(engine: Partial, method: str, params: Params) -> Any:
    """Plays the same on a board of 12x12."""
    return engine.plainly(method, {**params, "ruleset": f"{params['ruleset']}+on-12x12"})


def sloppy(engine: Partial, method: str, params: Params) -> Any:
    """Writes small letters, squares by name, more fields, and leaves out a side without pieces."""
    answer = engine.plainly(method, params)
    if "position" in answer:
        position = engine.ruleset(params["ruleset"]).position(answer["position"])
        text = position.fen(algebraic=True).replace("W", "w").replace("B", "b").replace("K", "k")
        answer = {"position": re.sub(":[wb](?=:|$)", "", text) + ":H0:F1"}
    return answer


WRITERS: Mapping[str, Callable[[Partial, str, Params], Any]] = {
    "rotated": writer(lambda n: 33 - n),
    "mirrored": writer(lambda n: (n - 1) // 4 * 4 + 4 - (n - 1) % 4),
    "upside-down": writer(lambda n: (31 - (n - 1)) // 4 * 4 + (n - 1) % 4 + 1),
    "swapped": writer(lambda n: n, swap=True),
    "late": late,
    "stopping": stopping,
    "refusing": refusing,
    "elsewhere": elsewhere,
    "sloppy": sloppy,
}


def main(way: str, change: str = "") -> None:
    """Answer JSON until told to quit; plain lines if the change is `--lines`."""
    if change == "--lines":
        speak_plainly(Partial(way))
        return
    speak_json(Partial(way, change))


def speak_json(engine: Partial) -> None:
    """Answer JSON until told to quit."""
    for line in sys.stdin:
        asked = json.loads(line)
        reply: Params = {"jsonrpc": "2.0", "id": asked["id"]}
        try:
            reply["result"] = engine.answer(asked["method"], asked.get("params", {}))
        except (Refused, damspec.DamspecError) as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        print(json.dumps(reply), flush=True)
        if asked["method"] == "quit":
            return


def speak_plainly(engine: Partial) -> None:
    """Answer plain lines until told to quit."""
    from damspec_runner.engines.lines import format_answer, read_request

    for line in sys.stdin:
        method, params = read_request(line)
        if method == "quit":
            return
        try:
            answer = engine.answer(method, params or {})
            if "position" in answer and " " in answer["position"]:
                answer = {"position": answer["position"][0]}
            print(format_answer(method, {"reason": None, **answer}), flush=True)
        except (Refused, damspec.DamspecError) as error:
            print(f"error {error}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
