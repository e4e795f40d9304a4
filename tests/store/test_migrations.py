"""Files of an older schema: what is in them stays, and what comes after is kept in the new way."""

import pathlib

import apsw
import pytest

from majlis.store import protocol
from majlis.store.sqlite import schema
from majlis.store.sqlite import store as sqlite
from tests.store import making

APPENDED = protocol.Appended()


async def of_schema(path: pathlib.Path, number: int, monkeypatch: pytest.MonkeyPatch, rows: str) -> None:
    """A file as an older program has left it, with some rows of its own."""
    texts = schema.migrations()
    with monkeypatch.context() as older:
        older.setattr(schema, "migrations", lambda: texts[:number])
        await sqlite.SqliteStore(path).close()
    connection = apsw.Connection(str(path))
    connection.execute(rows)
    connection.close()


async def test_requests_from_before_their_keys_stay_as_they_were(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "majlis.db"
    await of_schema(
        path,
        2,
        monkeypatch,
        """
        INSERT INTO matches VALUES ('m', 2, 6, 2, 500, 1, 'tonj', NULL, x'00');
        INSERT INTO log VALUES ('m', 1, 1, 1, x'01', NULL, NULL, NULL, x'aa');
        INSERT INTO log VALUES ('m', 2, 6, 2, x'02', 'amal', 'r1', x'bb', x'cc');
        INSERT INTO seats VALUES ('m', 0, 'amal', 1, 0), ('m', 1, 'basim', 1, 0);
        """,
    )
    store = sqlite.SqliteStore(path)
    assert await store.head("m") == protocol.Head("m", 2, 6, making.ACTIVE, 500)
    assert await store.payloads("m") == [b"\xaa", b"\xcc"]
    assert await store.matches_of("amal", None, 9) == [(1, "m")]
    assert await store.find_request("m", making.key("amal r1")) is None
    assert await store.append(making.following("m", 3, request="amal r1", body="throw")) == APPENDED
    repeated = protocol.Repeated(3, making.digest("throw"))
    assert await store.append(making.following("m", 4, request="amal r1", body="throw")) == repeated
    await store.close()
    rows = apsw.Connection(str(path)).execute(
        "SELECT player_id, request_id, request_key, body_hash FROM log ORDER BY record"
    )
    assert rows.fetchall() == [
        (None, None, None, None),
        ("amal", "r1", None, b"\xbb"),
        (None, None, making.key("amal r1"), making.digest("throw")),
    ]


async def test_matches_from_before_names_go_on_and_their_results_are_told(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "majlis.db"
    await of_schema(
        path,
        3,
        monkeypatch,
        """
        INSERT INTO matches VALUES
            ('m', 2, 6, 2, 500, 10, 'tonj', 'x', x'00'), ('n', 1, 1, 2, NULL, 20, 'tonj', NULL, x'00');
        INSERT INTO log (match_id, record, sequence, instant_ms, append_id, payload) VALUES
            ('m', 1, 1, 10, x'01', x'aa'), ('m', 2, 6, 30, x'02', x'cc'), ('n', 1, 1, 20, x'03', x'dd');
        INSERT INTO seats VALUES
            ('m', 0, 'amal', 10, 0), ('m', 1, 'basim', 10, 0), ('n', 0, 'amal', 20, 0), ('n', 1, 'chadia', 20, 0);
        INSERT INTO outbox VALUES
            ('m', 1, 0, 'started', 10, NULL), ('n', 1, 0, 'started', 20, NULL), ('m', 2, 0, 'ended', 30, NULL);
        INSERT INTO alive VALUES (1, 900);
        """,
    )
    store = sqlite.SqliteStore(path)
    assert apsw.Connection(str(path)).pragma("user_version") == len(schema.migrations())
    assert await store.head("m") == protocol.Head("m", 2, 6, making.ACTIVE, 500)
    assert await store.payloads("m") == [b"\xaa", b"\xcc"]
    assert await store.find_external("x") == protocol.Founded("m", b"\x00")
    assert await store.matches_of("amal", None, 9) == [(20, "n"), (10, "m")]
    assert await store.beat(901, 9) == []
    claiming = making.following("m", 3, players=("amal", None), claims=(making.claim("t1"),), outbox=("void",))
    assert await store.append(claiming) == APPENDED
    assert await store.append(making.founding("o", claims=(making.claim("t1"),))) == making.held("t1", "m")
    assert await store.matches_of("basim", None, 9) == []
    assert await store.publish(9) == 4
    assert [(one.match_id, one.kind) for one in await store.results(0, 9)] == [
        *(("m", "started"), ("n", "started"), ("m", "ended"), ("m", "void"))
    ]
    await store.close()
