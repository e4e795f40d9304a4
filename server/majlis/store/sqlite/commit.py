"""The SQL of a batch of appends, inside a transaction that the caller has begun and will commit.

An ordinary append is two statements; what it changes beside its log costs more only when it changes. One that does not
take matches no row and leaves the others alone; what became of it is looked up only then. (All of a batch in one
statement of many rows was measured: it costs twice the processor time.) Threads, transactions and I/O errors are the
writer's.
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
_CLEAR_SEATS = "DELETE FROM seats WHERE match_id = ?"
_TAKE_SEAT = """
    INSERT INTO seats (match_id, seat, player_id, founded_ms, over)
    SELECT match_id, ?, ?, founded_ms, ? FROM matches WHERE match_id = ?
"""
_LEAVE_LISTS = "UPDATE seats SET over = 1 WHERE match_id = ?"
# Left to itself SQLite reads every name of the kind.
_RELEASE = "DELETE FROM names INDEXED BY names_match WHERE match_id = ? AND kind = ?"
_CLAIM = """
    INSERT INTO names (kind, name, match_id, body_hash, expires_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (kind, name) DO UPDATE
    SET match_id = excluded.match_id, body_hash = excluded.body_hash, expires_ms = excluded.expires_ms
"""
_TELL = "INSERT INTO outbox (match_id, record, ordinal, kind, instant_ms) VALUES (?, ?, ?, ?, ?)"


def write(connection: apsw.Connection, appends: Sequence[protocol.Append]) -> list[protocol.Outcome]:
    """Writes what takes, one append after the other, and tells of each what became of it.

    Raises:
        apsw.Error: the transaction is to be rolled back.
        TypeError, ValueError, OverflowError: an append holds what cannot be stored; likewise.
    """
    return [_APPENDED if _takes(connection, append) else _outcome(connection, append) for append in appends]


def _takes(connection: apsw.Connection, append: protocol.Append) -> bool:
    """Appends if the head is the record before; a match that is being founded gets an empty log first.

    Whatever may hinder it is found before anything of it is written, so that nothing of it has to be taken back.
    """
    if append.claims and _held(connection, append) is not None:
        return False
    match_id, founding = append.match_id, append.founding
    if founding is not None:
        made = (match_id, append.instant_ms, founding.game, founding.external_id, founding.body_hash)
        connection.execute(_MAKE_MATCH, made)
        if connection.changes() == 0:
            return False
    request = append.request
    asked = (None, None) if request is None else (request.key, request.body_hash)
    record = (append.record, append.sequence, append.instant_ms, append.append_id, append.payload)
    connection.execute(_EXTEND_LOG, (*record, *asked, match_id, append.record - 1))
    if connection.changes() == 0:
        return False
    connection.execute(_MOVE_HEAD, (append.record, append.sequence, append.status, append.deadline_ms, match_id))
    for ordinal, kind in enumerate(append.outbox):
        connection.execute(_TELL, (match_id, append.record, ordinal, kind, append.instant_ms))
    if append.players is not None:
        _seat(connection, match_id, append.players, append.over)
    elif append.over:
        connection.execute(_LEAVE_LISTS, (match_id,))
    for kind in append.releases:
        connection.execute(_RELEASE, (match_id, kind))
    for claim in append.claims:
        take_name(connection, match_id, claim)
    return True


def take_name(connection: apsw.Connection, match_id: str, claim: protocol.Claim) -> None:
    """Gives a match a name that nobody has; an expired one may still have its row, which is written over.

    Raises:
        apsw.Error: the transaction is to be rolled back.
    """
    connection.execute(_CLAIM, (claim.kind, claim.name, match_id, claim.body_hash, claim.expires_ms))


def _seat(connection: apsw.Connection, match_id: str, players: tuple[str | None, ...], over: bool) -> None:
    """Puts these players in the place of whoever sat there."""
    connection.execute(_CLEAR_SEATS, (match_id,))
    for seat, player_id in enumerate(players):
        if player_id is not None:
            connection.execute(_TAKE_SEAT, (seat, player_id, over, match_id))


def _held(connection: apsw.Connection, append: protocol.Append) -> protocol.Held | None:
    """The first of the claimed names that is not to be had."""
    for claim in append.claims:
        held = queries.find_name(connection, claim.kind, claim.name, append.instant_ms)
        if held is not None and (held.match_id != append.match_id or held.kind not in append.releases):
            return held
    return None


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
    return _held(connection, append) or _LOST
