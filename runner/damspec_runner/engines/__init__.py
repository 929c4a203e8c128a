"""Engines: processes and players that answer questions, the registry of installed ones, and the reference as one."""
