"""Saying at the start what the store's settings could cost."""

import structlog

from service.store.errors import StoreUnavailable
from service.store.store import Store

log = structlog.get_logger()

_LEVEL = {"danger": "error", "warning": "warning", "note": "info", "unknown": "warning"}


async def tell(store: Store) -> None:
    """Log each finding about the store's settings, as loudly as what it could cost."""
    try:
        findings = await store.settings()
    except StoreUnavailable as error:
        log.warning("the store's settings are not known", error=str(error))
        return
    for finding in findings:
        getattr(log, _LEVEL[finding.severity])(
            "a setting of the store could cost something",
            severity=finding.severity,
            setting=finding.setting,
            found=finding.found,
            wanted=finding.wanted,
            loss=finding.loss,
        )
