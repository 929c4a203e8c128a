"""Variants: rulesets with changes, and in which rules rulesets differ."""
