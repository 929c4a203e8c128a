"""Answers: what a set of rules says to a question, and whether two sets say the same."""
