"""Replaying games in PDN: files, the rulesets they fit, and why a move is illegal."""
