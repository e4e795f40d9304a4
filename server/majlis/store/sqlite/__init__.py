"""Logs in one SQLite file, for one server process.

`store` is what the runtime calls. Under it, each with its own thread: `writer`, which takes the batches that
`majlis.store.gather` puts together on the event loop, `reader`, and `checkpoint`. The writer's SQL is in `commit` and
`upkeep`, the reader's in `queries`. `database` holds the connections, `file` judges and makes the file, `schema` brings
it up to date, `lock` keeps a second process out.
"""
