"""A draft as the store takes it: with the seats, the names and the results that follow from what it changes."""

import secrets
from collections.abc import Sequence

from majlis import _core
from majlis.match import status
from majlis.store import protocol


def of(
    table: _core.Table,
    draft: _core.Draft,
    *,
    request: protocol.Request | None = None,
    claims: Sequence[protocol.Claim] = (),
    founding: protocol.Founding | None = None,
) -> protocol.Append:
    """The append of a draft that follows from this table; every call makes one with an append id of its own."""
    filled = draft.is_full and not table.is_full
    return protocol.Append(
        match_id=table.match_id,
        record=draft.record,
        sequence=draft.sequence,
        status=draft.status,
        over=status.is_over(draft.status),
        instant_ms=draft.instant_ms,
        deadline_ms=draft.deadline_ms,
        append_id=secrets.token_bytes(16),
        payload=draft.payload,
        request=request,
        founding=founding,
        players=draft.players if founding is not None or draft.players != table.players else None,
        claims=tuple(claims),
        # What is founded has no names yet but those that it claims.
        releases=() if founding is not None else status.released(table.status, draft.status, filled),
        outbox=status.results(table.status, draft.status, filled),
    )
