"""A file system for SQLite that fails when told to: real SQLite, a real file, real error paths."""

import collections
from collections.abc import Iterator

import apsw
import pytest

NAME = "faulty"


class Faults:
    """Which operations on which files fail from now on, and how."""

    def __init__(self) -> None:
        self._errors: dict[tuple[str, str], tuple[type[apsw.Error], int]] = {}
        self.hits = collections.Counter[str]()
        self.calls = collections.Counter[str]()
        """Operation and end of the file's name: `sync -wal`."""

    def fail(self, operation: str, suffix: str, error: type[apsw.Error] = apsw.IOError, *, times: int = 10**9) -> None:
        """`operation` is `sync`, `write` or `open`; `suffix` the end of the file's name, such as `-wal`."""
        self._errors[operation, suffix] = (error, times)

    def heal(self) -> None:
        self._errors.clear()

    def check(self, operation: str, name: str) -> None:
        self.calls[f"{operation} {name[name.rfind('-') :]}"] += 1
        for (failing, suffix), (error, times) in self._errors.items():
            if failing == operation and name.endswith(suffix) and times > 0:
                self._errors[failing, suffix] = (error, times - 1)
                self.hits[operation] += 1
                raise error(f"injected: {operation} of {name}")


class _File(apsw.VFSFile):
    def __init__(self, faults: Faults, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._faults = faults
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        faults.check("open", self._name)
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:
        self._faults.check("sync", self._name)
        super().xSync(flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._faults.check("write", self._name)
        super().xWrite(data, offset)


class _FileSystem(apsw.VFS):
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        super().__init__(NAME, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self._faults, name, flags)


@pytest.fixture
def faults() -> Iterator[Faults]:
    made = Faults()
    registered = _FileSystem(made)
    yield made
    registered.unregister()
