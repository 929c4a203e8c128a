"""Programs that are no good engines of Hub: `hub_hostile.py MODE`. Nothing of damspec is imported."""

from __future__ import annotations

import os
import sys
import time


def say(text: str) -> None:
    """Write lines."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def for_ever(text: str) -> None:
    """Write the same for ever, or for as long as anybody may read it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        os.write(1, (text * 500).encode())


#: What is right, but for the moves, by the first word of a line.
RIGHT = {
    "hub": "id name=hostile version=1\nparam name=variant value=normal type=enum values=normal\nwait",
    "init": "loading ...\nready",
    "ping": "pong",
    "go": "done move=32-28",
}
#: What a mode says otherwise to such a word.
WRONG = {
    ("refusing", "pos"): 'error message="no such position"',
    ("doubling", "ping"): "pong\npong",
    ("erring-at-hub", "hub"): 'error message="license expired"',
    ("erring-at-init", "init"): 'error message="no such variant"\nready',
    ("erring-at-pos", "pos"): 'error message="no such position"',
    ("erring-at-go", "go"): 'error message="no hash table"\ndone move=32-28',
    ("erring-mutely", "go"): 'error message="no hash table"',
    ("erring-and-dying", "go"): 'error message="no hash table"',
    ("done-twice", "go"): "done move=32-28\ndone move=31-27",
    ("done-unasked", "pos"): "done move=32-28",
    ("ready-unasked", "pos"): "ready",
    ("playing-nothing", "go"): "done",
    ("playing-nonsense", "go"): "done move=e2e4",
}
#: What it says for ever.
ENDLESS = {
    ("garbage", "hub"): '"=\x00\xff nothing\n',
    ("endless-line", "hub"): "id name=",
    ("searching", "go"): "info depth=1\n",
}
#: Where it says nothing.
MUTE = {("silent", "hub"), ("unready", "init"), ("mute-search", "go"), ("leaving", "hub")}
#: Where it stands still then, and with what status, or last words, it ends.
STOPS = MUTE | {("erring-at-hub", "hub"), ("erring-mutely", "go")}
ENDS: dict[tuple[str, str], int | str] = {
    ("dying", "pos"): "out of memory",
    ("leaving", "hub"): 0,
    ("erring-and-dying", "go"): 1,
}


def answer(mode: str, line: str) -> None:
    """Answer a line in the way of a mode; what the mode does not change is right but for the moves."""
    word = line.split()[0]
    at = mode, word
    if at in ENDLESS:
        for_ever(ENDLESS[at])
    elif mode == "doubling" and word == "pos" and "moves=" in line:
        say('error message="illegal"')
    elif at not in MUTE and (text := WRONG.get(at, RIGHT.get(word))):
        say(text)
    if at in ENDS or word == "quit":
        sys.exit(ENDS.get(at, 0))
    if at in STOPS:
        time.sleep(60)


if __name__ == "__main__":
    for asked in sys.stdin:
        answer(sys.argv[1], asked)
