"""Play sessions over the wire: whole matches beside callers and watchers, refusals, repeats, order, and every end.

A whole match of Trix on sessions, and what nobody may be told in it, is in `recording` and the tests that look at it.
What takes a store or a client that hangs is in test_session_faults.py.
"""

import asyncio
import contextlib
from typing import Any

import grpc
import pytest

from majlis.api import dev_identity
from majlis.api.caller import Role
from majlis.v1 import match_pb2, tonj_pb2
from majlis.v1 import match_service_pb2 as messages
from tests.api import tonj_house
from tests.api.clients import PATIENCE, Client, Play, Watcher, new_id, submitted, two_players
from tests.api.follower import Follower
from tests.api.refused import refused
from tests.api.serving import Serve, Served
from tests.api.session_client import Session

REVEAL = {"tonj": tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())}
RESIGN = messages.Resign()
SECOND = 1 / 3600
"""In hours."""


async def made(served: Served, **fields: Any) -> str:
    return (await served.matchmaker.create_match(**two_players(**fields))).match_id


async def mover(served: Served, match_id: str) -> tuple[Client, messages.GetMatchResponse]:
    """Who may act, and what he sees."""
    for name in ("alice", "badr"):
        client = served.player(name)
        seen = await client.get_match(match_id)
        if seen.legal_actions.tonj:
            return client, seen
    raise AssertionError("nobody may act")


@pytest.mark.parametrize("asked", [two_players, tonj_house.staked])
@pytest.mark.parametrize("seed", range(2))
async def test_a_match_is_played_to_its_end_on_sessions_beside_streams(serve: Serve, asked: Any, seed: int) -> None:
    """Each follows by events and compares every digest; what one is told the other is told."""
    async with serve(max_gap=100_000) as served:
        match = await served.matchmaker.create_match(**asked())
        alice, badr = served.player("alice"), served.player("badr")
        async with Session(alice) as session, Session(served.player("zahra", Role.SPECTATOR)) as looking_on:
            followers = [Follower(one, match.match_id) for one in (session, badr, looking_on)]
            async with followers[0].watching(0), followers[1].watching(0), followers[2].watching(0):
                play = Play(followers, seed)
                await play.all_at(match.sequence)
                assert await play.to_the_end() > 20
                for follower in followers:
                    await follower.until(lambda follower=follower: isinstance(follower.ended, EOFError))  # type: ignore[misc]
            assert session.watch_ends(match.match_id) == [""]
            assert is_in_order(session, match.match_id)
        ended = await alice.get_match(match.match_id)
        assert ended.match.status == match_pb2.MATCH_STATUS_ENDED
        for follower in followers:
            assert sorted(follower.events) == list(range(1, ended.match.sequence + 1))
            assert follower.picture.digest() == ended.view_digest
        assert followers[0].events == followers[1].events == followers[2].events


async def test_one_session_plays_many_matches_at_once(served: Served) -> None:
    async with Session(served.player("alice")) as alice, Session(served.player("badr")) as badr:

        async def played(seed: int) -> int:
            match_id = await made(served)
            watchers = [Watcher(alice, match_id), Watcher(badr, match_id)]
            async with watchers[0].watching(0), watchers[1].watching(0):
                await watchers[1].until(lambda: watchers[1].sequence > 0)
                await watchers[0].until(lambda: watchers[0].sequence == watchers[1].sequence)
                play = Play(watchers, seed)
                for _ in range(30):
                    assert await play.step()
            assert is_in_order(alice, match_id)
            assert is_in_order(badr, match_id)
            return len(watchers[0].events)

        assert min(await asyncio.gather(*(played(seed) for seed in range(12)))) > 30


def is_in_order(session: Session, match_id: str) -> bool:
    """Whether each answer came behind the update that tells the same."""
    head = 0
    for item in session.about(match_id):
        if item.answer.accepted.sequence > head:
            return False
        head = max(head, item.update.sequence)
    return head > 0


class TestRefusals:
    """Each is what the unary call says: code, reason, sentence and sequence, in the caller's language."""

    @pytest.mark.parametrize("language", ["en", "ar"])
    async def test_of_actions(self, served: Served, language: str) -> None:
        match_id, over = await made(served), await made(served)
        await served.player("badr").submit(over, resign={})
        alice, seen = await mover(served, match_id)
        other = served.player("badr" if alice.name == "alice" else "alice")
        reused = new_id()
        await alice.submit(match_id, request_id=reused, **submitted(seen.legal_actions.tonj[0]))
        head = (await alice.get_match(match_id)).match.sequence
        reasons = set()
        for client, where, fields in (
            (served.player("carim"), match_id, {"resign": {}}),
            (served.player("alice", Role.SPECTATOR), match_id, {"resign": {}}),
            (alice, "nowhere", {"resign": {}}),
            (alice, over, {"resign": {}}),
            (alice, match_id, {"expected_sequence": head - 1, "resign": {}}),
            (alice, match_id, {"expected_sequence": head + 1, "resign": {}}),
            (alice, match_id, {"request_id": reused, "resign": {}}),
            (alice, match_id, {"request_id": "r" * 65, "resign": {}}),
            (alice, match_id, {}),
            (alice, "", {"request_id": "", "resign": {}}),
            (alice, "m" * 65, {"resign": {}}),
            (other, match_id, REVEAL),
            (alice, match_id, {"trix": {"pass": {}}}),
        ):
            caller = client.with_metadata(("accept-language", language))
            with refused() as called:
                await caller.submit(where, **fields)
            async with Session(caller) as session:
                with refused() as told:
                    await session.submit(where, **fields)
            assert told.refusal == called.refusal
            reasons.add(told.reason)
        assert reasons >= {
            *("NOT_SEATED", "ROLE_REQUIRED", "MATCH_NOT_FOUND", "MATCH_OVER", "STALE_SEQUENCE", "AHEAD_OF_HEAD"),
            *("REQUEST_ID_REUSED", "MALFORMED_REQUEST"),
        }
        assert (await alice.get_match(match_id)).match.sequence == head

    async def test_of_watches(self, served: Served) -> None:
        match_id = await made(served)
        hidden = await made(served, visibility=match_pb2.VISIBILITY_SEATED)
        for name, where, after in (
            ("carim", hidden, None),
            ("alice", "nowhere", None),
            ("alice", match_id, 1_000),
            ("alice", "m" * 65, None),
        ):
            caller = served.player(name).with_metadata(("accept-language", "ar"))
            with refused() as called:
                await caller.watch(where, after).read()
            async with Session(caller) as session:
                with refused() as told:
                    await anext(session.watch(where, after))
                assert session.ended is None
            assert told.refusal == called.refusal

    async def test_tell_developers_which_fields_are_wrong(self, served: Served) -> None:
        async with Session(served.player("alice")) as session:
            with refused("MALFORMED_REQUEST") as told:
                await session.submit(await made(served), request_id="r" * 65)
        assert "request_id" in told.refusal.message
        assert "action" in told.refusal.message

    async def test_of_the_whole_session(self, serve: Serve) -> None:
        async with serve(max_streams_per_player=1) as served:
            alice = served.player("alice")
            async with Session(alice) as session:
                await anext(session.watch(await made(served)))
                async with Session(alice) as too_many:
                    with refused("OVERLOADED"):
                        await too_many.end()
            async with Session(alice.with_metadata(("device-id", "d" * 65))) as nameless:
                with refused("MALFORMED_REQUEST"):
                    await nameless.end()
            async with Session(served.player("lobby", Role.MATCHMAKER)) as matchmaker:
                with refused("ROLE_REQUIRED"):
                    await matchmaker.end()

    @pytest.mark.parametrize("said", [b"", b"\xff\xff\xff", b"\x0a\x05ab", b"\xfa\x01\x01x"])
    async def test_what_is_no_request_ends_the_session_behind_what_was_answered(
        self, served: Served, said: bytes
    ) -> None:
        match_id = await made(served)
        alice = served.player("alice")
        speak: Any = served.channel.stream_stream("/majlis.v1.MatchService/PlaySession")
        call = speak(metadata=alice.metadata)
        submit = messages.SubmitActionRequest(match_id=match_id, request_id="r", expected_sequence=1_000, resign=RESIGN)
        await call.write(messages.PlaySessionRequest(submit=submit).SerializeToString())
        response = messages.PlaySessionResponse.FromString(await call.read())
        assert response.items[0].answer.refused.reason == "AHEAD_OF_HEAD"
        await call.write(said)
        with refused("MALFORMED_REQUEST"):
            await call.read()


class TestRepeats:
    async def test_are_answered_alike_on_a_session_by_a_call_and_after_a_restart(self, serve: Serve) -> None:
        async with serve() as served:
            match_id = await made(served)
            client, seen = await mover(served, match_id)
            asked = {"expected_sequence": seen.match.sequence, **submitted(seen.legal_actions.tonj[0])}
            async with Session(client) as session:
                first = await session.submit(match_id, request_id="a", **asked)
                assert await session.submit(match_id, request_id="a", **asked) == first
                assert await client.submit(match_id, request_id="a", **asked) == first
            called = await client.submit(match_id, request_id="b", resign={})
            async with Session(client) as session:
                assert await session.submit(match_id, request_id="b", resign={}) == called
        async with serve() as served, Session(served.player(client.name)) as session:
            assert await session.submit(match_id, request_id="a", **asked) == first
            assert await session.submit(match_id, request_id="b", resign={}) == called


async def test_a_hundred_actions_are_taken_in_the_order_in_which_they_were_sent(served: Served) -> None:
    """Nothing is waited for: each is judged on what the ones before it left."""
    match_id, another = await made(served), await made(served)
    client, seen = await mover(served, match_id)
    head, action = seen.match.sequence, submitted(seen.legal_actions.tonj[0])
    async with Session(client) as session:

        async def submit(where: str, request_id: str, **fields: Any) -> None:
            await session.send(submit=messages.SubmitActionRequest(match_id=where, request_id=request_id, **fields))

        await submit(match_id, "0", expected_sequence=head, **action)
        for number in range(1, 98):
            await submit(match_id, str(number), expected_sequence=head, **action)
        await submit(another, "another", resign={})
        await submit(match_id, "98", resign={})
        await submit(match_id, "99", resign={})
        await session.done_writing()
        await session.end()
        answers = session.answers(match_id)
        assert [answer.request_id for answer in answers] == [str(number) for number in range(100)]
        first = answers[0].accepted.sequence
        assert first > head
        assert {(one.refused.reason, one.refused.sequence) for one in answers[1:98]} == {("STALE_SEQUENCE", first)}
        assert answers[98].accepted.sequence > first
        assert answers[99].refused.reason == "MATCH_OVER"
        assert session.answers(another)[0].HasField("accepted")


class TestWatches:
    async def test_end_when_they_are_told_to(self, prompt: Served) -> None:
        match_id = await made(prompt)
        async with Session(prompt.player("alice")) as alice, Session(prompt.player("badr")) as badr:
            await anext(alice.watch(match_id))
            await anext(badr.watch(match_id))
            await badr.until(lambda: presence(badr, match_id)[-2:] == [(0, True), (1, True)])
            await alice.send(unwatch_match_id=match_id)
            await alice.send(unwatch_match_id="nothing of the kind")
            await badr.until(lambda: presence(badr, match_id)[-1] == (0, False))
            told = len(alice.about(match_id))
            await badr.submit(match_id, resign={})
            await badr.until(lambda: badr.watch_ends(match_id) == [""])
            assert not alice.watch_ends(match_id)
            with refused("MATCH_OVER"):
                await alice.submit(match_id, resign={})
            assert len(alice.about(match_id)) == told + 1

    @pytest.mark.parametrize("device", [(), (("device-id", "phone"),)])
    async def test_of_the_same_match_replace_each_other_unseen(self, prompt: Served, device: Any) -> None:
        match_id = await made(prompt)
        async with (
            Session(prompt.player("badr")) as badr,
            Session(prompt.player("alice").with_metadata(*device)) as alice,
        ):
            await anext(badr.watch(match_id))
            for after in (None, 0, None):
                await anext(alice.watch(match_id, after))
            with refused("AHEAD_OF_HEAD"):
                await anext(alice.watch(match_id, 1_000))
            await badr.until(lambda: presence(badr, match_id)[-1] == (0, False))
            assert presence(badr, match_id) == [(0, False), (1, True), (0, True), (0, False)]
            assert alice.watch_ends(match_id) == ["AHEAD_OF_HEAD"]

    async def test_watched_again_take_no_place_from_the_players_other_sessions(self, served: Served) -> None:
        match_id = await made(served)
        async with contextlib.AsyncExitStack() as stack:
            several = [await stack.enter_async_context(Session(served.player("alice"))) for _ in range(8)]
            for session in [*several, several[-1], several[3]]:
                await anext(session.watch(match_id))
            await served.player("badr").submit(match_id, resign={})
            for session in several:
                await session.until(lambda session=session: bool(session.watch_ends(match_id)))  # type: ignore[misc]
                assert session.watch_ends(match_id) == [""]

    async def test_of_one_device_replace_each_other_on_sessions_and_streams(self, served: Served) -> None:
        match_id = await made(served)
        phone = served.player("alice").with_metadata(("device-id", "phone"))
        async with Session(phone) as session:
            await anext(session.watch(match_id))
            stream = aiter(phone.watch(match_id))
            await anext(stream)
            await session.until(lambda: session.watch_ends(match_id) == ["STREAM_REPLACED"])
            await anext(session.watch(match_id))
            with refused("STREAM_REPLACED"):
                async for _ in stream:
                    pass
            async with Session(phone) as other:
                await anext(other.watch(match_id))
                await session.until(lambda: session.watch_ends(match_id) == ["STREAM_REPLACED"] * 2)
                await other.submit(match_id, resign={})
                await other.until(lambda: other.watch_ends(match_id) == [""])
            with refused("MATCH_OVER"):
                await session.submit(match_id, resign={})

    async def test_may_stay_for_a_rematch(self, served: Served) -> None:
        match_id = await made(served)
        async with Session(served.player("alice")) as alice:
            await alice.send(watch=messages.WatchMatchRequest(match_id=match_id, await_rematch=True))
            await alice.submit(match_id, resign={})
            rematch = await served.player("badr").rematch(match_id)
            await alice.until(
                lambda: any(
                    item.update.notice.rematch_id == rematch.match_id
                    for item in alice.about(match_id)
                    if item.HasField("update")
                )
            )
            assert not alice.watch_ends(match_id)

    async def test_are_bounded(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("majlis.api.session.WATCHES", 2)
        ids = [await made(served) for _ in range(4)]
        async with Session(served.player("alice")) as session:
            for match_id in ids:
                await session.send(watch=messages.WatchMatchRequest(match_id=match_id))
            await session.until(lambda: all(session.about(match_id) for match_id in ids))
            ends = [session.watch_ends(match_id) for match_id in ids]
            assert sorted(ends) == [[], [], ["OVERLOADED"], ["OVERLOADED"]]
            await session.send(unwatch_match_id=ids[ends.index([])])
            await anext(session.watch(ids[ends.index(["OVERLOADED"])]))

    async def test_of_spectators_tell_no_seat_and_take_no_part(self, served: Served) -> None:
        match_id = await made(served)
        async with Session(served.player("zahra", Role.SPECTATOR)) as session:
            first = await anext(session.watch(match_id))
            assert not first.snapshot.HasField("viewer_seat")
            assert not first.snapshot.HasField("legal_actions")
            with refused("ROLE_REQUIRED"):
                await session.submit(match_id, resign={})


def presence(session: Session, match_id: str) -> list[tuple[int, bool]]:
    """Of whom a watch was told that he came or went."""
    notices = [item.update.notice for item in session.about(match_id) if item.update.HasField("notice")]
    return [(one.presence.seat, one.presence.connected) for one in notices if one.HasField("presence")]


class TestEnds:
    async def test_a_client_that_closes_its_side_is_told_what_became_of_all(self, prompt: Served) -> None:
        match_id = await made(prompt)
        async with Session(prompt.player("alice")) as session:
            await session.send(watch=messages.WatchMatchRequest(match_id=match_id))
            await session.send(submit=messages.SubmitActionRequest(match_id=match_id, request_id="r", resign=RESIGN))
            await session.done_writing()
            await session.end()
            assert session.answers(match_id)[0].HasField("accepted")
        seats = (await prompt.player("badr").get_match(match_id)).match.seats
        assert not any(seat.connected for seat in seats)

    async def test_one_that_goes_leaves_nothing_behind(self, prompt: Served) -> None:
        match_id = await made(prompt)
        async with Watcher(prompt.player("badr"), match_id).watching() as badr:
            async with Session(prompt.player("alice")) as session:
                await anext(session.watch(match_id))
                await badr.until(lambda: badr.presence[0])
            await badr.until(lambda: not badr.presence[0])

    async def test_the_token_is_over(self, served: Served) -> None:
        match_id = await made(served)
        async with Session(served.player("alice", hours=2 * SECOND)) as session:
            await anext(session.watch(match_id))
            with refused("TOKEN_EXPIRED"):
                await session.end()

    async def test_a_fresh_token_takes_its_place(self, served: Served) -> None:
        match_id = await made(served)
        async with Session(served.player("alice", hours=2 * SECOND)) as session:
            await anext(session.watch(match_id))
            await session.send(token=dev_identity.token(served.data, "alice", Role.PLAYER, 4 * SECOND))
            await asyncio.sleep(2.5)
            with refused("AHEAD_OF_HEAD"):
                await session.submit(match_id, expected_sequence=1_000, resign={})
            with refused("TOKEN_EXPIRED"):
                await session.end()

    @pytest.mark.parametrize(
        ("subject", "role", "hours", "reason"),
        [
            ("badr", Role.PLAYER, 1.0, "TOKEN_INVALID"),
            ("alice", Role.SPECTATOR, 1.0, "TOKEN_INVALID"),
            ("alice", Role.PLAYER, -1.0, "TOKEN_EXPIRED"),
        ],
    )
    async def test_a_token_of_another_or_an_old_one(
        self, served: Served, subject: str, role: Role, hours: float, reason: str
    ) -> None:
        async with Session(served.player("alice")) as session:
            await session.send(token=dev_identity.token(served.data, subject, role, hours))
            with refused(reason):
                await session.end()

    async def test_what_is_no_token(self, served: Served) -> None:
        async with Session(served.player("alice")) as session:
            await session.send(token="no token")
            with refused("TOKEN_INVALID"):
                await session.end()

    async def test_the_server_stops(self, serve: Serve) -> None:
        async with contextlib.AsyncExitStack() as outlasting:
            async with serve() as served:
                match_id = await made(served)
                own = await outlasting.enter_async_context(small_channel(served))
                alice = Client(own, "alice", *served.player("alice").metadata)
                session = await outlasting.enter_async_context(Session(alice))
                await anext(session.watch(match_id))
            with refused("DRAINING"):
                await session.end()
            notices = [item.update.notice for item in session.about(match_id) if item.update.HasField("notice")]
            assert any(notice.HasField("drain") for notice in notices)
            assert session.watch_ends(match_id) == ["DRAINING"]

    async def test_nothing_was_read_for_too_long(self, serve: Serve) -> None:
        """The client submits on and on; its session must give back its place among the streams."""
        async with serve(stall_seconds=0.3, max_streams_per_player=1) as served:
            alice = served.player("alice")
            submit = messages.SubmitActionRequest(match_id=await made(served), request_id="r", resign=RESIGN)
            submit.expected_sequence = 9_999
            request = messages.PlaySessionRequest(submit=submit).SerializeToString()
            async with small_channel(served) as own:
                speak: Any = own.stream_stream("/majlis.v1.MatchService/PlaySession")
                deaf = speak(metadata=alice.metadata)

                async def flood() -> None:
                    while True:
                        await deaf.write(request)

                flooding = asyncio.create_task(flood())
                async with asyncio.timeout(PATIENCE):
                    while not await may_open(alice):  # noqa: ASYNC110 — the server is asked, not waited for
                        await asyncio.sleep(0.1)
                deaf.cancel()
                flooding.cancel()
                await asyncio.wait([flooding])


async def may_open(client: Client) -> bool:
    """Whether there is room for another session."""
    async with Session(client) as session:
        await session.done_writing()
        try:
            await session.end()
        except grpc.aio.AioRpcError:
            return False
        return True


def small_channel(served: Served) -> grpc.aio.Channel:
    """A connection of its own that takes in little of what its user does not read."""
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 50_000)]
    return grpc.aio.insecure_channel(str(served.listen), options=[*options, ("grpc.http2.bdp_probe", 0)])
