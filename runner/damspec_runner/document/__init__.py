"""Document: how the rules of different games differ, who says so, and the positions that show it."""
