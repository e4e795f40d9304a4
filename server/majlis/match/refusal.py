"""A refusal: the one way in which the runtime and the api say no.

It names a reason of the catalogue and what its match knows about it. Sentences and statuses are the catalogue's,
error details on the wire the api's.
"""

from typing import Self

from majlis import _core
from majlis.match import catalogue


class Refusal(Exception):
    """Nothing was changed, and this is why.

    Attributes:
        reason: from the catalogue.
        sequence: head of the match, where it matters.
        retry_after_ms: when the same call may succeed, where that is known. Whether it ever may, the catalogue tells.
        fields: path of each faulty request field, and what is wrong with it, English.
    """

    def __init__(
        self,
        reason: str,
        *,
        sequence: int | None = None,
        retry_after_ms: int | None = None,
        fields: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Says no.

        Raises:
            KeyError: the reason is not in the catalogue.
        """
        super().__init__(reason)
        self.entry = catalogue.CATALOGUE[reason]
        self.reason = reason
        self.sequence = sequence
        self.retry_after_ms = retry_after_ms
        self.fields = fields

    @classmethod
    def of(cls, fault: _core.Refused | _core.Malformed, sequence: int | None = None) -> Self:
        """The core's no, with the head of the match."""
        if isinstance(fault, _core.Refused):
            return cls(fault.reason, sequence=sequence)
        return cls("MALFORMED_REQUEST", sequence=sequence, fields=fault.fields)
