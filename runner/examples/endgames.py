"""The value of a position, read from a file that `damspec solve` wrote: python endgames.py KKvK.damsolve W:WK1,K2:BK14

It needs Python alone, and prints win, loss or draw for the side to move, and the plies. docs/solve.md has the format.
"""

import json
import struct
import sys
from math import comb, prod
from mmap import ACCESS_READ, mmap

HEAD, SECTION = struct.Struct("<8sIIHBBB3x32s32s"), struct.Struct("<8BQ")


def rank(squares: list[int], taken: list[int], skipped: int = 0) -> int:
    """Return the rank of some squares among all choices of so many, where squares that are taken do not count."""
    free = [square - skipped - sum(other < square for other in taken) for square in sorted(squares)]
    return sum(comb(square, place) for place, square in enumerate(free, 1))


def read(file: mmap, fen: str) -> tuple[str, int]:
    """Return the value and the distance of a position, given the bytes of a file."""
    _, _, start, squares, number, width, limit, _, _ = HEAD.unpack_from(file)
    rows = [SECTION.unpack_from(file, HEAD.size + place * SECTION.size) for place in range(number)]
    about = json.loads(file[HEAD.size + number * SECTION.size : start])
    index = {square: place for place, square in enumerate(about["squares"])}
    turn, *sides = fen.split(":")
    pieces = {}
    for side in sides:
        words = [word for word in side[1:].split(",") if word]
        found = [(word[0] == "K", index[int(word.removeprefix("K"))]) for word in words]
        if turn == "B":  # squares are counted as the side to move sees the board
            found = [(king, squares - 1 - square) for king, square in found]
        pieces[side[0]] = [square for king, square in found if not king], [square for king, square in found if king]
    (men, kings), (enemy_men, enemy_kings) = pieces[turn], pieces["B" if turn == "W" else "W"]
    apart = any(row[0] for row in rows)
    wanted = (apart and turn == "B", *map(len, (men, kings, enemy_men, enemy_kings)))
    if wanted not in [row[:5] for row in rows]:
        raise SystemExit("this file does not have the position")
    here = [row[:5] for row in rows].index(wanted)
    start += sum((size + 3) // 4 + size * width for *_, size in rows[:here])
    own_skipped, enemy_skipped, _, size = rows[here][5:]
    taken = [*men, *enemy_men]
    free = squares - len(taken)
    place = rank(men, [], own_skipped)
    place = place * comb(squares - enemy_skipped, len(enemy_men)) + rank(enemy_men, [])
    place = place * comb(free, len(kings)) + rank(kings, taken)
    place = place * comb(free - len(kings), len(enemy_kings)) + rank(enemy_kings, [*taken, *kings])
    # where king runs count, each placement has an entry for each pair of them; the first is without any
    place *= prod(1 + limit * len(k) if m else 1 for m, k in ((men, kings), (enemy_men, enemy_kings)))
    value = file[start + place // 4] >> 2 * (place % 4) & 3
    at = start + (size + 3) // 4 + place * width
    return ("draw", "win", "loss", "no position")[value], int.from_bytes(file[at : at + width], "little")


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as opened:
        print(*read(mmap(opened.fileno(), 0, access=ACCESS_READ), sys.argv[2]))
