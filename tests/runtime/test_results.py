"""Results for consumers: told once, in one order, each with the match as it was then, from any cursor on."""

import asyncio
import collections

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime import pages, results
from majlis.runtime.asked import Asked
from majlis.runtime.lobby import Opening
from majlis.runtime.results import Told
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2
from tests.runtime import room, tonj
from tests.runtime.consumer import PATIENCE, Watching, match_of, read, reading, take
from tests.runtime.room import RESIGN, Clock, Match
from tests.runtime.tonj import PLAYERS

WAITING, ACTIVE, ENDED = match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_ACTIVE, match_pb2.MATCH_STATUS_ENDED


def summary(told: list[Told]) -> list[tuple[str, str, int]]:
    """Which match, what, and the status that was told with it."""
    return [(match_of(one).external_id, one.kind, match_of(one).status) for one in told]


async def staked(runtime: Runtime, clock: Clock, external_id: str) -> Match:
    """A match that waits for its fees."""
    options = match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(entry_fee_minor=500))
    players = [matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS]
    asked = matchmaking_service_pb2.CreateMatchRequest(
        external_id=external_id, game=match_pb2.GAME_TONJ_HOUSE, options=options, players=players
    )
    return await room.seated(runtime, clock, asked)


async def pay(match: Match) -> list[bytes]:
    """Confirms all fees; the match after each."""
    confirm = match.runtime.lobby.confirm_stake
    return [await confirm(match.match_id, one, f"p {one}", match.clock.now_ms) for one in match.players]


async def seen(match: Match) -> match_pb2.Match:
    return (await match.state()).match


async def test_each_result_comes_in_order_with_the_match_as_it_was_then(runtime: Runtime, clock: Clock) -> None:
    then: dict[tuple[str, str], match_pb2.Match] = {}
    matches = []
    for name in ("a", "b", "c"):
        match = await staked(runtime, clock, name)
        matches.append(match)
        then[name, "seated"] = await seen(match)
        clock.now_ms += 1
    order = [(name, "seated", WAITING) for name in ("a", "b", "c")]
    for match in (matches[1], matches[0]):
        clock.now_ms += 1
        await pay(match)
        now = await seen(match)
        then[now.external_id, "started"] = now
        order.append((now.external_id, "started", ACTIVE))
    clock.now_ms += 1
    await matches[1].submit(PLAYERS[0], RESIGN)
    then["b", "ended"] = await seen(matches[1])
    order.append(("b", "ended", ENDED))
    # All of it is read when it is long past.
    told = await read(runtime, len(order))
    assert summary(told) == order
    assert {(match_of(one).external_id, one.kind): match_of(one) for one in told} == then
    assert [match_of(one).sequence for one in told if match_of(one).external_id == "b"] == sorted(
        {then["b", kind].sequence for kind in ("seated", "started", "ended")}
    )
    assert then["b", "ended"].outcome.settlement.payout_minor == [0, 1000]


async def test_who_waits_is_told_at_once(runtime: Runtime, clock: Clock) -> None:
    async with reading(runtime) as feed:
        for number in range(3):
            waiting = asyncio.ensure_future(take(feed, 2))
            await asyncio.sleep(0)
            match = await tonj.found(runtime, clock, str(number))
            assert summary(await waiting) == [(str(number), "seated", ACTIVE), (str(number), "started", ACTIVE)]
            waiting = asyncio.ensure_future(take(feed, 1))
            await match.move()
            await match.submit(PLAYERS[0], RESIGN)
            (ended,) = await waiting
            assert (ended.kind, match_of(ended).sequence) == ("ended", await match.head())


@pytest.mark.parametrize("happening", ["a result", "the end"])
async def test_what_happens_while_a_reader_looks_for_more_does_not_pass_it_by(
    runtime: Runtime, store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, happening: str
) -> None:
    look, looked, go = store.results, asyncio.Event(), asyncio.Event()

    async def slow(after: int, limit: int) -> list[protocol.Result]:
        found = await look(after, limit)
        looked.set()
        await go.wait()
        return found

    async with reading(runtime) as feed:
        monkeypatch.setattr(store, "results", slow)
        waiting = asyncio.ensure_future(take(feed, 2))
        await looked.wait()
        if happening == "a result":
            await tonj.found(runtime, clock)
            async with asyncio.timeout(PATIENCE):
                while not await look(0, 1):  # noqa: ASYNC110 -- it is placed in the background
                    await asyncio.sleep(0.001)
            await asyncio.sleep(0.001)  # and the readers are woken
            go.set()
            assert len(await waiting) == 2
        else:
            for end in runtime.ends():
                end()
            go.set()
            assert (await room.refused(waiting)).reason == "DRAINING"


async def test_moves_ask_nothing_of_the_publisher(
    runtime: Runtime, store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await tonj.found(runtime, clock)
    await read(runtime, 2)
    asked = collections.Counter[str]()
    publish = store.publish

    async def counted(limit: int) -> int:
        asked["publish"] += 1
        return await publish(limit)

    monkeypatch.setattr(store, "publish", counted)
    for _ in range(5):
        await match.move()
    await asyncio.sleep(0.01)
    assert not asked
    await match.submit(PLAYERS[0], RESIGN)
    await read(runtime, 3)
    assert asked


async def test_a_consumer_goes_on_after_any_cursor(runtime: Runtime, clock: Clock) -> None:
    for number in range(3):
        await (await tonj.found(runtime, clock, str(number))).submit(PLAYERS[0], RESIGN)
        clock.now_ms += 1
    told = await read(runtime, 9)
    assert [one.kind for one in told] == ["seated", "started", "ended"] * 3
    assert len({one.cursor for one in told}) == 9
    for behind in range(1, 9):
        assert await read(runtime, 9 - behind, after=told[behind - 1].cursor) == told[behind:]


async def test_without_a_cursor_a_consumer_begins_after_what_it_acknowledged(runtime: Runtime, clock: Clock) -> None:
    for number in range(3):
        await tonj.found(runtime, clock, str(number))
        clock.now_ms += 1
    told = await read(runtime, 6)
    for said, place in ((2, 2), (2, 2), (0, 2), (3, 3), (2, 3)):
        await runtime.results.acknowledge("wallet", told[said].cursor)
        assert await read(runtime, 5 - place) == told[place + 1 :]
        assert await read(runtime, 6, consumer="matchmaker") == told
    # What it has acknowledged it can still ask for.
    assert await read(runtime, 5, after=told[0].cursor) == told[1:]


@pytest.mark.parametrize("cursor", ["nonsense", "!", "MA", "MR", "MDE", "MSAyIDM", "LTE", "MQ==", "a" * 10_000])
async def test_a_cursor_that_we_never_gave_is_refused(runtime: Runtime, match: Match, cursor: str) -> None:
    await read(runtime, 2)
    no = await room.refused(runtime.results.watch("wallet", cursor))
    assert (no.reason, [path for path, _ in no.fields]) == ("MALFORMED_REQUEST", ["after_cursor"])
    no = await room.refused(runtime.results.acknowledge("wallet", cursor))
    assert (no.reason, [path for path, _ in no.fields]) == ("MALFORMED_REQUEST", ["cursor"])


async def test_a_cursor_beyond_the_last_result_is_refused(runtime: Runtime, match: Match) -> None:
    (_, last) = await read(runtime, 2)
    assert last.cursor == pages.token(2)
    for ahead in (3, 10**17):
        for asked in (
            runtime.results.watch("wallet", pages.token(ahead)),
            runtime.results.acknowledge("wallet", pages.token(ahead)),
        ):
            assert (await room.refused(asked)).reason == "CURSOR_AHEAD"
    assert await read(runtime, 2)  # nothing was acknowledged
    await runtime.results.acknowledge("wallet", last.cursor)
    assert (await room.refused(runtime.results.acknowledge("wallet", ""))).reason == "MALFORMED_REQUEST"


async def test_two_readers_of_one_consumer_get_everything_each(runtime: Runtime, clock: Clock) -> None:
    async with reading(runtime) as one, reading(runtime) as two:
        await tonj.found(runtime, clock)
        assert await take(one, 2) == await take(two, 2)


@pytest.mark.parametrize(("page", "places"), [(1, 1), (2, 3), (64, 256)])
async def test_two_hundred_matches_at_once_are_each_told_once_to_who_reads_meanwhile(
    runtime: Runtime, clock: Clock, monkeypatch: pytest.MonkeyPatch, page: int, places: int
) -> None:
    monkeypatch.setattr(results, "PAGE", page)
    monkeypatch.setattr(results, "PLACES", places)
    names = [str(number) for number in range(200)]
    async with reading(runtime) as feed:
        making = asyncio.gather(*(tonj.found(runtime, clock, name) for name in names))
        told = []
        for _ in range(400):
            told += await take(feed, 1)
            assert len(feed._page) <= page
        made = await making
        positions = [int(pages.place(one.cursor, 1)[0]) for one in told]
        assert positions == list(range(1, 401))
        assert collections.Counter((one.match_id, one.kind) for one in told) == {
            (match.match_id, kind): 1 for match in made for kind in ("seated", "started")
        }
        # Nothing more has come than that.
        await made[0].submit(PLAYERS[0], RESIGN)
        assert [(one.match_id, one.kind) for one in await take(feed, 1)] == [(made[0].match_id, "ended")]


async def test_a_void_match_is_a_result(runtime: Runtime, clock: Clock) -> None:
    def asked(method: str) -> Asked:
        return Asked(PLAYERS[0], "", method, "r1", bytes(32), clock.now_ms)

    opening = Opening(match_pb2.GAME_TONJ, b"", match_pb2.VISIBILITY_SEATED)
    made = match_pb2.Match.FromString((await runtime.lobby.create_room(asked("CreateRoom"), opening)).match)
    await runtime.lobby.leave(asked("LeaveMatch"), made.match_id)
    (told,) = await read(runtime, 1)
    assert (told.kind, told.match_id) == ("void", made.match_id)
    assert match_of(told).status == match_pb2.MATCH_STATUS_VOID
    assert match_of(told).outcome.reason == match_pb2.END_REASON_CANCELLED


async def test_fees_that_do_not_come_make_a_void_match_with_what_was_taken(runtime: Runtime, clock: Clock) -> None:
    match = await staked(runtime, clock, "a")
    await runtime.lobby.confirm_stake(match.match_id, PLAYERS[1], "p", clock.now_ms)
    clock.now_ms += 60_001
    await room.fired(runtime)
    seated, void = await read(runtime, 2)
    assert summary([seated, void]) == [("a", "seated", WAITING), ("a", "void", match_pb2.MATCH_STATUS_VOID)]
    assert [seat.stake_confirmed for seat in match_of(seated).seats] == [False, False]
    assert match_of(void).outcome.settlement.payout_minor == [0, 500]


async def test_places_and_readers_are_counted(store: protocol.Store, clock: Clock) -> None:
    watching = Watching()
    async with room.running(store, clock, observer=watching) as runtime:
        async with reading(runtime) as feed, reading(runtime):
            await tonj.found(runtime, clock)
            await take(feed, 2)
            assert (watching.given, watching.open) == (2, 2)
            await feed.aclose()
            assert watching.open == 1
        assert watching.open == 0
        with pytest.raises(Refusal):
            await runtime.results.watch("wallet", "nonsense")
        assert watching.open == 0
