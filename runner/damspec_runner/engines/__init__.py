"""Engines: programs that speak the protocol, run as processes; the installed ones, and the reference as one."""
