#!/usr/bin/env python3
"""Make the fonts of the site from Fontsource's packages of Alegreya and Alegreya Sans (SIL Open Font License).

    npm pack @fontsource/alegreya @fontsource/alegreya-sans     and unpack both, then
    pip install fonttools brotli
    python tools/fonts.py FOLDER...                             the folders called `package`

Each file keeps what the five languages are written with, and gets the narrow no-break space of French, which the
packages lack, as wide as a thin space.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

VENDOR = Path(__file__).resolve().parent.parent / "runner" / "damspec_site" / "vendor"
#: The weights and styles that pages use, by package.
STYLES = {
    "alegreya": ("500-normal", "500-italic", "800-normal"),
    "alegreya-sans": ("400-normal", "700-normal"),
}
#: Latin-1 and what else the five languages and the pages use: œ, Œ, Ÿ, dashes, quotation marks, dots, arrows, signs.
CHARACTERS = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    *map(ord, "œŒŸ–—‘’‚“”„…‹›€×−•"),
    0x2009,
    0x2011,
}
THIN_SPACE, NARROW_NO_BREAK_SPACE = 0x2009, 0x202F


def make_font(source: Path, target: Path) -> None:
    """Write a font with fewer characters."""
    font = TTFont(source)
    subsetter = Subsetter(Options(layout_features=["kern", "liga", "lnum", "tnum"], flavor="woff2"))
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    for table in font["cmap"].tables:
        if THIN_SPACE in table.cmap:
            table.cmap[NARROW_NO_BREAK_SPACE] = table.cmap[THIN_SPACE]
    font.flavor = "woff2"
    font.save(target)


def main(packages: list[Path]) -> None:
    """Write the fonts of each package, and its licence, into a folder that has its version."""
    for package in packages:
        about = json.loads((package / "package.json").read_text(encoding="utf-8"))
        name = about["name"].partition("/")[2]
        folder = VENDOR / f"{name}-{about['version']}"
        folder.mkdir(exist_ok=True)
        for style in STYLES[name]:
            make_font(package / "files" / f"{name}-latin-{style}.woff2", folder / f"{name}-{style}.woff2")
        shutil.copy(package / "LICENSE", folder / f"{name}.LICENSE.txt")


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]])
