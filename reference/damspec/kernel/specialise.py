"""Fills the rules of a game into the templates of compiled code: a module of functions for numba to compile.

A name in capitals becomes what it is by the rules. Then branches that the rules decide are folded, loops over
directions unrolled, a `step` becomes a shift, and a function in which the sides differ is written once for each.
Without the rules filled in, names become fields of a record instead (`records.rule_table`): one module then serves
all rules on boards of a size, more slowly.

Marks of a template's functions: `entry` is called by Python, `both_sides` has the side to move as its first argument,
and a `search` that is told it where no rules are filled in.
"""

from __future__ import annotations

import ast
import operator
import pickle
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..board import SIDES
from ..rules import Rules
from .constants import CONVENTIONS, FIXED, LAST_DIRECTION, NAMES, Squares, Ways, code_of, constants, places_of, steps
from .places import words_of

#: The templates of each kind of module.
TEMPLATES: Mapping[str, tuple[Path, ...]] = {
    kind: tuple(Path(__file__).parent / "template" / f"{name}.py" for name in names)
    for kind, names in {
        "perft": ("moves", "perft"),
        "compare": ("moves", "compare"),
        "retrograde": ("moves", "outcome", "retrograde"),
        "search": ("moves", "outcome", "search"),
    }.items()
}
_OPERATORS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.LShift: operator.lshift,
    ast.FloorDiv: operator.floordiv,
}  # fmt: skip


def module_of(kind: str, rules: Rules, *, filled_in: bool) -> ast.Module:
    """Return the functions of the templates of a kind, with the rules filled in or read from records."""
    functions = [
        node
        for template in TEMPLATES[kind]
        for node in ast.parse(template.read_text(encoding="utf-8"), str(template)).body
        if isinstance(node, ast.FunctionDef)
    ]
    if filled_in:
        functions = [each for function in functions if function.name != "step" for each in _one_for_each_way(function)]
    functions = _fill(functions, rules, filled_in)
    return ast.fix_missing_locations(ast.Module([*_simplify(functions)], []))


def numbers_of(module: ast.Module) -> dict[str, tuple[str, int]]:
    """Return the numbers that a module uses by name, with their kinds: *word*, *number* or *flag*."""
    names = sorted(_names(module))
    found = {name: ("word", int(name[1:], 16)) for name in names if re.fullmatch("u[0-9a-f]+", name)}
    found |= {name: ("number", int(name[1:].replace("_", "-"))) for name in names if re.fullmatch("i_?[0-9]+", name)}
    return found | {name: ("flag", int(name == "is_True")) for name in names if name in ("is_True", "is_False")}


@cache
def names_in(kind: str) -> frozenset[str]:
    """Return the names in capitals of the templates of a kind."""
    return frozenset(
        name for path in TEMPLATES[kind] for name in re.findall(r"\b[A-Z][A-Z0-9_]+\b", path.read_text("utf-8"))
    )


def mark_of(function: ast.FunctionDef) -> str:
    """Return the mark of a template's function, or the empty string."""
    return function.decorator_list[0].id if function.decorator_list else ""  # type: ignore[attr-defined]


def _one_for_each_way(function: ast.FunctionDef) -> list[ast.FunctionDef]:
    """Return a function once for each direction that it can be given, if it is given one; their names say which."""
    places = [place for place, argument in enumerate(function.args.args) if argument.arg == "way"]
    if not places:
        return [function]
    found = []
    for way in range(LAST_DIRECTION + 1):
        each = _copy(function)
        each.name = f"{function.name}_{way}"
        del each.args.args[places[0]]
        found.append(_Substitute({"way": ast.Constant(way)}).visit(each))
    return found


def _fill(functions: list[ast.FunctionDef], rules: Rules, filled_in: bool) -> list[ast.FunctionDef]:
    """Return functions with the rules filled in: one for each side where the sides differ, marked as before."""
    names = {function.name for function in functions}
    white, black = (_Fill(rules, side, filled_in, names) for side in ((0, 1) if filled_in else (0, 0)))
    pairs = _called_pairs(functions, white, black)
    uses = {one.name: _names(one) for one, _ in pairs if not mark_of(one)}
    apart = {one.name for one, other in pairs if one.name in uses and ast.dump(one) != ast.dump(other)}
    while callers := {name for name, used in uses.items() if name not in apart and used & apart}:
        apart |= callers
    found = []
    for pair in pairs:
        for side, function in zip(SIDES, pair, strict=True):
            _Substitute({name: ast.Name(f"{name}_{side}", ast.Load()) for name in apart}).visit(function)
        one, other = pair
        if one.name in apart:
            one.name, other.name = (f"{one.name}_{side}" for side in SIDES)
            found += [one, other]
        else:
            if filled_in and mark_of(one) == "both_sides":
                one.body = [ast.If(ast.Name("side", ast.Load()), other.body, one.body)]
            elif mark_of(one) == "both_sides":
                one.body = [*ast.parse("search.side = side").body, *one.body]
            found.append(one)
    return found


def _called_pairs(
    functions: list[ast.FunctionDef], white: _Fill, black: _Fill
) -> list[tuple[ast.FunctionDef, ast.FunctionDef]]:
    """Return functions as both sides see them, those alone that are called from an entry, in their order."""
    by_name, pairs = {function.name: function for function in functions}, dict[str, Any]()
    left = [function.name for function in functions if mark_of(function) == "entry"]
    while left:
        name = left.pop()
        if name not in pairs:
            pairs[name] = white.function(by_name[name]), black.function(by_name[name])
            left += by_name.keys() & set().union(*map(_names, pairs[name]))
    return [pairs[name] for name in by_name if name in pairs]


def _names(tree: ast.AST) -> set[str]:
    """Return the names that a tree uses."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _copy(tree: Any) -> Any:
    """Return a copy of a tree, which `copy.deepcopy` takes ten times as long to make."""
    return pickle.loads(pickle.dumps(tree))


def _of_one_type(node: ast.expr) -> ast.expr:
    """Return a constant by a name: numba would compile a function again for each plain number it is called with."""
    if not isinstance(node, ast.Constant):
        return node
    name = f"is_{node.value}" if isinstance(node.value, bool) else f"i{node.value!r}".replace("-", "_")
    return ast.Name(name, ast.Load())


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Fold(ast.NodeTransformer):
    """Folds expressions of constants, and branches that they decide."""

    def statements(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    def fold(self, node: ast.expr) -> ast.expr:
        """Return the value of an operation on constants, and the part of a conditional expression that they decide."""
        match self.generic_visit(node):
            case ast.BinOp(ast.Constant(left), operation, ast.Constant(right)):
                return ast.Constant(_OPERATORS[type(operation)](left, right))
            case ast.Compare(ast.Constant(left), [operation], [ast.Constant(right)]):
                return ast.Constant(_OPERATORS[type(operation)](left, right))
            case ast.UnaryOp(ast.Not(), ast.Constant(value)):
                return ast.Constant(not value)
            case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
                return ast.Constant(-value)
            case ast.IfExp(ast.Constant(test), body, orelse):
                return body if test else orelse
        return node

    visit_BinOp = visit_Compare = visit_IfExp = visit_UnaryOp = fold

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        decides, left = isinstance(node.op, ast.Or), list[ast.expr]()
        for value in map(self.visit, node.values):
            if not isinstance(value, ast.Constant):
                left.append(value)
            elif bool(value.value) == decides:
                left.append(ast.Constant(decides))
                break
        if not left:
            return ast.Constant(not decides)
        return left[0] if len(left) == 1 else ast.BoolOp(node.op, left)

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.statements(node.body if test.value else node.orelse)
        return ast.If(test, self.statements(node.body) or [ast.Pass()], self.statements(node.orelse))

    def visit_While(self, node: ast.While) -> ast.stmt:
        return ast.While(self.visit(node.test), self.statements(node.body) or [ast.Pass()], [])


class _Fill(_Fold):
    """Fills rules in as a side sees them, or makes them fields of records."""

    def __init__(self, rules: Rules, side: int, filled_in: bool, names: set[str]) -> None:
        self.values, self.side, self.filled_in = constants(rules, side), side, filled_in
        self.names, self.steps = names, steps(rules.board)
        self.words = places_of(rules.board).words
        #: The values of variables that the rules decide.
        self.known: dict[str, Any] = dict(FIXED)
        if filled_in:
            self.known |= self.values | {name: name == "COUNTS_UNIQUE" for name in CONVENTIONS.values()}
        #: The rule whose values a variable runs through.
        self.runs_through: dict[str, str] = {}

    def function(self, function: ast.FunctionDef) -> ast.FunctionDef:
        """Return a function, with the names in it filled in."""
        found: ast.FunctionDef = _copy(function)
        if self.filled_in and mark_of(function) == "both_sides":
            self.known["side"] = self.side
        found.body = self.statements(found.body) or [ast.Pass()]
        self.known.pop("side", None)
        return found

    def _field(self, name: str) -> ast.expr:
        """Return the field of a record for a rule."""
        value = self.values.get(name)
        if isinstance(value, Squares):
            return _expression(f"load(rules.{name}, search.side, {ast.unparse(self._set(0))})")
        return _expression(f"{self._row(name, 0)} > 0" if isinstance(value, tuple) else f"rules.{name}")

    def _row(self, name: str, index: str | int) -> str:
        """Return the text of an entry of a field that has several: their number and then each."""
        return f"rules.{name}[{f'search.side, {index}' if isinstance(self.values[name], Ways) else index}]"

    def _set(self, number: int) -> ast.expr:
        words: list[ast.expr] = [ast.Name(f"u{word:x}", ast.Load()) for word in words_of(number, self.words)]
        return words[0] if self.words == 1 else ast.Call(ast.Name(f"wide{self.words}", ast.Load()), words, [])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Store):
            return node
        if node.id in self.known:
            value = self.known[node.id]
            if isinstance(value, Squares):
                return self._set(value)
            return ast.Constant(bool(value) if isinstance(value, tuple) else value)
        if node.id in self.values or node.id in CONVENTIONS.values():
            return self._field(node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        node.args = [self.visit(each) for each in node.args]
        if name == "opposite":
            return self.fold(ast.BinOp(ast.Constant(LAST_DIRECTION), ast.Sub(), node.args[0]))
        if name == "step" and isinstance(node.args[1], ast.Constant):
            return self._shift(node.args[0], node.args[1].value)
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Constant) and f"{name}_{argument.value!r}" in self.names:  # by direction
                name = f"{name}_{argument.value!r}"
                node.func, node.args = ast.Name(name, ast.Load()), node.args[:place] + node.args[place + 1 :]
                break
        if name in self.names:
            node.args = [_of_one_type(each) for each in node.args]
        return node

    def _shift(self, squares: ast.expr, way: Any) -> ast.expr:
        """Return the squares one step away: a shift, after what would come round the edge has been removed."""
        distance, inside = self.steps[way]
        rest = self.values["ALL"] & ~inside
        if (rest << distance if distance > 0 else rest >> -distance) & self.values["ALL"]:
            squares = ast.BinOp(squares, ast.BitAnd(), self._set(inside))
        shift = ast.LShift() if distance > 0 else ast.RShift()
        return ast.BinOp(squares, shift, ast.Name(f"u{abs(distance):x}", ast.Load()))

    def visit_Compare(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Compare(ast.Name(name) as left, _, [ast.Constant(word)]):
                rule = self.runs_through.get(name, name)
                if not self.filled_in and rule in NAMES:
                    node.left, node.comparators = self.visit(left), [ast.Constant(code_of(rule, word))]
                    return node
        return self.fold(node)

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        assert isinstance(node.target, ast.Name)
        name = node.iter.id if isinstance(node.iter, ast.Name) else ""
        if name not in self.values:
            node.iter = self.visit(node.iter)
            node.body = self.statements(node.body) or [ast.Pass()]
            return node
        target, found = node.target.id, list[ast.stmt]()
        if self.filled_in:
            for value in self.values[name]:
                self.known[target] = value
                found += self.statements(_copy(node.body))
            self.known.pop(target, None)
            return found
        self.runs_through[target] = name
        index = f"{target}_index"
        head = f"for {index} in range(1, {self._row(name, 0)} + 1): {target} = {self._row(name, index)}"
        (run,) = ast.parse(head).body
        assert isinstance(run, ast.For)
        run.body += self.statements(node.body)
        return run

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        node.targets = [self.visit(target) for target in node.targets]
        node.value = self.visit(node.value)
        if isinstance(node.value, ast.Tuple):
            node.value.elts = [_of_one_type(each) for each in node.value.elts]
        node.value = _of_one_type(node.value)
        return node


def _simplify(functions: list[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """Return functions without calls of trivial ones, arguments that nothing reads, and functions nothing calls."""
    for function in functions:
        body = [node for node in function.body if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call)]
        function.body = body or [ast.Pass()]
    values = {
        function.name: ([argument.arg for argument in function.args.args], function.body[0].value)
        for function in functions
        if isinstance(function.body[0], ast.Return) and function.body[0].value and not mark_of(function)
    }
    functions = [_Inline(values).visit(function) for function in functions if function.name not in values]
    for function in functions:
        function.body = _Fold().statements(function.body) or [ast.Pass()]
    uses, changed = {function.name: _names(function) for function in functions}, functions
    while dropped := {f.name: unread for f in changed if mark_of(f) != "entry" and (unread := _unread(f))}:
        changed = [f for f in functions if f.name in dropped or uses[f.name] & dropped.keys()]
        for function in changed:
            gone = dropped.get(function.name, ())
            arguments = enumerate(function.args.args)
            function.args.args = [argument for place, argument in arguments if place not in gone]
            _Drop(dropped).visit(function)
    called = {name for function in functions for name in _names(function)}
    return [function for function in functions if function.name in called or mark_of(function) == "entry"]


def _unread(function: ast.FunctionDef) -> set[int]:
    """Return the places of arguments that a function only passes on to itself."""
    read = Counter[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            read[node.id] += isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name:
            for argument, value in zip(function.args.args, node.args, strict=True):
                read[argument.arg] -= isinstance(value, ast.Name) and value.id == argument.arg
    return {place for place, argument in enumerate(function.args.args) if not read[argument.arg]}


class _Inline(ast.NodeTransformer):
    """Puts the value of functions that only return one in the place of their calls."""

    def __init__(self, values: dict[str, tuple[list[str], ast.expr]]) -> None:
        self.values = values

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.values:
            parameters, value = self.values[node.func.id]
            expression = ast.Expression(_copy(value))
            _Substitute(dict(zip(parameters, node.args, strict=True))).visit(expression)
            found: ast.expr = self.visit(expression.body)
            return found
        return node


class _Substitute(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found: ast.expr = _copy(self.values[node.id]) if node.id in self.values else node
        return found


class _Drop(ast.NodeTransformer):
    """Drops arguments of calls."""

    def __init__(self, places: Mapping[str, set[int]]) -> None:
        self.places = places

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        gone = self.places.get(node.func.id, ()) if isinstance(node.func, ast.Name) else ()
        node.args = [argument for place, argument in enumerate(node.args) if place not in gone]
        return node
