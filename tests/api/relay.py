"""A plain TCP balancer with one server behind it: it passes bytes on, and counts the connections that were made."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Relay:
    """To one address."""

    def __init__(self, to: str) -> None:
        self.connections = 0
        """So many were made so far."""
        self.listen = ""
        self._host, _, port = to.rpartition(":")
        self._port = int(port)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Relay"]:
        """It passes on while inside."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.listen = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        to_reader, to_writer = await asyncio.open_connection(self._host, self._port)
        await asyncio.gather(_pass(reader, to_writer), _pass(to_reader, writer))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while read := await reader.read(65_536):
            writer.write(read)
            await writer.drain()
    writer.close()
