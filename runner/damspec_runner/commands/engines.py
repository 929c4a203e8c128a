"""`damspec engines`: list, install and remove third-party engines."""

from __future__ import annotations

import sys
from functools import partial

import click

from ..engines import registry
from .output import json_field, print_json, say
from .parameters import with_options


@click.group(invoke_without_command=True)
@with_options
def engines(*, as_json: bool = json_field()) -> None:
    """List, install and remove the engines known by name.

    Each is installed on request, in an environment of its own, under $DAMSPEC_ENGINES or the user's data folder.
    """
    if click.get_current_context().invoked_subcommand:
        return
    found = list(registry.adapters().values())
    if as_json:
        print_json(
            {
                "engines": [
                    {
                        "name": a.name,
                        "registry": a.registry,
                        "package": a.package,
                        "version": a.version,
                        "plays": list(a.plays),
                        "about": a.about,
                        "installed": a.installed,
                    }
                    for a in found
                ]
            }
        )
        return
    click.echo(f"{registry.REFERENCE:<26}bundled        the reference itself; plays every ruleset")
    for a in found:
        state = "installed" if a.installed else "not installed"
        click.echo(
            f"{a.name:<26}{state:<15}{a.package} {a.version} ({a.registry}): {a.about}; plays {', '.join(a.plays)}"
        )
    click.echo(f"in {registry.home()}")


def try_install(found: registry.Adapter, *, quiet: bool = True) -> bool:
    """Install an engine, and say why if it cannot be; with `quiet`, how it goes on is said on standard error."""
    try:
        registry.install(found, partial(click.echo, err=quiet))
    except registry.InstallError as error:
        say(str(error))
        return False
    return True


@engines.command()
@click.argument("names", nargs=-1, required=True)
def install(names: tuple[str, ...]) -> None:
    """Install engines and say where."""
    chosen = [registry.adapter(name) for name in names]
    for found in chosen:
        if found.installed:
            click.echo(f"{found.name} {found.version} is installed already, in {found.folder}")
            continue
        if not try_install(found, quiet=False):
            sys.exit(3)
        click.echo(f"{found.name} {found.version} is ready: damspec check {found.plays[0]} --engine {found.name}")


@engines.command()
@click.argument("names", nargs=-1, required=True)
def remove(names: tuple[str, ...]) -> None:
    """Remove installed engines."""
    for found in [registry.adapter(name) for name in names]:
        there = registry.remove(found)
        click.echo(f"{found.name}: {'removed ' + str(found.folder) if there else 'was not installed'}")
