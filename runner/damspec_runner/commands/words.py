"""Command lines with an engine's command at their end: what is after `--` is left as it is."""

from __future__ import annotations

import click

from damspec import Ruleset

from .arguments import RulesetParam

_AFTER = "damspec.after_dashes"


class WithCommand(click.Command):
    """A command whose arguments end at the first `--`; what comes then is `command_words`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Take the words after `--` away before the rest is parsed."""
        if "--" in args:
            place = args.index("--")
            args, context.meta[_AFTER] = args[:place], tuple(args[place + 1 :])
        return super().parse_args(context, args)

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The usage with the engine's command."""
        pieces = [piece for piece in self.collect_usage_pieces(context) if piece]
        formatter.write_usage(context.command_path, " ".join([*pieces, "[-- COMMAND...]"]))


def command_words() -> tuple[str, ...] | None:
    """The words after `--`; None if there is no `--`."""
    found: tuple[str, ...] | None = click.get_current_context().meta.get(_AFTER)
    return found


def named_ruleset(word: str) -> Ruleset:
    """The ruleset that a word names. Raises RulesetError or FileError."""
    return RulesetParam().convert(word, None, None)


def rulesets_and_command(words: tuple[str, ...], *, named: bool) -> tuple[list[Ruleset], tuple[str, ...]]:
    """The rulesets and the engine's command; `named` is whether an engine is given by its name.

    All words before `--` are rulesets. Without `--` and a named engine only the first is, and the rest the command.
    """
    command = command_words()
    if command is None and not named:
        words, command = words[:1], words[1:]
    if not words:
        raise click.UsageError("Missing argument 'RULESET...'.")
    twice = next((word for place, word in enumerate(words) if word in words[:place]), None)
    if twice is not None:
        raise click.UsageError(f"{twice}: named twice")
    return [named_ruleset(word) for word in words], command or ()
