"""Potluck's rules and kernel: pure, framework-free, the same on every machine."""
