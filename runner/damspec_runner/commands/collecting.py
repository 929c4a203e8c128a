"""A folder of answers files, each read and judged, for the site to show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from damspec import FileError, data

if TYPE_CHECKING:
    from ..document.site import CollectedGame

_ENDINGS = (".yaml", ".yml")


def collected(folder: Path) -> list[CollectedGame]:
    """Every answers file in a folder, by name, with what it comes to. Raises FileError, which names folder or file."""
    from ..document.site import links

    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in _ENDINGS)
    except OSError as error:
        raise FileError(f"{data.shown(folder)}: cannot be read: {error.strerror}") from None
    if not paths:
        raise FileError(f"{data.shown(folder)}: found no answers file, expected some that end in .yaml")
    pages: dict[str, Path] = {}
    for path in paths:
        other = pages.setdefault(links.collected(path.stem), path)
        if other != path:
            raise FileError(f"{data.shown(path)}: would have the page of {other.name}, expected another name")
    return [_judged(path) for path in paths]


def _judged(path: Path) -> CollectedGame:
    from ..cases.collected import load
    from ..cases.enquiries import enquiries
    from ..document.site import CollectedGame
    from ..identify.judgement import judged
    from ..identify.session import Session

    questions = enquiries()
    file = load(path, questions)
    session = Session(questions, file.answers)
    if all(said == "unknown" for said in file.answers.values()):
        return CollectedGame(path.stem, file, "", (), {})
    judgement = judged(session)
    words = {id: session.word(judgement.guess, id) for id in file.answers}
    return CollectedGame(
        path.stem,
        file,
        judgement.guess.base,
        tuple(change.words for change in judgement.changes),
        {id: "yes" if word == "y" else "no" for id, word in words.items() if word != "-"},
        judgement.clashes,
    )
