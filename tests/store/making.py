"""Appends for tests: short to write, with payloads that tell where they belong."""

import asyncio
import hashlib
import secrets
from collections.abc import Iterable

from majlis.store import protocol

ACTIVE, ENDED = 2, 3
FOUNDED_MS = 1_700_000_000_000


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def key(request: str) -> bytes:
    """What the store is told of a player and his request id."""
    return digest(f"key of {request}")


def founding(
    match_id: str,
    *,
    players: tuple[str | None, ...] = ("amal", "basim"),
    external_id: str = "",
    body: str = "",
    instant_ms: int = FOUNDED_MS,
    deadline_ms: int | None = None,
    claims: tuple[protocol.Claim, ...] = (),
    outbox: tuple[str, ...] = (),
    payload: bytes = b"",
) -> protocol.Append:
    return protocol.Append(
        match_id=match_id,
        record=1,
        sequence=1,
        status=ACTIVE,
        over=False,
        instant_ms=instant_ms,
        deadline_ms=deadline_ms,
        append_id=secrets.token_bytes(16),
        payload=payload or f"{match_id} 1".encode(),
        founding=protocol.Founding("tonj", external_id, digest(body)),
        players=players,
        claims=claims,
        outbox=outbox,
    )


def following(
    match_id: str,
    record: int,
    *,
    request: str | None = None,
    body: str = "",
    instant_ms: int | None = None,
    deadline_ms: int | None = None,
    over: bool = False,
    players: tuple[str | None, ...] | None = None,
    claims: tuple[protocol.Claim, ...] = (),
    releases: tuple[str, ...] = (),
    outbox: tuple[str, ...] = (),
    payload: bytes = b"",
) -> protocol.Append:
    return protocol.Append(
        match_id=match_id,
        record=record,
        sequence=record * 3,
        status=ENDED if over else ACTIVE,
        over=over,
        instant_ms=FOUNDED_MS + record if instant_ms is None else instant_ms,
        deadline_ms=deadline_ms,
        append_id=secrets.token_bytes(16),
        payload=payload or f"{match_id} {record}".encode(),
        request=None if request is None else protocol.Request(key(request), digest(body)),
        players=players,
        claims=claims,
        releases=releases,
        outbox=outbox,
    )


def claim(name: str, *, kind: str = "table", body: str | None = None, expires_ms: int | None = None) -> protocol.Claim:
    return protocol.Claim(kind, name, b"" if body is None else digest(body), expires_ms)


def held(name: str, match_id: str, *, kind: str = "table", body: str | None = None) -> protocol.Held:
    return protocol.Held(kind, name, match_id, b"" if body is None else digest(body))


async def at_once(store: protocol.Store, appends: Iterable[protocol.Append]) -> list[protocol.Outcome]:
    """Appends that wait together, which a store may well put into one batch."""
    return await asyncio.gather(*(store.append(append) for append in appends))
