"""Logs: one JSON object a line on standard error. Never a token, a key, a card or a body."""

import logging
import os
import sys

import structlog
from structlog.typing import Processor

LEVELS = logging.getLevelNamesMapping()

_STAMPED: tuple[Processor, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def configure() -> None:
    """Set logging up for this process; the level is that of POTLUCK_LOG (INFO)."""
    name = os.environ.get("POTLUCK_LOG", "INFO").upper()
    level = LEVELS.get(name, logging.INFO)
    structlog.configure(
        processors=[
            *_STAMPED,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # One write a line: the processes of a service share the stream.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # What libraries have to say, warnings and worse, comes in the same form.
    foreign = logging.StreamHandler(sys.stderr)
    foreign.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
            foreign_pre_chain=_STAMPED,
        )
    )
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[foreign], force=True)
