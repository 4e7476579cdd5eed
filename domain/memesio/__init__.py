"""Memesio's Café: desserts cooked from a shared pantry and from each other's tables."""
