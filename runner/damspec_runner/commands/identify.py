"""`damspec identify`: find out which game someone plays, by questions."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from damspec.errors import quote_value

from . import interruption
from .output import json_option, output_target, print_json

if TYPE_CHECKING:
    from ..cases.questionnaire import Saying
    from ..identify.session import Session

_HELP = "y yes, n no, ? don't know, numbers of what is not so, u back, q enough"
_ANSWERS: dict[str, Saying] = {"y": "yes", "yes": "yes", "n": "no", "no": "no", "?": "unknown", "unknown": "unknown"}
_BACK, _QUIT = ("u", "undo", "back"), ("q", "quit", "enough")


@click.command()
@click.option(
    "--answers", "kept", type=click.Path(path_type=Path), help="Resume with the answers in FILE.", metavar="FILE"
)
@click.option("--judge", is_flag=True, help="Ask nothing; identify the game from the answers in --answers.")
@click.option("--save", type=click.Path(path_type=Path), help="Write the answers to FILE.", metavar="FILE")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), help="Write the game as a ruleset to FILE.", metavar="FILE"
)
@json_option
def identify(kept: Path | None, judge: bool, save: Path | None, output: Path | None, as_json: bool) -> None:
    """Find out which game you play, by questions for yes or no.

    First small positions find out which known game it can be; then its rules are read out, a few sentences at a
    time, and in the end all of them, to be confirmed, or to be marked by their numbers where they are not so. At the
    end it says which known game it is, or the nearest and what differs, what that rests on, and which answers do not
    fit.

    \b
      damspec identify --save aalst.yaml
      damspec identify --answers aalst.yaml -o aalst-rules.yaml
      printf 'y\\nn\\n?\\n' | damspec identify --json

    The answers may come from a pipe, one a line. docs/identify.md describes the file of answers. An interruption keeps
    what was answered. Exit status: 0 all right, 2 usage or bad input, 130 interrupted.
    """
    if judge and kept is None:
        raise click.UsageError("--judge: of which answers? expected --answers FILE too")
    from ..cases.questionnaire import AnswersFile, load_answers_file, load_questionnaire
    from ..identify import text
    from ..identify.session import Session
    from ..identify.verdict import identify_game

    questions = load_questionnaire()
    before = AnswersFile({}) if kept is None else load_answers_file(kept, questions)
    targets = {"answers": output_target("--save", save), "rules": output_target("-o", output)}
    session = Session(questions, before.answers)
    interrupted = False
    try:
        if not judge:
            _ask(session, aside=as_json)
    except KeyboardInterrupt:
        interrupted = True
        click.echo(err=True)
    said = replace(before, answers=session.said)
    if (file := targets["answers"]) is not None:
        file.write(said.to_yaml())
    elif interrupted:
        click.echo(said.to_yaml(), nl=False)
    judgement = identify_game(session)
    if (file := targets["rules"]) is not None:
        file.write(judgement.ruleset_file())
    if as_json:
        print_json(text.verdict_json(judgement))
    else:
        click.echo("\n".join(text.verdict_text(judgement)))
    if interrupted:
        sys.exit(interruption.exit_status())


def _ask(session: Session, *, aside: bool) -> None:
    """Ask questions until the answers suffice or end. Raises UsageError for input that is no answer."""
    from ..identify import text
    from ..identify.statements import Statement

    heard = _Answers()
    while (enquiry := session.next()) is not None:
        statement = enquiry if isinstance(enquiry, Statement) else None
        sentences = session.sentences(statement, session.facts) if statement else []
        click.echo(f"\n{len(session.said) + 1}. {text.question_text(session, enquiry)}", err=aside)
        word = heard.read(len(sentences))
        if word is None or word in _QUIT:
            return
        if word in _BACK:
            session.unsay()
        elif word in _ANSWERS:
            session.say(enquiry.id, _ANSWERS[word])
        elif statement:
            session.mark(statement, [sentences[int(number) - 1] for number in word.split()])
        click.echo(f"   so far: {text.progress_text(session)}", err=aside)


class _Answers:
    """The answers from standard input."""

    def __init__(self) -> None:
        self._line = 0

    def read(self, most: int) -> str | None:
        """Return the next answer, which may be numbers up to `most`; None at the end.

        On a terminal, ask again for an invalid answer; elsewhere raise UsageError.
        """
        terminal = sys.stdin.isatty()
        while True:
            if terminal:
                click.echo(f"   [{_HELP}] ", nl=False, err=True)
            line = sys.stdin.readline()
            if not line:
                return None
            self._line += 1
            word = line.strip().lower()
            numbers = [int(each) if each.isdecimal() and len(each) < 5 else 0 for each in word.split()]
            if word in (*_ANSWERS, *_BACK, *_QUIT) or (numbers and all(0 < each <= most for each in numbers)):
                return word
            if not terminal:
                expected = f"y, n, ?, {f'numbers from 1 to {most}, ' if most else ''}u or q"
                raise click.UsageError(
                    f"standard input, line {self._line}: found {quote_value(word)}, expected {expected}"
                )
