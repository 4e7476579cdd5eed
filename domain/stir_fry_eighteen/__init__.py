"""Stir Fry Eighteen: 18 cards, bluffs and taste tests, first to 50 (rules SF-0 to SF-18)."""
