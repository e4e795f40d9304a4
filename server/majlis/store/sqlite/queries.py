"""What is read, as one function a question. Each takes a connection and runs on the caller's thread."""

from collections.abc import Sequence

import apsw

from majlis.store import protocol

_HEAD = "SELECT match_id, record, sequence, status, deadline_ms FROM matches"


def has_append(connection: apsw.Connection, match_id: str, record: int, append_id: bytes) -> bool:
    """Whether this append is this record."""
    found = connection.execute(
        "SELECT append_id FROM log WHERE match_id = ? AND record = ?", (match_id, record)
    ).fetchone()
    return found is not None and found[0] == append_id


def find_append(connection: apsw.Connection, match_id: str, append_id: bytes) -> int | None:
    """The record that carries this append id. Looks through the match from its end, for want of an index."""
    found = connection.execute(
        "SELECT record FROM log WHERE match_id = ? AND append_id = ? ORDER BY record DESC LIMIT 1",
        (match_id, append_id),
    ).fetchone()
    return None if found is None else found[0]


def head(connection: apsw.Connection, match_id: str) -> protocol.Head | None:
    """Where a match's log ends."""
    found = connection.execute(f"{_HEAD} WHERE match_id = ?", (match_id,)).fetchone()
    return None if found is None else protocol.Head(*found)


def heads(connection: apsw.Connection, match_ids: Sequence[str]) -> list[protocol.Head]:
    """Where the logs of several matches end."""
    return [found for match_id in match_ids if (found := head(connection, match_id)) is not None]


def payloads(connection: apsw.Connection, match_id: str, after_record: int, up_to_record: int | None) -> list[bytes]:
    """Payloads in order."""
    rows = connection.execute(
        "SELECT payload FROM log WHERE match_id = ? AND record > ? AND record <= ifnull(?, record) ORDER BY record",
        (match_id, after_record, up_to_record),
    )
    return [payload for (payload,) in rows]


def find_request(connection: apsw.Connection, match_id: str, key: bytes) -> protocol.Repeated | None:
    """The record that answered a request."""
    found = connection.execute(
        "SELECT record, body_hash FROM log WHERE match_id = ? AND request_key = ?", (match_id, key)
    ).fetchone()
    return None if found is None else protocol.Repeated(*found)


def find_external(connection: apsw.Connection, external_id: str) -> protocol.Founded | None:
    """The match made under an external id. The empty one is stored as NULL, so nothing is found under it."""
    found = connection.execute(
        "SELECT match_id, body_hash FROM matches WHERE external_id = ?", (external_id,)
    ).fetchone()
    return None if found is None else protocol.Founded(*found)


def find_name(connection: apsw.Connection, kind: str, name: str, now_ms: int) -> protocol.Held | None:
    """The match that has a name."""
    found = connection.execute(
        """
        SELECT kind, name, match_id, body_hash FROM names
        WHERE kind = ? AND name = ? AND (expires_ms IS NULL OR expires_ms > ?)
        """,
        (kind, name, now_ms),
    ).fetchone()
    return None if found is None else protocol.Held(*found)


def names_of(connection: apsw.Connection, match_id: str, kind: str, now_ms: int) -> list[str]:
    """The names that a match has. Left to itself SQLite reads every name of the kind."""
    rows = connection.execute(
        """
        SELECT name FROM names INDEXED BY names_match
        WHERE match_id = ? AND kind = ? AND (expires_ms IS NULL OR expires_ms > ?) ORDER BY name
        """,
        (match_id, kind, now_ms),
    )
    return [name for (name,) in rows]


def matches_of(
    connection: apsw.Connection, player_id: str, before: tuple[int, str] | None, limit: int
) -> list[tuple[int, str]]:
    """Matches of a player that are not over, newest first."""
    below, bound = ("AND (founded_ms, match_id) < (?, ?)", before) if before else ("", ())
    rows = connection.execute(
        f"""
        SELECT DISTINCT founded_ms, match_id FROM seats WHERE player_id = ? AND over = 0 {below}
        ORDER BY founded_ms DESC, match_id DESC LIMIT ?
        """,  # noqa: S608 -- two constant texts
        (player_id, *bound, limit),
    )
    return [(founded_ms, match_id) for founded_ms, match_id in rows]


def due(connection: apsw.Connection, by_ms: int, limit: int) -> list[protocol.Head]:
    """Matches whose clock runs out by an instant, earliest first."""
    rows = connection.execute(f"{_HEAD} WHERE deadline_ms <= ? ORDER BY deadline_ms, match_id LIMIT ?", (by_ms, limit))
    return [protocol.Head(*row) for row in rows]


def last_beat(connection: apsw.Connection) -> int | None:
    """When the server last said that it lives."""
    found = connection.execute("SELECT at_ms FROM alive").fetchone()
    return None if found is None else found[0]


def outages(connection: apsw.Connection) -> list[protocol.Outage]:
    """Outages that are remembered, earliest first."""
    rows = connection.execute("SELECT since_ms, until_ms FROM outages ORDER BY since_ms")
    return [protocol.Outage(since_ms, until_ms) for since_ms, until_ms in rows]


def results(connection: apsw.Connection, after: int, limit: int) -> list[protocol.Result]:
    """Results after a place, in order."""
    rows = connection.execute(
        "SELECT position, match_id, record, kind FROM outbox WHERE position > ? ORDER BY position LIMIT ?",
        (after, limit),
    )
    return [protocol.Result(*row) for row in rows]


def acknowledged(connection: apsw.Connection, consumer: str) -> int:
    """The place up to which a consumer has everything."""
    found = connection.execute("SELECT position FROM consumers WHERE consumer = ?", (consumer,)).fetchone()
    return 0 if found is None else found[0]
