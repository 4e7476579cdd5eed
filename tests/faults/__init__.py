"""Killing what runs, under load."""
