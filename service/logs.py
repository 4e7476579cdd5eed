"""Logs: one JSON object a line on standard error. Never a token, a key, a card or a body."""

import logging
import os
import sys

import structlog

LEVELS = logging.getLevelNamesMapping()


def configure() -> None:
    """Set logging up for this process; the level is that of POTLUCK_LOG (INFO)."""
    name = os.environ.get("POTLUCK_LOG", "INFO").upper()
    level = LEVELS.get(name, logging.INFO)
    logging.basicConfig(level=max(level, logging.WARNING), stream=sys.stderr)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
