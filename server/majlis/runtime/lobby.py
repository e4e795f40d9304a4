"""The lobby: how players come to a match without a matchmaker, at tables, in private rooms, and by playing again.

A name in the store says which match waits at a table or behind a code, and whoever changes the match changes its names
in the same append. So a name that was read may be stale by the time its match is reached; then it is looked up again.
Who may sit where is decided in Rust. Stakes are confirmed here, too, since they belong to the time before the start.
"""

import asyncio
import contextlib
import dataclasses
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.match.status import MatchStatus
from majlis.runtime import join_code
from majlis.runtime.asked import KEPT_MS, Asked
from majlis.runtime.entrance import Entrance
from majlis.runtime.founding import Made, founded
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import Gone, House
from majlis.runtime.sitting import Sitting
from majlis.store import protocol

_MOVED_ON = frozenset({"SEATS_TAKEN", "ALREADY_STARTED", "MATCH_VOID", "MATCH_OVER"})
"""Refusals of a match that had the name when it was looked up, and has it no more."""

TRIES = 100
"""How often a call looks where a name leads, when others are quicker each time."""


@dataclasses.dataclass(frozen=True, slots=True)
class Opening:
    """What a match is opened with."""

    game: int
    """Number of `majlis.v1.Game`."""
    options: bytes
    """Of a `GameOptions`."""
    visibility: int
    table_id: str = ""

    @property
    def name(self) -> str:
        """What the match that waits at this table is found by.

        A table whose offer was changed is another one: nobody is seated on terms that he was not shown.
        """
        offered = f"{self.game} {self.visibility} {self.options.hex()}"
        return f"{self.table_id} {hashlib.sha256(offered.encode()).hexdigest()}"


@dataclasses.dataclass(frozen=True, slots=True)
class Room:
    """A private room as its maker sees it."""

    match: bytes
    """A `Match`."""
    code: str
    """As it is shown; empty once the match does not wait any more."""
    closes_ms: int | None
    """When it closes, while seats are free."""


class Lobby:
    """Of one runtime. Every call may raise what `Entrance.at` raises, and what it names itself.

    A repeat of a request gets the match that the first came to, as it is now; REQUEST_ID_REUSED if it asks for
    something else.
    """

    def __init__(self, house: House, hall: Hall, entrance: Entrance) -> None:
        self._house = house
        self._hall = hall
        self._entrance = entrance
        self._locks: dict[str, asyncio.Lock] = {}

    async def join_table(self, asked: Asked, opening: Opening) -> bytes:
        """Seats a player in the match that waits at a table, or in a new one; a `Match`.

        Whoever waits there already keeps the seat that he has.
        """
        # A match that waits from before fees were confirmed would start without them, and pay out what nobody took.
        name = opening.name if self._house.limits.stakes_ms else f"{opening.name} unconfirmed"
        with self._entrance.inside():
            async with self._one_at_a_time(name):
                return await self._in_named(
                    asked,
                    "table",
                    name,
                    lambda free: self._open(asked, opening, "table", free, self._house.limits.tables_seconds),
                )

    async def create_room(self, asked: Asked, opening: Opening) -> Room:
        """Opens a room for whoever knows its code.

        Raises:
            Refusal: MALFORMED_REQUEST, for options that are out of bounds.
        """
        with self._entrance.inside():
            match_id = await self._known(asked)
            while match_id is None:
                match await self._open(asked, opening, "code", join_code.new(), self._house.limits.rooms_seconds):
                    case Sitting() as sitting:
                        self._house.observer.lobby(sitting.game, "room_opened")
                        match_id = sitting.match_id
                    case protocol.Held("request") as held:
                        match_id = _of_the_same(asked, held)
                    case _:
                        continue  # the random code was taken
            codes = await self._house.store.names_of(match_id, "code", asked.received_ms)
        return await self._entrance.at(match_id, lambda sitting: self._room(sitting, codes))

    async def look_up(self, code: str, now_ms: int) -> tuple[bytes, int]:
        """What a code, as `join_code.read` makes it, leads to: a `Match`, and how many of its seats are free.

        Raises:
            Refusal: ROOM_NOT_FOUND, ROOM_EXPIRED.
        """

        async def look(sitting: Sitting) -> tuple[bytes, int]:
            await sitting.refresh()
            _refuse_closed(sitting.status)
            return _match(sitting), sitting.players.count(None)

        return await self._entrance.at(await self._behind(code, now_ms), look)

    async def answered(self, asked: Asked) -> bytes | None:
        """The `Match` that this request came to before; None if it is new."""
        with self._entrance.inside():
            match_id = await self._known(asked)
        return None if match_id is None else await self._entrance.at(match_id, _as_it_is)

    async def join_room(self, asked: Asked, code: str) -> bytes:
        """Seats a player in the room with this code, as `join_code.read` makes it; a `Match`.

        Raises:
            Refusal: ROOM_NOT_FOUND, ROOM_EXPIRED, ROOM_FULL, OWN_ROOM.
        """
        if (match := await self.answered(asked)) is not None:
            return match
        try:
            match_id = await self._join(asked, await self._behind(code, asked.received_ms), "room_joined")
        except Refusal as no:
            # The same request, sent twice at once, may have taken the last seat meanwhile, and the code with it.
            if (match := await self.answered(asked)) is not None:
                return match
            if no.reason in ("SEATS_TAKEN", "ALREADY_STARTED"):
                raise Refusal("ROOM_FULL") from no
            if no.reason in ("MATCH_VOID", "MATCH_OVER"):
                raise Refusal("ROOM_EXPIRED") from no
            raise
        return await self._entrance.at(match_id, _as_it_is)

    async def leave(self, asked: Asked, match_id: str) -> None:
        """Gives a player's seat back.

        Raises:
            Refusal: NOT_SEATED, ALREADY_STARTED, MATCH_OVER, MATCH_VOID.
        """
        with self._entrance.inside():
            if await self._known(asked) is not None:
                return

        async def leave(sitting: Sitting) -> None:
            try:
                held = await sitting.change(
                    lambda: sitting.table.leave(asked.player_id, asked.received_ms),
                    asked.received_ms,
                    claims=[asked.claim],
                )
            except Refusal:
                sitting.viewer(asked.player_id)  # to whoever may not know of it there is no such match
                raise
            if isinstance(held, protocol.Held):
                _of_the_same(asked, held)
            else:
                self._house.observer.lobby(sitting.game, "left")

        await self._entrance.at(match_id, leave)

    async def rematch(self, asked: Asked, match_id: str) -> bytes:
        """Seats a player in the rematch of a match, which his call or another's makes; a `Match`.

        Raises:
            Refusal: NOT_SEATED, MATCH_NOT_ENDED, MATCH_VOID.
        """

        async def again(old: Sitting) -> bytes:
            await old.refresh()
            if old.viewer(asked.player_id) == _core.SPECTATOR:
                raise Refusal("NOT_SEATED", sequence=old.sequence)
            match = await self._in_named(asked, "rematch", old.match_id, lambda _: self._again(asked, old))
            if held := await self._house.store.find_name("rematch", old.match_id, asked.received_ms):
                if old.gone:
                    raise Gone  # whoever waits for it came again, to another sitting
                old.tell_rematch(held.match_id)
            return match

        return await self._entrance.at(match_id, again)

    async def confirm_stake(self, match_id: str, player_id: str, payment_id: str, now_ms: int) -> bytes:
        """A player's fee is taken; a `Match`, which has started if it was the last one.

        Raises:
            Refusal: NOT_SEATED, NO_STAKE, SEATS_FREE, STAKE_PAID_TWICE, ALREADY_STARTED, MATCH_OVER, MATCH_VOID.
        """

        async def confirm(sitting: Sitting) -> bytes:
            request = protocol.Request(*sitting.told(sitting.table.stake_request, player_id, payment_id))
            known = await sitting.change(
                lambda: sitting.table.confirm_stake(player_id, now_ms), now_ms, request=request
            )
            if known is None:
                self._house.observer.lobby(sitting.game, "stake_confirmed")
            elif known.body_hash != request.body_hash:
                raise Refusal("STAKE_PAID_TWICE", sequence=sitting.sequence)
            return _match(sitting)

        return await self._entrance.at(match_id, confirm)

    # How a player gets into a match that a name leads to.

    async def _in_named(self, asked: Asked, kind: str, name: str, make: "Callable[[str], Awaitable[Opened]]") -> bytes:
        """Seats a player in the match that has a name, or makes it under that name.

        A match that cannot be read any more cannot give up its table: that goes on under another name, which everybody
        comes to by the first.
        """
        for _ in range(TRIES):
            if (match_id := await self._known(asked)) is not None:
                return await self._entrance.at(match_id, _as_it_is)
            held = await self._house.store.find_name(kind, name, asked.received_ms)
            if held is None:
                made = await make(name)
                if isinstance(made, Sitting):
                    self._house.observer.lobby(made.game, f"{kind}_opened")
                    return _match(made)
                continue  # somebody else was first
            try:
                match_id = await self._join(asked, held.match_id, f"{kind}_joined")
            except Refusal as no:
                if no.reason in _MOVED_ON:
                    continue
                if no.reason == "MATCH_DAMAGED" and kind == "table":
                    name = f"{name} after {held.match_id}"
                    continue
                if no.reason != "OWN_ROOM":
                    raise
                # He has his seat; the request comes to it as well.
                match_id = await self._remembered(asked, held.match_id)
            return await self._entrance.at(match_id, _as_it_is)
        raise Refusal("OVERLOADED")

    async def _join(self, asked: Asked, match_id: str, step: str) -> str:
        """Takes a seat; the match that the request came to."""

        async def join(sitting: Sitting) -> str:
            held = await sitting.change(
                lambda: sitting.table.join(asked.player_id, asked.display_name, asked.received_ms),
                asked.received_ms,
                claims=[asked.claim],
            )
            if isinstance(held, protocol.Held):
                return _of_the_same(asked, held)
            self._house.observer.lobby(sitting.game, step)
            return match_id

        return await self._entrance.at(match_id, join)

    async def _open(self, asked: Asked, opening: Opening, kind: str, name: str, seconds: float) -> "Opened":
        """Makes a match under a name that waits so long for players."""
        seats_ms = int(seconds * 1000)

        def make(match_id: str, now_ms: int) -> Made:
            return _core.Table.open(
                opening.game,
                opening.options,
                asked.player_id,
                asked.display_name,
                match_id,
                now_ms,
                self._house.sealer,
                visibility=opening.visibility,
                seats_ms=seats_ms,
                stakes_ms=self._house.limits.stakes_ms,
                table_id=opening.table_id,
            )

        return await self._founded(asked, make, kind, name, seats_ms)

    async def _again(self, asked: Asked, old: Sitting) -> "Opened":
        seats_ms = int(self._house.limits.rematch_seconds * 1000)

        def make(match_id: str, now_ms: int) -> Made:
            return old.table.rematch(asked.player_id, match_id, now_ms, seats_ms, self._house.limits.stakes_ms)

        return await self._founded(asked, make, "rematch", old.match_id, seats_ms)

    async def _founded(
        self, asked: Asked, make: Callable[[str, int], Made], kind: str, name: str, seats_ms: int
    ) -> "Opened":
        # A match gives its names up by itself. That they expire keeps one that cannot be read from holding a table for
        # ever, and the codes of rooms that nobody came to from piling up.
        claim = protocol.Claim(kind, name, expires_ms=asked.received_ms + seats_ms + KEPT_MS)
        made = await founded(self._house, self._hall, make, asked.body_hash, [asked.claim, claim])
        if isinstance(made, protocol.Founded):
            raise AssertionError("a match of the lobby has no external id")
        return made

    async def _room(self, sitting: Sitting, codes: list[str]) -> Room:
        await sitting.refresh(settled=True)
        waits = sitting.status == MatchStatus.WAITING
        return Room(
            _match(sitting),
            join_code.shown(codes[0]) if codes and waits else "",
            sitting.deadline_ms if waits and sitting.table.clock == "seats" else None,
        )

    # Names and requests.

    async def _known(self, asked: Asked) -> str | None:
        """The match that this request came to before, if it did."""
        held = await self._house.store.find_name("request", asked.name, asked.received_ms)
        return None if held is None else _of_the_same(asked, held)

    async def _remembered(self, asked: Asked, match_id: str) -> str:
        """Keeps a request with the match that it came to without changing it; the match that it had come to before."""
        held = await self._house.store.claim(match_id, asked.claim, asked.received_ms)
        return _of_the_same(asked, held)

    async def _behind(self, code: str, now_ms: int) -> str:
        """The match behind a code."""
        with self._entrance.inside():
            held = await self._house.store.find_name("code", code, now_ms)
        if held is None:
            raise Refusal("ROOM_NOT_FOUND")
        return held.match_id

    @contextlib.asynccontextmanager
    async def _one_at_a_time(self, table: str) -> AsyncIterator[None]:
        """One player after the other at a table: each finds what the one before has done, and nobody tries in vain.

        It only saves work. Between several servers the store decides who was first.
        """
        async with self._locks.setdefault(table, asyncio.Lock()):
            yield


Opened = Sitting | protocol.Held


def _of_the_same(asked: Asked, held: protocol.Held) -> str:
    """The match that an earlier request came to.

    Raises:
        Refusal: REQUEST_ID_REUSED, when that asked for something else.
    """
    if held.body_hash != asked.body_hash:
        raise Refusal("REQUEST_ID_REUSED")
    return held.match_id


def _refuse_closed(status: int) -> None:
    if status in (MatchStatus.VOID, MatchStatus.ENDED):
        raise Refusal("ROOM_EXPIRED")


def _match(sitting: Sitting) -> bytes:
    return sitting.told(sitting.table.match, sitting.audience.connected())


async def _as_it_is(sitting: Sitting) -> bytes:
    await sitting.refresh(settled=True)
    return _match(sitting)
