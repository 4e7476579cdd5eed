"""The one error of the domain: a command refused."""

from typing import Any


class Refusal(Exception):
    """A command that the rules or the table's state do not allow.

    ``code`` is the stable problem code of the API; ``rule`` the id of the narrowest rule that
    forbids it (``SF-9``), or None where the table and not a game refuses; ``key`` names the
    message in the text catalogues and ``params`` fills it; ``pointer`` is the JSON Pointer
    (RFC 6901) of the offending field within the action, where one field is to blame.

    Everything in a refusal may be shown to the actor, so it may depend only on what the actor
    knows.
    """

    def __init__(
        self,
        key: str,
        *,
        rule: str | None = None,
        code: str = "illegal-action",
        pointer: str | None = None,
        **params: Any,
    ) -> None:
        super().__init__(f"{rule or code}: {key}")
        self.key = key
        self.rule = rule
        self.code = code
        self.pointer = pointer
        self.params = params
