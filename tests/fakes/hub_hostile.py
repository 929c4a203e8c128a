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


def answer(mode: str, line: str) -> None:
    """Answer a line in the way of a mode; what the mode does not change is right but for the moves."""
    match mode, line.split()[0]:
        case "silent", _:
            time.sleep(60)
        case "garbage", _:
            for_ever('"=\x00\xff nothing\n')
        case "endless-line", _:
            for_ever("id name=")
        case "unready", "init":
            time.sleep(60)
        case "searching", "go":
            for_ever("info depth=1\n")
        case "mute-search", "go":
            time.sleep(60)
        case "dying", "pos":
            sys.exit("out of memory")
        case "leaving", "hub":
            sys.exit(0)
        case "refusing", "pos":
            say('error message="no such position"')
        case "doubling", "ping":
            say("pong\npong")
        case "doubling", "pos" if "moves=" in line:
            say('error message="illegal"')
        case "erring-at-hub", "hub":
            say('error message="license expired"')
            time.sleep(60)
        case "erring-at-init", "init":
            say('error message="no such variant"\nready')
        case "erring-at-pos", "pos":
            say('error message="no such position"')
        case "erring-at-go", "go":
            say('error message="no hash table"\ndone move=32-28')
        case "erring-mutely", "go":
            say('error message="no hash table"')
            time.sleep(60)
        case "erring-and-dying", "go":
            say('error message="no hash table"')
            sys.exit(1)
        case "done-twice", "go":
            say("done move=32-28\ndone move=31-27")
        case "done-unasked", "pos":
            say("done move=32-28")
        case "ready-unasked", "pos":
            say("ready")
        case "playing-nothing", "go":
            say("done")
        case "playing-nonsense", "go":
            say("done move=e2e4")
        case _, "hub":
            say("id name=hostile version=1\nparam name=variant value=normal type=enum values=normal\nwait")
        case _, "init":
            say("loading ...\nready")
        case _, "ping":
            say("pong")
        case _, "go":
            say("done move=32-28")
        case _, "quit":
            sys.exit(0)


if __name__ == "__main__":
    for asked in sys.stdin:
        answer(sys.argv[1], asked)
