"""What every game shares: events, the fold, decisions, chance, redaction, the chain."""
