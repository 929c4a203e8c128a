"""Moves of pieces compiled to machine code, a second generator from the same rules; `installed` says more."""
