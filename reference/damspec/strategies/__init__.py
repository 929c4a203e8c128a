"""Hypothesis strategies for the tests of engines and of whatever else uses positions: `positions(ruleset)`,
`games(ruleset)`, `rulesets()`. Captures are frequent, every phase of a turn occurs, what fails shrinks to few pieces.
And `engine_agrees(ruleset, moves)`, a whole test: games through which an engine has to list the legal moves.

They need Hypothesis: `pip install 'damspec[hypothesis]'`.

    from damspec.strategies import engine_agrees

    TestMyEngine = engine_agrees("vl", my_engine.moves).TestCase
"""

from __future__ import annotations

try:
    import hypothesis as hypothesis
except ImportError:
    raise ImportError("damspec.strategies needs Hypothesis: pip install 'damspec[hypothesis]'") from None

from ..errors import NoPosition
from .agreement import engine_agrees
from .games import games, rulesets
from .positions import positions

__all__ = ["NoPosition", "engine_agrees", "games", "positions", "rulesets"]
