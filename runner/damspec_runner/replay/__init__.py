"""Where does a game that was written down break the rules, by which rule, and by whose rules would it not?"""
