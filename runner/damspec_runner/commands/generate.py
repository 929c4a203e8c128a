"""`damspec generate`: find positions for a goal and write them."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import damspec
from damspec import Ruleset, data
from damspec.contradictions import find_contradictions
from damspec.data import freeze
from damspec.errors import quote_value
from damspec.mutations import changed_values, other_layouts
from damspec.rules import expand_directions, rule_names
from damspec.safe_yaml import UnsafeTextError, read_yaml
from damspec.validity import fewest_pieces, material, phases

from ..cases.bundle import bundle_text
from ..cases.perft_tables import PerftSuite, suite_file, suite_lines
from ..generate import formats
from ..generate.annotate import AnnotatedPosition, Annotator
from ..generate.diversity import Coverage, coverage
from ..generate.goal import Found, Goal, NothingToFindError, SearchGoal, prove_nothing_to_find
from ..generate.search import PositionSearch
from ..generate.suite import SuiteBuilder, build_suite
from ..mutants.mutants import make_mutant, single_mutants
from ..mutants.ruleset_diff import begins, counts_history, places_pieces
from ..positions.random_games import PLIES
from ..tasks.executor import TaskRunner
from ..tasks.journal import digest
from . import interruption
from .options import ExecutorOptions, Seconds, add_executor_options, check_fitting, ruleset_argument
from .output import OutputTarget, check_new_folder, console, output_target, write_file, write_folder

#: The most pieces that are looked for where nothing is said.
_MANY = 12
#: The most plies that a game can be asked to last.
_LONGEST = 1_000
#: What is no bound at all.
_UNBOUNDED = 9999


@dataclass(frozen=True)
class SearchOptions:
    """The options that say what to search for, and how long, as they were given."""

    exercise: tuple[str, ...] = ()
    distinguish: tuple[str, ...] = ()
    pieces: str | None = None
    phase: str | None = None
    moves: str | None = None
    minimal: bool = False
    every: bool = False
    reachable: bool = False
    plies: str | None = None
    per_game: int | None = None
    number: int | None = None
    seed: int = 0
    tries: int = 30_000
    seconds: float | None = None

    def check(self) -> None:
        """Raise UsageError for options that exclude each other or need another."""
        if not self.reachable and (self.plies or self.per_game):
            raise click.UsageError(f"{'--plies' if self.plies else '--per-game'} goes with --reachable")
        _ = self.window
        if self.every:
            for option, given in (("--minimal", self.minimal), ("--reachable", self.reachable), ("-n", self.number)):
                if given:
                    raise click.UsageError(f"{option} does not go with --all")
            if self.pieces is None:
                raise click.UsageError("--all: of how many pieces? expected --pieces N too, for all with up to N")

    @property
    def window(self) -> tuple[int, int]:
        """The numbers of plies after which positions are taken from a game. Raises UsageError."""
        return number_range("--plies", self.plies, 0, _LONGEST) if self.plies else (0, PLIES)

    def search(self, hunt: PositionSearch) -> None:
        """Search the way the options ask for."""
        if self.every:
            hunt.everything()
        elif self.minimal:
            hunt.fewest_reached(self.window) if self.reachable else hunt.fewest()
        elif self.reachable:
            hunt.reached(self.window, self.per_game or 1)
        else:
            hunt.anywhere()


def goal_from_options(ruleset: Ruleset, options: SearchOptions) -> SearchGoal:
    """Return what the options ask for; with `every` a single number of pieces is the greatest.

    Raises UsageError, and NothingToFindError where a rule can have no other value.
    """
    pieces = options.pieces
    goals = (*(_exercise(ruleset, text) for text in options.exercise), *_distinguish(ruleset, options.distinguish))
    asked = SearchGoal(
        ruleset,
        goals,
        moves=number_range("--moves", options.moves, 0, None) if options.moves else None,
        phase=_phase(ruleset, options.phase),
    )
    fewest, most = fewest_pieces(ruleset.rules), sum(material(ruleset.rules))
    if pieces is not None:
        found = number_range("--pieces", pieces, fewest, most)
        return replace(asked, pieces=(fewest, found[1]) if options.every and ".." not in pieces else found)
    return replace(asked, pieces=(fewest if asked.finished else 1, most if options.reachable else min(_MANY, most)))


def number_range(option: str, text: str, fewest: int, most: int | None) -> tuple[int, int]:
    """Parse a range `MIN..MAX`, either of which may be left out, or one number. Raises UsageError."""
    form = re.fullmatch(r"([0-9]{1,4})?(\.\.)?([0-9]{1,4})?", text)
    if not form or not (form[1] or form[3]):
        raise click.UsageError(f"{option}: found {text!r}, expected MIN..MAX, such as 3..8, or one number")
    first = int(form[1] or fewest)
    last = int(form[3] or (_UNBOUNDED if most is None else most)) if form[2] else first
    if first > last:
        raise click.UsageError(f"{option}: found {text!r}, expected the smaller number first")
    if first < fewest or (most is not None and last > most):
        raise click.UsageError(f"{option}: found {text!r}, expected numbers from {fewest} to {most}")
    return first, last


def _exercise(ruleset: Ruleset, text: str) -> Goal:
    rule, sign, value = text.partition("=")
    if rule not in rule_names():
        raise click.UsageError(f"--exercise: no rule {rule!r}{data.nearest(rule, rule_names())}")
    if rule not in ruleset.values:
        raise click.UsageError(f"--exercise: {ruleset.id} has no {rule}")
    if places_pieces(rule) or begins(rule):
        raise click.UsageError(f"--exercise: no position depends on {rule}, only what it is a position of")
    if counts_history(rule):
        raise click.UsageError(f"--exercise: {rule} shows only in games, not in a position")
    if not sign:
        return Goal(f"any other {rule}", tuple(_others(ruleset, rule)), rule)
    try:
        changed = freeze(read_yaml(value))
    except UnsafeTextError:
        raise click.UsageError(
            f"--exercise: {quote_value(value)} is no value, expected a word, a number or [a, list]"
        ) from None
    wrong = data.problem_of_values({rule: changed})
    if wrong or changed is None:
        raise click.UsageError(f"--exercise: {rule}: {(wrong or 'found nothing after =').rpartition('value: ')[2]}")
    changed = expand_directions({rule: changed}, "--exercise: ")[rule]
    if changed == ruleset.values[rule]:
        raise click.UsageError(f"--exercise: {rule} is {value} in {ruleset.id} already")
    one = make_mutant(ruleset.base, ruleset.values, ((rule, changed),))
    if one is None:
        why = _forbidden(ruleset, rule, changed)
        raise click.UsageError(f"--exercise: {rule} cannot be {value} with the other rules of {ruleset.id}: {why}")
    return Goal(f"{rule} = {value}", (one.ruleset,), rule)


def _others(ruleset: Ruleset, rule: str) -> list[Ruleset]:
    """Return the ruleset with every other value of a rule. Raises NothingToFindError if it can have none."""
    found = [one.ruleset for one in single_mutants(ruleset) if one.rules_changed == (rule,)]
    if not found and (layouts := other_layouts(ruleset) if rule == "trapdoors.layout" else []):
        changes = (make_mutant(ruleset.base, ruleset.values, ((rule, freeze(one.content())),)) for one in layouts)
        found = [one.ruleset for one in changes if one]
    if not found:
        why = dict.fromkeys(_forbidden(ruleset, rule, value) for value in changed_values(rule, ruleset.values[rule]))
        raise NothingToFindError(f"{ruleset.id} can have no other {rule}: {'; '.join(why)}")
    return found


def _forbidden(ruleset: Ruleset, rule: str, value: object) -> str:
    """Explain why a rule cannot have a value beside the others."""
    found = dict(find_contradictions({**ruleset.values, rule: value}))
    return found[rule] if rule in found else ": ".join(next(iter(found.items())))


def _distinguish(ruleset: Ruleset, texts: tuple[str, ...]) -> Iterator[Goal]:
    for id in (id for text in texts for id in text.split(",")):
        other = damspec.load_ruleset(id.strip())
        if other.rules.board != ruleset.rules.board:
            sizes = " and ".join(f"{r.id} on {r.values['board.size']}" for r in (ruleset, other))
            raise click.UsageError(f"--distinguish: different boards, {sizes}: no position is one of both")
        yield Goal(other.id, (other,))


def _phase(ruleset: Ruleset, phase: str | None) -> str | None:
    known = list(phases(ruleset.rules))
    if phase is not None and phase not in known:
        raise click.UsageError(f"--phase: {ruleset.id} has no phase {phase!r}{data.nearest(phase, known)}")
    return phase


FORMATS = ("cases", "bundle", "json", "jsonl", "fen", "epd", "pdn", "svg", "png", "html")
#: The formats that can be a folder of files, each with how the name of a single file ends.
_FOLDERS = {"cases": (".yaml", ".yml"), "svg": (".svg",), "png": (".png",)}
#: The formats that say which rule values change an answer.
_TELLING = ("cases", "json", "jsonl", "epd", "html")


@dataclass(frozen=True)
class Writing:
    """How positions are written.

    With `coverage` None a table of what they cover is printed on a terminal if there are several.
    """

    form: str
    output: Path | None
    otherwise: bool
    coverage: bool | None

    @property
    def names_changes(self) -> bool:
        """Whether the output says which rule values change an answer, which takes long to find out."""
        return self.otherwise and (self.form in _TELLING or bool(self.coverage))

    def check(self, ruleset: Ruleset, number: int) -> None:
        """Raise UsageError if a result could not be written; existing files are not overwritten."""
        form, output = self.form, self.output
        if form in ("cases", "bundle") and "?" in ruleset.id:
            raise click.UsageError(f"{ruleset.id}: cases are written for the readings chosen; take another --format")
        if form == "png":
            self._check_png(number)
        if output is None:
            return
        if self._is_folder:
            check_new_folder("-o", output, form)
        elif output.is_dir():
            raise click.UsageError(f"-o: {str(output)!r} is a folder, expected a file for {form}")
        else:
            OutputTarget("-o", output)

    def write(self, wanted: SearchGoal, found: Sequence[Found], about: Mapping[str, Any]) -> None:
        """Write positions; `about` is the summary of the search, as JSON data.

        If interrupted while answers are worked out, write those known by then and exit. Raises OutputError.
        """
        err = console(stderr=True)
        shows = len(found) > 1 and (err.is_terminal if self.coverage is None else self.coverage)
        telling = self.otherwise and (self.form in _TELLING or shows)
        answering = Annotator(wanted, otherwise=telling)
        answered = [answering.answered(one) for one in found]
        if telling:
            answered = _worked_out(answered)
        covered = cache(lambda: coverage(answering, answered))
        self._put(answered, covered, about)
        if shows:
            from ..generate.formats import show_table

            show_table(covered(), wanted.ruleset.rules.board, err)
        if len(answered) < len(found):
            click.echo(f"damspec: interrupted: {len(answered)} of {len(found)} written", err=True)
            sys.exit(interruption.exit_status())

    @property
    def _is_folder(self) -> bool:
        output = self.output
        return output is not None and self.form in _FOLDERS and output.suffix not in _FOLDERS[self.form]

    def _check_png(self, number: int) -> None:
        from ..generate.pictures import MOST_IN_PNG

        if find_spec("resvg_py") is None:
            raise click.UsageError("--format png: needs the library resvg-py: pip install 'damspec[png]'")
        if self.output is None and console().is_terminal:
            raise click.UsageError("--format png: is no text for a terminal, expected -o FILE.png or -o FOLDER")
        if not self._is_folder and number > MOST_IN_PNG:
            raise click.UsageError(
                f"--format png: one picture shows up to {MOST_IN_PNG} positions, found {number}: take -o FOLDER"
            )

    def _put(
        self, answered: Sequence[AnnotatedPosition], covered: Callable[[], Coverage], about: Mapping[str, Any]
    ) -> None:
        content = self._content(answered, covered, about)
        if self.output is None:
            assert not isinstance(content, Mapping)
            click.echo(content, nl=False)
        elif isinstance(content, Mapping):
            write_folder("-o", self.output, content)
        else:
            write_file("-o", self.output, content)

    def _content(
        self, answered: Sequence[AnnotatedPosition], covered: Callable[[], Coverage], about: Mapping[str, Any]
    ) -> str | bytes | Mapping[str, str | bytes]:
        from ..generate import formats, pictures

        match self.form:
            case "cases":
                head = "".join(f"# {line}\n" for line in _remarks(about))
                if self._is_folder:
                    return {name: head + text for name, text in formats.case_files_of(answered).items()}
                text = formats.one_file(answered)
                if formats.too_long(text):
                    click.echo("damspec: one file of cases this long is not read again: take -o FOLDER", err=True)
                return head + text
            case "bundle":
                return bundle_text(formats.bundle(answered[0].ruleset, answered))
            case "json":
                entries = [formats.entry(one) for one in answered]
                return _json({**about, "positions": entries, "coverage": covered().as_json()}, 2)
            case "svg" | "png" if self._is_folder:
                drawn = pictures.picture_files(answered).items()
                if self.form == "svg":
                    return {f"{name}.svg": picture + "\n" for name, picture in drawn}
                return {f"{name}.png": pictures.as_png(picture) for name, picture in drawn}
            case "svg":
                return pictures.sheet(answered) + "\n"
            case "png":
                self._check_png(len(answered))  # how many there are is not always known before
                return pictures.as_png(pictures.sheet(answered))
            case "html":
                from ..generate.pictures import gallery_page

                return gallery_page(answered, covered(), about)
            case "jsonl":
                return formats.jsonl(answered)
            case "epd":
                return formats.epd(answered)
            case "pdn":
                return formats.pdn(answered)
            case _:
                return formats.fen(answered)


def _worked_out(answered: Sequence[AnnotatedPosition]) -> list[AnnotatedPosition]:
    """Work out which rule values change the answers, showing progress on a terminal.

    Returns all positions, or those finished before an interruption.
    """
    from rich.progress import track

    err = console(stderr=True)
    done: list[AnnotatedPosition] = []
    with suppress(KeyboardInterrupt):
        for one in track(answered, "answers", console=err, transient=True) if err.is_terminal else answered:
            _ = one.others
            done.append(one)
    return done


def _remarks(about: Mapping[str, Any]) -> list[str]:
    """Return the comments at the head of a file of cases."""
    return [about[what]["says"] for what in ("minimal", "all") if what in about]


def _json(content: Mapping[str, Any], indent: int) -> str:
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


_OPTIONS = (
    click.option("--format", "form", type=click.Choice(FORMATS), default="cases", show_default=True),
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        help="The file to write; cases, svg and png go to a new folder unless the name has their extension.",
    ),
    click.option("--no-otherwise", is_flag=True, help="Skip which rule values would change each answer; faster."),
    click.option(
        "--coverage/--no-coverage",
        default=None,
        help="Print what the positions cover.  [default: on a terminal]",
    ),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
)


def writing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which receives them as one `writing`."""

    @wraps(command)
    def extended(
        *, form: str, output: Path | None, no_otherwise: bool, coverage: bool | None, as_json: bool, **others: Any
    ) -> Any:
        writing = Writing("json" if as_json else form, output, not no_otherwise, coverage)
        return command(writing=writing, **others)

    for option in reversed(_OPTIONS):
        extended = option(extended)
    return extended


#: The options of `generate` that say something about a suite.
_FITTING = {"ruleset", "depth", "number", "seed", "form", "output", "as_json"}
_FORMS: Mapping[str, Callable[[PerftSuite], str]] = {
    "cases": suite_file,
    "json": lambda made: json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n",
    "epd": suite_lines,
    "fen": lambda made: "".join(f"{one.position}\n" for one in made.positions),
}


def write_perft_suite(ruleset: Ruleset, depth: int, number: int | None, seed: int, writing: Writing) -> None:
    """Choose the positions of a suite, write it, and print on standard error what it kills. Raises UsageError."""
    check_fitting("--perft", _FITTING)
    if writing.form not in _FORMS:
        raise click.UsageError(f"--format {writing.form} does not go with --perft, expected {', '.join(_FORMS)}")
    target = output_target("-o", writing.output)
    telling = SuiteBuilder(ruleset, depth, seed)
    err = console(stderr=True)
    if err.is_terminal:
        with err.status(ruleset.id) as status:
            telling.tell = lambda what: status.update(f"{ruleset.id}: {what}")
            telling.look()
    else:
        telling.look()
    made = build_suite(telling, number)
    text = _FORMS[writing.form](made)
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text)
    click.echo(_summary(made), err=True)


def _summary(made: PerftSuite) -> str:
    at: Counter[int] = Counter()
    for one in made.positions:
        at.update({depth: len(names) for depth, names in one.tells.items()})
    killed = ", ".join(f"{at[depth]} at depth {depth}" for depth in sorted(at))
    return (
        f"{len(made.positions)} positions: of {at.total() + len(made.untold)} changes, games and faults"
        f" {at.total()} are killed ({killed}), {len(made.untold)} survive"
    )


@click.command()
@ruleset_argument
@click.option(
    "--exercise",
    multiple=True,
    metavar="RULE[=VALUE]",
    help="Positions whose answer changes if the rule has VALUE (any other value, if none is given); repeatable.",
)
@click.option(
    "--distinguish",
    multiple=True,
    metavar="OTHER[,OTHER...]",
    help="Positions that these rulesets answer differently; repeatable.",
)
@click.option("--pieces", metavar="MIN..MAX", help="How many pieces.  [default: 1..12]")
@click.option(
    "--phase", metavar="PHASE", help="Only in this phase of a turn: plain, spin=green, huffable, compelled, ..."
)
@click.option("--moves", metavar="MIN..MAX", help="How many legal actions.")
@click.option("--minimal", is_flag=True, help="With as few pieces as possible; says whether fewer were tried.")
@click.option("--all", "every", is_flag=True, help="Every position with up to that many --pieces, in order.")
@click.option("--reachable", is_flag=True, help="Only positions reached by legal play from the start, with the game.")
@click.option("--plies", metavar="MIN..MAX", help=f"With --reachable: after so many plies.  [default: 0..{PLIES}]")
@click.option(
    "--per-game",
    type=click.IntRange(1),
    metavar="K",
    help="With --reachable: at most K positions of a game.  [default: 1]",
)
@click.option(
    "--perft",
    "depth",
    type=click.IntRange(1, 20),
    metavar="D",
    help="A perft suite instead: few positions whose perft to depth D tells the ruleset from others; -n adds more.",
)
@click.option("-n", "number", type=click.IntRange(1), help="How many positions.  [default: 1]")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same positions.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=30_000,
    show_default=True,
    help="Give up after N rejected positions in a row.",
)
@click.option("--time", "seconds", type=Seconds(), help="Give up after SECONDS.")
@add_executor_options(1)
@writing_options
def generate(ruleset: Ruleset, depth: int | None, workers: ExecutorOptions, writing: Writing, **given: Any) -> None:
    """Find positions that depend on a rule or tell rulesets apart.

    \b
      damspec generate vl --exercise capture.choice -n 5
      damspec generate vl --distinguish brazilian,russian --minimal --format fen
      damspec generate vl --perft 5 --format epd

    They are as different from each other as can be found, and the game goes on in them unless a rule of its end is
    asked for. With `--format cases` the positions are written as cases with the reference's answers, for review. Exit
    status: 0 found, 1 nothing found, 2 usage, 130 interrupted. What was found before an interruption is still written.
    """
    options = SearchOptions(**given)
    if depth is not None:
        write_perft_suite(ruleset, depth, options.number, options.seed, writing)
        return
    options.check()
    number = options.number or 1
    writing.check(ruleset, number)
    try:
        goal = prove_nothing_to_find(goal_from_options(ruleset, options))
    except NothingToFindError as why:
        click.echo(f"damspec: nothing can be found: {why}", err=True)
        sys.exit(1)
    hunt = PositionSearch(goal, number, options.seed, options.tries)
    work = workers.task_runner("generate", _work(hunt, options))
    broken_off = _run(hunt, options, work)
    found = hunt.positions
    left_out = ""
    if broken_off == "interrupted" and found and writing.names_changes:
        writing = replace(writing, otherwise=False, coverage=False)  # it can take longer than the search
        left_out = "; which rule values change the answers was not worked out"
    if found or writing.form == "json":
        writing.write(goal, found, formats.summary_json(hunt))
    if broken_off == "interrupted":
        click.echo(
            f"damspec: interrupted: {len(found):,} of {number:,} found, {formats.tried_text(hunt)}{left_out}", err=True
        )
        sys.exit(interruption.exit_status())
    late = f"{broken_off}: " if broken_off else ""
    if not found:
        click.echo(f"damspec: nothing found: {late}{formats.tried_text(hunt)}", err=True)
        sys.exit(1)
    if said := formats.summary(hunt):
        click.echo(f"{late}{said}", err=True)


def _work(hunt: PositionSearch, options: SearchOptions) -> dict[str, object]:
    """Return what the search depends on, for its journal."""
    asked = hunt.wanted
    return {
        "rules": digest(asked.ruleset),
        "goals": [[goal.says, *map(digest, goal.others)] for goal in asked.goals],
        "pieces": asked.pieces,
        "moves": asked.moves,
        "phase": asked.phase,
        "seed": hunt.seed,
        "number": hunt.number,
        "tries": hunt.tries,
        "every": options.every,
        "minimal": options.minimal,
        "reachable": options.reachable,
    }


def _run(hunt: PositionSearch, options: SearchOptions, work: AbstractContextManager[TaskRunner]) -> str | None:
    """Search, and return why the search was broken off, if it was; its tasks are not finished then."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(hunt.wanted.ruleset.id)

        def tell(tried: int, found: int) -> None:
            progress.update(task, description=f"{hunt.wanted.ruleset.id}: {tried:,} tried, {found:,} found")

        hunt.tell = tell
        try:
            limited = interruption.limit_time(options.seconds) if options.seconds else nullcontext()
            with work as hunt.task_runner, limited:
                options.search(hunt)
        except interruption.TimeLimitError:
            return "time is up"
        except KeyboardInterrupt:
            return "interrupted"
    return None
