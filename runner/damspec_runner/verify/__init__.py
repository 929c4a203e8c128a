"""Verify: does an engine play these rules, and if not, which rule has it wrong?"""
