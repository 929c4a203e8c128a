"""`damspec rulesets`, `moves`, `play` and `outcome`: questions to the reference."""

from __future__ import annotations

import sys

import click

import damspec
from damspec import Action, Huff, Move, Position, Ruleset
from damspec.position import board_text

from ..engines import protocol
from .arguments import layout_option, parse_position, position_argument, ruleset_argument
from .output import algebraic_option, json_option, print_json


@click.command()
@json_option
def rulesets(as_json: bool) -> None:
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
@position_argument
@json_option
@algebraic_option
@layout_option
def moves(ruleset: Ruleset, position: str, as_json: bool, algebraic: bool, layout: str | None) -> None:
    """List the legal moves in a POSITION, with the board on a terminal.

    Where there is huffing, the moves that break the duty to capture are listed too, each marked as a lapse.
    """
    ruleset, now = parse_position(ruleset, position, layout)
    found = damspec.legal_moves(ruleset, now)
    if as_json:
        print_json(
            {
                "ruleset": ruleset.id,
                "position": now.fen(),
                "moves": [_entry(action) for action in found],
                "lapses": [_entry(move) for move in found.lapses],
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
@position_argument
@click.argument("move")
@json_option
@algebraic_option
@layout_option
def play(ruleset: Ruleset, position: str, move: str, as_json: bool, algebraic: bool, layout: str | None) -> None:
    """Show the position after a MOVE.

    A MOVE is written '11-15' or '21x14x7'; squares of the path may be left out where only one move can be meant.
    """
    ruleset, now = parse_position(ruleset, position, layout)
    after = damspec.play(ruleset, now, move)
    if as_json:
        print_json({"position": after.fen()})
        return
    if sys.stdout.isatty():
        click.echo(board_text(after) + "\n")
    click.echo(after.fen(algebraic=algebraic))


@click.command()
@ruleset_argument
@position_argument
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@json_option
@layout_option
def outcome(ruleset: Ruleset, position: str, moves: tuple[str, ...], as_json: bool, layout: str | None) -> None:
    """Say whether the game is over in a POSITION, and why.

    With MOVEs it is asked about the game after they are played from there, one after another. Draws by repetition and
    by counting need them: what went before the POSITION counts for nothing.
    """
    ruleset, now = parse_position(ruleset, position, layout)
    end = damspec.outcome(ruleset, now, moves)
    if as_json:
        print_json(protocol.outcome(end))
        return
    click.echo(str(end))


def action_text(action: Action, position: Position, algebraic: bool) -> str:
    """Return an action as text, with algebraic squares if asked for."""
    if algebraic and isinstance(action, Move):
        return action.text(position.board)
    if algebraic and isinstance(action, Huff):
        return f"huff {position.board.name(action.square)}"
    return str(action)


def _entry(action: Action) -> dict[str, object]:
    if not isinstance(action, Move):
        return {"move": str(action)}
    entry: dict[str, object] = {
        "move": str(action),
        "from": action.start,
        "to": action.end,
        "path": list(action.path),
        "captured": list(action.captured),
        "promotes": action.promotes,
    }
    return entry | ({"falls": True} if action.falls else {})
