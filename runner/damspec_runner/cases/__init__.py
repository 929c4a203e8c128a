"""Cases: the positions with the answers to expect, read, chosen, checked and published."""
