"""Positions: drawn at random from a ruleset, or all there are with few pieces."""
