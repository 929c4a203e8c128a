"""Explaining failures: which rules give the engine's answers, and experiments on the engine about the rest."""
