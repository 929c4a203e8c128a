"""`python -m damspec_runner` is `damspec`."""

from .cli import main

main()
