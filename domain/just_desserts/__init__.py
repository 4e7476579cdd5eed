"""Just Desserts: serve guests what they crave, before another does (rules JD-0 to JD-51)."""
