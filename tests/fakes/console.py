"""An engine with a text protocol of its own: a banner, a list of a move a line, a move to play, judgments."""

from __future__ import annotations

import sys

import damspec

RULES = sys.argv[1]

print("Console Draughts, type HELP", flush=True)
position = damspec.load_ruleset(RULES).position()
for line in sys.stdin:
    word, *rest = line.split()
    legal = damspec.legal_moves(RULES, position)
    match word:
        case "INIT":
            print("loading book", "READY", sep="\n")
        case "NEW":
            position = damspec.load_ruleset(RULES).position()
        case "POSITION":
            if rest[0].startswith("?"):
                print("ERR no position")
            else:
                position = damspec.load_ruleset(RULES).position(rest[0])
        case "LIST":
            print(*(f"{number}. {move}" for number, move in enumerate(legal, 1)), "END", sep="\n")
        case "GO":
            print("info depth 1 score 0")
            print(f"BESTMOVE {legal[0]}" if legal else "BESTMOVE none")
        case "TRY":
            print("OK" if rest[0] in map(str, legal) else "ILLEGAL")
        case "DO":
            position = legal.after(rest[0])
        case "FEN":
            print(f"FEN {position.fen()}")
        case "QUIT":
            break
    sys.stdout.flush()
