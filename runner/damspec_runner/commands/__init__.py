"""The subcommands of `damspec`, a module for each group of them."""
