"""What engines can and cannot be asked, made even: whatever an engine is like, all others of this room ask it alike."""
