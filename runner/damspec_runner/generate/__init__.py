"""Generate: positions that exercise a rule, tell rulesets apart, or are the smallest that do."""
