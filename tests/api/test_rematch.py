"""Rematches over the wire: the same players once more, one seat further round, as often as they like."""

import asyncio

import grpc
import pytest

from majlis.match import catalogue
from majlis.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc
from tests.api import lobby
from tests.api.clients import PATIENCE
from tests.api.lobby import ACTIVE, ENDED, GAMES, HOUSE, STAKED, TRIX, VOID, WAITING, Offered
from tests.api.refused import refused
from tests.api.serving import Serve, Served


@pytest.mark.parametrize("offered", GAMES, ids=[offered.name for offered in GAMES])
async def test_the_same_players_play_again_to_the_end(serve: Serve, offered: Offered) -> None:
    async with serve(max_gap=100_000) as served:
        old = await begun(served, await lobby.full_room(served, offered))
        await ended_somehow(served, old)
        again = await served.player(offered.players[1]).rematch(old.match_id)
        assert (again.rematch_of, again.table_id, again.status) == (old.match_id, "", WAITING)
        assert (again.options, again.visibility, again.game) == (old.options, old.visibility, old.game)
        assert again.deal_commitment != old.deal_commitment
        followers = [lobby.follower(served, offered.players[1], again.match_id)]
        joined = again
        async with lobby.following(followers, 0):
            if offered is TRIX:  # who leaves while others stay finds his own seat again
                await served.player("carim").rematch(old.match_id)
                await served.player("carim").leave_match(again.match_id)
            for name in offered.players:
                joined = await served.player(name).rematch(old.match_id)
                assert joined.match_id == again.match_id
                if name != offered.players[1]:
                    followers.append(lobby.follower(served, name, again.match_id))
            turned = [*offered.players[-1:], *offered.players[:-1]]
            assert [seat.player_id for seat in joined.seats] == turned
            async with lobby.following(followers[1:]):
                joined = await begun(served, joined)
                for one in followers:
                    await one.until(lambda one=one: one.sequence >= joined.sequence)  # type: ignore[misc]
                ended = await lobby.play_on(followers)
        assert ended.status == ENDED
        if offered is STAKED:
            lobby.is_settled(ended)
        # And once more; and of the first there is still only one.
        third = await served.player(offered.players[0]).rematch(again.match_id)
        assert third.rematch_of == again.match_id
        assert (await served.player(offered.players[0]).rematch(old.match_id)).match_id == again.match_id


async def begun(served: Served, match: match_pb2.Match) -> match_pb2.Match:
    """The match once its fees, if there are any, are paid."""
    match = await lobby.pay(served, match) if match.status == WAITING else match
    assert match.status == ACTIVE
    return match


async def ended_somehow(served: Served, match: match_pb2.Match) -> None:
    """Somebody gives up; where that is no end, they play on to it."""
    if match.game != TRIX.game:
        await served.player("badr").submit(match.match_id, resign={})
        return
    followers = [lobby.follower(served, seat.player_id, match.match_id) for seat in match.seats]
    async with lobby.following(followers):
        await lobby.play_on(followers)


async def test_all_at_once_get_the_same(served: Served) -> None:
    old = await lobby.ended_match(served)
    asking = (served.player(name).rematch(old.match_id) for name in ("alice", "badr") * 10)
    found = await asyncio.gather(*asking)
    assert len({match.match_id for match in found}) == 1
    for name in ("alice", "badr"):
        (only,) = (await served.player(name).list_my_matches()).matches
        assert (only.match_id, only.status) == (found[0].match_id, ACTIVE)


async def test_a_request_is_known_again(served: Served) -> None:
    old, other = await lobby.ended_match(served), await lobby.ended_match(served)
    alice = served.player("alice")
    first = await alice.rematch(old.match_id, "one")
    assert await alice.rematch(old.match_id, "one") == first
    with refused("REQUEST_ID_REUSED"):
        await alice.rematch(other.match_id, "one")


async def test_watchers_who_stay_are_told_of_it(serve: Serve) -> None:
    async with serve() as served:
        old = await lobby.ended_match(served)
        badr = served.player("badr")
        stub = match_service_pb2_grpc.MatchServiceStub(badr.channel)
        request = match_service_pb2.WatchMatchRequest(match_id=old.match_id, await_rematch=True)
        stream = stub.WatchMatch(request, metadata=badr.metadata, timeout=PATIENCE)
        first = await stream.read()
        assert isinstance(first, match_service_pb2.WatchMatchResponse)
        assert first.HasField("snapshot")
        again = await served.player("alice").rematch(old.match_id)
        while True:
            update = await stream.read()
            assert isinstance(update, match_service_pb2.WatchMatchResponse)
            if update.notice.HasField("rematch_id"):
                break
        assert update.notice.rematch_id == again.match_id
        assert (await badr.rematch(old.match_id)).match_id == again.match_id
        stream.cancel()


async def test_one_that_the_others_do_not_join_is_void_and_may_be_asked_for_anew(serve: Serve) -> None:
    async with serve(rematch_seconds=1) as served:
        old = await lobby.ended_match(served)
        first = await served.player("alice").rematch(old.match_id)
        watching = lobby.follower(served, "alice", first.match_id)
        async with lobby.following([watching]):
            await lobby.end([watching])
        assert watching.picture.match.status == VOID
        second = await served.player("badr").rematch(old.match_id)
        assert second.match_id != first.match_id
        assert (await served.player("alice").rematch(old.match_id)).match_id == second.match_id


async def test_whoever_takes_his_wish_back_leaves_the_way_free(served: Served) -> None:
    old = await lobby.ended_match(served)
    alice = served.player("alice")
    first = await alice.rematch(old.match_id)
    await alice.leave_match(first.match_id)
    assert (await served.player("badr").rematch(old.match_id)).match_id != first.match_id


async def test_it_is_seen_by_those_for_whom_its_seats_are_kept(served: Served) -> None:
    old = await lobby.ended_match(served)
    again = await served.player("alice").rematch(old.match_id)
    assert again.visibility == match_pb2.VISIBILITY_SEATED
    assert (await served.player("badr").get_match(again.match_id)).match.sequence == again.sequence
    for who in ("carim", "dana"):
        with refused("MATCH_NOT_FOUND"):
            await served.player(who).get_match(again.match_id)


async def test_it_is_for_those_who_played(served: Served) -> None:
    old = await lobby.full_room(served, HOUSE, visibility=lobby.PUBLIC)
    await told_in_both(served, "MATCH_NOT_ENDED", "alice", old.match_id)
    await served.player("alice").submit(old.match_id, resign={})
    await told_in_both(served, "NOT_SEATED", "carim", old.match_id)
    hidden = await lobby.ended_match(served)
    await told_in_both(served, "MATCH_NOT_FOUND", "carim", hidden.match_id)
    waits, _ = await lobby.room(served.player("alice"))
    await served.player("alice").leave_match(waits.match_id)
    with refused("MATCH_NOT_FOUND"):  # she has no seat in it any more
        await served.player("alice").rematch(waits.match_id)


async def told_in_both(served: Served, reason: str, player: str, match_id: str) -> None:
    entry = catalogue.CATALOGUE[reason]
    for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
        with refused(reason) as told:
            await served.player(player).with_metadata(("accept-language", language)).rematch(match_id)
        assert told.localized.message == sentence
        assert told.code is grpc.StatusCode[entry.code]
