"""Making a match: exactly one for each external id, however often and from wherever it is asked for.

Which players and options are acceptable is decided in Rust.
"""

import base64
import secrets
import time

from majlis import _core
from majlis.match import status
from majlis.match.refusal import Refusal
from majlis.runtime import doubt
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import House
from majlis.runtime.sitting import Sitting
from majlis.store import protocol


def new_id() -> str:
    """A match id: 128 random bits in 26 letters and digits, so that knowing one is being let in."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


async def founded(house: House, hall: Hall, request: bytes) -> Sitting:
    """The match that a `CreateMatchRequest` asks for, made now or before.

    Raises:
        Refusal: MALFORMED_REQUEST, or EXTERNAL_ID_REUSED when the same id asked for another match.
        Unavailable: nothing was made.
    """
    while True:
        began = time.perf_counter()
        table, draft, body_hash = _drafted(house, request)
        match await _appended(house, table, draft, body_hash):
            case protocol.Appended():
                table.commit(draft)
                house.observer.founded(table.game)
                return hall.seat(table, draft.record, began)
            case protocol.Founded(match_id, first_hash):
                if first_hash != body_hash:
                    raise Refusal("EXTERNAL_ID_REUSED")
                return await hall.sitting(match_id)
            case _:
                continue  # the random id was taken


def _drafted(house: House, request: bytes) -> tuple[_core.Table, _core.Draft, bytes]:
    try:
        table, draft = _core.Table.found(request, new_id(), house.now(), house.sealer)
        return table, draft, _core.Table.request_hash(request)
    except _core.Malformed as no:
        raise Refusal.of(no) from None


async def _appended(house: House, table: _core.Table, draft: _core.Draft, body_hash: bytes) -> protocol.Outcome:
    append = protocol.Append(
        match_id=table.match_id,
        record=draft.record,
        sequence=draft.sequence,
        status=draft.status,
        over=status.is_over(draft.status),
        instant_ms=draft.instant_ms,
        deadline_ms=draft.deadline_ms,
        append_id=secrets.token_bytes(16),
        payload=draft.payload,
        founding=protocol.Founding(table.game, table.external_id, body_hash),
        players=tuple(draft.players),
        outbox=status.results(0, draft.status),
    )
    try:
        return await house.store.append(append)
    except protocol.InDoubt:
        outcome = await doubt.settle(house.store, append, lambda trouble: house.observer.failed("settle", trouble))
        house.observer.doubted(table.game, isinstance(outcome, protocol.Appended))
        return outcome
