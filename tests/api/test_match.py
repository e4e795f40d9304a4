"""Matches over the wire: played to their end, watched by whoever may, left and resumed at every point, and replayed."""

import asyncio
import contextlib
import hashlib
import json
import pathlib
import random

import click.testing
import grpc
import pytest
from google.protobuf import json_format, message

from majlis import _core
from majlis.api.caller import Role
from majlis.cli import group
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, tonj_pb2
from tests.api.clients import PATIENCE, Client, Play, Watcher, two_players
from tests.api.refused import refused
from tests.api.serving import Serve, Served
from tests.api.session_client import Session


async def replay_pages(client: Client, match_id: str, page_size: int) -> list[match_service_pb2.GetReplayResponse]:
    pages = []
    token = ""
    while True:
        page = await client.get_replay(match_id, page_size=page_size, page_token=token)
        pages.append(page)
        token = page.next_page_token
        if not token:
            return pages


def kinds(events: list[event_pb2.Event]) -> list[str | None]:
    return [event.WhichOneof("kind") for event in events]


def verified(path: pathlib.Path, pages: list[match_service_pb2.GetReplayResponse]) -> int:
    """How `majlis verify` ends on these pages."""
    path.write_text(json.dumps([json_format.MessageToDict(page) for page in pages]))
    return click.testing.CliRunner().invoke(group, ["verify", str(path)]).exit_code


async def missed(watcher: Watcher, after: int, head: int) -> dict[int, bytes]:
    """What a new stream of the same caller is sent after a sequence, up to the head."""
    other = Watcher(watcher.client, watcher.match_id)
    other.sequence = after
    async with other.watching(after):
        await other.until(lambda: other.sequence >= head)
    return other.events


@pytest.mark.parametrize("seed", range(2))
async def test_two_players_play_a_match_to_its_end(serve: Serve, seed: int) -> None:
    async with serve(max_gap=100_000) as served:
        await play_resume_and_replay(served, seed)


async def play_resume_and_replay(served: Served, seed: int) -> None:
    match = await served.matchmaker.create_match(**two_players())
    assert match.status == match_pb2.MATCH_STATUS_ACTIVE
    watchers = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
    async with watchers[0].watching(0), watchers[1].watching(0):
        for watcher in watchers:
            await watcher.until(lambda watcher=watcher: watcher.sequence == match.sequence)  # type: ignore[misc]
        play = Play(watchers, seed)
        assert await play.to_the_end() > 20
        for watcher in watchers:
            await watcher.until(lambda watcher=watcher: isinstance(watcher.ended, EOFError))  # type: ignore[misc]
    alice, badr = (watcher.client for watcher in watchers)
    ended = await alice.get_match(match.match_id)
    head = ended.match.sequence
    assert ended.match.status == match_pb2.MATCH_STATUS_ENDED
    assert ended.match.outcome.reason in (
        match_pb2.END_REASON_PLAYED_OUT,
        match_pb2.END_REASON_STALEMATE,
        match_pb2.END_REASON_TURN_LIMIT,
    )
    assert len(ended.match.outcome.totals) == 2
    for watcher in watchers:
        assert sorted(watcher.events) == list(range(1, head + 1))
    assert not (await badr.list_my_matches()).matches

    # Whoever comes back is sent exactly what he missed, at whatever point he left.
    chance = random.Random(seed)
    for after in [0, 1, head - 1, head, *chance.sample(range(head), 20)]:
        for watcher in watchers:
            expected = {number: event for number, event in watcher.events.items() if number > after}
            assert await missed(watcher, after, head) == expected

    # The record has the same numbers, and proves that the cards were those that were promised.
    pages = await replay_pages(badr, match.match_id, 100)
    events = [event for page in pages for event in page.events]
    assert [event.sequence for event in events] == list(range(1, head + 1))
    assert kinds(events)[0] == "match_created"
    assert kinds(events)[-1] == "match_ended"
    assert all(len(page.events) <= 100 for page in pages)
    assert hashlib.sha256(b"majlis-commit-v1\0" + pages[0].deal_seed).digest() == match.deal_commitment
    assert _core.verify([page.SerializeToString() for page in pages]) == ""
    assert verified(served.data / "replay.json", pages) == 0
    moved = next(event for event in pages[0].events if event.tonj.HasField("dealt"))
    moved.tonj.dealt.houses[0].rank = moved.tonj.dealt.houses[0].rank % 13 + 1  # type: ignore[assignment]
    assert verified(served.data / "replay.json", pages) == 1
    if len(pages) > 1:
        pages[0].deal_seed = bytes(32)
        with pytest.raises(_core.Malformed):
            _core.verify([page.SerializeToString() for page in pages])
    for page in pages:
        page.deal_seed = bytes(32)
    assert _core.verify([page.SerializeToString() for page in pages]) != ""


async def test_answers_tell_what_the_stream_tells(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    watchers = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
    async with watchers[0].watching(0), watchers[1].watching(0):
        for watcher in watchers:
            await watcher.until(lambda watcher=watcher: watcher.sequence == match.sequence)  # type: ignore[misc]
        play = Play(watchers, 7)
        for _ in range(30):
            assert await play.step()
    for client, _, answer in play.acknowledged:
        events = watchers[0].events if client.name == "alice" else watchers[1].events
        for event in answer.events:
            assert event.SerializeToString(deterministic=True) == events[event.sequence]
        assert answer.sequence == answer.events[-1].sequence


async def test_a_player_may_leave_after_every_event_and_come_back(served: Served) -> None:
    """The whole time one stream is open; another opens and closes after every action, where it had left."""
    match = await served.matchmaker.create_match(**two_players())
    steady = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
    restless = Watcher(served.player("alice").with_metadata(("device-id", "phone")), match.match_id)
    async with steady[0].watching(0), steady[1].watching(0):
        for watcher in steady:
            await watcher.until(lambda watcher=watcher: watcher.sequence == match.sequence)  # type: ignore[misc]
        play = Play(steady, 11)
        for _ in range(60):
            async with restless.watching(restless.sequence):
                await restless.until(lambda: restless.sequence == steady[0].sequence)
            if not await play.step():
                break
        async with restless.watching(restless.sequence):
            await restless.until(lambda: restless.sequence == steady[0].sequence)
        assert restless.events == steady[0].events


async def test_a_gap_that_is_too_long_takes_a_snapshot(serve: Serve) -> None:
    async with serve(max_gap=5) as served:
        match = await served.matchmaker.create_match(**two_players())
        watchers = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
        async with watchers[0].watching(), watchers[1].watching():
            play = Play(watchers, 3)
            for _ in range(10):
                assert await play.step()
        late = Watcher(served.player("alice"), match.match_id)
        async with late.watching(0):
            assert late.first is not None
            assert late.first.WhichOneof("body") == "snapshot"
            assert late.sequence == watchers[0].sequence


async def test_one_who_is_up_to_date_hears_so_at_once(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    watcher = Watcher(served.player("alice"), match.match_id)
    async with watcher.watching(match.sequence):
        assert watcher.first is not None
        assert watcher.first.sequence == match.sequence
        assert not watcher.events


async def test_an_idle_stream_shows_that_it_lives(serve: Serve) -> None:
    async with serve(heartbeat_seconds=0.05) as served:
        match = await served.matchmaker.create_match(**two_players())
        beats = 0
        async for update in served.player("alice").watch(match.match_id):
            if update.WhichOneof("body") == "heartbeat":
                assert update.sequence == match.sequence
                assert update.HasField("server_time")
                beats += 1
            if beats == 2:
                break


async def test_presence_follows_the_streams(prompt: Served) -> None:
    match = await prompt.matchmaker.create_match(**two_players())
    alice, badr = (Watcher(prompt.player(name), match.match_id) for name in ("alice", "badr"))
    async with alice.watching():
        await alice.until(lambda: alice.presence == {0: True, 1: False})
        async with badr.watching():
            await badr.until(lambda: badr.presence == {0: True, 1: True})
            await alice.until(lambda: alice.presence[1])
            seats = (await prompt.player("carim").get_match(match.match_id)).match.seats
            assert [seat.connected for seat in seats] == [True, True]
        await alice.until(lambda: not alice.presence[1])


async def test_who_comes_back_in_time_was_never_away(serve: Serve) -> None:
    """On another connection, as a phone in another network; the grace is longer than this test."""
    async with serve(presence_grace_seconds=300) as served:
        match = await served.matchmaker.create_match(**two_players())
        alice, badr = (Watcher(served.player(name), match.match_id) for name in ("alice", "badr"))
        async with alice.watching():
            for _ in range(3):
                async with (
                    grpc.aio.insecure_channel(str(served.listen), [("grpc.use_local_subchannel_pool", 1)]) as channel,
                    Watcher(Client(channel, "badr", *badr.client.metadata), match.match_id).watching() as again,
                ):
                    await again.until(lambda again=again: again.presence == {0: True, 1: True})  # type: ignore[misc]
            head = (await badr.client.submit(match.match_id, resign={})).sequence
            await alice.until(lambda: alice.sequence == head)
            assert alice.comings == [(0, True), (1, False), (1, True)]


async def test_a_device_has_one_stream(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    phone = served.player("alice").with_metadata(("device-id", "phone"))
    old, new = Watcher(phone, match.match_id), Watcher(phone, match.match_id)
    async with old.watching(), new.watching():
        with refused("STREAM_REPLACED"):
            await old.until(lambda: False)
        await new.until(lambda: new.presence == {0: True, 1: False})


class TestSpectators:
    @pytest.mark.parametrize("on_session", [False, True])
    async def test_are_not_in_each_others_way(self, served: Served, on_session: bool) -> None:
        match = await served.matchmaker.create_match(**two_players())
        names = ["alice", *(f"spectator {number}" for number in range(20))]
        clients = [served.player(name, Role.SPECTATOR).with_metadata(("device-id", "tv")) for name in names]
        clients.append(served.player("alice").with_metadata(("device-id", "tv")))
        async with contextlib.AsyncExitStack() as stack:
            if on_session:
                sessions = [await stack.enter_async_context(Session(client)) for client in clients]
                updates = [session.watch(match.match_id) for session in sessions]
            else:
                updates = [aiter(client.watch(match.match_id)) for client in clients]
            for one in updates:
                assert (await anext(one)).HasField("snapshot")
            await served.player("alice").submit(match.match_id, resign={})
            for one in updates:
                async with asyncio.timeout(PATIENCE):
                    while not any(event.HasField("match_ended") for event in (await anext(one)).events.events):
                        pass

    async def test_see_every_number_and_no_hand(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        watchers = [
            Watcher(client, match.match_id)
            for client in (served.player("alice"), served.player("badr"), served.player("carim", Role.SPECTATOR))
        ]
        async with watchers[0].watching(0), watchers[1].watching(0), watchers[2].watching(0):
            for watcher in watchers:
                await watcher.until(lambda watcher=watcher: watcher.sequence == match.sequence)  # type: ignore[misc]
            play = Play(watchers, 5)
            await play.to_the_end()
        spectator = watchers[2]
        assert sorted(spectator.events) == sorted(watchers[0].events)
        assert not spectator.legal

    async def test_play_no_part(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        stranger = served.player("carim")
        seen = await stranger.get_match(match.match_id)
        assert seen.HasField("view")
        assert not seen.HasField("legal_actions")
        async with Watcher(stranger, match.match_id).watching() as watcher:
            assert watcher.first is not None
            assert not watcher.first.snapshot.HasField("viewer_seat")
            await watcher.until(lambda: watcher.presence == {0: False, 1: False})


async def test_legal_actions_are_shown_where_the_room_asks_for_it(served: Served) -> None:
    quiet = await served.matchmaker.create_match(
        **two_players(options=match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions()))
    )
    shown = await served.matchmaker.create_match(**two_players())
    for match, expected in ((quiet, False), (shown, True)):
        seen = [await served.player(name).get_match(match.match_id) for name in ("alice", "badr")]
        turn_seat = seen[0].view.tonj.turn_seat
        assert bool(seen[turn_seat].legal_actions.tonj) == expected
        assert not seen[1 - turn_seat].legal_actions.tonj


async def test_views_of_the_same_state_have_the_same_digest_wherever_they_come_from(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    alice = served.player("alice")
    seen = await alice.get_match(match.match_id)
    async with Watcher(alice, match.match_id).watching() as watcher:
        assert watcher.first is not None
        assert watcher.first.snapshot.view_digest == seen.view_digest
        assert same(watcher.first.snapshot.view, seen.view)


def same(one: message.Message, other: message.Message) -> bool:
    return one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)


async def test_a_match_is_played_on_after_the_server_was_started_again(serve: Serve) -> None:
    async with serve() as served:
        match = await served.matchmaker.create_match(**two_players())
        watchers = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
        async with watchers[0].watching(0), watchers[1].watching(0):
            for watcher in watchers:
                await watcher.until(lambda watcher=watcher: watcher.sequence == match.sequence)  # type: ignore[misc]
            play = Play(watchers, 13)
            for _ in range(15):
                assert await play.step()
        before = {name: await served.player(name).get_match(match.match_id) for name in ("alice", "badr")}
    async with serve() as served:
        for watcher in watchers:
            name = watcher.client.name
            after = await served.player(name).get_match(match.match_id)
            assert same(after.view, before[name].view)
            watcher.client = served.player(name)
        async with watchers[0].watching(watchers[0].sequence), watchers[1].watching(watchers[1].sequence):
            for watcher in watchers:
                await watcher.until(lambda watcher=watcher: watcher.sequence >= after.match.sequence)  # type: ignore[misc]
            await play.to_the_end()
        ended = await served.player("alice").get_match(match.match_id)
        assert ended.match.status == match_pb2.MATCH_STATUS_ENDED


async def test_a_match_is_opened_with_the_key_that_sealed_it_and_with_no_other(serve: Serve) -> None:
    old, new = {"k1": "11" * 32}, {"k2": "22" * 32}
    async with serve(seal_keys=old) as served:
        match = await served.matchmaker.create_match(**two_players())
        before = await served.player("alice").get_match(match.match_id)
    for keys in ({}, new, {"k1": "33" * 32}):
        async with serve(seal_keys=keys) as served:
            with refused("MATCH_DAMAGED") as told:
                await served.player("alice").get_match(match.match_id)
            assert told.code is grpc.StatusCode.DATA_LOSS
    async with serve(seal_keys=new | old, seal_with="k2") as served:
        after = await served.player("alice").get_match(match.match_id)
        # Not the digest: a long way between the servers gives time back, which is an event.
        assert after.view == before.view
        assert (await served.player("alice").submit(match.match_id, resign={})).sequence > match.sequence
