"""The SQL of a batch of appends, inside a transaction that the caller has begun and will commit.

The ordinary appends of a batch go in by two statements for up to 64 of them, whatever their number: each step of a
statement gives up the interpreter lock and has to win it back from a busy event loop, so steps cost more than rows.
Appends that did not take simply match no row; what became of them is looked up afterwards, one by one. Foundings are
rare and go singly. Threads, transactions and I/O errors are the writer's.
"""

import functools
from collections.abc import Sequence

import apsw

from majlis.store import protocol
from majlis.store.sqlite import queries

_CHUNK = 64

_APPENDED = protocol.Appended()
_LOST = protocol.Lost()


def write(connection: apsw.Connection, appends: Sequence[protocol.Append]) -> list[protocol.Outcome]:
    """Writes what takes, and tells of each append, in order, what became of it.

    Of several for the same record of the same match, the first takes. Foundings count as earlier than the rest.

    Raises:
        apsw.Error: the transaction is to be rolled back.
    """
    outcomes: list[protocol.Outcome] = [_APPENDED] * len(appends)
    ordinary = []
    for index, append in enumerate(appends):
        if append.founding is None:
            ordinary.append(index)
        elif not _found(connection, append, append.founding):
            outcomes[index] = _outcome(connection, append)
    for start in range(0, len(ordinary), _CHUNK):
        chunk = ordinary[start : start + _CHUNK]
        if _extend(connection, [appends[index] for index in chunk]) != len(chunk):
            for index in chunk:
                outcomes[index] = _outcome(connection, appends[index])
    for append, outcome in zip(appends, outcomes, strict=True):
        if outcome is _APPENDED:
            _attach(connection, append)
    return outcomes


def _extend(connection: apsw.Connection, appends: Sequence[protocol.Append]) -> int:
    """Appends to matches that are there; the number of those that took."""
    rows = 1 << (len(appends) - 1).bit_length()
    padding = rows - len(appends)
    records: list[str | bytes | int | None] = []
    heads: list[str | bytes | int | None] = []
    for append in appends:
        records += _record(append)
        heads += (
            append.match_id,
            append.record,
            append.append_id,
            append.sequence,
            append.status,
            append.deadline_ms,
        )
    records += (None,) * (_RECORD_COLUMNS * padding)
    heads += (None,) * (_HEAD_COLUMNS * padding)
    connection.execute(_insert_records(rows), records)
    connection.execute(_move_heads(rows), heads)
    return connection.changes()


def _record(append: protocol.Append) -> tuple[str | bytes | int | None, ...]:
    request = append.request
    asked = (None, None, None) if request is None else (request.player_id, request.request_id, request.body_hash)
    return (
        append.match_id,
        append.record,
        append.sequence,
        append.instant_ms,
        append.append_id,
        *asked,
        append.payload,
    )


_RECORD_COLUMNS = 9
_HEAD_COLUMNS = 6


def _values(rows: int, columns: int) -> str:
    row = "(" + ",".join("?" * columns) + ")"
    return ",".join([row] * rows)


# Powers of two rows only, filled up with NULLs, which join nothing: seven statements to prepare and not sixty-four.
@functools.cache
def _insert_records(rows: int) -> str:
    return f"""
        INSERT INTO log
            (match_id, record, sequence, instant_ms, append_id, player_id, request_id, body_hash, payload)
        SELECT new.* FROM (VALUES {_values(rows, _RECORD_COLUMNS)}) AS new
        CROSS JOIN matches ON matches.match_id = new.column1 AND matches.record = new.column2 - 1
        WHERE true
        ON CONFLICT DO NOTHING
    """  # noqa: S608 -- placeholders only


@functools.cache
def _move_heads(rows: int) -> str:
    return f"""
        UPDATE matches
        SET record = new.column2, sequence = new.column4, status = new.column5, deadline_ms = new.column6
        FROM (VALUES {_values(rows, _HEAD_COLUMNS)}) AS new
        CROSS JOIN log ON log.match_id = new.column1 AND log.record = new.column2 AND log.append_id = new.column3
        WHERE matches.match_id = new.column1 AND matches.record = new.column2 - 1
    """  # noqa: S608 -- placeholders only


def _found(connection: apsw.Connection, append: protocol.Append, founding: protocol.Founding) -> bool:
    """Makes a match with its first record; False when its id or its external id is taken."""
    connection.execute(
        """
        INSERT INTO matches
            (match_id, record, sequence, status, deadline_ms, founded_ms, game, external_id, body_hash)
        VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?)
        ON CONFLICT DO NOTHING
        """,
        (
            append.match_id,
            append.record,
            append.sequence,
            append.status,
            append.deadline_ms,
            append.instant_ms,
            founding.game,
            founding.external_id,
            founding.body_hash,
        ),
    )
    if connection.changes() == 0:
        return False
    connection.execute(
        f"""
        INSERT INTO log
            (match_id, record, sequence, instant_ms, append_id, player_id, request_id, body_hash, payload)
        VALUES {_values(1, _RECORD_COLUMNS)}
        """,  # noqa: S608 -- placeholders only
        _record(append),
    )
    for seat, player_id in enumerate(founding.players):
        connection.execute(
            "INSERT INTO seats (match_id, seat, player_id, founded_ms, over) VALUES (?, ?, ?, ?, 0)",
            (append.match_id, seat, player_id, append.instant_ms),
        )
    return True


def _attach(connection: apsw.Connection, append: protocol.Append) -> None:
    """What comes with few appends: rows for consumers, and a match's leaving the lists of its players."""
    for ordinal, kind in enumerate(append.outbox):
        connection.execute(
            """
            INSERT INTO outbox (match_id, record, ordinal, kind, instant_ms) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            (append.match_id, append.record, ordinal, kind, append.instant_ms),
        )
    if append.over:
        connection.execute("UPDATE seats SET over = 1 WHERE match_id = ?", (append.match_id,))


def _outcome(connection: apsw.Connection, append: protocol.Append) -> protocol.Outcome:
    """What became of an append that may not have taken."""
    if queries.has_append(connection, append.match_id, append.record, append.append_id):
        return _APPENDED
    request = append.request
    if request is not None:
        repeated = queries.find_request(connection, append.match_id, request.player_id, request.request_id)
        if repeated is not None:
            return repeated
    if append.founding is not None:
        founded = queries.find_external(connection, append.founding.external_id)
        if founded is not None:
            return founded
    return _LOST
