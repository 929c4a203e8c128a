"""The version of damspec: one number for the library, the runner and the cases."""

__version__ = "0.1.0"
