"""The SQL of a batch of appends, and of a sign of life, inside a transaction that the caller has begun and will commit.

An ordinary append is two statements. One that does not take matches no row and leaves the others alone; what became of
it is looked up only then. (All of a batch in one statement of many rows was measured: it costs twice the processor
time.) Threads, transactions and I/O errors are the writer's.
"""

from collections.abc import Sequence

import apsw

from majlis.store import protocol
from majlis.store.sqlite import queries

_APPENDED = protocol.Appended()
_LOST = protocol.Lost()

_EXTEND_LOG = """
    INSERT INTO log
        (match_id, record, sequence, instant_ms, append_id, payload, request_key, body_hash)
    SELECT match_id, ?, ?, ?, ?, ?, ?, ? FROM matches WHERE match_id = ? AND record = ?
    ON CONFLICT DO NOTHING
"""
_MOVE_HEAD = "UPDATE matches SET record = ?, sequence = ?, status = ?, deadline_ms = ? WHERE match_id = ?"
_MAKE_MATCH = """
    INSERT INTO matches
        (match_id, record, sequence, status, deadline_ms, founded_ms, game, external_id, body_hash)
    VALUES (?, 0, 0, 0, NULL, ?, ?, nullif(?, ''), ?)
    ON CONFLICT DO NOTHING
"""
_TAKE_SEAT = "INSERT INTO seats (match_id, seat, player_id, founded_ms, over) VALUES (?, ?, ?, ?, 0)"
_LEAVE_LISTS = "UPDATE seats SET over = 1 WHERE match_id = ?"
_LIVE = """
    INSERT INTO alive (only_row, at_ms) VALUES (1, ?)
    ON CONFLICT (only_row) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)
"""
_REMEMBER = "INSERT INTO outages (since_ms, until_ms) VALUES (?, ?)"
_FORGET = """
    DELETE FROM outages WHERE since_ms NOT IN (SELECT since_ms FROM outages ORDER BY since_ms DESC LIMIT ?)
"""
_TELL = "INSERT INTO outbox (match_id, record, ordinal, kind, instant_ms) VALUES (?, ?, ?, ?, ?)"


def write(connection: apsw.Connection, appends: Sequence[protocol.Append]) -> list[protocol.Outcome]:
    """Writes what takes, one append after the other, and tells of each what became of it.

    Raises:
        apsw.Error: the transaction is to be rolled back.
        TypeError, ValueError, OverflowError: an append holds what cannot be stored; likewise.
    """
    return [_APPENDED if _takes(connection, append) else _outcome(connection, append) for append in appends]


def beat(connection: apsw.Connection, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
    """Keeps a sign of life, and the outage that it ends if there is one; the outages that are remembered.

    Raises:
        apsw.Error: the transaction is to be rolled back.
    """
    before_ms = queries.last_beat(connection)
    if before_ms is not None and now_ms - before_ms > longest_ms:
        connection.execute(_REMEMBER, (before_ms, now_ms))
        connection.execute(_FORGET, (protocol.OUTAGES_KEPT,))
    connection.execute(_LIVE, (now_ms,))
    return queries.outages(connection)


def _takes(connection: apsw.Connection, append: protocol.Append) -> bool:
    """Appends if the head is the record before; a match that is being founded gets an empty log first."""
    match_id, founding = append.match_id, append.founding
    if founding is not None:
        made = (match_id, append.instant_ms, founding.game, founding.external_id, founding.body_hash)
        connection.execute(_MAKE_MATCH, made)
        if connection.changes() == 0:
            return False
        for seat, player_id in enumerate(founding.players):
            connection.execute(_TAKE_SEAT, (match_id, seat, player_id, append.instant_ms))
    request = append.request
    asked = (None, None) if request is None else (request.key, request.body_hash)
    record = (append.record, append.sequence, append.instant_ms, append.append_id, append.payload)
    connection.execute(_EXTEND_LOG, (*record, *asked, match_id, append.record - 1))
    if connection.changes() == 0:
        return False
    connection.execute(_MOVE_HEAD, (append.record, append.sequence, append.status, append.deadline_ms, match_id))
    for ordinal, kind in enumerate(append.outbox):
        connection.execute(_TELL, (match_id, append.record, ordinal, kind, append.instant_ms))
    if append.over:
        connection.execute(_LEAVE_LISTS, (match_id,))
    return True


def _outcome(connection: apsw.Connection, append: protocol.Append) -> protocol.Outcome:
    """What became of an append that did not take now."""
    if queries.has_append(connection, append.match_id, append.record, append.append_id):
        return _APPENDED
    request = append.request
    if request is not None:
        repeated = queries.find_request(connection, append.match_id, request.key)
        if repeated is not None:
            return repeated
    if append.founding is not None:
        founded = queries.find_external(connection, append.founding.external_id)
        if founded is not None:
            return founded
    return _LOST
