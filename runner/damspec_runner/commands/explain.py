"""`damspec explain`: explain anything with an id."""

from __future__ import annotations

import click

from ..document.explain import MOST
from ..document.explain import explain as explanation
from ..document.ledger import LINKS, Ledger
from ..document.links import links
from ..options import option
from .parameters import with_options
from .publication import Publication


@click.command()
@click.argument("id", metavar="ID")
@with_options
def explain(
    id: str,
    *,
    every_case: bool = option(
        f"List all cases of a clause or a reading, not only the {MOST} plainest, and all clauses of a reading.",
        False,
        "--all",
    ),
    publication: Publication,
) -> None:
    """Say what ID means, who says so, and show it on a board.

    \b
    damspec explain capture.removal               a rule
    damspec explain capture.removal=at-end        one of its values
    damspec explain vl-027                        a clause of a document
    damspec explain VL-04                         a reading
    damspec explain 'vl?priority=multiple-first'  a ruleset under another reading
    damspec explain vl.start.seven-first-moves    a case
    damspec explain vl                            a ruleset, and how its documents are read
    damspec explain fmjd                          a document, its clauses and the rules resting on them
    damspec explain document:vl                   the same, where a ruleset has the id
    damspec explain meerslag                      a word of a document, or the English one
    damspec explain readings                      all that the documents leave unclear, and how it is read
    damspec explain links                         what is linked to nothing; exit status 1 if anything is

    \b
    damspec explain fmjd --format bibtex          how to cite it
    damspec explain capture.choice --format html -o choice.html
    """
    if id == LINKS:
        summary = Ledger(links()).summary()
        publication.write(summary)
        raise SystemExit(1 if summary.orphans else 0)
    most = None if every_case else MOST
    publication.write(explanation(id, most), most=most)
