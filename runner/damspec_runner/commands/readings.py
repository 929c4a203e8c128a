"""What the documents leave unclear, and how it was read."""

from __future__ import annotations

import click

from damspec import Alternative, Reading, Ruleset, load_readings

from .arguments import optional_ruleset_argument
from .output import json_option, print_json


@click.command()
@optional_ruleset_argument
@json_option
def readings(ruleset: Ruleset | None, as_json: bool) -> None:
    """List what the documents leave unclear, and how it was read.

    Each reading is a question with its alternatives; the one chosen is marked with a star. With RULESET only its own.

    An alternative that rules can express is a ruleset of its own: damspec moves 'vl?priority=multiple-first' start
    """
    found = ruleset.readings if ruleset else load_readings()
    if as_json:
        print_json({"readings": [_entry(reading) for reading in found]})
        return
    for reading in found:
        click.echo(f"{reading.id} {reading.key} (confidence {reading.confidence}): {reading.question}")
        for word, alternative in reading.alternatives.items():
            click.echo(f"  {'*' if word == reading.chosen else ' '} {word}: {alternative.says}")
            if alternative.inexpressible:
                click.echo(f"      not playable ({alternative.because}): {alternative.inexpressible}")
            if alternative.same:
                click.echo(f"      the same rules as the one chosen: {alternative.same}")
    if ruleset and not found:
        click.echo(f"{ruleset.id} has no readings")


def _entry(reading: Reading) -> dict[str, object]:
    return {
        "id": reading.id,
        "key": reading.key,
        "rulesets": list(reading.rulesets),
        "clauses": list(reading.clauses),
        "question": reading.question,
        "alternatives": {word: _alternative(given) for word, given in reading.alternatives.items()},
        "chosen": reading.chosen,
        "why": reading.why,
        "confidence": reading.confidence,
    }


def _alternative(given: Alternative) -> dict[str, object]:
    entry: dict[str, object] = {"says": given.says}
    if given.set:
        entry["set"] = dict(given.set)
    if given.inexpressible:
        entry |= {"inexpressible": given.inexpressible, "because": given.because}
    if given.same:
        entry["same"] = given.same
    return entry
