"""The options of a command, made from its keyword parameters and the fields of dataclasses; its help under headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, fields, is_dataclass, make_dataclass
from functools import wraps
from inspect import signature
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

#: The heading of options that have none of their own.
_OPTIONS = "Options"
#: Set in a context whose help has all options.
_ALL = "damspec.help_all"
#: The widest option that has its help beside it, not below.
_WIDEST = 28


class FieldOption(click.Option):
    """An option made from a field, of the same name."""

    def __init__(self, field: Field[Any], type_: Any, section: str) -> None:
        form = field.metadata
        flags = form["flags"] or ["--" + field.name.replace("_", "-")]
        super().__init__([*flags, field.name], help=form["help"], **_for_click(field, type_))
        self.section, self.is_rare = section, form["rare"]


def _for_click(field: Field[Any], type_: Any) -> dict[str, Any]:
    """Return what click is told of an option, as far as the type and the default of its field say it."""
    form, default = field.metadata, field.default
    if get_origin(type_) in (Union, UnionType):
        type_ = next(each for each in get_args(type_) if each is not type(None))
    told: dict[str, Any] = {"show_default": not (default is None or default is False or default == ())}
    if default is not None:  # of an option that is required, None would be taken for a value
        told["default"] = default
    if get_args(type_)[1:] == (...,):
        told["multiple"], type_ = True, get_args(type_)[0]
    if form["choices"]:
        told["type"] = click.Choice([*form["choices"]()])
    elif get_origin(type_) is Literal:
        told["type"] = click.Choice(get_args(type_))
    elif type_ is bool:
        told["is_flag"] = True
    elif type_ is int:
        bounds = form["least"], form["most"]
        told |= {"type": click.INT if bounds == (None, None) else click.IntRange(*bounds), "metavar": "N"}
    elif type_ is float:
        told["type"] = click.FloatRange(form["least"], form["most"])
    return {**told, **form["click"]}


def options_of(group: type, section: str = _OPTIONS) -> Iterator[FieldOption]:
    """Yield the options for the fields of a dataclass, those of nested groups in place."""
    for each, type_ in _typed_fields(group):
        if "section" in each.metadata:
            section = each.metadata["section"] or section
            yield FieldOption(each, type_, section)
            continue
        for nested in options_of(type_, section):
            section = nested.section
            yield nested


def _typed_fields(group: type) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the fields of a dataclass that are options or groups, with their types."""
    types = get_type_hints(group)
    for each in fields(group):
        type_ = types[each.name]
        if "section" in each.metadata or (is_dataclass(type_) and isinstance(type_, type) and any(options_of(type_))):
            yield each, type_


def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command to it: its keyword parameters, which are options or groups of them."""
    types = get_type_hints(command)
    keywords = [each for each in signature(command).parameters.values() if each.kind is each.KEYWORD_ONLY]
    own = [
        (each.name, types[each.name]) if each.default is each.empty else (each.name, types[each.name], each.default)
        for each in keywords
    ]
    group = make_dataclass(command.__name__, own, kw_only=True)

    @wraps(command)
    def called(**values: Any) -> Any:
        made = _make(group, values)
        return command(**values, **{each.name: getattr(made, each.name) for each in keywords})

    known = getattr(command, "__click_params__", [])
    called.__click_params__ = [*known, *reversed([*options_of(group)])]  # type: ignore[attr-defined]  # click's own
    return called


def _make(group: type, values: dict[str, Any]) -> Any:
    """Return a group with the values of its options, which are taken out of `values`."""
    return group(
        **{
            each.name: values.pop(each.name) if "section" in each.metadata else _make(type_, values)
            for each, type_ in _typed_fields(group)
        }
    )


# --- which options were given ---------------------------------------------------------------------


def is_given(name: str) -> bool:
    """Return whether an option was given on the command line."""
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def check_fitting(option: str, *fitting: str | type) -> None:
    """Raise UsageError for an option given together with `option` that is not one of `fitting`, or in such a group."""
    groups = [each for each in fitting if isinstance(each, type)]
    names = {*fitting, *(each.name for group in groups for each in options_of(group))}
    for parameter in click.get_current_context().command.params:
        if isinstance(parameter, click.Option) and parameter.name not in names and is_given(parameter.name or ""):
            raise click.UsageError(f"{parameter.opts[0]} does not go with {option}")


def check_usage(*mistakes: tuple[object, str]) -> None:
    """Raise UsageError with the message of the first mistake whose condition is true."""
    for is_made, message in mistakes:
        if is_made:
            raise click.UsageError(message)


def given_options(*groups: type) -> dict[str, Any]:
    """Return the options of groups whose value is not the default, by their names, as JSON data."""
    context = click.get_current_context()
    given: dict[str, Any] = {}
    for each in (each for group in groups for each in options_of(group)):
        value = context.params.get(each.name or "")
        if value and value != each.get_default(context):
            if isinstance(value, tuple):
                value = [str(one) for one in value] if each.multiple else ":".join(map(str, value))
            given[max(each.opts, key=len).lstrip("-")] = value
    return given


# --- help -----------------------------------------------------------------------------------------


def _show_all(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        context.meta[_ALL] = True
        click.echo(context.get_help())
        context.exit()


class Command(click.Command):
    """A command whose help has its options under headings; those that few need are shown by `--help-all`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if any(isinstance(each, FieldOption) and each.is_rare for each in self.params):
            self.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_show_all,
                    help="Show every option and exit.",
                )
            )

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, all in the same columns."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(context):
            hidden = getattr(each, "is_rare", False) and not context.meta.get(_ALL)
            record = None if hidden or isinstance(each, click.Argument) else each.get_help_record(context)
            if record:
                sections.setdefault(getattr(each, "section", _OPTIONS), []).append(record)
        sections[_OPTIONS] = sections.pop(_OPTIONS)
        width = max(len(words) for rows in sections.values() for words, _ in rows if len(words) <= _WIDEST)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl([(words.ljust(width), help) for words, help in rows], col_max=width)
