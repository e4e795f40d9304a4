"""What is read, as one function a question."""

from collections.abc import Sequence

from majlis.store import protocol
from majlis.store.postgres.link import Connection

_HEAD = "SELECT match_id, record, sequence, status, deadline_ms FROM matches"
# Tells the partition, so that no other is looked at.
_ITS_LOG = "FROM log WHERE match_id = $1 AND month = (SELECT month FROM matches WHERE match_id = $1)"


async def find_append(connection: Connection, match_id: str, append_id: bytes) -> int | None:
    """The record that carries this append id. Looks through the match from its end, for want of an index."""
    found: int | None = await connection.fetchval(
        f"SELECT record {_ITS_LOG} AND append_id = $2 ORDER BY record DESC LIMIT 1",
        *(match_id, append_id),
    )
    return found


async def head(connection: Connection, match_id: str) -> protocol.Head | None:
    """Where a match's log ends."""
    found = await connection.fetchrow(f"{_HEAD} WHERE match_id = $1", match_id)
    return None if found is None else protocol.Head(*found)


async def heads(connection: Connection, match_ids: Sequence[str]) -> list[protocol.Head]:
    """Where the logs of several matches end."""
    return [protocol.Head(*row) for row in await connection.fetch(f"{_HEAD} WHERE match_id = ANY ($1)", match_ids)]


async def payloads(connection: Connection, match_id: str, after_record: int, up_to_record: int | None) -> list[bytes]:
    """Payloads in order."""
    rows = await connection.fetch(
        f"SELECT payload {_ITS_LOG} AND record > $2 AND record <= coalesce($3, record) ORDER BY record",
        *(match_id, after_record, up_to_record),
    )
    return [row[0] for row in rows]


async def find_request(connection: Connection, match_id: str, key: bytes) -> protocol.Repeated | None:
    """The record that answered a request."""
    found = await connection.fetchrow(f"SELECT record, body_hash {_ITS_LOG} AND request_key = $2", match_id, key)
    return None if found is None else protocol.Repeated(*found)


async def find_external(connection: Connection, external_id: str) -> protocol.Founded | None:
    """The match made under an external id. The empty one is stored as NULL, so nothing is found under it."""
    found = await connection.fetchrow("SELECT match_id, body_hash FROM matches WHERE external_id = $1", external_id)
    return None if found is None else protocol.Founded(*found)


async def find_name(connection: Connection, kind: str, name: str, now_ms: int) -> protocol.Held | None:
    """The match that has a name."""
    found = await connection.fetchrow(
        """
        SELECT kind, name, match_id, body_hash FROM names
        WHERE kind = $1 AND name = $2 AND (expires_ms IS NULL OR expires_ms > $3)
        """,
        *(kind, name, now_ms),
    )
    return None if found is None else protocol.Held(*found)


async def names_of(connection: Connection, match_id: str, kind: str, now_ms: int) -> list[str]:
    """The names that a match has."""
    rows = await connection.fetch(
        """
        SELECT name FROM names
        WHERE match_id = $1 AND kind = $2 AND (expires_ms IS NULL OR expires_ms > $3) ORDER BY name
        """,
        *(match_id, kind, now_ms),
    )
    return [row[0] for row in rows]


async def matches_of(
    connection: Connection, player_id: str, before: tuple[int, str] | None, limit: int
) -> list[tuple[int, str]]:
    """Matches of a player that are not over, newest first."""
    below, bound = ("AND (founded_ms, match_id) < ($3, $4)", before) if before else ("", ())
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT founded_ms, match_id FROM seats WHERE player_id = $1 AND NOT over {below}
        ORDER BY founded_ms DESC, match_id DESC LIMIT $2
        """,  # noqa: S608 -- two constant texts
        *(player_id, limit, *bound),
    )
    return [(row[0], row[1]) for row in rows]


async def due(connection: Connection, by_ms: int, limit: int) -> list[protocol.Head]:
    """Matches whose clock runs out by an instant, earliest first."""
    # Slots come in the order of the deadlines in them.
    rows = await connection.fetch(
        f"{_HEAD} WHERE slot <= $1::bigint >> 14 AND deadline_ms <= $1 ORDER BY slot, deadline_ms, match_id LIMIT $2",
        *(by_ms, limit),
    )
    return [protocol.Head(*row) for row in rows]


async def results(connection: Connection, after: int, limit: int) -> list[protocol.Result]:
    """Results after a place, in order."""
    rows = await connection.fetch(
        "SELECT position, match_id, record, kind FROM outbox WHERE position > $1 ORDER BY position LIMIT $2",
        *(after, limit),
    )
    return [protocol.Result(*row) for row in rows]


async def acknowledged(connection: Connection, consumer: str) -> int:
    """The place up to which a consumer has everything."""
    found: int | None = await connection.fetchval("SELECT position FROM consumers WHERE consumer = $1", consumer)
    return found or 0
