"""The command `damspec`: asks the reference, checks engines against the cases, reports."""
