"""A report in each form it can take: for a terminal, for other programs, for a page of CI, for a browser."""
