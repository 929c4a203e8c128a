"""An engine's side of damspec's line protocol: each question is a line, each answer is a line.

    damspec check english --lines -- python adapter.py

To fill in: NAME, RULESET and START below, and legal_moves(). The rest can stay as it is.
"""

from __future__ import annotations

import sys

from fen import Position

NAME = "my-engine 1.0"
RULESET = "english"  # the rulesets it plays, separated by commas; `damspec rulesets` lists them
START = "B:W21-32:B1-12"  # numbered as the engine does; --rotate and --numbering translate it
HOPS = False  # True if it lists single jumps, one after another, and not whole captures


def legal_moves(position: Position, hops: tuple[str, ...]) -> dict[str, Position]:
    """TO FILL IN: every legal move of the side `position.turn`, with the position after it, the other side's turn.

    A move is written with all the squares on its way: 9-14, or 9x18x27. With HOPS, `hops` are the jumps already made
    from the position in this turn, as they were listed, and after a jump that has to be followed by another it is still
    the same side's turn; else there are none.
    """
    raise NotImplementedError("legal_moves() in adapter.py is not filled in yet")


def answer(question: str, ruleset: str = "", fen: str = "", *hops: str) -> str:
    """Return the line that answers a question."""
    match question:
        case "hello":
            return f"hello {NAME} rulesets={RULESET} questions=start,moves,play{',steps' if HOPS else ''}"
        case "start":
            return START
        case "moves":
            listed = legal_moves(Position.read(fen), hops)
            return " ".join(["moves", *(f"{move}>{after.write()}" for move, after in listed.items())])
        case _:
            return f"unsupported {question}"


def main() -> None:
    """Answer every line until `quit`."""
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            print(answer(*line.split()), flush=True)
        except NotImplementedError as reason:
            print(f"unsupported {reason}", flush=True)
        except ValueError as error:
            print(f"error {error}", flush=True)


if __name__ == "__main__":
    main()
