"""Answers of rulesets to questions, and whether two rulesets give the same."""
