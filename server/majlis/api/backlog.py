"""What waits to be said on a play session: answers, and the updates of the matches that it watches.

What waits is sent together, as much as fits into one message. Each match is told in order: an answer follows the
updates of its match that were there before it, so that a client which goes by both never meets a gap. Feeds bound
themselves; how many answers may wait is the session's affair, which is told of each that is taken.
"""

import asyncio
import collections
import functools
from collections.abc import Callable

from majlis.api import items
from majlis.api.language import Language
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed

TOGETHER_BYTES = 32_768
"""When what is sent together is enough."""


class Backlog:
    """Of one session."""

    def __init__(self, language: Language, on_taken: Callable[[], None]) -> None:
        """`on_taken` is called for each answer that leaves."""
        self.something = asyncio.Event()
        """Set when there may be something to `take`, or to `close` for."""
        self._language = language
        self._on_taken = on_taken
        self._answers: collections.deque[tuple[str, bytes]] = collections.deque()
        self._feeds: dict[str, Feed] = {}
        self._ready: dict[str, None] = {}  # an ordered set of those that may have something, longest first

    @property
    def watched(self) -> int:
        """How many matches are watched."""
        return len(self._feeds)

    def answer(self, match_id: str, item: bytes) -> None:
        """Lets a `SessionItem` wait that is no update."""
        self._answers.append((match_id, item))
        self.something.set()

    def follow(self, match_id: str, feed: Feed) -> None:
        """Tells what a feed has, until its end; nothing else of this match may be followed."""
        self._feeds[match_id] = feed
        feed.on_ready = functools.partial(self._is_ready, match_id)
        feed.on_ready()

    def leave(self, match_id: str) -> Feed | None:
        """Tells nothing more of a match; the feed, if one was followed, is the caller's to close."""
        self._ready.pop(match_id, None)
        feed = self._feeds.pop(match_id, None)
        if feed is not None:
            feed.on_ready = None
        return feed

    def end(self, refusal: Refusal) -> None:
        """Ends all feeds, once what they have was taken."""
        for feed in list(self._feeds.values()):
            feed.end(refusal)

    async def aclose(self) -> None:
        """Closes all feeds."""
        for match_id in list(self._feeds):
            if feed := self.leave(match_id):
                await feed.aclose()

    def take(self) -> bytes:
        """What waits, as one `PlaySessionResponse`; empty if nothing does."""
        taken, size = [], 0
        while size < TOGETHER_BYTES and (item := self._next()):
            taken.append(item)
            size += len(item)
        return items.together(taken)

    def _next(self) -> bytes:
        """Answers first, each behind the updates of its match; then an update of each match in turn."""
        while self._answers or self._ready:
            match_id = self._answers[0][0] if self._answers else next(iter(self._ready))
            if match_id not in self._ready:
                _, item = self._answers.popleft()
                self._on_taken()
                return item
            if item := self._update(match_id):
                return item
        return b""

    def _update(self, match_id: str) -> bytes:
        """The next update of a match; empty if nothing of it waits any more."""
        del self._ready[match_id]
        try:
            update = self._feeds[match_id].take()
        except StopAsyncIteration:
            return self._ended(match_id, None)
        except Refusal as why:
            return self._ended(match_id, why)
        if update is None:
            return b""
        self._ready[match_id] = None
        return items.update(match_id, update)

    def _ended(self, match_id: str, why: Refusal | None) -> bytes:
        self.leave(match_id)
        return items.watch_end(match_id, why, self._language)

    def _is_ready(self, match_id: str) -> None:
        self._ready[match_id] = None
        self.something.set()
