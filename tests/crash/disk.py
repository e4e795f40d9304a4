"""A file system for SQLite inside the server: real files, that fail on demand and lose what was not synced.

Whoever runs the tests writes the trouble into a file: `full` or `sync`. Without that file all is well.
"""

import collections
import contextlib
import os
import pathlib
import signal
import threading
from collections.abc import Callable
from typing import NoReturn

import apsw

NAME = "crashing"
TROUBLE = "trouble"
"""Name of the file, in the server's data directory, in which the trouble stands."""


class Disk:
    """What is common to all files."""

    def __init__(self, trouble: pathlib.Path, *, power_cut: bool) -> None:
        self.tears: Callable[[str], bool] = lambda _: False
        """Asked before a write, with the file's name: whether to die in the middle of it."""
        self.before_sync: Callable[[str], None] = lambda _: None
        self.lock = threading.RLock()
        self._trouble = trouble
        self._power_cut = power_cut
        self._unsynced: collections.defaultdict[str, list[tuple[int, bytes, int]]] = collections.defaultdict(list)

    def check(self, operation: str, name: str) -> None:
        """Raises what SQLite is to see."""
        trouble = ""
        with contextlib.suppress(FileNotFoundError):
            trouble = self._trouble.read_text()
        if trouble == "full" and operation == "write":
            raise apsw.FullError(f"injected: {name}")
        if trouble == "sync" and operation == "sync":
            raise apsw.IOError(f"injected: {name}")

    def written(self, name: str, offset: int, before: bytes, size: int) -> None:
        """Remembers what a write replaces, and how long the file was."""
        if self._power_cut:
            self._unsynced[name].append((offset, before, size))

    def synced(self, name: str) -> None:
        self._unsynced[name].clear()

    def die(self) -> NoReturn:
        """Ends the process as a power cut would, or as kill -9."""
        with self.lock:
            for name, writes in self._unsynced.items():
                # Descriptors are left open: closing one would give up SQLite's locks on the file.
                file = os.open(name, os.O_RDWR)
                for offset, before, size in reversed(writes):
                    os.pwrite(file, before, offset)
                    os.ftruncate(file, size)
            os.kill(os.getpid(), signal.SIGKILL)
            while True:
                signal.pause()


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:
        with self._disk.lock:
            self._disk.check("sync", self._name)
            self._disk.before_sync(self._name)
            super().xSync(flags)
            self._disk.synced(self._name)

    def xWrite(self, data: bytes, offset: int) -> None:
        with self._disk.lock:
            self._disk.check("write", self._name)
            size = self.xFileSize()
            before = self.xRead(min(len(data), size - offset), offset) if offset < size else b""
            self._disk.written(self._name, offset, before, size)
            if self._disk.tears(self._name):
                super().xWrite(data[: len(data) // 2], offset)
                self._disk.die()
            super().xWrite(data, offset)


class FileSystem(apsw.VFS):
    """Registered under NAME as long as it is referred to."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(NAME, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self._disk, name, flags)
