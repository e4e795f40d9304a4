"""Logs in a PostgreSQL database, which any number of server processes share.

`store` is what the runtime calls. Under it: `writer`, which takes the batches that `majlis.store.gather` puts together
and makes one transaction of each; `links`, the connections for everything else; `hints`, which tells other servers of
appends. What is asked is in `queries` and `upkeep`, how a batch travels in `commit`; the SQL that writes is functions
of the database, in `migrations`. `link` opens a connection, `away` remembers that none can be had, `faults` tells what
an error means, `schema` brings the database up to date, `months` keeps its partitions.
"""
