"""Results for consumers: they get their places here, and each consumer reads them from its own place on.

A result is written by the append that brings it (`entry`), and may be read once it has its place, which one background
task gives. Places only grow, and whatever has one keeps it; so a consumer that goes on after the last place that it has
misses nothing and finds nothing out of order, whichever server it asks. Nothing is kept for a reader but a page of
places: it comes for each result, as slowly as it likes. What travels is the api's affair.
"""

import asyncio
import collections
import dataclasses
from collections.abc import Callable
from typing import Self

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime import pages
from majlis.runtime.entrance import Entrance
from majlis.runtime.folding import folded
from majlis.runtime.ledger import House
from majlis.store import protocol

PLACES = 256
"""Given in one transaction."""
PAGE = 64
"""Places that a reader holds."""


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """A result as a consumer gets it."""

    cursor: str
    kind: str
    """`seated`, `started`, `ended`, `void`."""
    match_id: str
    match: bytes | None
    """A `Match` as it was right after the record that brought this; nobody is shown as connected.

    None if its log cannot be read any more. That keeps nobody from all later results, and is told, so that whoever
    counts on this one knows that it has to be looked into.
    """


class Results:
    """Of one runtime."""

    def __init__(self, house: House, entrance: Entrance) -> None:
        self._house = house
        self._entrance = entrance
        self._due = asyncio.Event()
        self._feeds: set[ResultFeed] = set()

    def announce(self) -> None:
        """A result has become durable."""
        self._due.set()

    async def publish(self) -> None:
        """Gives places to all that is durable, and wakes the readers; a fault of the store is told to the observer.

        They are woken in any case: another server may have given the places, or this one's store not have said so.
        """
        try:
            placed = PLACES
            while placed == PLACES:
                placed = await self._house.store.publish(PLACES)
                if placed:
                    self._house.observer.placed(placed)
        except Exception as error:  # whatever it is, the next results are published
            self._house.observer.failed("publish", error)
        for feed in self._feeds:
            feed.wake()

    async def publications(self) -> None:
        """Publishes at once what is announced, and with each pulse what was not: another server's, or of a dead caller.

        Runs until it is cancelled.
        """
        while True:
            self._due.clear()
            await self.publish()
            try:
                async with asyncio.timeout(self._house.limits.pulse_seconds):
                    await self._due.wait()
            except TimeoutError:
                continue

    async def watch(self, consumer: str, after_cursor: str) -> "ResultFeed":
        """A feed of the results after a cursor, or after what the consumer acknowledged; whoever gets it closes it.

        Several feeds of one consumer get everything each.

        Raises:
            Refusal: DRAINING, STORE_UNAVAILABLE; MALFORMED_REQUEST for a cursor that is none, CURSOR_AHEAD for one that
                no result has yet.
        """
        with self._entrance.inside():
            if after_cursor:
                after = await self._position(after_cursor, "after_cursor")
            else:
                after = await self._house.store.acknowledged(consumer)
            feed = ResultFeed(self._house, after, self._feeds.discard)
            self._feeds.add(feed)
            self._house.observer.results_opened()
            return feed

    async def acknowledge(self, consumer: str, cursor: str) -> None:
        """A consumer has everything up to a cursor; what lies before an earlier acknowledgement changes nothing.

        Raises:
            Refusal: as `watch`.
        """
        with self._entrance.inside():
            await self._house.store.acknowledge(consumer, await self._position(cursor, "cursor"))

    @property
    def open(self) -> "list[ResultFeed]":
        """Every feed that was not closed."""
        return list(self._feeds)

    async def _position(self, cursor: str, field: str) -> int:
        """The place that a cursor names.

        Raises:
            Refusal: MALFORMED_REQUEST, CURSOR_AHEAD.
        """
        position = int(pages.place(cursor, 1, field)[0])
        if pages.token(position) != cursor or not position:
            raise pages.malformed(field)
        if not await self._house.store.results(position - 1, 1):
            raise Refusal("CURSOR_AHEAD")
        return position


class ResultFeed:
    """An asynchronous iterator of results in the order of their places, for one reader; it has no end of its own.

    A result is read from the store when the reader comes for it.
    """

    __slots__ = ("_after", "_end", "_house", "_last", "_leave", "_news", "_open", "_page")

    def __init__(self, house: House, after: int, leave: "Callable[[ResultFeed], None]") -> None:
        """From behind a place on; `leave` is called when it is closed."""
        self._house = house
        self._after = after
        self._leave = leave
        self._page: collections.deque[protocol.Result] = collections.deque()
        self._last: tuple[str, int, bytes | None] | None = None
        self._news = asyncio.Event()
        self._end: Refusal | None = None
        self._open = True

    def wake(self) -> None:
        """There may be more to read."""
        self._news.set()

    def end(self, refusal: Refusal) -> None:
        """Ends it with a refusal, whatever it has not read: nothing of it is lost."""
        self._end = self._end or refusal
        self._news.set()

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> Told:
        """The next result; waits for one.

        Raises:
            Refusal: it was ended, with DRAINING or STREAM_MOVED; STORE_UNAVAILABLE.
        """
        try:
            while self._end is None:
                if self._page:
                    told = await self._told(self._page[0])
                    self._page.popleft()  # not before: nothing is lost on a reader who gives up waiting and comes again
                    return told
                self._news.clear()  # before looking: whatever happens from here on sets it again
                self._page.extend(await self._house.store.results(self._after, PAGE))
                if self._page:
                    self._after = self._page[-1].position
                else:
                    await self._news.wait()
        except protocol.Unavailable as error:
            raise Refusal("STORE_UNAVAILABLE") from error
        raise self._end

    async def aclose(self) -> None:
        """Lets go of it. Safe to call twice."""
        if self._open:
            self._open = False
            self._leave(self)
            self._house.observer.results_closed()

    async def _told(self, result: protocol.Result) -> Told:
        """The result with its match; several that one record brought have it from one look at the log."""
        if self._last is None or self._last[:2] != (result.match_id, result.record):
            self._last = (result.match_id, result.record, await self._match(result))
        return Told(pages.token(result.position), result.kind, result.match_id, self._last[2])

    async def _match(self, result: protocol.Result) -> bytes | None:
        payloads = await self._house.store.payloads(result.match_id, 0, result.record)
        try:
            if len(payloads) < result.record:
                raise _core.Damaged("the log is shorter than it was")
            table = await folded(len(payloads), _core.Table.load, payloads, self._house.sealer)
            return table.match()
        except (_core.Damaged, _core.Panicked) as error:
            error.add_note(f"result {result.position}: {result.kind} by record {result.record} of {result.match_id}")
            self._house.observer.failed("results", error)
            return None
