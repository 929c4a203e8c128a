"""Solving: who wins each position with few pieces, and in how many plies, by any rules."""
