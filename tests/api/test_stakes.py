"""Fees over the wire: a full match waits for them, the wallet confirms each once, and a void match gives them back.

How much a winner is paid is in test_tonj_house_match.py, and to the end of the game in test_tables.py.
"""

import asyncio
from typing import Any

import grpc
import pytest

from majlis.api.caller import Role
from majlis.match import catalogue
from majlis.v1 import match_pb2
from tests.api import lobby, tonj_house
from tests.api.clients import Client, Watcher
from tests.api.lobby import ACTIVE, FEE, HOUSE, STAKED, WAITING
from tests.api.refused import refused
from tests.api.serving import Serve, Served


async def waiting(served: Served) -> match_pb2.Match:
    """A full match that waits for its fees."""
    match = await lobby.full_room(served, STAKED, visibility=lobby.LINK)
    assert match.status == WAITING
    return match


async def test_whoever_follows_sees_seats_fees_and_the_start(serve: Serve) -> None:
    async with serve(**lobby.tables(STAKED)) as served:
        match = await served.player("alice").join_table(STAKED.name)
        followers = [lobby.follower(served, name, match.match_id) for name in ("alice", lobby.SPECTATOR)]
        late = lobby.follower(served, lobby.SPECTATOR, match.match_id)
        async with lobby.following(followers[:1], 0), lobby.following(followers[1:]):
            await served.player("badr").join_table(STAKED.name)
            followers.insert(1, lobby.follower(served, "badr", match.match_id))
            async with lobby.following(followers[1:2]):
                one = await served.wallet.confirm_stake(match.match_id, "badr")
                assert one.status == WAITING
                assert [seat.stake_confirmed for seat in one.seats] == [False, True]
                async with lobby.following([late]):
                    assert late.first is not None
                    clock = late.first.clock
                    assert (clock.kind, list(clock.awaited_seats)) == (match_pb2.CLOCK_KIND_STAKES, [0])
                    assert [seat.stake_confirmed for seat in late.picture.match.seats] == [False, True]
                    both = await served.wallet.confirm_stake(match.match_id, "alice")
                    assert both.status == ACTIVE
                    for follower in (*followers, late):
                        await follower.until(lambda follower=follower: follower.sequence >= both.sequence)  # type: ignore[misc]
                        assert follower.picture.match.status == ACTIVE
                    await served.player("alice").submit(match.match_id, resign={})
                    await lobby.end([*followers, late])
        ended = (await served.player("badr").get_match(match.match_id)).match
        lobby.is_settled(ended)
        assert list(ended.outcome.winner_seats) == [1]


async def test_a_created_match_with_a_fee_waits_for_it_too(served: Served) -> None:
    match = await served.matchmaker.create_match(**tonj_house.staked(entry_fee_minor=FEE))
    assert match.status == WAITING
    assert (await lobby.pay(served, match)).status == ACTIVE


async def test_where_nobody_confirms_fees_a_full_match_starts(serve: Serve) -> None:
    async with serve(**lobby.tables(STAKED), stakes_confirmation="none") as served:
        match = await lobby.full_at_table(served, STAKED)
        assert match.status == ACTIVE
        with refused("NO_STAKE"):
            await served.wallet.confirm_stake(match.match_id, "alice")
        await served.player("badr").submit(match.match_id, resign={})
        lobby.is_settled((await served.player("alice").get_match(match.match_id)).match)


async def test_a_repeat_changes_nothing_and_another_payment_is_told(served: Served) -> None:
    match = await waiting(served)
    first = await served.wallet.confirm_stake(match.match_id, "alice", "one")
    assert await served.wallet.confirm_stake(match.match_id, "alice", "one") == first
    await told_in_both(served, "STAKE_PAID_TWICE", match.match_id, "alice", "two")
    assert (await served.player("alice").get_match(match.match_id)).match.sequence == first.sequence
    # The other's payment may have the same id: it is another one's.
    assert (await served.wallet.confirm_stake(match.match_id, "badr", "one")).status == ACTIVE
    for player, payment in (("alice", "one"), ("badr", "one")):
        assert (await served.wallet.confirm_stake(match.match_id, player, payment)).status == ACTIVE
    await told_in_both(served, "STAKE_PAID_TWICE", match.match_id, "alice", "two")


async def test_of_many_confirmations_at_once_each_fee_is_taken_once(served: Served) -> None:
    match = await waiting(served)
    players = ["alice", "badr"] * 10
    told = await asyncio.gather(*(served.wallet.confirm_stake(match.match_id, player) for player in players))
    assert ACTIVE in {one.status for one in told}
    replayed = Watcher(served.player("alice"), match.match_id)
    async with replayed.watching(0):
        head = (await served.player("alice").get_match(match.match_id)).match.sequence
        await replayed.until(lambda: replayed.sequence == head)
    confirmed = [event for event in map(lobby.read, replayed.events.values()) if event.HasField("stake_confirmed")]
    assert [event.stake_confirmed.seat for event in confirmed] == [0, 1]


async def told_in_both(served: Served, reason: str, match_id: str, player: str, payment: str = "paid") -> None:
    entry = catalogue.CATALOGUE[reason]
    for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
        client = served.wallet.with_metadata(("accept-language", language))
        with refused(reason) as told:
            await client.confirm_stake(match_id, player, payment)
        assert told.localized.message == sentence
        assert told.code is grpc.StatusCode[entry.code]


async def test_every_no_in_both_languages(served: Served) -> None:
    free, _ = await lobby.room(served.player("alice"), HOUSE)
    await told_in_both(served, "NO_STAKE", free.match_id, "alice")
    half, _ = await lobby.room(served.player("alice"), STAKED)
    await told_in_both(served, "SEATS_FREE", half.match_id, "alice")
    await told_in_both(served, "NOT_SEATED", half.match_id, "badr")
    await told_in_both(served, "MATCH_NOT_FOUND", "none", "badr")
    left = await waiting(served)
    await served.player("alice").leave_match(left.match_id)
    await told_in_both(served, "MATCH_VOID", left.match_id, "badr")
    created = await served.matchmaker.create_match(**tonj_house.staked())
    await told_in_both(served, "NO_STAKE", created.match_id, "alice")


@pytest.mark.parametrize(
    ("match_id", "player", "payment", "path"),
    [
        ("", "alice", "one", "match_id"),
        ("m" * 65, "alice", "one", "match_id"),
        ("m", "", "one", "player_id"),
        ("m", "é" * 33, "one", "player_id"),
        ("m", "alice", "", "payment_id"),
        ("m", "alice", "p" * 65, "payment_id"),
    ],
)
async def test_ids_have_1_to_64_bytes(served: Served, match_id: str, player: str, payment: str, path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.wallet.confirm_stake(match_id, player, payment)
    assert list(told.fields) == [path]


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.WALLET])
async def test_only_a_wallet_says_what_was_paid(served: Served, role: Role) -> None:
    match = await waiting(served)
    with refused("ROLE_REQUIRED"):
        await served.player("alice", role).confirm_stake(match.match_id, "alice")
    assert not any(
        seat.stake_confirmed for seat in (await served.player("alice").get_match(match.match_id)).match.seats
    )


@pytest.mark.parametrize(("confirmed", "paid"), [((), (0, 0)), (("badr",), (0, FEE))], ids=["nobody", "one"])
@pytest.mark.parametrize("leaver", ["alice", "badr"])
async def test_whoever_leaves_before_the_start_ends_it_and_gets_his_fee_back(
    served: Served, confirmed: tuple[str, ...], paid: tuple[int, int], leaver: str
) -> None:
    match = await waiting(served)
    for player in confirmed:
        await served.wallet.confirm_stake(match.match_id, player)
    followers = [lobby.follower(served, name, match.match_id) for name in ("alice", "badr", lobby.SPECTATOR)]
    async with lobby.following(followers):
        await served.player(leaver).leave_match(match.match_id, "gone")
        await served.player(leaver).leave_match(match.match_id, "gone")
        await lobby.end(followers)
    for follower in followers:
        lobby.refunds(follower.picture.match, *paid)
    lobby.refunds((await served.player("alice").get_match(match.match_id)).match, *paid)
    with refused("MATCH_VOID"):
        await served.player("alice").rematch(match.match_id)


async def test_fees_that_do_not_come_in_time_end_it(serve: Serve) -> None:
    async with serve(stakes_seconds=1) as served:
        match = await waiting(served)
        await served.wallet.confirm_stake(match.match_id, "alice")
        followers = [lobby.follower(served, name, match.match_id) for name in ("alice", "badr", lobby.SPECTATOR)]
        async with lobby.following(followers):
            await lobby.end(followers)
        lobby.refunds((await served.player("badr").get_match(match.match_id)).match, FEE, 0)
        assert not (await served.player("alice").list_my_matches()).matches
        await told_in_both(served, "MATCH_VOID", match.match_id, "badr")


async def test_a_match_is_not_played_before_its_fees_are_taken(served: Served) -> None:
    match = await waiting(served)
    await served.wallet.confirm_stake(match.match_id, "alice")
    for name in ("alice", "badr"):
        with refused("NOT_STARTED"):
            await served.player(name).submit(match.match_id, resign={})


async def test_a_wallet_is_let_into_nothing_else(served: Served) -> None:
    wallet: Client = served.wallet
    asking: list[Any] = [
        wallet.list_tables(),
        wallet.join_table("tonj"),
        wallet.list_my_matches(),
        wallet.get_match("m"),
    ]
    for call in asking:
        with refused("ROLE_REQUIRED"):
            await call
