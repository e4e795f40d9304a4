"""`majlis.v1.LobbyService`: tables, private rooms and rematches. Who gets which seat is the runtime's to find out.

Tables are the operator's (`offers`); how often codes may be guessed stands in `guesses`.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.protobuf import message

from majlis.api import language, requests, wire
from majlis.api.calls import Call, Calls, Handler
from majlis.api.guesses import Guesses, address_of
from majlis.api.methods import LOBBY_SERVICE
from majlis.api.offers import Offer, Offers
from majlis.match.refusal import Refusal
from majlis.runtime import join_code, pages
from majlis.runtime.asked import Asked
from majlis.runtime.lobby import Lobby, Opening
from majlis.v1 import lobby_service_pb2 as messages
from majlis.v1 import match_pb2

TABLES_A_PAGE, MOST_TABLES_A_PAGE = 50, 200

T = TypeVar("T")


class LobbyService:
    """Ways to a match for frontends without a matchmaker."""

    def __init__(self, lobby: Lobby, offers: Offers, guesses: Guesses) -> None:
        self._lobby = lobby
        self._offers = offers
        self._guesses = guesses

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""
        unary = {
            "ListTables": self.list_tables,
            "JoinTable": self.join_table,
            "CreateRoom": self.create_room,
            "LookUpRoom": self.look_up_room,
            "JoinRoom": self.join_room,
            "LeaveMatch": self.leave_match,
            "Rematch": self.rematch,
        }
        return {name: calls.unary(f"/{LOBBY_SERVICE}/{name}", answer) for name, answer in unary.items()}

    async def list_tables(self, call: Call, request: bytes) -> bytes:
        """`ListTablesRequest` to `ListTablesResponse`."""
        asked = requests.read(messages.ListTablesRequest, request)
        size = requests.page_size(asked.page_size, TABLES_A_PAGE, MOST_TABLES_A_PAGE)
        tables = list(self._offers.values())
        first = int(pages.place(asked.page_token, 1)[0]) if asked.page_token else 0
        page = tables[first : first + size]
        arabic = language.preferred(call.header("accept-language")) == "ar"
        last = first + len(page)
        return messages.ListTablesResponse(
            tables=[_table(offer, arabic) for offer in page],
            next_page_token=pages.token(last) if last < len(tables) else "",
        ).SerializeToString()

    async def join_table(self, call: Call, request: bytes) -> bytes:
        """`JoinTableRequest` to `JoinTableResponse`."""
        asked = requests.read(messages.JoinTableRequest, request)
        known = _asked(call, "JoinTable", asked)
        offer = self._offers.get(requests.id_of(asked, "table_id"))
        if offer is None:
            # The operator may have taken it away since; who has his seat is told of it all the same.
            match = await self._lobby.answered(known)
            if match is None:
                raise Refusal("TABLE_NOT_FOUND")
            return wire.field(_JOINED, match)
        opening = Opening(offer.game, offer.options, offer.visibility, offer.table_id)
        return wire.field(_JOINED, await self._lobby.join_table(known, opening))

    async def create_room(self, call: Call, request: bytes) -> bytes:
        """`CreateRoomRequest` to `CreateRoomResponse`."""
        asked = requests.read(messages.CreateRoomRequest, request)
        known = _asked(call, "CreateRoom", asked)
        opening = Opening(asked.game, asked.options.SerializeToString(), asked.visibility)
        room = await self._lobby.create_room(known, opening)
        rest = messages.CreateRoomResponse(join_code=room.code)
        if room.closes_ms is not None:
            rest.code_expire_time.FromMilliseconds(room.closes_ms)
        return wire.field(_OPENED, room.match) + rest.SerializeToString()

    async def look_up_room(self, call: Call, request: bytes) -> bytes:
        """`LookUpRoomRequest` to `LookUpRoomResponse`."""
        asked = requests.read(messages.LookUpRoomRequest, request)
        code = _code(asked.join_code)
        match, free = await self._guessed(call, lambda: self._lobby.look_up(code, call.received_ms))
        return wire.field(_FOUND, match) + messages.LookUpRoomResponse(free_seats=free).SerializeToString()

    async def join_room(self, call: Call, request: bytes) -> bytes:
        """`JoinRoomRequest` to `JoinRoomResponse`."""
        asked = requests.read(messages.JoinRoomRequest, request)
        known, code = _asked(call, "JoinRoom", asked), _code(asked.join_code)
        match = await self._lobby.answered(known)  # a repeat guesses nothing
        if match is None:
            match = await self._guessed(call, lambda: self._lobby.join_room(known, code))
        return wire.field(_ENTERED, match)

    async def leave_match(self, call: Call, request: bytes) -> bytes:
        """`LeaveMatchRequest` to `LeaveMatchResponse`."""
        asked = requests.read(messages.LeaveMatchRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        await self._lobby.leave(_asked(call, "LeaveMatch", asked), asked.match_id)
        return b""

    async def rematch(self, call: Call, request: bytes) -> bytes:
        """`RematchRequest` to `RematchResponse`."""
        asked = requests.read(messages.RematchRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        return wire.field(_AGAIN, await self._lobby.rematch(_asked(call, "Rematch", asked), asked.match_id))

    async def _guessed(self, call: Call, work: Callable[[], Awaitable[T]]) -> T:
        """What is done with a code, unless the caller has guessed too often."""
        player, address = call.caller.subject, address_of(call.peer())
        async with self._guesses.turn(player, address):
            try:
                return await work()
            except (Refusal, asyncio.CancelledError) as no:
                # Whoever breaks off his call may have found his seat, and has guessed in any case.
                if not isinstance(no, Refusal) or no.reason == "ROOM_NOT_FOUND":
                    await self._guesses.wrong(player, address)
                raise


_JOINED = messages.JoinTableResponse.MATCH_FIELD_NUMBER
_OPENED = messages.CreateRoomResponse.MATCH_FIELD_NUMBER
_FOUND = messages.LookUpRoomResponse.MATCH_FIELD_NUMBER
_ENTERED = messages.JoinRoomResponse.MATCH_FIELD_NUMBER
_AGAIN = messages.RematchResponse.MATCH_FIELD_NUMBER


def _asked(call: Call, method: str, request: message.Message) -> Asked:
    """A request as it is known again: the hash covers all that it asks for, however it was serialized.

    Raises:
        Refusal: MALFORMED_REQUEST, for a request id that is none.
    """
    call.about.request = request_id = requests.request_id(request)
    body = type(request)()
    body.CopyFrom(request)
    body.ClearField("request_id")
    body.DiscardUnknownFields()
    return Asked(
        player_id=call.caller.player_id,
        display_name=call.caller.name,
        method=method,
        request_id=request_id,
        body_hash=hashlib.sha256(body.SerializeToString(deterministic=True)).digest(),
        received_ms=call.received_ms,
    )


def _code(typed: str) -> str:
    """A code as the lobby knows it. What cannot be one guesses nothing, and is not counted.

    Raises:
        Refusal: MALFORMED_REQUEST.
    """
    code = join_code.read(typed)
    if code is None:
        signs = "letters and digits, without 0, O, 1 and I"
        raise requests.malformed("join_code", f"must be {join_code.LENGTH} {signs}")
    return code


def _table(offer: Offer, arabic: bool) -> messages.Table:
    return messages.Table(
        table_id=offer.table_id,
        display_name=offer.name_ar if arabic else offer.name,
        game=match_pb2.Game.ValueType(offer.game),
        options=match_pb2.GameOptions.FromString(offer.options),
        visibility=match_pb2.Visibility.ValueType(offer.visibility),
    )
