"""A player who finds his own way to a match: what he calls of the lobby. Request ids are given, to be given twice."""

from typing import Self

import grpc

from demo.caller import PATIENCE, Caller
from demo.server import Server
from majlis.v1 import lobby_service_pb2 as messages
from majlis.v1 import lobby_service_pb2_grpc, match_pb2


class Guest(Caller):
    """Somebody who takes seats himself."""

    def __init__(self, channel: grpc.aio.Channel, name: str, token: str) -> None:
        """Comes in.

        Args:
            channel: to the server.
            name: that others are shown; his id is the same in small letters.
            token: for that id and that name.
        """
        super().__init__(channel, name.lower(), token)
        self.name = name
        self._lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)

    @classmethod
    def of(cls, server: Server, name: str) -> Self:
        """A guest of this name."""
        return cls(server.channel, name, server.token(name.lower(), shown=name))

    async def tables(self, language: str) -> list[messages.Table]:
        """The operator's tables, with names in a language, a few a page."""
        tables: list[messages.Table] = []
        metadata = (*self.metadata, ("accept-language", language))
        page_token = ""
        while True:
            request = messages.ListTablesRequest(page_size=1, page_token=page_token)
            page = await self._lobby.ListTables(request, metadata=metadata, timeout=PATIENCE)
            tables.extend(page.tables)
            page_token = page.next_page_token
            if not page_token:
                return tables

    async def join_table(self, table_id: str, request_id: str) -> match_pb2.Match:
        """Sits down at a table."""
        request = messages.JoinTableRequest(table_id=table_id, request_id=request_id)
        return (await self._lobby.JoinTable(request, metadata=self.metadata, timeout=PATIENCE)).match

    async def create_room(self, options: match_pb2.GameOptions, request_id: str) -> messages.CreateRoomResponse:
        """Opens a room for a match of Trix."""
        request = messages.CreateRoomRequest(game=match_pb2.GAME_TRIX, options=options, request_id=request_id)
        return await self._lobby.CreateRoom(request, metadata=self.metadata, timeout=PATIENCE)

    async def look_up_room(self, code: str) -> messages.LookUpRoomResponse:
        """Looks what a code leads to."""
        request = messages.LookUpRoomRequest(join_code=code)
        return await self._lobby.LookUpRoom(request, metadata=self.metadata, timeout=PATIENCE)

    async def join_room(self, code: str, request_id: str) -> match_pb2.Match:
        """Sits down in a room."""
        request = messages.JoinRoomRequest(join_code=code, request_id=request_id)
        return (await self._lobby.JoinRoom(request, metadata=self.metadata, timeout=PATIENCE)).match

    async def leave(self, match_id: str, request_id: str) -> None:
        """Gives a seat back."""
        request = messages.LeaveMatchRequest(match_id=match_id, request_id=request_id)
        await self._lobby.LeaveMatch(request, metadata=self.metadata, timeout=PATIENCE)

    async def rematch(self, match_id: str, request_id: str) -> match_pb2.Match:
        """Asks for another match with the same players."""
        request = messages.RematchRequest(match_id=match_id, request_id=request_id)
        return (await self._lobby.Rematch(request, metadata=self.metadata, timeout=PATIENCE)).match
