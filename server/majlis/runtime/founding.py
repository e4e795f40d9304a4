"""Making a match: exactly one for each external id, or for each name that it claims, however often it is asked for.

Which players and options are acceptable is decided in Rust.
"""

import base64
import secrets
import time
from collections.abc import Callable, Sequence

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime import doubt, entry
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import House
from majlis.runtime.sitting import Sitting
from majlis.store import protocol

Made = tuple[_core.Table, _core.Draft]


def new_id() -> str:
    """A match id: 128 random bits in 26 letters and digits, so that knowing one is being let in."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


async def created(house: House, hall: Hall, request: bytes) -> Sitting:
    """The match that a `CreateMatchRequest` asks for, made now or before.

    Raises:
        Refusal: MALFORMED_REQUEST, or EXTERNAL_ID_REUSED when the same id asked for another match.
        Unavailable: nothing was made.
    """

    def make(match_id: str, now_ms: int) -> Made:
        return _core.Table.found(request, match_id, now_ms, house.sealer, house.limits.stakes_ms)

    try:
        body_hash = _core.Table.request_hash(request)
    except _core.Malformed as no:
        raise Refusal.of(no) from None
    match await founded(house, hall, make, body_hash):
        case Sitting() as sitting:
            return sitting
        case protocol.Founded(match_id, first_hash) if first_hash == body_hash:
            return await hall.sitting(match_id)
        case _:
            raise Refusal("EXTERNAL_ID_REUSED")


async def founded(
    house: House,
    hall: Hall,
    make: Callable[[str, int], Made],
    body_hash: bytes,
    claims: Sequence[protocol.Claim] = (),
) -> Sitting | protocol.Founded | protocol.Held:
    """A new match under a random id, with the names that it claims; or who has its external id, or one of its names.

    Raises:
        Refusal: what is asked for is not acceptable.
        Unavailable: nothing was made.
    """
    while True:
        began = time.perf_counter()
        try:
            table, draft = make(new_id(), house.now())
        except (_core.Malformed, _core.Refused) as no:
            raise Refusal.of(no) from None
        founding = protocol.Founding(table.game, table.external_id, body_hash)
        append = entry.of(table, draft, claims=claims, founding=founding)
        match await _appended(house, append, table.game):
            case protocol.Appended():
                if append.outbox:
                    house.announce()
                table.commit(draft)
                house.observer.founded(table.game)
                return hall.seat(table, draft.record, began)
            case (protocol.Founded() | protocol.Held()) as there:
                return there
            case _:
                continue  # the random id was taken


async def _appended(house: House, append: protocol.Append, game: str) -> protocol.Outcome:
    try:
        return await house.store.append(append)
    except protocol.InDoubt:
        outcome = await doubt.settle(house.store, append, lambda trouble: house.observer.failed("settle", trouble))
        house.observer.doubted(game, isinstance(outcome, protocol.Appended))
        return outcome
