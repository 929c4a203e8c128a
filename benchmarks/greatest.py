"""Search the greatest numbers of moves and of captured pieces in a position: `greatest` in spec/faults.yaml.

`python -m benchmarks.greatest RULESET...` prints an entry for each. Composed positions have as many pieces as a game
begins with, and are improved piece by piece; games are played at random. What is found is a lower bound, not a proof.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import damspec
from damspec import Position, Ruleset
from damspec.movegen import MoveGenerator
from damspec.position import Pieces

from .measure import options


def improved(
    board: damspec.Board, first: Pieces, score: Callable[[Pieces], float], tries: int, rng: random.Random
) -> tuple[float, Pieces]:
    """Anneal for a number of steps, each of which moves, adds or removes a piece; return the best position met."""
    here, worth = first, score(first)
    best = worth, first
    for step in range(tries):
        changed = list(here)
        kind, bit = rng.choice((1, 2)), rng.choice(board.bits)
        if changed[kind] & bit:
            changed[kind] ^= bit
        elif not sum(changed) & bit:
            others = [each for each in board.bits if changed[kind] & each]
            if others and rng.random() < 0.8:
                changed[kind] ^= rng.choice(others)
            changed[kind] |= bit
        pieces = (changed[0], changed[1], changed[2], changed[3])
        found = score(pieces)
        if found >= worth or rng.random() < math.exp((found - worth) * 3 / (1.01 - step / tries)):
            here, worth = pieces, found
            best = max(best, (worth, here))
    return best


def composed(ruleset: Ruleset, tries: int, rng: random.Random) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the most moves without capture, and the most pieces captured by one move, each with a position."""
    rules, generator = ruleset.rules, MoveGenerator(ruleset.rules, every_path=False)
    board = rules.board
    most = Position.start(rules).occupied("white").bit_count()
    promotion_row = board.nearest_rows(rules.promotion.rows, "white")

    def fits(pieces: Pieces, kings: int, enemies: int) -> bool:
        few = 1 <= pieces[1].bit_count() <= kings and 1 <= pieces[2].bit_count() <= enemies
        return few and not pieces[2] & promotion_row

    def moves(pieces: Pieces) -> float:
        if not fits(pieces, most, 1) or generator.captures(pieces, 0):
            return -1
        return generator.count(pieces, 0)

    def captured(pieces: Pieces) -> float:
        if not fits(pieces, 1, most):
            return -1
        found = [step.captured.bit_count() for step in generator.captures(pieces, 0)]
        return max(found, default=0) - pieces[2].bit_count() / 100

    spin = "disc" if rules.spin else None
    answers = []
    for score, needs_spin in ((moves, True), (captured, False)):
        start: Pieces = (0, board.bits[-2], board.bits[len(board) // 2 - 1], 0)
        worth, best = max(improved(board, start, score, tries, rng) for _ in range(4))
        position = Position(board, *best, "white", spin=spin if needs_spin else None)
        answers.append((math.ceil(worth), position.fen()))
    return answers[0], answers[1]


def in_games(ruleset: Ruleset, games: int, rng: random.Random) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the most moves listed, and the most pieces captured by one move, in games played at random."""
    moves, captured = (0, ""), (0, "")
    turns = ruleset.turns
    for _ in range(games):
        position = ruleset.position("start")
        for _ in range(200):
            actions = turns.actions(position)
            if not actions:
                break
            longest = max(len(action.captured) if isinstance(action, damspec.Move) else 0 for action in actions)
            moves = max(moves, (len(actions), position.fen()), key=lambda pair: pair[0])
            captured = max(captured, (longest, position.fen()), key=lambda pair: pair[0])
            position = turns.after(position, rng.choice(actions))
    return moves, captured


if __name__ == "__main__":
    parser = options(__doc__, prints_json=False, tries=(3000, "steps to improve"), games=(300, "games at random"))
    parser.add_argument("rulesets", nargs="+")
    chosen = parser.parse_args()
    for name in chosen.rulesets:
        ruleset, rng = damspec.load_ruleset(name), random.Random(1)
        pairs = (*composed(ruleset, chosen.tries, rng), *in_games(ruleset, chosen.games, rng))
        shown = [f"{{number: {number}, position: '{position}'}}" for number, position in pairs]
        print(f"  - rulesets: [{name}]", f"    moves: {shown[0]}", f"    captured: {shown[1]}", sep="\n")
        print("    in-games:", f"      moves: {shown[2]}", f"      captured: {shown[3]}", sep="\n", flush=True)
