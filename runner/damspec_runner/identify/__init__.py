"""Identify: which game somebody plays, found by questions that are answered by yes or no."""
