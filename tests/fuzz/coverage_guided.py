"""Coverage-guided fuzzing of the doors for strangers' texts, with atheris where that is installed.

    python tests/fuzz/coverage_guided.py fen -runs=200000

The first argument is a target of `targets.py`; the others are libFuzzer's. It starts from the texts in `corpus/`. What
breaks a target is left in a file `crash-...`; once it is mended, the text belongs in `corpus/TARGET/`.
"""

from __future__ import annotations

import sys
import tempfile

try:
    import atheris
except ModuleNotFoundError:
    sys.exit("coverage_guided: atheris is not installed: pip install atheris")

with atheris.instrument_imports(include=["damspec", "damspec_runner", "yaml", "json"]):
    import targets


def main() -> None:
    """Fuzz one target until its runs are done, or it breaks."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in targets.TARGETS:
        sys.exit(f"coverage_guided: no target {name!r}, expected one of {', '.join(targets.TARGETS)}")
    target = targets.TARGETS[name]

    def one(content: bytes) -> None:
        target(content.decode("utf-8", "replace"))

    with tempfile.TemporaryDirectory() as found:  # the first folder is the one that what is new is written to
        corpus = targets.CORPUS / name
        atheris.Setup([sys.argv[0], "-max_len=8192", *sys.argv[2:], found, str(corpus)], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
