"""The server's command line, wrapped: `python -m tests.crash.launcher PLAN serve --data DIR …`."""

import functools
import pathlib
import sys

from majlis import cli
from majlis.store.sqlite import database, store
from tests.crash import disk, sabotage
from tests.crash.plan import Plan
from tests.crash.points import Points

LOG_PAGES = 60
"""Of the write-ahead log before a checkpoint: few, so that there are many."""


def launch(plan: Plan, arguments: list[str]) -> None:
    data = pathlib.Path(arguments[arguments.index("--data") + 1])
    failing = disk.Disk(data / disk.TROUBLE, power_cut=plan.power_cut)
    registered = disk.FileSystem(failing)
    database._LONG_LOG_PAGES = LOG_PAGES
    sabotage.put_in(plan.sabotage)
    Points(plan, failing).arm()
    setattr(store, "SqliteStore", functools.partial(store.SqliteStore, vfs=disk.NAME))  # noqa: B010 — a type to mypy
    sys.argv = ["majlis", *arguments]
    try:
        cli.main()
    finally:
        registered.unregister()


if __name__ == "__main__":
    launch(Plan.read(sys.argv[1]), sys.argv[2:])
