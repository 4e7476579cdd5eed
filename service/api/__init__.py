"""The REST API: one module per resource, one pipeline for all."""
