"""Adequacy: whether the cases notice every change of a rule."""
