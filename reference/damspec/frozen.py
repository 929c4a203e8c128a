"""Values that stay as they were read: mappings nobody can change and tuples for lists, all the way down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

_T = TypeVar("_T")


class FrozenDict(dict[Any, Any]):
    """A dict that cannot be changed, and so has a hash. It equals a dict with the same content, and JSON writes it."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[Any, Any]]]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("these values cannot be changed: take a copy, {**values}, and change that")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def unchecked(kind: type[_T], /, **fields: object) -> _T:
    """Make a value of a frozen dataclass of all its fields, without the checks of its constructor.

    For what is known to be right and made again and again.
    """
    value = object.__new__(kind)
    value.__dict__.update(fields)
    return value


def frozen(value: Any) -> Any:
    """The value with mappings that cannot be changed, and tuples for lists."""
    match value:
        case str() | int() | FrozenDict():
            return value
        case Mapping():
            return FrozenDict({key: frozen(part) for key, part in value.items()})
        case list() | tuple() if type(value) in (list, tuple):
            return tuple(frozen(part) for part in value)
        case _:
            return value
