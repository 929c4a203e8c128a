"""`damspec rulesets`, `moves`, `play` and `outcome`: questions to the reference."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import click

import damspec
from damspec import Action, Game, PdnError, Position, Ruleset, with_layout
from damspec.position import board_text

from ..engines import protocol
from ..options import option
from .arguments import layout_field, ruleset_argument
from .output import algebraic_field, json_field, print_json
from .parameters import with_options

#: A file of games, with the number of a game and of a ply behind it.
_PDN = re.compile(r"(.+?)(?::([0-9]{1,9})(?:\.([0-9]{1,9}))?)?", re.DOTALL)


#: The POSITION, and the MOVEs after it.
words_argument = click.argument("words", nargs=-1, metavar="POSITION [MOVE]...")


@dataclass(frozen=True)
class GameOptions:
    """Where a game is that is asked about, and on which trapdoors."""

    pdn: str | None = option("The position in a game in PDN, for the POSITION.", metavar="FILE[:GAME[.PLY]]")
    layout: str | None = layout_field()

    def game(self, ruleset: Ruleset, words: tuple[str, ...]) -> Game:
        """Return the game from a POSITION, or one in a file, after MOVEs. Raises MoveError, PdnError, PositionError."""
        if self.layout is not None:
            ruleset = with_layout(ruleset, self.layout)
        if self.pdn is None and not words:
            raise click.UsageError("Missing argument 'POSITION'.")
        game = Game(ruleset, words[0]) if self.pdn is None else _game_in_file(self.pdn, ruleset)
        game.push_all(words[self.pdn is None :])
        return game


def _game_in_file(text: str, ruleset: Ruleset) -> Game:
    """Return a game of a PDN file up to a ply, or to its end."""
    from damspec.pdn.games import replay
    from damspec.pdn.parser import chunks, records_in

    from ..replay.files import PdnFile, guess_encoding

    found = _PDN.fullmatch(text)
    file, number, ply = (text, None, None) if found is None or Path(text).exists() else found.groups()
    content = "".join(PdnFile(Path(file)).lines()).encode("latin-1")
    lines = content.decode(guess_encoding(content), errors="replace").splitlines(keepends=True)
    records = [record for chunk in chunks(lines) for record in records_in(chunk)]
    if not 1 <= int(number or 1) <= len(records) or (number is None and len(records) > 1):
        raise PdnError(f"--pdn: {file} has {len(records)} games, expected {file}:GAME with the number of one")
    record = records[int(number or 1) - 1]
    replayed = replay(record, ruleset, is_strict=True)
    plies = len(replayed.actions)
    game = Game(ruleset, replayed.start or "start")
    game.push_all(replayed.actions[: int(ply) if ply else plies])
    if replayed.start is None or int(ply or plies + 1) > plies:
        wrong = next((problem for problem in replayed.problems if problem.main and problem.kind != "form"), None)
        if wrong:
            raise PdnError(f"--pdn: {file}: game {number or 1}, line {wrong.line}, ply {plies + 1}: {wrong}")
        if ply:
            raise PdnError(f"--pdn: {file}: game {number or 1} has {plies} plies, found {ply}")
    return game


@click.command()
@with_options
def rulesets(*, as_json: bool = json_field()) -> None:
    """List the rulesets, each with its name and the number of its cases."""
    from ..cases.cases import cases_for

    every = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
    found = [(ruleset, len(cases_for(ruleset))) for ruleset in every]
    if as_json:
        print_json(
            {
                "rulesets": [
                    {
                        "id": r.id,
                        "name": r.name,
                        "about": r.about,
                        "documents": list(r.documents),
                        "cases": cases,
                    }
                    for r, cases in found
                ]
            }
        )
        return
    width = max(len(r.id) for r, _ in found)
    for r, cases in found:
        click.echo(f"{r.id:<{width}}  {r.name} ({cases} cases)")


@click.command()
@ruleset_argument
@words_argument
@with_options
def moves(
    ruleset: Ruleset,
    words: tuple[str, ...],
    *,
    where: GameOptions,
    as_json: bool = json_field(),
    algebraic: bool = algebraic_field(),
) -> None:
    """List the legal moves in a POSITION, or after MOVEs from there.

    On a terminal the board stands above them. Where there is huffing, the moves that break the duty to capture are
    listed too, each marked as a lapse.

    \b
      damspec moves english start 11-15 23-18
      damspec moves lb --pdn games.pdn:3.24
    """
    game = where.game(ruleset, words)
    now, found = game.position, game.legal_moves
    if as_json:
        print_json(
            {
                "ruleset": ruleset.id,
                "position": now.fen(),
                "moves": [action.to_dict() for action in found],
                "lapses": [move.to_dict() for move in found.lapses],
            }
        )
        return
    if sys.stdout.isatty():
        click.echo(board_text(now) + "\n")
    for action in found:
        click.echo(action_text(action, now, algebraic))
    for move in found.lapses:
        click.echo(f"{action_text(move, now, algebraic)} (lapse)")


@click.command()
@ruleset_argument
@words_argument
@with_options
def play(
    ruleset: Ruleset,
    words: tuple[str, ...],
    *,
    where: GameOptions,
    as_json: bool = json_field(),
    algebraic: bool = algebraic_field(),
) -> None:
    """Show the position after MOVEs from a POSITION.

    A MOVE is written '11-15' or '21x14x7'; squares of the path may be left out where only one move can be meant. What
    it is written with otherwise is taken too: '21-14-7', '21:7', and the captured squares behind the end, '21x7x17x10'.

    \b
      damspec play lb start 11-15 21-17
      damspec play lb --pdn games.pdn:3.24
    """
    if where.pdn is None and len(words) == 1:
        raise click.UsageError("Missing argument 'MOVE'.")
    after = where.game(ruleset, words).position
    if as_json:
        print_json({"position": after.fen()})
        return
    if sys.stdout.isatty():
        click.echo(board_text(after) + "\n")
    click.echo(after.fen(algebraic=algebraic))


@click.command()
@ruleset_argument
@words_argument
@with_options
def outcome(ruleset: Ruleset, words: tuple[str, ...], *, where: GameOptions, as_json: bool = json_field()) -> None:
    """Say whether a game is over, in a POSITION or after MOVEs, and why.

    Draws by repetition and by counting need the moves: what went before the POSITION counts for nothing.
    """
    end = where.game(ruleset, words).outcome()
    if as_json:
        print_json(protocol.outcome(end))
        return
    click.echo(str(end))


def action_text(action: Action, position: Position, algebraic: bool) -> str:
    """Return an action as text, with algebraic squares if asked for."""
    return action.algebraic(position.board) if algebraic else action.text
