"""A TCP proxy in front of a server, which cuts connections at the worst moment."""

import asyncio
import contextlib
import enum
import threading


class Cut(enum.Enum):
    """When a connection is cut on which something marked comes by."""

    BEFORE = enum.auto()
    """The server never gets it."""
    AFTER = enum.auto()
    """The server gets it, and its answer goes nowhere."""


class Proxy:
    """Passes on bytes, both ways, on a thread of its own."""

    def __init__(self, port: int) -> None:
        """In front of a port of this machine."""
        self._behind = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.cut: Cut | None = None
        """What happens to the next connection on which `mark` is sent; once."""
        self.mark = b""
        self.cuts = 0

    def __enter__(self) -> "Proxy":
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._accept, "127.0.0.1", 0), self._loop
        ).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            behind_reader, behind_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        except OSError:
            writer.close()
            return
        silent = asyncio.Event()
        both = [
            asyncio.ensure_future(self._pass(reader, behind_writer, silent, requests=True)),
            asyncio.ensure_future(self._pass(behind_reader, writer, silent, requests=False)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for end in (writer, behind_writer):
                end.close()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, silent: asyncio.Event, *, requests: bool
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                cutting = requests and self.cut is not None and self.mark in data
                if cutting:
                    cut, self.cut = self.cut, None
                    self.cuts += 1
                    silent.set()
                    if cut is Cut.BEFORE:
                        return
                if silent.is_set() and not requests:
                    return
                writer.write(data)
                await writer.drain()
                if cutting:
                    return
