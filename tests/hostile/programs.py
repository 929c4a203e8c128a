"""Programs that are no good engines: `programs.py NAME` behaves as badly as the docstring of that function says.

Each is registered with what the runner has to say of it. Nothing of damspec is imported, so that they start quickly.
They last for a minute at most if nobody ends them. This is long because there are many of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Message = dict[str, Any]
Program = Callable[[], object]
OPENING = ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


class Hostile(NamedTuple):
    """A program, what has to be said of it (a regular expression), and how it is run."""

    program: Program | None
    said: str
    timeout: float = 10.0
    confined: Mapping[str, Any] = MappingProxyType({})
    command: tuple[str, ...] = ()


PROGRAMS: dict[str, Hostile] = {}


def hostile(said: str, *, timeout: float = 10.0, **confined: Any) -> Callable[[Program], Program]:
    """Register a program. The timeout is short where it is waited for, and long where an answer must not be late."""

    def register(program: Program) -> Program:
        PROGRAMS[program.__name__.replace("_", "-")] = Hostile(program, said, timeout, confined)
        return program

    return register


def asked() -> Iterator[Message]:
    """The questions."""
    for line in sys.stdin:
        yield json.loads(line)


def write(text: str | bytes) -> None:
    """Write to standard output, all of it at once as far as it goes."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def say(message: Any) -> None:
    """Write a line of JSON."""
    write(json.dumps(message) + "\n")


def right(question: Message, **changes: Any) -> Message:
    """An answer of the right form."""
    results: dict[str, Any] = {
        "hello": {
            "protocol": 1, "name": "hostile", "version": "1", "rulesets": ["lb"],
            "questions": ["moves", "play", "outcome"],
        },
        "moves": {"moves": OPENING},
        "play": {"position": "W:W21:B1"},
        "outcome": {"outcome": "ongoing"},
    }  # fmt: skip
    result = results.get(question["method"])
    return {"jsonrpc": "2.0", "id": question["id"], "result": {**result, **changes} if result else None}


def greet() -> Message:
    """Answer hello rightly; the question after it."""
    questions = asked()
    say(right(next(questions)))
    return next(questions)


def rest() -> None:
    """Do nothing for as long as anybody may wait."""
    time.sleep(60)


def orphan(*, holding: tuple[int, ...] = (0, 1, 2), session: bool = True, twice: bool = False) -> None:
    """Leave a process behind that keeps some of the pipes open."""
    if os.fork():
        return
    if session:
        os.setsid()
    if twice and os.fork():
        os._exit(0)
    for descriptor in {0, 1, 2} - set(holding):
        os.close(descriptor)
    rest()
    os._exit(0)


def respond(change: Callable[[Message], Any], at: str = "moves") -> None:
    """Answer rightly, but what `change` makes of the question where that is of a certain kind."""
    for question in asked():
        if question["method"] == at:
            found = change(question)
            write(found) if isinstance(found, str | bytes) else say(found)
        else:
            say(right(question))
            if question["method"] == "quit":
                return


def endless(said: str, text: bytes, *, to: int = 1, timeout: float = 10.0) -> Hostile:
    """A program that writes the same text for ever, to standard output or error."""

    def write_on() -> None:
        while True:
            os.write(to, text)

    return Hostile(write_on, said, timeout)


def answering(
    said: str, change: Callable[[Message], Any], at: str = "moves", *, timeout: float = 10.0, **confined: Any
) -> Hostile:
    """A program that answers rightly, but for one kind of question, where its answer is what `change` makes of it."""
    return Hostile(lambda: respond(change, at), said, timeout, confined)


def playing(said: str, change: Callable[[Message], Any]) -> Hostile:
    """A program that lists what is right in the first case, to be asked to play it; that is changed."""

    def answer(question: Message) -> Message:
        return right(question, moves=["21x14x7", "22x13", "22x15x6"]) if "B10" in str(question) else right(question)

    def play() -> None:
        for question in asked():
            say(change(question) if question["method"] == "play" else answer(question))

    return Hostile(play, said)


def erring(said: str, error: Any) -> Hostile:
    """A program that answers with an error."""
    return answering(said, lambda question: {"jsonrpc": "2.0", "id": question["id"], "error": error})


def a_million_moves(question: Message) -> Message:
    """A list of a million moves."""
    return right(question, moves=[f"{n}-{n + 1}" for n in range(1_000_000)])


# --- it says nothing -------------------------------------------------------------------------------------------------


@hostile(r"^did not answer hello within 0\.5 seconds$", timeout=0.5)
def silent() -> None:
    """Reads all, says nothing."""
    for _ in asked():
        pass
    rest()


@hostile(r"did not answer moves within 4 seconds$", timeout=4)
def silent_after_hello() -> None:
    """Says hello and no more."""
    greet()
    rest()


@hostile(r"did not answer hello within 0\.5 seconds$", timeout=0.5)
def reads_half() -> None:
    """Reads half of the first question."""
    os.read(0, 20)
    rest()


@hostile(r"did not answer hello within 0\.5 seconds$", timeout=0.5)
def burns() -> None:
    """Computes for ever."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        pass


@hostile(r"^ended while asked hello, ended by SIGXCPU$", timeout=30, cpu=1)
def burns_beyond_its_limit() -> None:
    """Computes for longer than it may."""
    burns()


@hostile(r"did not answer hello within 0\.5 seconds$", timeout=0.5)
def stops_itself() -> None:
    """Stops as by Ctrl-Z."""
    os.kill(os.getpid(), signal.SIGSTOP)
    rest()


@hostile(r"did not answer hello within 0\.5 seconds$", timeout=0.5)
def ignores_signals() -> None:
    """Cannot be asked to end."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        rest()


@hostile(r"flush the output after each answer$", timeout=3)
def buffers() -> None:
    """Answers all when there are no questions any more."""
    answers = [right(question) for question in asked()]
    for answer in answers:
        say(answer)


@hostile(r"answers go to standard output$", timeout=3)
def answers_elsewhere() -> None:
    """Answers on standard error."""
    for question in asked():
        print(json.dumps(right(question)), file=sys.stderr, flush=True)


@hostile(r"answers go to standard output$")
def answers_elsewhere_and_dies() -> None:
    """Answers on standard error once."""
    for question in asked():
        sys.exit(json.dumps(right(question)))


@hostile(r"did not answer (hello|moves) within 3 seconds; \d+ bytes came with no newline", timeout=3)
def drips() -> None:
    """Writes an answer at four bytes a second."""
    text = json.dumps(right(next(asked())))
    for letter in text:
        write(letter)
        time.sleep(0.25)


@hostile(r"^did not answer hello within 0\.5 seconds$", timeout=0.5)
def deaf() -> None:
    """Reads nothing, says nothing."""
    rest()


# --- it ends ---------------------------------------------------------------------------------------------------------


@hostile(r"exit status 3, having said 'no licence'$")
def exits_with_a_word() -> None:
    """Ends with a reason."""
    print("no licence", file=sys.stderr)
    sys.exit(3)


@hostile(r"ended by SIGSEGV$")
def crashes() -> None:
    """Ends by a signal."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


@hostile(r"ended by SIGABRT$")
def aborts() -> None:
    """Ends by another signal."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.abort()


@hostile(r"exit status 9.*; answers differ when asked again")
def dies_at_the_tenth() -> None:
    """Answers nine questions."""
    for number, question in enumerate(asked(), 1):
        if number == 10:
            print("tired", file=sys.stderr)
            sys.exit(9)
        say(right(question))


@hostile(r"^(ended while asked moves|takes no more questions), exit status 0$")
def answers_and_ends() -> None:
    """Ends after each answer."""
    for question in asked():
        say(right(question))
        return


@hostile(r"^ended while asked hello, its output closed$")
def closes_stdout() -> None:
    """Closes its output and lives on."""
    os.close(1)
    rest()


@hostile(r"(did not answer hello within 1 seconds|takes no more questions, its output closed)$", timeout=1)
def closes_stdin() -> None:
    """Closes its input and lives on."""
    os.close(0)
    rest()


@hostile(r"^takes no more questions, its output closed$")
def closes_stdin_after_hello() -> None:
    """Takes one question."""
    question = next(asked())
    os.close(0)
    say(right(question))
    rest()


@hostile(r"failed")
def closes_stderr() -> None:
    """Answers without a standard error."""
    os.close(2)
    respond(right)


@hostile(r"its output closed$")
def closes_all() -> None:
    """Closes everything and lives on."""
    os.closerange(0, 3)
    rest()


@hostile(r"failed")
def does_not_quit() -> None:
    """Answers all, quit as well, and lives on."""
    for question in asked():
        say(right(question))
    rest()


PROGRAMS |= {
    # Ends at once.
    "exits": Hostile(lambda: None, r"exit status 0$"),
    # Ends as if there were no memory left.
    "is-killed": Hostile(lambda: os.kill(os.getpid(), signal.SIGKILL), r"ended by SIGKILL$"),
    # Ends by a signal that has only a number.
    "ends-by-a-signal-without-a-name": Hostile(
        lambda: os.kill(os.getpid(), signal.SIGRTMIN + 8), r"ended by signal 4\d$"
    ),
    # Ends itself with its process group.
    "kills-its-group": Hostile(lambda: os.kill(0, signal.SIGKILL), r"ended by SIGKILL$"),
    # Answers one question.
    "dies-at-the-second": Hostile(greet, r"^ended while asked moves, exit status 0$"),
}


# --- it says too much ------------------------------------------------------------------------------------------------


@hostile(r"standard output is for answers alone$")
def greets_in_prose() -> None:
    """Writes a banner before it answers."""
    write("Hostile 1.0, by nobody\n")
    respond(right)


@hostile(r"failed")
def noisy() -> None:
    """Answers, with ten megabytes of noise before each answer."""
    for question in asked():
        for _ in range(10):
            os.write(2, b"y" * 1_000_000)
        say(right(question))


@hostile(r"failed")
def colourful_noise() -> None:
    """Writes escape sequences to standard error."""
    for question in asked():
        os.write(2, b"\x1b[31m\x1b]0;title\x07\xff\n\r\r\x00")
        say(right(question))


@hostile(r"failed")
def floods_after_the_answer() -> None:
    """Writes no end of blank lines after each answer."""
    for question in asked():
        say(right(question))
        write("\n" * 50_000)


@hostile(r"^answered hello with malformed JSON")
def binary() -> None:
    """Writes what is no text."""
    next(asked())
    write(bytes(range(1, 256)) * 10 + b"\n")
    rest()


PROGRAMS |= {
    # Writes a line without an end.
    "endless-line": endless(r"^answered hello with a line of more than 65536 bytes: 'xxx", b"x" * 60_000),
    # Writes zero bytes.
    "zeros": endless(r"^answered hello with a line of more than 65536 bytes: ", b"\0" * 60_000),
    # Writes lines.
    "endless-prose": endless(r"standard output is for answers alone$", b"thinking\n" * 1000),
    # Writes blank lines.
    "blank-lines": endless(r"did not answer hello within 0\.5 seconds$", b"\n" * 10_000, timeout=0.5),
    # Writes to standard error, without a newline.
    "endless-noise": endless(r"did not answer hello within 1 seconds", b"x" * 60_000, to=2, timeout=1),
    # Writes lines to standard error.
    "endless-noisy-lines": endless(r"did not answer hello within 1 seconds", b"x\n" * 30_000, to=2, timeout=1),
    # Lists a million moves.
    "a-million-moves": answering(r"^answered moves with a line of more than 65536 bytes: ", a_million_moves),
    # The same where lines may be long.
    "a-million-moves-let-in": answering(
        r"^answered moves with 1000000 moves, expected at most 1000: ", a_million_moves, answer=1 << 26
    ),
    # Lists a thousand moves, as long as fits in.
    "lists-what-it-may": answering(
        r"failed", lambda question: right(question, moves=[f"{n:060}" for n in range(1000)])
    ),
    # Lists too many moves.
    "two-thousand-moves": answering(
        r"^answered moves with 2000 moves, expected at most 1000: ",
        lambda question: right(question, moves=["1-5"] * 2000),
    ),
    # Lists too many lapses.
    "two-thousand-lapses": answering(
        r"^answered moves with 2000 lapses, expected at most 1000: ",
        lambda question: right(question, lapses=["1-5"] * 2000),
    ),
    # Lists a move of 300 kB.
    "a-long-move": answering(
        r"^answered moves with a line of more than 65536 bytes: ",
        lambda question: right(question, moves=["1x" * 150_000]),
    ),
    # Lists a move of 2 kB.
    "a-move-too-long": answering(
        r"^answered moves with an entry of length 2000 in moves, expected at most 200: ",
        lambda question: right(question, moves=["1x" * 1000]),
    ),
    # Lists a capture of thousands.
    "captures-too-much": answering(
        r"^answered moves with an entry of length 5000 in moves, expected at most 200: ",
        lambda question: right(question, moves=[{"move": "1x5", "captured": [3] * 5000}]),
    ),
    # Gives a position of half a megabyte.
    "a-huge-position": playing(
        r"^answered play with a line of more than 65536 bytes: ",
        lambda question: right(question, position="W:W" + "1," * 250_000),
    ),
    # Lists a move from nearly every square to every other.
    "lists-every-pair": answering(
        r"failed", lambda question: right(question, moves=[f"{n // 32 + 1}-{n % 32 + 1}" for n in range(1000)])
    ),
    # Gives a position of 5 kB.
    "a-large-position": playing(
        r"^answered play with a position of 5000 characters, expected at most 1000: ",
        lambda question: right(question, position="W" * 5000),
    ),
    # Has a name of a megabyte.
    "a-huge-name": answering(
        r"^answered hello with a line of more than 65536 bytes: ",
        lambda question: right(question, name="x" * 1_000_000),
        "hello",
    ),
    # Has a name of 5 kB.
    "a-long-name": answering(
        r"^answered hello with a name of 5000 characters, expected at most 200: ",
        lambda question: right(question, name="x" * 5000),
        "hello",
    ),
    # Plays everything.
    "many-rulesets": answering(
        r"^answered hello with 5000 rulesets, expected at most 1000: ",
        lambda question: right(question, rulesets=["lb"] * 5000),
        "hello",
    ),
    # Answers everything.
    "many-questions": answering(
        r"^answered hello with 5000 questions, expected at most 1000: ",
        lambda question: right(question, questions=["moves"] * 5000),
        "hello",
    ),
}


# --- its lines are framed wrongly ------------------------------------------------------------------------------------


@hostile(r"failed")
def carriage_returns_and_newlines() -> None:
    """Ends lines as on Windows, which is all right."""
    for question in asked():
        write(json.dumps(right(question)) + "\r\n")


@hostile(r"^answered moves with id 2, expected 3: |^answered play with id 2")
def answers_twice() -> None:
    """Answers each question twice."""
    for question in asked():
        say(right(question))
        if question["method"] != "hello":
            say(right(question))


@hostile(r"missing 'moves'")
def answers_before_it_is_asked() -> None:
    """Does not read, and says hello to everything."""
    for id in range(1, 1000):
        say(right({"method": "hello", "id": id}))
    rest()


PROGRAMS |= {
    # Leaves out the newline.
    "no-newline": answering(
        r"; \d+ bytes came with no newline: end each answer with one$",
        lambda question: json.dumps(right(question)),
        "hello",
        timeout=4,
    ),
    # Ends lines as was done long ago.
    "carriage-returns": answering(
        r"bytes came with carriage returns and no newline: end each answer with one$",
        lambda question: json.dumps(right(question)) + "\r",
        "hello",
        timeout=4,
    ),
    # Stops in the middle of an answer.
    "half-a-line": answering(
        r"; 10 bytes came with no newline: end each answer with one$", lambda question: '{"jsonrpc"'[:10], timeout=4
    ),
    # Begins with a byte order mark.
    "byte-order-mark": answering(
        r"it begins with a byte order mark: write UTF-8 without one$",
        lambda question: "\ufeff" + json.dumps(right(question)) + "\n",
        "hello",
    ),
    # Writes another encoding.
    "utf-16": answering(
        r"it has zero bytes: write UTF-8, not UTF-16$",
        lambda question: (json.dumps(right(question)) + "\n").encode("utf-16-le"),
        "hello",
    ),
    # Spreads an answer over many lines.
    "pretty": answering(
        r"write each answer on one line$", lambda question: json.dumps(right(question), indent=1) + "\n", "hello"
    ),
    # Writes what Python prints.
    "single-quotes": answering(r"JSON has double quotes$", lambda question: f"{right(question)}\n"),
    # Writes two answers on one line.
    "two-on-a-line": answering(r"malformed JSON \(Extra data", lambda question: json.dumps(right(question)) * 2 + "\n"),
    # Writes something after the answer.
    "garbage-after": answering(r"malformed JSON \(Extra data", lambda question: json.dumps(right(question)) + " ok\n"),
    # Sends a notification.
    "notifies": answering(r"missing 'id'", lambda question: {"jsonrpc": "2.0", "method": "progress", "params": {}}),
    # Leaves out the last brace.
    "cut-off": answering(r"malformed JSON", lambda question: json.dumps(right(question))[:-1] + "\n"),
}


# --- its answers are no answers --------------------------------------------------------------------------------------


@hostile(r"malformed JSON|nested too deep|wrong form")
def deeper_within() -> None:
    """Nests objects in the place of the moves."""
    deeper = '{"moves":' * 400 + "1" + "}" * 400
    respond(lambda question: f'{{"jsonrpc": "2.0", "id": {question["id"]}, "result": {deeper}}}\n')


PROGRAMS |= {
    # Writes NaN.
    "not-a-number": answering(
        r"malformed JSON \(found 'NaN'", lambda question: {**right(question), "score": float("nan")}
    ),
    # Writes an infinite number.
    "infinite": answering(
        r"malformed JSON \(found '-Infinity'", lambda question: {**right(question), "score": -float("inf")}
    ),
    # Writes a number of 10,000 digits.
    "a-long-number": answering(
        r"malformed JSON \(found a number of 10000 characters, expected at most 100\)",
        lambda question: "9" * 10_000 + "\n",
    ),
    # Has an id of 100 digits.
    "a-long-id": answering(
        r"with id 9999999999999999999999999999999999999\.\.\., expected 2",
        lambda question: f'{{"jsonrpc": "2.0", "id": {"9" * 100}, "result": {{"moves": []}}}}\n',
    ),
    # Has an id of 50 kB.
    "an-id-of-much-text": answering(
        r"with id 'xxxx.*\.\.\., expected 2", lambda question: {**right(question), "id": "x" * 50_000}
    ),
    # Nests lists too deep to be read.
    "deep": answering(r"malformed JSON", lambda question: "[" * 60_000 + "\n"),
    # Nests lists in the place of a move.
    "deep-within": answering(
        r"malformed JSON|nested too deep|wrong form",
        lambda question: json.dumps(right(question)).replace('"9-13"', "[" * 900 + "]" * 900) + "\n",
    ),
    # Has another id.
    "another-id": answering(r"with id 4711, expected 2", lambda question: {**right(question), "id": 4711}),
    # Has two ids; the last counts.
    "two-ids": answering(
        r"malformed JSON \(key 'id' given twice\)",
        lambda question: json.dumps(right(question))[:-1] + ', "id": 4711}\n',
    ),
    # Has null for an id.
    "no-id": answering(r"with id None, expected 2", lambda question: {**right(question), "id": None}),
    # Has the id as text.
    "an-id-as-text": answering(
        r"with id '2', expected 2", lambda question: {**right(question), "id": str(question["id"])}
    ),
    # Has the id as 2.0, as languages do that know one kind of number.
    "an-id-with-a-point": answering(r"failed", lambda question: {**right(question), "id": float(question["id"])}),
    # Has `true` for an id.
    "an-id-that-is-true": answering(
        r"id: found true, expected integer or string or null", lambda question: {**right(question), "id": True}
    ),
    # Answers with a batch.
    "a-batch": answering(r"found \[\{.*expected object", lambda question: [right(question)]),
    # Answers with null.
    "no-result": answering(r"found null, expected object", lambda question: {**right(question), "result": None}),
    # Answers with a text.
    "a-result-of-text": answering(
        r'found "9-13", expected object', lambda question: {**right(question), "result": "9-13"}
    ),
    # Answers with a result and an error.
    "result-and-error": answering(
        r"no JSON-RPC answer", lambda question: {**right(question), "error": {"code": 1, "message": "x"}}
    ),
    # Answers with nothing.
    "neither-result-nor-error": answering(
        r"no JSON-RPC answer", lambda question: {"jsonrpc": "2.0", "id": question["id"]}
    ),
    # Speaks another version.
    "another-json-rpc": answering(
        r'found "1\.0", expected "2\.0"', lambda question: {**right(question), "jsonrpc": "1.0"}
    ),
    # Lists numbers.
    "moves-of-numbers": answering(
        r"wrong form: moves\.\d+: found \d+, expected string or array or object: ",
        lambda question: right(question, moves=list(range(1000))),
    ),
    # Lists nulls.
    "moves-of-nothing": answering(r"wrong form: moves\.0", lambda question: right(question, moves=[None])),
    # Has an object for the list.
    "moves-by-name": answering(r"wrong form: moves", lambda question: right(question, moves={"9-13": True})),
    # Captures on the square -1.
    "captures-below-the-board": answering(
        r'^\{"move":"9-13","captured":\[-1\]\}$',
        lambda question: right(question, moves=[{"move": "9-13", "captured": [-1]}]),
    ),
    # Lists control characters and half a surrogate pair.
    "unwritable-moves": answering(r"failed", lambda question: right(question, moves=["\x00\x1b[2J\ud800\u202e\n"])),
    # Lists what is no UTF-8.
    "undecodable-moves": answering(
        r"failed", lambda question: json.dumps(right(question)).encode().replace(b"9-13", b"9\xff13") + b"\n"
    ),
    # Gives no position after a move.
    "an-empty-position": playing(
        r'position: "" should be non-empty|wrong form: position', lambda question: right(question, position="")
    ),
}


# --- what it says of itself ------------------------------------------------------------------------------------------


PROGRAMS |= {
    # Speaks another version of the protocol.
    "another-protocol": answering(
        r"protocol: found 2, expected 1", lambda question: right(question, protocol=2), "hello"
    ),
    # Plays 5.
    "rulesets-a-number": answering(r"rulesets", lambda question: right(question, rulesets=5), "hello"),
    # Plays lists.
    "rulesets-of-lists": answering(r"rulesets", lambda question: right(question, rulesets=[["lb"]]), "hello"),
    # Answers what nobody asks.
    "an-unknown-question": answering(
        r'found "divide"', lambda question: right(question, questions=["divide"]), "hello"
    ),
    # Has an object for the list of questions.
    "questions-by-name": answering(
        r"questions: found", lambda question: right(question, questions={"moves": True}), "hello"
    ),
    # Has a name that colours the terminal.
    "a-name-of-escapes": answering(
        r"^\\x1b\[31mred\\n\\ud800 does not play lb; it plays \\x1b\[2J$",
        lambda question: right(question, name="\x1b[31mred\n\ud800", rulesets=["\x1b[2J"]),
        "hello",
    ),
    # Plays hundreds of other rulesets, with long names.
    "other-rulesets": answering(
        r"^hostile does not play lb; it plays xxx",
        lambda question: right(question, rulesets=[f"{'x' * 50}{n}" for n in range(500)]),
        "hello",
    ),
}


# --- its errors are wrong --------------------------------------------------------------------------------------------


PROGRAMS |= {
    # Has a text for the error.
    "an-error-of-text": erring(r'found "no", expected object', "no"),
    # Leaves out the code.
    "an-error-without-code": erring(r"missing 'code'", {"message": "no"}),
    # Has a text for the code.
    "an-error-code-of-text": erring(r'found "1", expected integer', {"code": "1", "message": "no"}),
    # Has a message of 50 kB.
    "a-huge-error": erring(
        r"^answered moves with error -32000: xxxx.*\.\.\.$", {"code": -32000, "message": "x" * 50_000}
    ),
    # Gives a reason of 50 kB.
    "hugely-unsupported": erring(
        r"does not list the moves of lb: yyyy.*\.\.\.$", {"code": -32001, "message": "y" * 50_000}
    ),
    # Has a message that clears the terminal, and a long code.
    "an-error-of-escapes": erring(
        r"^answered moves with error 9999.*\.\.\.: \\x1b\[2J no$", {"code": int("9" * 100), "message": "\x1b[2J\n\r no"}
    ),
}


# --- it starts others ------------------------------------------------------------------------------------------------


@hostile(r"did not answer hello", timeout=0.5)
def leaves_one_with_stderr_and_waits() -> None:
    """Leaves a process in another session that holds its standard error, and is silent."""
    orphan(holding=(2,))
    rest()


@hostile(r"did not answer hello", timeout=0.5)
def leaves_one_with_everything() -> None:
    """Leaves a process in another session that holds all pipes, and is silent."""
    orphan()
    rest()


@hostile(r"failed")
def answers_and_leaves_one() -> None:
    """Leaves such a process, and answers."""
    orphan(twice=True)
    respond(right)


@hostile(r"did not answer hello", timeout=0.5)
def launches() -> None:
    """Leaves the answering to a child that does not answer."""
    if os.fork():
        os.wait()
    else:
        rest()


@hostile(r"did not answer hello", timeout=0.5)
def another_group() -> None:
    """Leaves a child in a process group of its own."""
    if not os.fork():
        os.setpgid(0, 0)
    rest()


@hostile(r"did not answer hello", timeout=0.5)
def many_children() -> None:
    """Starts thirty, each in a session of its own."""
    for _ in range(30):
        orphan()
    rest()


@hostile(r"did not answer hello", timeout=0.5)
def generations() -> None:
    """Each process starts the next and ends, a hundred times."""
    for _ in range(100):
        if os.fork():
            os._exit(0)
        os.setsid()
        time.sleep(0.01)
    rest()


@hostile(r"did not answer hello", timeout=0.5)
def stopped_children() -> None:
    """Starts one that is stopped in a session of its own."""
    if not os.fork():
        os.setsid()
        os.kill(os.getpid(), signal.SIGSTOP)
    rest()


@hostile(r"failed")
def leaves_the_answering_to_another() -> None:
    """Ends, and its child answers in its place."""
    if os.fork():
        os._exit(0)
    respond(right)


PROGRAMS |= {
    # Leaves a process in another session that holds its output, and ends.
    "leaves-one-with-stdout": Hostile(
        lambda: orphan(holding=(1,)), r"did not answer hello|takes no more questions, exit status 0$", timeout=0.5
    ),
    # Leaves a process in another session that holds its standard error, and ends.
    "leaves-one-with-stderr": Hostile(lambda: orphan(holding=(2,)), r"exit status 0$"),
    # Leaves a process whose parent is gone, and ends.
    "daemon": Hostile(lambda: orphan(twice=True), r"did not answer hello", timeout=0.5),
    # Leaves a process that holds nothing, and ends.
    "daemon-without-pipes": Hostile(lambda: orphan(holding=(), twice=True), r"exit status 0$"),
}


# --- what it does to the machine -------------------------------------------------------------------------------------


@hostile(r"failed")
def opens_files() -> None:
    """Opens as many files as it can."""
    with contextlib.suppress(OSError):
        while True:
            os.dup(2)
    respond(right)


@hostile(r"failed")
def writes_to_the_terminal() -> None:
    """Writes where it thinks a terminal is."""
    with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:
        terminal.write("\x1b[2J")
    respond(right)


@hostile(r"failed")
def changes_its_pipes() -> None:
    """Makes its pipes small and never wait."""
    for descriptor in (0, 1, 2):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, 1031, 4096)  # F_SETPIPE_SZ
        os.set_blocking(descriptor, False)
    for question in (json.loads(line) for line in lines_without_waiting()):
        say(right(question))


def lines_without_waiting() -> Iterator[bytes]:
    """The lines of an input that does not wait."""
    begun = b""
    while True:
        try:
            chunk = os.read(0, 4096)
        except BlockingIOError:
            time.sleep(0.01)
            continue
        if not chunk:
            return
        *lines, begun = (begun + chunk).split(b"\n")
        yield from lines


@hostile(r"exit status 1, having said 'MemoryError'", memory=100)
def takes_memory() -> None:
    """Takes more memory than it may."""
    sys.exit(f"{len(bytearray(1 << 30))} bytes")


# --- what is no program of ours --------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[str, float, str]] = {
    "true": ("true", 10, r"exit status 0$"),
    "false": ("false", 10, r"exit status 1$"),
    "sleep": ("sleep 60", 0.5, r"did not answer hello within 0\.5 seconds$"),
    "cat": ("cat", 10, r"no JSON-RPC answer"),
    "yes": ("yes", 10, r"standard output is for answers alone$"),
    "no-end-of-zeros": ("cat /dev/zero", 10, r"a line of more than 65536 bytes"),
    "no-end-of-noise": ("cat /dev/urandom", 10, r"a line of more than|malformed JSON"),
    "no-end-of-questions": ("cat /dev/zero >&2", 0.5, r"did not answer hello"),
    "a-pipe-to-nowhere": ("cat | sleep 60", 0.5, r"did not answer hello"),
    "nohup": ("nohup sleep 60 2>&1 & exit 5", 0.5, r"did not answer hello|takes no more questions, exit status 5"),
    "in-the-background": ("sleep 60 & sleep 60 & wait", 0.5, r"did not answer hello"),
    "setsid": ("setsid sleep 60 & exit 5", 0.5, r"did not answer hello|takes no more questions, exit status 5"),
    "setsid-without-output": ("setsid sleep 60 >/dev/null 2>&1 & exit 5", 10, r"exit status 5$"),
    "without-environment": (
        "env -i setsid sleep 60 & exit 5",
        0.5,
        r"did not answer hello|takes no more questions, exit status 5",
    ),
    "an-empty-echo": ("while read -r line; do echo; done", 0.5, r"did not answer hello"),
    "half-a-shell": ("echo '{", 10, r"exit status 2, having said"),
    "no-such-command": ("exec no-such-engine", 10, r"exit status 127, having said"),
    "a-limit-of-files": ("ulimit -n 3; exec cat", 10, r"exit status|no JSON-RPC answer"),
}
PROGRAMS |= {
    name: Hostile(None, said, timeout, command=("sh", "-c", script))
    for name, (script, timeout, said) in COMMANDS.items()
}
PROGRAMS |= {
    "a-folder": Hostile(None, r"^cannot start '/': Permission denied$", command=("/",)),
    "nothing": Hostile(None, r"^cannot start '': ", command=("",)),
    "a-zero-byte": Hostile(None, r"^cannot start 'a\\x00b': embedded null byte$", command=("a\0b",)),
}


if __name__ == "__main__":
    signal.alarm(60)
    badly = PROGRAMS[sys.argv[1]].program
    if badly:
        badly()
