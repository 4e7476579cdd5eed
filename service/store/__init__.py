"""The event store on Redis streams."""
