"""The SQL of what is written beside appends: signs of life, single names, places of results, consumers' places.

Each runs inside a transaction that the caller has begun and will commit, and may raise `apsw.Error`, or `OverflowError`
for a number that cannot be stored: then the transaction is to be rolled back.
"""

import apsw

from majlis.store import protocol
from majlis.store.sqlite import commit, queries

_LIVE = """
    INSERT INTO alive (only_row, at_ms) VALUES (1, ?)
    ON CONFLICT (only_row) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)
"""
_REMEMBER_OUTAGE = "INSERT INTO outages (since_ms, until_ms) VALUES (?, ?)"
_FORGET_OUTAGES = "DELETE FROM outages WHERE since_ms <= ?"
_FORGET_NAMES = """
    DELETE FROM names WHERE (kind, name) IN
        (SELECT kind, name FROM names WHERE expires_ms <= ? ORDER BY expires_ms, kind, name LIMIT ?)
"""
_WAITING = """
    SELECT match_id, record, ordinal FROM outbox WHERE position IS NULL
    ORDER BY instant_ms, match_id, record, ordinal LIMIT ?
"""
_LAST_PLACE = "SELECT ifnull(max(position), 0) FROM outbox WHERE position IS NOT NULL"
_PLACE = "UPDATE outbox SET position = ? WHERE match_id = ? AND record = ? AND ordinal = ?"
_ACKNOWLEDGE = """
    INSERT INTO consumers (consumer, position) VALUES (?, max(?, 0))
    ON CONFLICT (consumer) DO UPDATE SET position = excluded.position WHERE excluded.position > position
"""


def beat(connection: apsw.Connection, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
    """Keeps a sign of life, and the outage that it ends if there is one; the outages that are remembered."""
    before_ms = queries.last_beat(connection)
    if before_ms is not None and now_ms - before_ms > longest_ms:
        connection.execute(_REMEMBER_OUTAGE, (before_ms, now_ms))
        known = queries.outages(connection)
        oldest, *others = protocol.remembered(known)
        if len(others) + 1 < len(known):
            connection.execute(_FORGET_OUTAGES, (known[len(known) - len(others) - 1].since_ms,))
            connection.execute(_REMEMBER_OUTAGE, (oldest.since_ms, oldest.until_ms))
    connection.execute(_LIVE, (now_ms,))
    connection.execute(_FORGET_NAMES, (now_ms, protocol.NAMES_FORGOTTEN))
    return queries.outages(connection)


def claim(connection: apsw.Connection, match_id: str, claim: protocol.Claim, now_ms: int) -> protocol.Held:
    """Gives a match a name unless somebody has it; who has it then."""
    held = queries.find_name(connection, claim.kind, claim.name, now_ms)
    if held is None:
        commit.take_name(connection, match_id, claim)
        held = protocol.Held(claim.kind, claim.name, match_id, claim.body_hash)
    return held


def publish(connection: apsw.Connection, limit: int) -> int:
    """Gives the next places to results that have none; how many got one."""
    waiting = connection.execute(_WAITING, (limit,)).fetchall()
    if waiting:
        ((last,),) = connection.execute(_LAST_PLACE)
        connection.executemany(_PLACE, [(position, *row) for position, row in enumerate(waiting, start=last + 1)])
    return len(waiting)


def acknowledge(connection: apsw.Connection, consumer: str, position: int) -> None:
    """Moves a consumer to this place, unless it is there or beyond."""
    connection.execute(_ACKNOWLEDGE, (consumer, position))
