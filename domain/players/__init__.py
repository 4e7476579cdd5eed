"""Bundled players. They see only what a seat may see and act only by what is listed as legal."""
