"""A batch of appends as it goes to the database, and the outcomes as they come back.

What is written, and in which order it is judged, stands in `migrations/0002_appending.sql`. Transactions, broken
connections and second tries are the writer's.
"""

import datetime
import json
from collections.abc import Sequence
from typing import Any

import asyncpg

from majlis.store import protocol
from majlis.store.postgres.link import Connection

_APPENDED = protocol.Appended()
_LOST = protocol.Lost()

_APPEND = """
    SELECT ordinal, outcome, its_record, its_match, its_kind, its_name, its_hash
    FROM append_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
_LAST_YEAR_MS = 253_370_764_800_000
"""The year 9999 in milliseconds."""


async def write(connection: Connection, appends: Sequence[protocol.Append]) -> list[protocol.Outcome | None]:
    """Writes what takes, in one transaction; what became of each, None if another transaction was in its way.

    Raises:
        asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError: see `faults`.
    """
    columns = (
        [append.match_id for append in appends],
        [append.record for append in appends],
        [append.sequence for append in appends],
        [append.status for append in appends],
        [append.instant_ms for append in appends],
        [append.deadline_ms for append in appends],
        [append.append_id for append in appends],
        [append.payload for append in appends],
        [append.request and append.request.key for append in appends],
        [append.request and append.request.body_hash for append in appends],
        _extras(appends),
    )
    rows = await connection.fetch(_APPEND, *columns)
    outcomes: list[protocol.Outcome | None] = [_APPENDED] * len(appends)
    ordinary, *others = rows
    for row in others:
        outcomes[row["ordinal"] - 1] = _outcome(row)
    if ordinary["its_record"] + len(others) != len(appends):
        raise asyncpg.InternalClientError("not every append of a batch was told of")
    return outcomes


def month(instant_ms: int) -> int:
    """The month of an instant, in UTC, such as 202611; 0 for one that is out of all reason."""
    if not 0 <= instant_ms < _LAST_YEAR_MS:
        return 0
    instant = datetime.datetime.fromtimestamp(instant_ms // 1000, datetime.UTC)
    return instant.year * 100 + instant.month


def _extras(appends: Sequence[protocol.Append]) -> list[str | None]:
    """What each changes beside its log, as JSON; None for an ordinary one that has no other of its match before it."""
    extras: list[str | None] = []
    seen: set[str] = set()
    for append in appends:
        extra = _extra(append)
        if append.match_id in seen and extra is None:
            extra = "{}"
        seen.add(append.match_id)
        extras.append(extra)
    return extras


def _extra(append: protocol.Append) -> str | None:
    extra: dict[str, Any] = {}
    if (founding := append.founding) is not None:
        extra["founding"] = {
            "game": founding.game,
            "external_id": founding.external_id,
            "month": month(append.instant_ms),
            "body_hash": founding.body_hash.hex(),
        }
    if append.players is not None:
        extra["players"] = append.players
    if append.claims:
        extra["claims"] = [
            {
                "kind": claim.kind,
                "name": claim.name,
                "body_hash": claim.body_hash.hex(),
                "expires_ms": claim.expires_ms,
            }
            for claim in append.claims
        ]
    if append.releases:
        extra["releases"] = append.releases
    if append.outbox:
        extra["outbox"] = append.outbox
    if not extra and not append.over:
        return None
    extra["over"] = append.over
    return json.dumps(extra)


def _outcome(row: Any) -> protocol.Outcome | None:
    match row["outcome"]:
        case "appended":
            return _APPENDED
        case "repeated":
            return protocol.Repeated(row["its_record"], row["its_hash"])
        case "founded":
            return protocol.Founded(row["its_match"], row["its_hash"])
        case "held":
            return protocol.Held(row["its_kind"], row["its_name"], row["its_match"], row["its_hash"])
        case "lost":
            return _LOST
        case _:
            return None
