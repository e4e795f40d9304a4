"""What the settings may say."""

import pathlib

import pytest

from majlis.store import memory
from majlis.store import open as opening
from majlis.store.sqlite import store as sqlite


async def test_memory() -> None:
    assert isinstance(opening.open_store("memory:"), memory.MemoryStore)


@pytest.mark.parametrize("form", ["sqlite:///{}", "{}"])
async def test_an_absolute_path(form: str, tmp_path: pathlib.Path) -> None:
    store = opening.open_store(form.format(tmp_path / "majlis.db"))
    assert isinstance(store, sqlite.SqliteStore)
    await store.close()
    assert (tmp_path / "majlis.db").exists()


@pytest.mark.parametrize("form", ["sqlite:///majlis.db", "majlis.db"])
async def test_a_relative_path(form: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await opening.open_store(form).close()
    assert (tmp_path / "majlis.db").exists()


async def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="redis: no such kind of store"):
        opening.open_store("redis://localhost")
