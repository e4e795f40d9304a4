"""Logs in one SQLite file, for one server process.

`store` is what the runtime calls. Under it, each with its own thread: `writer`, which takes batches that `gather` has
put together, and `reader`. `commit` and `queries` hold their SQL, `database` opens the file, `schema` brings it up to
date, `lock` keeps a second process out.
"""
