"""Several runtimes over the same logs: hidden answers that are stored at the same moment all count (X16)."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from majlis.runtime.observer import Observer
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import room, trix
from tests.runtime.room import Answer, Clock, Losses, Match
from tests.runtime.stores import Faulty
from tests.runtime.trix import PLAYERS, QUEENS, TRIX, VIEWERS, double


@contextlib.asynccontextmanager
async def replicas(
    logs: memory.Logs, clock: Clock, number: int, observer: Observer | None = None
) -> AsyncIterator[list[Runtime]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(room.running(Faulty(logs), clock, observer=observer)) for _ in range(number)
        ]


async def begun_at_all(runtimes: list[Runtime], clock: Clock, founded: protocol.Append) -> list[Match]:
    """One match, loaded everywhere."""
    match = await trix.begun(runtimes[0]._house.store, runtimes[0], clock, QUEENS, founded)
    everywhere = [match.on(runtime) for runtime in runtimes]
    for there in everywhere:
        await there.head()
    return everywhere


async def test_two_answers_at_two_replicas_at_the_same_moment_both_count(clock: Clock) -> None:
    founded, logs = await trix.dealt(trix.queens_at(3)), memory.Logs()
    async with replicas(logs, clock, 2) as runtimes:
        here, there = await begun_at_all(runtimes, clock, founded)
        head = await here.head()
        first, second, last = await trix.asked(here)
        feeds = {viewer: await there.watch(viewer, head) for viewer in VIEWERS}
        for feed in feeds.values():
            await room.waiting(feed)
        hands = dict(zip(PLAYERS, await trix.hands_of(here), strict=True))
        answers = await asyncio.gather(
            *(
                at.submit(player, double(*trix.queens(hands[player])), request_id="same", expected=head)
                for at, player in ((here, first), (there, second))
            )
        )
        assert [(answer.sequence, len(answer.events)) for answer in answers] == [(head, 0), (head, 0)]
        assert len(logs.matches[here.match_id].log) == 4
        for match in (here, there):
            assert await trix.asked(match) == [last]
            assert await match.head() == head
        # Each is told to its own player at either replica, and to nobody else.
        for viewer, feed in feeds.items():
            told = [update.notice.private_state.may_double for update in await room.waiting(feed)]
            assert told == [False] * (viewer in (first, second))
        shown = await there.submit(last, double())
        doubled = shown.events[0].trix.doubles_shown.doubled
        assert [(one.seat, one.card) for one in doubled] == [
            (PLAYERS.index(player), card)
            for player in sorted((first, second), key=PLAYERS.index)
            for card in trix.queens(hands[player])
        ]
        # A repeat of either at the other replica is the same answer.
        for at, player, answer in ((there, first, answers[0]), (here, second, answers[1])):
            mine = double(*trix.queens(hands[player]))
            assert await at.submit(player, mine, request_id="same", expected=head) == answer


async def test_four_who_answer_at_three_replicas_at_once_all_count_every_time(clock: Clock) -> None:
    chance, founded = random.Random(3), await trix.dealt(trix.queens_at(4))
    losses = Losses()
    for _ in range(50):
        logs = memory.Logs()
        async with replicas(logs, clock, 3, losses) as runtimes:
            matches = await begun_at_all(runtimes, clock, founded)
            head = await matches[0].head()
            hands = await trix.hands_of(matches[0])
            named = [[card for card in trix.queens(hand) if chance.random() < 0.7] for hand in hands]

            async def answer(seat: int, match: Match, cards: list[trix.Card], head: int, pause: int) -> Answer:
                for _ in range(pause):
                    await asyncio.sleep(0)
                return await match.submit(PLAYERS[seat], double(*cards), request_id=f"of {seat}", expected=head)

            answers = await asyncio.gather(
                *(answer(seat, chance.choice(matches), named[seat], head, chance.randrange(4)) for seat in range(4))
            )
            closing = [one for one in answers if one.events]
            (last,) = closing
            assert trix.kinds(last.events) == ["doubles_shown"]
            assert last.sequence == head + 1
            shown = [(one.seat, one.card) for one in last.events[0].trix.doubles_shown.doubled]
            assert shown == [(seat, card) for seat in range(4) for card in named[seat]]
            log = logs.matches[founded.match_id].log
            assert [one.record for one in log] == [1, 2, 3, 4, 5, 6]
            for match in matches:
                assert [(one.seat, one.card) for one in (await match.state()).view.trix.doubled] == shown
    assert losses.count > 50  # they did get in each other's way


async def test_a_seat_that_came_back_elsewhere_is_given_up_anew(clock: Clock) -> None:
    """Here it is away still, so that to give it up would be nothing: what others appended is looked at first."""
    founded, logs = await trix.dealt(), memory.Logs()
    async with replicas(logs, clock, 2) as runtimes:
        match = await trix.begun(runtimes[0]._house.store, runtimes[0], clock, trix.DIAMONDS, founded)
        here, there = [match.on(runtime) for runtime in runtimes]
        mover = await here.mover()
        card = trix.play((await here.state(mover)).view.trix.hand[0])
        await here.submit(mover, room.RESIGN)
        assert trix.kinds((await there.submit(mover, card)).events) == ["returned", "card_played"]
        assert trix.kinds((await here.submit(mover, room.RESIGN)).events) == ["resigned"]
        assert list((await there.submit(mover, room.RESIGN)).events) == []


async def test_the_only_possible_play_is_made_once_by_all_replicas_together(clock: Clock) -> None:
    logs = memory.Logs()
    async with replicas(logs, clock, 3) as runtimes:
        match = await trix.begun(runtimes[0]._house.store, runtimes[0], clock, TRIX, await trix.dealt())
        await trix.with_one_play(match)
        for runtime in runtimes:
            await match.on(runtime).head()
        head, own_ms = await match.head(), await trix.own_ms(match, await match.mover())
        assert own_ms is not None
        clock.now_ms = own_ms + 1
        for runtime in runtimes:
            runtime._timers.check()
        await asyncio.gather(*(runtime.sweep.run() for runtime in runtimes))
        for runtime in runtimes:
            await room.done(runtime, "timer")
        assert len(await trix.since(match, head)) == 1
        assert {await match.on(runtime).head() for runtime in runtimes} == {head + 1}
