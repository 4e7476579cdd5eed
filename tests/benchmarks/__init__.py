"""Benchmarks: commands that print ratios measured in one run, beside something comparable."""
