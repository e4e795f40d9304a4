"""Where the logs of matches are kept: the protocol that the runtime knows, and what implements it.

An append is the lock: whoever appends a match's next record wins. Records are opaque bytes here; nothing in this
layer reads one, decides anything about a game, or publishes.
"""
