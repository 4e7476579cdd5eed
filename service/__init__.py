"""The Potluck service: HTTP, the event store, the bundled server."""
