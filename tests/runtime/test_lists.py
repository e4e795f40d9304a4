"""Lists in pages: a player's matches, and the record of an ended one, whole and in order."""

import base64

import pytest

from majlis import _core
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_pb2, match_service_pb2
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.tonj import PLAYERS


async def listed(runtime: Runtime, player: str, size: int) -> list[str]:
    """External ids of a player's matches, page by page."""
    ids, token = [], ""
    while True:
        page, token = await runtime.matches_of(player, size, token)
        assert len(page) <= size
        ids += [match_pb2.Match.FromString(one).external_id for one in page]
        if not token:
            return ids


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
async def test_a_players_matches_come_newest_first_without_those_that_are_over(
    runtime: Runtime, clock: Clock, size: int
) -> None:
    for number in range(7):
        match = await tonj.found(runtime, clock, f"match {number}")
        clock.now_ms += number % 2  # some in the same millisecond
        if number == 3:
            await match.submit(PLAYERS[0], RESIGN)
    ids = await listed(runtime, PLAYERS[1], size)
    assert sorted(ids) == ["match 0", "match 1", "match 2", "match 4", "match 5", "match 6"]
    assert ids.index("match 6") < ids.index("match 4") < ids.index("match 2") < ids.index("match 0")
    assert await listed(runtime, "celine", size) == []


@pytest.mark.parametrize(
    "token", ["", "nonsense", "!", "a" * 10_000, base64.urlsafe_b64encode(b"-1 x").decode(), "MQ", "MSAyIDM", "ٱ"]
)
async def test_a_token_that_we_never_gave_is_refused(runtime: Runtime, match: Match, token: str) -> None:
    await match.submit(PLAYERS[0], RESIGN)
    if token:
        no = await room.refused(runtime.matches_of(PLAYERS[0], 10, token))
        assert [path for path, _ in no.fields] == ["page_token"]
    if token and token != "MQ":  # that is a place in a record
        no = await room.refused(runtime.replay(PLAYERS[0], match.match_id, 10, token))
        assert [path for path, _ in no.fields] == ["page_token"]


async def test_the_record_of_a_match_that_goes_on_is_kept_back(runtime: Runtime, match: Match) -> None:
    no = await room.refused(runtime.replay(PLAYERS[0], match.match_id, 10, ""))
    assert (no.reason, no.sequence) == ("MATCH_NOT_ENDED", await match.head())


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_the_record_of_an_ended_match_is_whole_and_its_deals_can_be_verified(
    runtime: Runtime, clock: Clock, match: Match, size: int
) -> None:
    for _ in range(10):
        await match.move()
    await match.submit(PLAYERS[0], RESIGN)
    head = await match.head()
    pages, token = [], ""
    while True:
        page, token = await runtime.replay("celine", match.match_id, size, token)
        pages.append(page)
        if not token:
            break
    read = [match_service_pb2.GetReplayResponse.FromString(page) for page in pages]
    assert [event.sequence for page in read for event in page.events] == list(range(1, head + 1))
    assert all(len(page.events) <= size for page in read)
    assert _core.verify(pages) == ""


async def test_a_place_behind_the_end_of_a_record_is_refused(runtime: Runtime, match: Match) -> None:
    await match.submit(PLAYERS[0], RESIGN)
    beyond = base64.urlsafe_b64encode(str(await match.head() + 1).encode()).decode().rstrip("=")
    no = await room.refused(runtime.replay(PLAYERS[0], match.match_id, 10, beyond))
    assert no.reason == "MALFORMED_REQUEST"
