"""Names that matches take and give up: one match at a time has a name, and an append that gets none leaves nothing."""

import asyncio
import pathlib
from collections.abc import Callable

import pytest

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making
from tests.store.making import at_once, claim, held

APPENDED = protocol.Appended()
LOST = protocol.Lost()
NOW = making.FOUNDED_MS
LATER = NOW + 10**9


async def nothing_of(store: protocol.Store, append: protocol.Append) -> None:
    """Nothing of a founding is in the store."""
    assert await store.head(append.match_id) is None
    assert await store.payloads(append.match_id) == []
    assert await store.find_append(append.match_id, append.append_id) is None
    for player in append.players or ():
        assert append.match_id not in [match_id for _, match_id in await store.matches_of(player or "", None, 99)]
    for kind in ("table", "code", "request", "rematch"):
        assert await store.names_of(append.match_id, kind, 0) == []
    if append.founding is not None and append.founding.external_id:
        found = await store.find_external(append.founding.external_id)
        assert found is None or found.match_id != append.match_id


async def test_a_name_is_nobodys_until_it_is_claimed(store: protocol.Store) -> None:
    assert await store.find_name("table", "t1", NOW) is None
    assert await store.append(making.founding("m", claims=(claim("t1", body="seats"),))) == APPENDED
    assert await store.find_name("table", "t1", NOW) == held("t1", "m", body="seats")
    assert await store.find_name("table", "t1", LATER) == held("t1", "m", body="seats")
    assert await store.find_name("table", "t2", NOW) is None
    assert await store.find_name("code", "t1", NOW) is None


async def test_a_later_record_may_claim_as_well(store: protocol.Store) -> None:
    await store.append(making.founding("m"))
    assert await store.append(making.following("m", 2, claims=(claim("old", kind="rematch"),))) == APPENDED
    assert await store.find_name("rematch", "old", NOW) == held("old", "m", kind="rematch")


async def test_who_claims_what_somebody_has_leaves_nothing_behind(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("t1", body="first"),)))
    late = making.founding(
        "n",
        players=("chadia", None),
        external_id="x",
        claims=(claim("1234", kind="code"), claim("t1", body="second"), claim("r1", kind="request")),
        outbox=("seated",),
    )
    assert await store.append(late) == held("t1", "m", body="first")
    await nothing_of(store, late)
    for kind, name in (("code", "1234"), ("request", "r1")):
        assert await store.find_name(kind, name, NOW) is None
    assert await store.find_name("table", "t1", NOW) == held("t1", "m", body="first")
    assert await store.publish(9) == 0


async def test_a_record_that_claims_what_somebody_has_leaves_nothing_behind(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("t1"),)))
    await store.append(making.founding("n", players=("amal", None), claims=(claim("1234", kind="code"),)))
    late = making.following(
        "n",
        2,
        request="basim r1",
        over=True,
        players=(None, "basim"),
        claims=(claim("5678", kind="code"), claim("t1")),
        releases=("code",),
        outbox=("void",),
    )
    assert await store.append(late) == held("t1", "m")
    assert await store.head("n") == protocol.Head("n", 1, 1, making.ACTIVE, None)
    assert await store.find_request("n", making.key("basim r1")) is None
    assert await store.names_of("n", "code", NOW) == ["1234"]
    assert [match_id for _, match_id in await store.matches_of("amal", None, 9)] == ["n", "m"]
    assert [match_id for _, match_id in await store.matches_of("basim", None, 9)] == ["m"]
    assert await store.publish(9) == 0


async def test_the_first_of_the_names_that_others_have_is_told(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("a"), claim("b"))))
    assert await store.append(making.founding("n", claims=(claim("c"), claim("b"), claim("a")))) == held("b", "m")


async def test_a_name_that_the_match_has_itself_is_had(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("t1"),)))
    assert await store.append(making.following("m", 2, claims=(claim("t1"),))) == held("t1", "m")
    assert await store.payloads("m") == [b"m 1"]


async def test_an_append_claims_a_name_once() -> None:
    with pytest.raises(ValueError, match="once"):
        making.founding("m", claims=(claim("a", body="x"), claim("a", body="y")))
    making.founding("m", claims=(claim("a"), claim("a", kind="code")))


async def test_what_comes_before_a_name_that_is_had_and_what_after(store: protocol.Store) -> None:
    first = making.founding("m", external_id="x", body="m", claims=(claim("t1"),))
    second = making.following("m", 2, request="amal r1", body="sit", claims=(claim("1234", kind="code"),))
    assert [await store.append(append) for append in (first, second)] == [APPENDED] * 2
    # Its own append id: both names are had by then, by itself.
    assert [await store.append(append) for append in (first, second)] == [APPENDED] * 2
    again = making.following("m", 3, request="amal r1", claims=(claim("t1"),))
    assert await store.append(again) == protocol.Repeated(2, making.digest("sit"))
    other = making.founding("n", external_id="x", claims=(claim("t1"),))
    assert await store.append(other) == protocol.Founded("m", making.digest("m"))
    for lost in (making.following("m", 2, claims=(claim("t1"),)), making.following("o", 7, claims=(claim("t1"),))):
        assert await store.append(lost) == held("t1", "m")
    assert await store.append(making.founding("m", claims=(claim("t1"),))) == held("t1", "m")
    assert await store.append(making.founding("m", claims=(claim("t2"),))) == LOST
    assert await store.find_name("table", "t2", NOW) is None


async def test_what_is_lost_gives_up_nothing(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("t1"),)))
    assert await store.append(making.following("m", 5, releases=("table",))) == LOST
    assert await store.find_name("table", "t1", NOW) == held("t1", "m")


async def test_a_name_expires(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("r1", kind="request", body="m", expires_ms=NOW + 100),)))
    assert await store.find_name("request", "r1", NOW + 99) == held("r1", "m", kind="request", body="m")
    assert await store.names_of("m", "request", NOW + 99) == ["r1"]
    assert await store.find_name("request", "r1", NOW + 100) is None
    assert await store.names_of("m", "request", NOW + 100) == []


async def test_an_expired_name_may_be_taken_anew(store: protocol.Store) -> None:
    anew = claim("r1", kind="request", body="n", expires_ms=NOW + 300)
    await store.append(making.founding("m", claims=(claim("r1", kind="request", expires_ms=NOW + 100),)))
    early = making.founding("n", instant_ms=NOW + 99, claims=(anew,))
    assert await store.append(early) == held("r1", "m", kind="request")
    assert await store.append(making.founding("n", instant_ms=NOW + 100, claims=(anew,))) == APPENDED
    assert await store.find_name("request", "r1", NOW + 299) == held("r1", "n", kind="request", body="n")
    assert await store.names_of("m", "request", NOW) == []
    assert await store.names_of("n", "request", NOW + 299) == ["r1"]
    assert await store.find_name("request", "r1", NOW + 300) is None


async def test_a_match_takes_its_own_expired_name_anew_and_keeps_it(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("t1", expires_ms=NOW),)))
    assert await store.append(making.following("m", 2, claims=(claim("t1"),))) == APPENDED
    assert await store.find_name("table", "t1", LATER) == held("t1", "m")


async def test_a_beat_forgets_expired_names_and_no_others(store: protocol.Store) -> None:
    names = {"a": 100, "b": 200, "c": 300, "d": None}
    claims = tuple(claim(name, expires_ms=expires_ms) for name, expires_ms in names.items())
    await store.append(making.founding("m", claims=claims))
    assert await store.names_of("m", "table", 0) == ["a", "b", "c", "d"]
    await store.beat(199, 10**15)
    assert await store.names_of("m", "table", 0) == ["b", "c", "d"]
    await store.beat(200, 10**15)
    assert await store.names_of("m", "table", 0) == ["c", "d"]
    await store.beat(LATER, 10**15)
    assert await store.names_of("m", "table", 0) == ["d"]


async def test_a_beat_forgets_a_bounded_number_those_that_expired_first(store: protocol.Store) -> None:
    number = protocol.NAMES_FORGOTTEN + 20
    claims = tuple(claim(f"{n:04}", kind="request", expires_ms=number - n) for n in range(number))
    await store.append(making.founding("m", claims=claims))
    await store.beat(number, 10**15)
    assert await store.names_of("m", "request", 0) == [f"{n:04}" for n in range(20)]
    await store.beat(number, 10**15)
    assert await store.names_of("m", "request", 0) == []


async def test_a_match_gives_up_every_name_of_a_kind_and_no_other_does(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("b"), claim("a"), claim("1", kind="code"))))
    await store.append(making.founding("n", claims=(claim("c"), claim("2", kind="code"))))
    assert await store.append(making.following("m", 2, releases=("table", "rematch"))) == APPENDED
    for name in "ab":
        assert await store.find_name("table", name, NOW) is None
    assert await store.names_of("m", "table", NOW) == []
    assert await store.names_of("m", "code", NOW) == ["1"]
    assert await store.find_name("table", "c", NOW) == held("c", "n")
    assert await store.append(making.founding("o", claims=(claim("a"),))) == APPENDED
    assert await store.find_name("table", "a", NOW) == held("a", "o")


async def test_what_is_given_up_may_be_claimed_by_the_same_append(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("a", body="1"), claim("b"))))
    again = making.following("m", 2, claims=(claim("a", body="2"), claim("c")), releases=("table",))
    assert await store.append(again) == APPENDED
    assert await store.names_of("m", "table", NOW) == ["a", "c"]
    assert await store.find_name("table", "a", NOW) == held("a", "m", body="2")
    other = making.following("m", 3, claims=(claim("a"),), releases=("code",))
    assert await store.append(other) == held("a", "m", body="2")


async def test_a_match_cannot_give_up_the_names_of_another(store: protocol.Store) -> None:
    await store.append(making.founding("m", claims=(claim("a"),)))
    await store.append(making.founding("n"))
    taking = making.following("n", 2, claims=(claim("a"),), releases=("table",))
    assert await store.append(taking) == held("a", "m")
    assert await store.find_name("table", "a", NOW) == held("a", "m")


async def test_names_come_in_their_own_order(store: protocol.Store) -> None:
    names = ["é", "Z", "a", "10", "9", "ب"]
    await store.append(making.founding("m", claims=tuple(claim(name) for name in names)))
    await store.append(making.founding("n", claims=(claim("b"),)))
    assert await store.names_of("m", "table", NOW) == ["10", "9", "Z", "a", "é", "ب"]
    assert await store.names_of("n", "table", NOW) == ["b"]
    assert await store.names_of("o", "table", NOW) == []


async def test_of_two_appends_of_a_batch_the_first_has_the_name(store: protocol.Store) -> None:
    await store.append(making.founding("l", claims=(claim("t2"),)))
    late = making.founding("n", players=("chadia", None), claims=(claim("1", kind="code"), claim("t1")))
    batch = [
        making.founding("m", claims=(claim("t1"),)),
        late,
        making.following("l", 2, releases=("table",)),
        making.founding("o", claims=(claim("t2"), claim("1", kind="code"))),
    ]
    assert await at_once(store, batch) == [APPENDED, held("t1", "m"), APPENDED, APPENDED]
    await nothing_of(store, late)
    assert await store.find_name("table", "t2", NOW) == held("t2", "o")
    assert await store.find_name("code", "1", NOW) == held("1", "o", kind="code")


async def test_of_fifty_that_claim_a_name_at_once_one_wins(replica: Callable[[], protocol.Store]) -> None:
    replicas = [replica() for _ in range(5)] * 10
    appends = [making.founding(f"m{n}", players=(f"p{n}", None), claims=(claim("t1"),)) for n in range(50)]
    outcomes = await asyncio.gather(*(store.append(append) for store, append in zip(replicas, appends, strict=True)))
    (winner,) = [append for append, outcome in zip(appends, outcomes, strict=True) if outcome == APPENDED]
    assert [outcome for outcome in outcomes if outcome != APPENDED] == [held("t1", winner.match_id)] * 49
    for append in appends:
        if append is not winner:
            await nothing_of(replicas[0], append)
    assert await replicas[0].find_name("table", "t1", NOW) == held("t1", winner.match_id)


async def test_a_name_that_cannot_be_stored_spoils_no_other_append(tmp_path: pathlib.Path) -> None:
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    odd = making.founding("n", claims=(claim("t2"), claim("t3", expires_ms=2**70)))
    outcomes = await asyncio.gather(
        store.append(making.founding("m", claims=(claim("t1"),))),
        store.append(odd),
        store.append(making.founding("o", claims=(claim("t2"),))),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [protocol.Appended, ValueError, protocol.Appended]
    await nothing_of(store, odd)
    assert await store.find_name("table", "t2", NOW) == held("t2", "o")
    await store.close()


async def test_names_are_there_after_reopening(tmp_path: pathlib.Path) -> None:
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    await store.append(making.founding("m", claims=(claim("t1", body="x"), claim("t2", expires_ms=NOW + 5))))
    await store.close()
    again = sqlite.SqliteStore(tmp_path / "majlis.db")
    assert await again.names_of("m", "table", NOW) == ["t1", "t2"]
    assert await again.names_of("m", "table", NOW + 5) == ["t1"]
    assert await again.append(making.founding("n", claims=(claim("t1"),))) == held("t1", "m", body="x")
    await again.close()
