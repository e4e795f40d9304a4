"""A wire between callers and a server that can be cut, or held so that nothing more is read from it."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator

_LINGER_NONE = struct.pack("ii", 1, 0)
"""SO_LINGER with which a closed connection is reset instead of ended in order."""
_LEAST_BUFFER = 4_096
_CHUNK = 65_536


class Wire:
    """Passes bytes on between its own port and the server's, both ways."""

    def __init__(self, target: str) -> None:
        self._host, _, self._port = target.rpartition(":")
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> str:
        """Where callers connect."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def open(self) -> None:
        """Listens."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)

    def hold(self) -> None:
        """From now on nothing that the server says is read, and its system's buffers fill up."""
        self._flowing.clear()

    def cut(self) -> None:
        """Resets every connection, as a phone that has gone or a box between them that has died."""
        for writer in self._writers:
            connection = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NONE)
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        """Cuts it and listens no more."""
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _LEAST_BUFFER)
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, (self._host, int(self._port)))
        far_reader, far_writer = await asyncio.open_connection(sock=connection, limit=_LEAST_BUFFER)
        self._writers |= {writer, far_writer}
        for work in (self._pass(reader, far_writer), self._pass(far_reader, writer, held=True)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, held: bool = False) -> None:
        with contextlib.suppress(OSError):
            while text := await reader.read(_CHUNK):
                if held:
                    await self._flowing.wait()
                writer.write(text)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)


@contextlib.asynccontextmanager
async def wire(target: str) -> AsyncIterator[Wire]:
    """A wire to an address, cut at the end."""
    made = Wire(target)
    await made.open()
    try:
        yield made
    finally:
        await made.close()
