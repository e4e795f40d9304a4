"""Who sits in a match while players come and go, and what that makes of the lists of their matches."""

import pathlib

from majlis.store import protocol
from majlis.store.sqlite import store as sqlite
from tests.store import making
from tests.store.making import at_once

APPENDED = protocol.Appended()
LOST = protocol.Lost()
AT = making.FOUNDED_MS


async def listed(store: protocol.Store, *players: str) -> list[list[str]]:
    """The matches of each player."""
    return [[match_id for _, match_id in await store.matches_of(player, None, 9)] for player in players]


async def test_a_free_seat_is_nobodys(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None, None)))
    assert await listed(store, "amal", "", "None") == [["m"], [], []]


async def test_who_joins_is_listed_and_who_leaves_is_not(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None)))
    assert await listed(store, "amal", "basim") == [["m"], []]
    await store.append(making.following("m", 2, players=("amal", "basim")))
    assert await listed(store, "amal", "basim") == [["m"], ["m"]]
    await store.append(making.following("m", 3, players=(None, "basim")))
    assert await listed(store, "amal", "basim") == [[], ["m"]]
    await store.append(making.following("m", 4, players=("chadia", "basim")))
    assert await listed(store, "amal", "basim", "chadia") == [[], ["m"], ["m"]]
    await store.append(making.following("m", 5, players=("chadia", "amal")))
    assert await listed(store, "amal", "basim", "chadia") == [["m"], [], ["m"]]


async def test_who_joins_later_is_listed_by_the_founding_instant(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None), instant_ms=AT + 10))
    await store.append(making.founding("n", players=("basim", None), instant_ms=AT + 20))
    await store.append(making.following("m", 2, instant_ms=AT + 500, players=("amal", "basim")))
    assert await store.matches_of("basim", None, 9) == [(AT + 20, "n"), (AT + 10, "m")]
    assert await store.matches_of("basim", (AT + 20, "n"), 9) == [(AT + 10, "m")]


async def test_seats_stay_as_they_were_where_nothing_is_said(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None)))
    await store.append(making.following("m", 2, players=("amal", "basim")))
    await store.append(making.following("m", 3))
    assert await listed(store, "amal", "basim") == [["m"], ["m"]]


async def test_the_end_takes_a_match_off_every_list(store: protocol.Store) -> None:
    for match_id in ("m", "n"):
        await store.append(making.founding(match_id, players=("amal", None)))
        await store.append(making.following(match_id, 2, players=("amal", "basim")))
    await store.append(making.following("m", 3, over=True))
    await store.append(making.following("n", 3, over=True, players=(None, "basim")))
    assert await listed(store, "amal", "basim") == [[], []]


async def test_a_match_that_everybody_left_is_on_no_list(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None)))
    assert await store.append(making.following("m", 2, over=True, players=(None, None))) == APPENDED
    assert await listed(store, "amal") == [[]]


async def test_what_is_lost_seats_nobody(store: protocol.Store) -> None:
    await store.append(making.founding("m", players=("amal", None)))
    batch = [making.following("m", 2, players=("amal", name)) for name in ("basim", "chadia")]
    assert await at_once(store, batch) == [APPENDED, LOST]
    assert await store.append(making.following("m", 2, players=(None, None))) == LOST
    assert await listed(store, "amal", "basim", "chadia") == [["m"], ["m"], []]


async def test_seats_are_there_after_reopening(tmp_path: pathlib.Path) -> None:
    store = sqlite.SqliteStore(tmp_path / "majlis.db")
    await store.append(making.founding("m", players=("amal", None)))
    await store.append(making.following("m", 2, players=(None, "basim")))
    await store.close()
    again = sqlite.SqliteStore(tmp_path / "majlis.db")
    assert await again.matches_of("amal", None, 9) == []
    assert await again.matches_of("basim", None, 9) == [(AT, "m")]
    await again.close()
