"""Fake engines: `fake.py MODE [K]` answers rightly (by the reference), but in the way of MODE at every K-th question.

A process counts its own questions, `hello` apart; the first is the runner's smoke question. K is 1 unless given.
Each process adds its id to the file $FAKE_PIDS, if that is set, and takes $FAKE_AHEAD questions ahead, else one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from memory import Message, remembered

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def say(message: Any) -> None:
    """Write a line to standard output: text as it is, anything else as JSON."""
    print(message if isinstance(message, str) else json.dumps(message), flush=True)


def changed(**results: Callable[[Any], Any]) -> Callable[[Message, Message], None]:
    """A mode that changes one value in the result of a question: `moves=`, `position=`, `outcome=`."""

    def mode(asked: Message, reply: Message) -> None:
        result = reply.get("result")
        for key, change in results.items():
            if isinstance(result, dict) and key in result:
                result[key] = change(result[key])
        say(reply)

    return mode


def with_result(result: Any) -> Callable[[Message, Message], None]:
    """A mode that gives the same result to everything."""
    return lambda asked, reply: say({**reply, "result": result})


def with_error(code: int, text: str) -> Callable[[Message, Message], None]:
    """A mode that answers with an error."""
    return lambda asked, reply: say({"jsonrpc": "2.0", "id": reply["id"], "error": {"code": code, "message": text}})


def at_the_start(mode: Callable[[Message, Message], None]) -> Callable[[Message, Message], None]:
    """A mode in answers to `start` alone."""
    return lambda asked, reply: mode(asked, reply) if asked["method"] == "start" else say(reply)


def other_side(fen: str) -> str:
    """A position with the other side to move."""
    return ("B" if fen[0] == "W" else "W") + fen[1:]


def chatty(asked: Message, reply: Message) -> None:
    say("thinking about it ...")
    say(reply)


def noisy(asked: Message, reply: Message) -> None:
    print(f"asked {asked['method']}\x1b[31m", file=sys.stderr)
    say(reply)


def slow(asked: Message, reply: Message) -> None:
    time.sleep(10.0)
    say(reply)


def dying(asked: Message, reply: Message) -> None:
    print("out of memory", file=sys.stderr, flush=True)
    os._exit(7)


def dying_later(asked: Message, reply: Message) -> None:
    """Dies of every question but the smoke question, and those like it."""
    say(reply) if asked["params"].get("position", START) == START else dying(asked, reply)


def closing(asked: Message, reply: Message) -> None:
    """Closes its output and lives on."""
    os.close(1)
    time.sleep(60.0)


def launching(asked: Message, reply: Message) -> None:
    """Leaves the answer to a process of its own, which holds on to the output and never gives one."""
    import subprocess

    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    sign(child.pid)
    child.wait()


def unsupported_kings(asked: Message, reply: Message) -> None:
    """Does not know kings."""
    with_error(-32001, "no kings here")(asked, reply) if "K" in asked["params"].get("position", "") else say(reply)


def short(move: str) -> str:
    """A capture with its first and last square only."""
    squares = move.split("x")
    return move if len(squares) < 3 else f"{squares[0]}x{squares[-1]}"


MODES: dict[str, Callable[[Message, Message], None]] = {
    "right": changed(),
    "wrong-moves": changed(moves=lambda moves: [*moves[1:], "1-32", "sideways"]),
    "wrong-successors": changed(position=other_side),
    "no-successors": changed(position=lambda fen: "lost\x01"),
    "wrong-start": at_the_start(changed(position=other_side)),
    "start-elsewhere": at_the_start(with_result({"position": "B:W13-24:B1-12"})),
    "start-in-ranges": at_the_start(with_result({"position": "B:B12,1-11:W32,21-31"})),
    "no-position-to-start": at_the_start(with_result({"position": "lost\x01"})),
    "unsupported-start": at_the_start(with_error(-32001, "begins anywhere")),
    "refused-start": at_the_start(with_error(-32000, "begins nowhere")),
    "wrong-perft": changed(nodes=lambda nodes: nodes + 1),
    "wrong-outcomes": changed(outcome=lambda outcome: "draw" if outcome != "draw" else "white"),
    "duplicating": changed(moves=lambda moves: [*moves, *moves]),
    "short": changed(moves=lambda moves: [short(move) for move in moves]),
    "silent": lambda asked, reply: None,
    "blank": lambda asked, reply: say("\n \n" + json.dumps(reply)),
    "slow": slow,
    "dying": dying,
    "dying-later": dying_later,
    "noisy": noisy,
    "chatty": chatty,
    "malformed": lambda asked, reply: say('{"jsonrpc": "2.0", "id": '),
    "number": lambda asked, reply: say("9" * 5000),
    "list": lambda asked, reply: say("[]"),
    "deep": lambda asked, reply: say("[" * 60_000),
    "wrong-id": lambda asked, reply: say({**reply, "id": 4711}),
    "moves-a-string": with_result({"moves": "21-17"}),
    "missing-key": with_result({}),
    "huge": with_result({"moves": ["x" * 2_000_000]}),
    "control": with_result({"moves": ["\x00\x1b[31m\ud800\n<&"]}),
    "refusing": with_error(-32000, "I will\nnot"),
    "no-method": with_error(-32601, "what?"),
    "unsupported-kings": unsupported_kings,
    "closing": closing,
    "launching": launching,
}

#: Modes that are about what the engine says of itself.
HELLOS: dict[str, Any] = {
    "other-ruleset": {"rulesets": ["chess"], "rules": False},
    "protocol-2": {"protocol": 2},
    "no-questions": {"questions": []},
    "no-play": {"questions": ["moves", "outcome"]},
    "no-start": {"questions": ["moves", "play", "outcome"]},
    "only-start": {"questions": ["start"]},
    "only-outcome": {"questions": ["outcome"]},
    "no-rules": {"rules": False},
    "forgetful": {"questions": ["moves", "outcome"]},
    "strange-name": {"name": "[bold]\x1b[31mA\ud800\x00", "version": "<&>"},
}


def sign(id: int) -> None:
    """Note down a process, for the test to see that it is gone in the end."""
    if "FAKE_PIDS" in os.environ:
        with open(os.environ["FAKE_PIDS"], "a", encoding="utf-8") as file:
            file.write(f"{id}\n")


def reference(line: str) -> Message:
    """What the reference answers; it is imported only if it has to be asked."""
    from damspec_runner.engines.serve import respond

    reply, _ = respond(line)
    return reply


def main(mode: str, every: int = 1, query: str = "") -> None:
    """Answer until told to quit.

    `dying-of` dies of the position `query`; `forgetful` is wrong in all moves but the first it is asked for.
    """
    sign(os.getpid())
    if mode == "dying-at-start":
        sys.exit("cannot find my book")
    number = 0
    for line in sys.stdin:
        asked = json.loads(line)
        if mode == "reading" and "params" in asked and "ruleset" in asked["params"]:
            asked["params"]["ruleset"] += query
            asked["params"].pop("rules", None)
        reply, last = remembered(asked, reference), asked.get("method") == "quit"
        if asked["method"] == "hello":
            reply["result"].update({"ahead": int(os.environ.get("FAKE_AHEAD", "1"))} | HELLOS.get(mode, {}))
            say(reply)
            continue
        number += 1
        if mode == "dying-of" and asked.get("params", {}).get("position") == query:
            dying(asked, reply)
        if mode == "forgetful":
            MODES["wrong-moves" if number > 1 else "right"](asked, reply)
            if last:
                return
            continue
        if last or mode not in MODES or number % every:
            say(reply)
        else:
            MODES[mode](asked, reply)
        if last:
            return


if __name__ == "__main__":
    words = dict(enumerate(sys.argv))
    main(words[1], query=words[2]) if words[1] in ("reading", "dying-of") else main(words[1], int(words.get(2, 1)))
