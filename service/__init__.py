"""The Potluck service: HTTP, the event store, the bundled server."""

__version__ = "0.1.0"
